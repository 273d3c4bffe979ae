package format

import (
	"strings"

	"github.com/nth-dev/nth/schema"
)

const step = 2

// indent indents each level by two blanks, the items of lists too.
func indent(f *file) string {
	in := indenter{file: f, lines: map[int]prefix{}, owner: map[int]int{}}
	in.node(f.root, 0)
	next := in.nexts()
	var out strings.Builder
	for n := 1; n <= f.Lines(); n++ {
		l := f.Line(n)
		p, begins := in.lines[n]
		switch {
		case begins:
			in.enter(p)
			l = p.now + l[len(p.was):]
		case isBlank(l):
		case in.owner[n] != 0: // a text or a pair of brackets goes on
			p := in.lines[in.owner[n]]
			l = shift(l, len(p.now)-len(p.was))
		case isComment(l):
			l = strings.Repeat(" ", in.comment(indentOf(l), next[n])) + strings.TrimLeft(l, " \t")
		}
		out.WriteString(l)
		if n < f.Lines() {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// nexts gives, for each line, the next one that begins with a key or an item; 0 when there is none.
func (in *indenter) nexts() []int {
	out := make([]int, in.Lines()+1)
	next := 0
	for n := in.Lines(); n > 0; n-- {
		out[n] = next
		if _, ok := in.lines[n]; ok {
			next = n
		}
	}
	return out
}

// prefix is what stands before the first key or text of a line: blanks and dashes.
type prefix struct{ was, now string }

type indenter struct {
	*file
	lines map[int]prefix // by line, of those that begin with a key or an item
	owner map[int]int    // line by the lines that go on with it
	open  []level        // the levels that are open where indent stands
}

// level is the column of a level, from 0.
type level struct{ was, now int }

// enter opens the levels of a line, and closes those that are deeper.
func (in *indenter) enter(p prefix) {
	for _, l := range []level{{indentOf(p.was), indentOf(p.now)}, {len(p.was), len(p.now)}} {
		for len(in.open) > 0 && in.open[len(in.open)-1].was >= l.was {
			in.open = in.open[:len(in.open)-1]
		}
		in.open = append(in.open, l)
	}
}

// comment is the new indentation of a comment: that of the line below it, or, when it is indented further than that, of
// the innermost level above it that is not deeper than the comment.
func (in *indenter) comment(was, next int) int {
	if p, ok := in.lines[next]; ok && was <= indentOf(p.was) {
		return indentOf(p.now)
	}
	for i := len(in.open) - 1; i >= 0; i-- {
		if in.open[i].was <= was {
			return in.open[i].now
		}
	}
	return 0
}

// node gives a block collection, whose parent stands at a column (from 0), its own.
func (in *indenter) node(n *schema.Node, col int) {
	if n.Kind == schema.Scalar || isFlow(n) {
		return
	}
	for _, x := range n.Fields {
		in.begin(x.Key.Range.Start, col)
		in.value(x.Value, x.Key.Range.Start.Line, col)
	}
	for _, item := range n.Items {
		in.begin(in.dash(item), col)
		in.value(item, in.dash(item).Line, col)
	}
}

// value is what stands behind a key or a dash.
func (in *indenter) value(v *schema.Node, line, col int) {
	if v.Kind == schema.Scalar || isFlow(v) {
		for n := line + 1; n <= in.lastLine(v) && !isNothing(v); n++ {
			in.owner[n] = line
		}
		return
	}
	in.node(v, col+step)
}

// dash is the place of the dash of an item.
func (in *indenter) dash(item *schema.Node) schema.Pos {
	for n := item.Range.Start.Line; n > 0; n-- {
		l := []rune(in.Line(n))
		if n == item.Range.Start.Line {
			l = l[:min(len(l), item.Range.Start.Col-1)]
		}
		for i := len(l) - 1; i >= 0; i-- {
			if l[i] == '-' && strings.Trim(string(l[:i]), " -") == "" {
				return schema.Pos{Line: n, Col: i + 1}
			}
		}
	}
	return item.Range.Start
}

// begin notes that something begins at a place, and shall begin at a column.
func (in *indenter) begin(at schema.Pos, col int) {
	was := in.src[in.Start(at.Line):in.Offset(at)]
	if strings.Trim(was, " -") != "" {
		return
	}
	outer := in.lines[at.Line]
	if rest, ok := strings.CutPrefix(was, outer.was); ok && strings.HasPrefix(rest, "-") { // behind the dash of an item
		in.lines[at.Line] = prefix{was, outer.now + "-" + strings.Repeat(" ", max(1, col-len(outer.now)-1))}
		return
	}
	in.lines[at.Line] = prefix{was, strings.Repeat(" ", col)}
}

// shift indents a line by so many blanks more, or less.
func shift(l string, by int) string {
	if by >= 0 {
		return strings.Repeat(" ", by) + l
	}
	return l[min(-by, indentOf(l)):]
}
