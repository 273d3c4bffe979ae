package schema

import (
	"strings"
	"unicode/utf8"
)

// A scalar's text is not what stands in the file: quotes, escapes, folded lines and the indentation of block scalars
// are gone from it. places walks through both in step.

// places gives the place in the file of every rune of a scalar's text and, last, the place behind the text (before a
// closing quote).
func (n *Node) places() []Pos {
	text := []rune(n.Text)
	w := walker{src: n.source, text: text, line: n.Range.Start.Line, col: n.Range.Start.Col - 1, out: make([]Pos, 0, len(text)+1)}
	switch n.Style {
	case Block:
		w.block()
	default:
		if n.Style != Plain {
			w.col++ // the quote
		}
		w.flow(n.Style)
	}
	for len(w.out) <= len(text) { // what the walk could not follow is at its end
		w.put()
	}
	return w.out[:len(text)+1]
}

// walker is at rune col (counted from 0) of a line (counted from 1).
type walker struct {
	src       *Source
	text      []rune
	line, col int
	out       []Pos
}

func (w *walker) put() { w.out = append(w.out, w.src.clamp(Pos{w.line, w.col + 1})) }

// flow walks through plain and quoted scalars.
func (w *walker) flow(style Style) {
	for len(w.out) < len(w.text) && w.line <= len(w.src.lines) {
		l := w.src.line(w.line)
		r := l.at(w.col)
		switch {
		case w.col >= l.content:
			w.fold()
		case style == SingleQuoted && r == '\'':
			w.put()
			w.col += 2
		case style == DoubleQuoted && r == '\\' && w.col+1 >= l.size: // the line goes on in the next
			w.line++
			for ; w.src.line(w.line).content == 0 && w.line < len(w.src.lines); w.line++ {
				w.col = 0
				w.put()
			}
			w.col = w.src.line(w.line).indent()
		case style == DoubleQuoted && r == '\\':
			w.put()
			w.col += escape(l.at(w.col + 1))
		default:
			w.put()
			w.col++
		}
	}
}

// fold walks over a line end: one is a space of the text, each empty line after it a line break instead.
func (w *walker) fold() {
	w.put()
	w.line++
	for empty := 0; w.line < len(w.src.lines) && w.src.line(w.line).content == 0; w.line++ {
		if empty++; empty > 1 && len(w.out) < len(w.text) {
			w.col = 0
			w.put()
		}
	}
	w.col = w.src.line(w.line).indent()
}

// escape is the length of the escape \r.
func escape(r rune) int {
	switch r {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}

// block walks through | and > scalars; it starts at their indicator.
func (w *walker) block() {
	folded := w.src.line(w.line).at(w.col) == '>'
	w.line++
	indent := w.blockIndent()
	for ; len(w.out) < len(w.text) && w.line <= len(w.src.lines); w.line++ {
		l := w.src.line(w.line)
		w.col = indent
		if folded && l.size > indent {
			// The breaks before this line are one space, or line breaks, of the text.
			for len(w.out) < len(w.text) && w.text[len(w.out)] == '\n' {
				w.put()
			}
			if len(w.out) > 0 && len(w.out) < len(w.text) && w.text[len(w.out)] == ' ' && l.at(indent) != ' ' {
				w.put()
			}
		}
		for ; w.col < l.size && len(w.out) < len(w.text); w.col++ {
			w.put()
		}
		if len(w.out) == len(w.text) {
			break
		}
		if !folded {
			w.put() // the line break
		}
	}
}

// blockIndent is what the lines of a block scalar are indented by: what the first that says something has more in the
// file than in the text.
func (w *walker) blockIndent() int {
	inText := 0
	for l := range strings.SplitSeq(string(w.text), "\n") {
		if len(l) > spaces(l) { // a tab is no indentation
			inText = spaces(l)
			break
		}
	}
	for ln := w.line; ln <= len(w.src.lines); ln++ {
		if l := w.src.Line(ln); len(l) > spaces(l) {
			return max(0, spaces(l)-inText)
		}
	}
	return 0
}

// spaces counts those that a line begins with.
func spaces(l string) int { return len(l) - len(strings.TrimLeft(l, " ")) }

// asWritten reports whether a scalar's text stands in its line as it is, as most do, and how many runes it has.
func (n *Node) asWritten() (size int, ok bool) {
	if n.Style != Plain {
		return 0, false
	}
	l, from := n.source.line(n.Range.Start.Line), n.Range.Start.Col-1
	size = utf8.RuneCountInString(n.Text)
	return size, l.cut(from, from+size) == n.Text
}

// end is the place behind a scalar, its quotes included.
func (n *Node) end() Pos {
	start := n.Range.Start
	if size, ok := n.asWritten(); ok {
		return Pos{start.Line, start.Col + size}
	}
	if n.Style == Block {
		text := strings.TrimRight(n.Text, "\n")
		if text == "" {
			return n.source.clamp(Pos{start.Line, start.Col + 1})
		}
		p := n.places()[len([]rune(text))-1]
		return n.source.clamp(Pos{p.Line, p.Col + 1})
	}
	places := n.places()
	p := places[len(places)-1]
	if n.Style == SingleQuoted || n.Style == DoubleQuoted {
		for p.Line < len(n.source.lines) && p.Col-1 >= n.source.line(p.Line).content { // the quote stands in a line of its own
			p = Pos{p.Line + 1, n.source.line(p.Line+1).indent() + 1}
		}
		p.Col++
	}
	return n.source.clamp(p)
}

// skipProperties moves the start of a node behind a tag or anchor that was refused.
func (n *Node) skipProperties() {
	l := n.source.line(n.Range.Start.Line)
	for i := n.Range.Start.Col - 1; l.at(i) == '!' || l.at(i) == '&'; {
		for i < l.size && l.at(i) != ' ' {
			i++
		}
		for i < l.size && l.at(i) == ' ' {
			i++
		}
		if i >= l.size {
			return
		}
		n.Range.Start.Col = i + 1
	}
}
