package schema

import "strings"

// walker moves through the source of a scalar in step with its text.
type walker struct {
	src    *Source
	pos    Pos
	indent int // of block scalars
	line   []rune
	cached int // line number of line
}

func (w *walker) runes() []rune {
	if w.cached != w.pos.Line {
		w.line, w.cached = []rune(w.src.Line(w.pos.Line)), w.pos.Line
	}
	return w.line
}

// at is the rune at the walker's place, 0 at the end of the line.
func (w *walker) at() rune {
	line := w.runes()
	if i := w.pos.Col - 1; i >= 0 && i < len(line) {
		return line[i]
	}
	return 0
}

// open moves to the first rune of the text.
func (w *walker) open(style Style) {
	switch style {
	case SingleQuoted, DoubleQuoted:
		w.pos.Col++
	case Block:
		first := w.pos.Line + 1
		for n := first; n <= len(w.src.lines); n++ {
			if l := w.src.Line(n); strings.TrimSpace(l) != "" {
				w.indent = len(l) - len(strings.TrimLeft(l, " "))
				break
			}
		}
		w.pos = Pos{first, w.indent + 1}
	}
}

// settle moves over a line break that stands before the next rune of the text.
func (w *walker) settle(style Style) {
	for w.at() == 0 && w.pos.Line < len(w.src.lines) && style != Block {
		next := w.src.Line(w.pos.Line + 1)
		w.pos = Pos{w.pos.Line + 1, len([]rune(next)) - len([]rune(strings.TrimLeft(next, " \t"))) + 1}
	}
}

// next moves over one rune of the text.
func (w *walker) next(style Style) {
	r := w.at()
	switch {
	case r == 0 && style == Block: // the line break itself
		w.pos = Pos{w.pos.Line + 1, w.indent + 1}
	case r == 0: // a folded line break: one space of the text
		w.settle(style)
	case style == SingleQuoted && r == '\'':
		w.pos.Col += 2
	case style == DoubleQuoted && r == '\\':
		w.pos.Col += w.escape()
	default:
		w.pos.Col++
		if style == Plain && r == ' ' && strings.TrimSpace(string(w.runes()[min(w.pos.Col-1, len(w.runes())):])) == "" {
			w.settle(style)
		}
	}
}

// escape is the length of the escape at the walker's place.
func (w *walker) escape() int {
	line, i := w.runes(), w.pos.Col
	if i >= len(line) {
		return 1
	}
	switch line[i] {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}

// clamp keeps a place inside the file.
func (w *walker) clamp() Pos {
	p := w.pos
	if p.Line > len(w.src.lines) {
		p = Pos{len(w.src.lines), len([]rune(w.src.Line(len(w.src.lines)))) + 1}
	}
	if end := len([]rune(w.src.Line(p.Line))) + 1; p.Col > end {
		p.Col = end
	}
	return p
}
