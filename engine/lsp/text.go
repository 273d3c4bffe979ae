package lsp

import (
	"strings"
	"unicode/utf8"

	"github.com/nth-dev/nth/schema"
)

// text is the text of one file, and the places in it. It is not changed.
type text struct {
	data  string
	body  int   // where the text begins: behind a byte order mark
	lines []int // byte offsets at which lines begin, as schema counts them: a line ends with "\n"
	rows  []int // the same, as the protocol counts them: with "\n", "\r\n" or "\r"
}

func newText(data string) *text {
	t := &text{data: data, lines: []int{0}, rows: []int{0}}
	if strings.HasPrefix(data, "\ufeff") {
		t.body = len("\ufeff")
		t.lines[0] = t.body
	}
	for i := range len(data) {
		switch {
		case data[i] == '\n':
			t.lines = append(t.lines, i+1)
			t.rows = append(t.rows, i+1)
		case data[i] == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			t.rows = append(t.rows, i+1)
		}
	}
	return t
}

// line is line n, 1-based, without its end; "" outside the text.
func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	end := len(t.data)
	if n < len(t.lines) {
		end = t.lines[n] - 1
	}
	return strings.TrimSuffix(t.data[t.lines[n-1]:end], "\r")
}

// offset is the byte offset of a schema.Pos, clamped to the text.
func (t *text) offset(p schema.Pos) int {
	switch {
	case p.Line < 1:
		return t.body
	case p.Line > len(t.lines):
		return len(t.data)
	}
	l := t.line(p.Line)
	n := 0
	for range p.Col - 1 {
		if n >= len(l) {
			break
		}
		_, size := utf8.DecodeRuneInString(l[n:])
		n += size
	}
	return t.lines[p.Line-1] + n
}

// pos is the schema.Pos of a byte offset.
func (t *text) pos(offset int) schema.Pos {
	n := before(t.lines, offset)
	return schema.Pos{Line: n + 1, Col: utf8.RuneCountInString(t.data[t.lines[n]:max(offset, t.lines[n])]) + 1}
}

// position is the protocol's place of a byte offset.
func (t *text) position(offset int) position {
	n := before(t.rows, offset)
	units := 0
	for _, r := range t.data[t.rows[n]:offset] {
		units += utf16Len(r)
	}
	return position{n, units}
}

// byteOf is the byte offset of the protocol's place, clamped to the text and to its line.
func (t *text) byteOf(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.rows):
		return len(t.data)
	}
	at := t.rows[p.Line]
	units := 0
	for _, r := range t.data[at:] {
		units += utf16Len(r)
		if r == '\n' || r == '\r' || units > p.Character {
			break
		}
		at += utf8.RuneLen(r)
	}
	return at
}

func utf16Len(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// before is the number of the last start that is not behind an offset.
func before(starts []int, offset int) int {
	lo, hi := 0, len(starts)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// span is the protocol's form of a range.
func (t *text) span(r schema.Range) span {
	from := t.offset(r.Start)
	return t.bytes(from, max(from, t.offset(r.End)))
}

func (t *text) bytes(from, to int) span { return span{t.position(from), t.position(to)} }

// replaced is the text with a stretch of it replaced.
func (t *text) replaced(s span, with string) string {
	from := t.byteOf(s.Start)
	to := max(from, t.byteOf(s.End))
	return t.data[:from] + with + t.data[to:]
}
