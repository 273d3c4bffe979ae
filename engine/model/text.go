package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// noneKey is the key of "none of these".
const noneKey = "0"

// rawLimit is how much of a reply is kept for the record, in bytes.
const rawLimit = 1 << 10

// cut shortens s to at most limit bytes of valid UTF-8.
func cut(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
		for len(s) > 0 {
			if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
				break
			}
			s = s[:len(s)-1]
		}
	}
	return cutInvalid(s, limit)
}

// cutInvalid replaces invalid bytes; U+FFFD is longer than the byte it stands for, so "?" is used.
func cutInvalid(s string, limit int) string {
	if utf8.ValidString(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "?")
	return s[:min(len(s), limit)]
}

// oneLine makes text from a page or a server safe for a line of a prompt, a terminal or an error: white space
// becomes one space, control and invisible characters (escape sequences, direction marks, tags and variation selectors,
// in which text can hide from the people who look at a page) are dropped.
func oneLine(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == utf8.RuneError:
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// short is oneLine, cut to a number of runes with an ellipsis.
func short(s string, runes int) string {
	s = oneLine(cut(s, 8*runes))
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:runes-1]) + "…"
}
