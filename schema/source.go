package schema

import (
	"strings"
	"unicode/utf8"
)

// Source is a file's text by lines, for positions and excerpts. It is not changed after NewSource, so any number of
// goroutines may read it.
type Source struct {
	Name  string
	lines []line
}

// line is one line without its end. Columns count runes; a line of plain ASCII is its own table of them.
type line struct {
	text    string
	runes   []rune // nil when text is ASCII
	size    int    // in runes
	content int    // in runes, without blanks at the end
}

// NewSource cuts a text into lines. A byte order mark is dropped.
func NewSource(name string, data []byte) *Source {
	text := strings.TrimPrefix(string(data), "\ufeff")
	s := &Source{Name: name, lines: make([]line, 0, strings.Count(text, "\n")+1)}
	for more := true; more; {
		var l string
		l, text, more = strings.Cut(text, "\n")
		s.lines = append(s.lines, newLine(strings.TrimSuffix(l, "\r")))
	}
	return s
}

func newLine(text string) line {
	l := line{text: text, size: len(text)}
	l.content = len(strings.TrimRight(text, " \t"))
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			l.runes = []rune(text)
			l.content -= l.size - len(l.runes)
			l.size = len(l.runes)
			break
		}
	}
	return l
}

// at is rune number i, counted from 0; 0 outside the line.
func (l line) at(i int) rune {
	switch {
	case i < 0 || i >= l.size:
		return 0
	case l.runes != nil:
		return l.runes[i]
	}
	return rune(l.text[i])
}

// cut is the text from rune number from up to rune number to.
func (l line) cut(from, to int) string {
	from, to = max(0, min(from, l.size)), max(0, min(to, l.size))
	switch {
	case from >= to:
		return ""
	case l.runes != nil:
		return string(l.runes[from:to])
	}
	return l.text[from:to]
}

// indent is the number of blanks that the line begins with.
func (l line) indent() int { return len(l.text) - len(strings.TrimLeft(l.text, " \t")) }

// line returns line n, 1-based; an empty one outside the file.
func (s *Source) line(n int) line {
	if n < 1 || n > len(s.lines) {
		return line{}
	}
	return s.lines[n-1]
}

// Line returns line n, 1-based, without its end; "" outside the file.
func (s *Source) Line(n int) string { return s.line(n).text }

// at is the range of one line's text.
func (s *Source) at(n int) Range {
	n = max(1, min(n, len(s.lines)))
	l := s.line(n)
	return s.span(n, l.indent(), max(l.content, l.indent()))
}

// span is a range inside line n, from rune number from up to rune number to, both counted from 0.
func (s *Source) span(n, from, to int) Range {
	return Range{File: s.Name, Start: s.clamp(Pos{n, from + 1}), End: s.clamp(Pos{n, to + 1})}
}

// clamp keeps a place inside the file.
func (s *Source) clamp(p Pos) Pos {
	if p.Line > len(s.lines) {
		p = Pos{len(s.lines), s.lines[len(s.lines)-1].size + 1}
	}
	p.Line = max(1, p.Line)
	p.Col = max(1, min(p.Col, s.line(p.Line).size+1))
	return p
}
