package compile

import (
	"regexp"
	"strings"
	"unicode"
)

// Masked stands for the value of a field that is not to be shown: a password, a card number.
const Masked = "••••"

// SameText reports whether a field holds the text that was entered, as it is or as the field formats it: other
// separators and letter case ((555) 123-4567), or no leading zeros (3/7/2027 for 03/07/2027).
// A masked value cannot be compared; the driver has read it back when it was entered.
func SameText(got, want string) bool {
	if got == Masked {
		return want != ""
	}
	if got == want || strings.ReplaceAll(got, "\r\n", "\n") == want || strings.Join(strings.Fields(got), " ") == strings.Join(strings.Fields(want), " ") {
		return true
	}
	a, b := runs(got), runs(want)
	if numeric.MatchString(want) { // 1.50 may become 1,50 or $1.50, but not 150
		last := len(b) - 1
		return len(a) > 0 && strings.Join(a, "") == strings.Join(b, "") && (last == 0 || a[len(a)-1] == b[last]) &&
			strings.HasPrefix(want, "-") == strings.ContainsAny(got, "-−(")
	}
	if strings.EqualFold(strings.Join(a, ""), strings.Join(b, "")) {
		return len(a) > 0
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !strings.EqualFold(strings.TrimLeft(a[i], "0"), strings.TrimLeft(b[i], "0")) {
			return false
		}
	}
	return len(a) > 0
}

var numeric = regexp.MustCompile(`^-?\d{1,9}([.,]\d{1,3})?$`)

// runs splits a text into its runs of letters and digits.
func runs(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
