package schema

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Offsets translates between the places of a text and its byte offsets, in a time that hardly depends on how long the
// text and its lines are. It is not changed after NewOffsets.
type Offsets struct {
	text  string
	lines []int // byte offset at which each line begins, behind a byte order mark
	marks []mark
}

// mark says how many characters stand before a byte offset.
type mark struct{ at, runes, units int }

// markStep is how many bytes lie between two marks.
const markStep = 256

// NewOffsets looks through a text. Lines end with "\n", as everywhere in this package.
func NewOffsets(text string) *Offsets {
	o := &Offsets{text: text, lines: []int{0}, marks: make([]mark, 1, len(text)/markStep+2)}
	if strings.HasPrefix(text, "\ufeff") {
		o.lines[0] = len("\ufeff")
	}
	m := mark{}
	for m.at < len(text) {
		r, size := utf8.DecodeRuneInString(text[m.at:])
		m = m.after(r, size)
		if r == '\n' {
			o.lines = append(o.lines, m.at)
		}
		if m.at-o.marks[len(o.marks)-1].at >= markStep {
			o.marks = append(o.marks, m)
		}
	}
	return o
}

func (m mark) after(r rune, size int) mark {
	units := 1
	if r >= 0x10000 {
		units = 2
	}
	return mark{m.at + size, m.runes + 1, m.units + units}
}

// seek goes on from the last mark that fits as far as it fits.
func (o *Offsets) seek(fits func(mark) bool) mark {
	m := o.marks[max(0, sort.Search(len(o.marks), func(i int) bool { return !fits(o.marks[i]) })-1)]
	for m.at < len(o.text) {
		next := m.after(utf8.DecodeRuneInString(o.text[m.at:]))
		if !fits(next) {
			break
		}
		m = next
	}
	return m
}

func (o *Offsets) at(offset int) mark { return o.seek(func(m mark) bool { return m.at <= offset }) }

// Lines is the number of lines.
func (o *Offsets) Lines() int { return len(o.lines) }

// Start is the byte offset at which line n, 1-based, begins; the end of the text for lines behind the last.
func (o *Offsets) Start(n int) int {
	switch {
	case n > len(o.lines):
		return len(o.text)
	case n < 1:
		return o.lines[0]
	}
	return o.lines[n-1]
}

// LineOf is the line, 1-based, in which a byte offset lies.
func (o *Offsets) LineOf(offset int) int {
	return max(1, sort.Search(len(o.lines), func(i int) bool { return o.lines[i] > offset }))
}

// Line is line n without its end; "" outside the text.
func (o *Offsets) Line(n int) string {
	if n < 1 || n > len(o.lines) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(o.text[o.Start(n):o.Start(n+1)], "\n"), "\r")
}

// Offset is the byte offset of a place. One behind the end of its line is at that end.
func (o *Offsets) Offset(p Pos) int {
	start := o.Start(p.Line)
	if p.Line < 1 || p.Line > len(o.lines) {
		return start
	}
	line := o.Line(p.Line)
	if len(line) <= markStep { // nearly all are, and walking is quicker then
		at := 0
		for n := 1; n < p.Col && at < len(line); n++ {
			_, size := utf8.DecodeRuneInString(line[at:])
			at += size
		}
		return start + at
	}
	runes := o.at(start).runes + max(0, p.Col-1)
	at := o.seek(func(m mark) bool { return m.runes <= runes }).at
	return min(at, start+len(line))
}

// Pos is the place of a byte offset.
func (o *Offsets) Pos(offset int) Pos {
	n := o.LineOf(offset)
	start := o.Start(n)
	return Pos{n, o.at(max(offset, start)).runes - o.at(start).runes + 1}
}

// Units is the number of UTF-16 units between two byte offsets, in which editors count columns.
func (o *Offsets) Units(from, to int) int { return o.at(to).units - o.at(from).units }

// AfterUnits is the byte offset so many UTF-16 units behind another one. One inside a character is before it.
func (o *Offsets) AfterUnits(from, units int) int {
	want := o.at(from).units + max(0, units)
	return o.seek(func(m mark) bool { return m.units <= want }).at
}
