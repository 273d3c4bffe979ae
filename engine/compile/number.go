package compile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	numberRE    = regexp.MustCompile(`[-−–]?\d[\d.,'’\x{00a0}\x{202f}\x{2009} ]*`)
	groupedRE   = regexp.MustCompile(`^\d{1,3}([ ,.'])\d{3}(?:[ ,.']\d{3})*$`)
	numberFixer = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'", "−", "-", "–", "-")
)

// ReadNumber reads the one number in a text that people read: "¥1,249.00", "1.249,00 €", "1 249 Kč".
// A text with several numbers, or one like "€1.249" that is 1249 in one country and 1.249 in another, is an
// error: a wrong price is worse than none.
func ReadNumber(text string) (float64, error) {
	found := numberRE.FindAllString(text, -1)
	if len(found) == 0 {
		return 0, fmt.Errorf("%.40q holds no number", text)
	}
	if len(found) > 1 {
		return 0, fmt.Errorf("%.40q holds %d numbers", text, len(found))
	}
	s := strings.TrimRight(numberFixer.Replace(found[0]), " .,'")
	sign := 1.0
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		// "A1-20" is a range or a code, "-20" a negative number.
		if i := strings.Index(text, found[0]); i == 0 || strings.ContainsAny(text[i-1:i], " (€$£¥") {
			sign = -1
		}
		s = rest
	}
	lastDot, lastComma := strings.LastIndex(s, "."), strings.LastIndex(s, ",")
	switch {
	case lastDot >= 0 && lastComma >= 0: // both: the later one is the decimal mark
		if lastDot > lastComma {
			s = strings.ReplaceAll(s, ",", "")
		} else {
			s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
		}
	case lastComma >= 0:
		if groupedRE.MatchString(s) { // 1,249: no country writes three decimals after a comma in a price
			s = strings.ReplaceAll(s, ",", "")
		} else {
			s = strings.Replace(s, ",", ".", 1)
		}
	case lastDot >= 0 && strings.Count(s, ".") > 1:
		s = strings.ReplaceAll(s, ".", "")
	case lastDot >= 0 && groupedRE.MatchString(s) && strings.ContainsAny(text, "€$£¥₹") && !strings.HasPrefix(s, "0"):
		return 0, &eitherNumber{text, strings.Replace(s, ".", "", 1), s}
	}
	s = strings.NewReplacer(" ", "", "'", "").Replace(s)
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return sign * n, nil
}

// eitherNumber is a text that is one number in one country and another in the next.
type eitherNumber struct{ text, grouped, decimal string }

func (e *eitherNumber) Error() string {
	return fmt.Sprintf("%.40q may be %s or %s", e.text, e.grouped, e.decimal)
}

// SameNumber reports whether a text of the page can be read as a number: "€1,200" as 1200, and "40.00" as 40.
func SameNumber(text string, number float64) bool {
	got, err := ReadNumber(text)
	var either *eitherNumber
	if errors.As(err, &either) {
		a, _ := strconv.ParseFloat(either.grouped, 64)
		b, _ := strconv.ParseFloat(either.decimal, 64)
		return number == a || number == b
	}
	return err == nil && got == number
}
