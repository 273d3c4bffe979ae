package schema

import (
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

func TestOffsets(t *testing.T) {
	for _, text := range []string{"", "a", "\n", "a𝕏b\r\n\n€x", "\ufeffkind: x\ny", strings.Repeat("ab𝕏€", 500) + "\n" + strings.Repeat("x", 1000) + "\nz", "bad\xffbyte\xc3\n\xe2\x82"} {
		o := NewOffsets(text)
		src := NewSource("x", []byte(text))
		if o.Lines() != len(src.lines) {
			t.Fatalf("%d lines, want %d", o.Lines(), len(src.lines))
		}
		body := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
		for i := body; i <= len(text); i++ {
			if i < len(text) && !utf8.RuneStart(text[i]) && utf8.ValidString(text) {
				continue
			}
			p := o.Pos(i)
			line := strings.LastIndexByte(text[:i], '\n') + 1
			if line == 0 {
				line = body
			}
			if want := (Pos{strings.Count(text[:i], "\n") + 1, utf8.RuneCountInString(text[line:i]) + 1}); p != want {
				t.Fatalf("%.20q: Pos(%d) = %v, want %v", text, i, p, want)
			}
			if back := o.Offset(p); back != i && !strings.HasPrefix(text[back:], "\r\n") && utf8.ValidString(text) {
				t.Fatalf("%.20q: Offset(%v) = %d, want %d", text, p, back, i)
			}
			units := o.Units(line, i)
			if want := len(utf16.Encode([]rune(text[line:i]))); units != want {
				t.Fatalf("%.20q: Units(%d, %d) = %d, want %d", text, line, i, units, want)
			}
			if back := o.AfterUnits(line, units); back != i && utf8.ValidString(text) {
				t.Fatalf("%.20q: AfterUnits(%d, %d) = %d, want %d", text, line, units, back, i)
			}
		}
		for _, p := range []Pos{{0, 0}, {-1, 5}, {1, 99999}, {99999, 1}, {2, -3}} {
			if got := o.Offset(p); got < 0 || got > len(text) {
				t.Errorf("Offset(%v) = %d", p, got)
			}
		}
	}
	if o := NewOffsets("a𝕏b"); o.AfterUnits(0, 2) != 1 {
		t.Error("a place inside a character is not before it")
	}
}

// A text of one long line is no trap.
func TestOffsetsOfLongLines(t *testing.T) {
	text := strings.Repeat("é", 500_000)
	o := NewOffsets(text)
	start := time.Now()
	for i := 0; i < len(text); i += 10 {
		if got := o.Offset(o.Pos(i)); got != i {
			t.Fatalf("%d became %d", i, got)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
}
