package model

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// zeros are the digit zeros of scripts that models answer in; nine more digits follow each.
var zeros = []rune{0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10}

// punctuation maps the full-width forms that stand around numbers in Chinese and Japanese.
var punctuation = map[rune]rune{
	'，': ',', '、': ',', '；': ';', '：': ':', '．': '.', '。': '.', '（': '(', '）': ')', '［': '[', '］': ']', '【': '[', '】': ']',
	'｛': '{', '｝': '}', '＃': '#', '＂': '"', '！': '!', '？': '?', '٫': '.', '،': ',', '\u00a0': ' ', '\u202f': ' ', '\u3000': ' ',
	'−': '-', '‐': '-', '‑': '-', '—': '–', '’': '\'',
}

// toASCII maps digits and punctuation to their plain forms and drops invisible characters (zero-width, direction
// marks, the parts of a keycap emoji). Invalid bytes become U+FFFD, which is neither digit nor letter.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f {
				return r
			}
			return ' '
		case r == 0x20E3 || r >= 0xFE00 && r <= 0xFE0F || unicode.Is(unicode.Cf, r):
			return -1
		}
		if p, ok := punctuation[r]; ok {
			return p
		}
		if unicode.Is(unicode.Nd, r) {
			for _, z := range zeros {
				if r >= z && r <= z+9 {
					return '0' + r - z
				}
			}
		}
		return r
	}, s)
}

// circled are the numbers that are one character: ① to ⑳.
const circledOne, circledTwenty = 0x2460, 0x2473

// escapes are the colours of a terminal, which local servers leave in the text at times.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// normalise is toASCII with circled numbers spelt out, line ends made plain and colours taken out.
func normalise(s string) string {
	s = escapes.ReplaceAllString(s, "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = toASCII(s)
	if !strings.ContainsFunc(s, isCircled) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !isCircled(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteByte(' ')
		if n := r - circledOne + 1; n >= 10 {
			b.WriteRune('0' + n/10)
			b.WriteRune('0' + n%10)
		} else {
			b.WriteRune('0' + n)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func isCircled(r rune) bool { return r >= circledOne && r <= circledTwenty }
