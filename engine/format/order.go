package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// order puts the keys of known mappings into the order of the schema.
func order(f *file) string {
	if isFlow(f.root) {
		return f.node(f.root, f.place, 0, len(f.src))
	}
	return f.blockMapping(f.root, f.place, 0, len(f.src), true)
}

// node is the text from one byte offset up to another, with the node that lies in it in order.
func (f *file) node(n *schema.Node, p schema.Place, from, to int) string {
	switch {
	case n.Kind == schema.Mapping && isFlow(n):
		return f.flowMapping(n, p, from, to)
	case n.Kind == schema.Mapping:
		return f.blockMapping(n, p, from, to, false)
	case n.Kind == schema.Sequence:
		return f.sequence(n, p, from, to)
	}
	return f.src[from:to]
}

func (f *file) sequence(n *schema.Node, p schema.Place, from, to int) string {
	var out strings.Builder
	pos := from
	for i, item := range n.Items {
		end := to
		switch {
		case isFlow(n):
			end = f.Offset(item.Range.End)
		case i+1 < len(n.Items):
			next := n.Items[i+1].Range.Start.Line
			for !strings.HasPrefix(strings.TrimLeft(f.Line(next), " "), "-") && next > item.Range.Start.Line+1 {
				next-- // the item stands below its dash
			}
			end = f.Start(f.lead(next, indentOf(f.Line(next)), f.lastLine(item)+1))
		}
		end = max(end, pos)
		out.WriteString(f.node(item, p.Item(), pos, end))
		pos = end
	}
	out.WriteString(f.src[pos:max(pos, to)])
	return out.String()
}

// lead is the first of the lines right above a line that belong to it: empty ones, and comments that are not indented
// further. It is not above floor.
func (f *file) lead(line, indent, floor int) int {
	for line > floor {
		if l := f.Line(line - 1); !isBlank(l) && (!isComment(l) || indentOf(l) > indent) {
			break
		}
		line--
	}
	return line
}

// maxKeys is far above what any known mapping can have; one with more is full of mistakes, and left as it is.
const maxKeys = 200

// keysOf are the keys that have an order in a mapping.
func keysOf(n *schema.Node, p schema.Place) []schema.Key {
	if len(n.Fields) > maxKeys {
		return nil
	}
	return p.Keys()
}

// ranks are the positions of fields in the schema; a key that the schema does not know stays behind its neighbour.
func ranks(n *schema.Node, p schema.Place) []int {
	keys := keysOf(n, p)
	out := make([]int, len(n.Fields))
	last := -1
	for i, x := range n.Fields {
		if r := slices.IndexFunc(keys, func(k schema.Key) bool { return k.Name == x.Key.Text }); r >= 0 {
			last = r
		}
		out[i] = last
	}
	return out
}

// sorted are the numbers of the fields in their canonical order.
func sorted(n *schema.Node, p schema.Place) []int {
	rank := ranks(n, p)
	perm := make([]int, len(rank))
	for i := range perm {
		perm[i] = i
	}
	slices.SortStableFunc(perm, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return perm
}

func (f *file) flowMapping(n *schema.Node, p schema.Place, from, to int) string {
	type slot struct{ from, to int }
	slots := make([]slot, len(n.Fields))
	perm := sorted(n, p)
	for i, x := range n.Fields {
		slots[i] = slot{f.Offset(x.Key.Range.Start), max(f.Offset(x.Key.Range.End), f.Offset(x.Value.Range.End))}
		if isNothing(x.Value) || i > 0 && slots[i].from < slots[i-1].to {
			return f.src[from:to]
		}
	}
	if !slices.IsSorted(perm) && f.commentsOf(n, f.Offset(n.Range.Start), f.Offset(n.Range.End)) != nil {
		slices.Sort(perm) // a comment in brackets may be about what stands before it, or after
	}
	var out strings.Builder
	pos := from
	for i, s := range slots {
		x := n.Fields[perm[i]]
		out.WriteString(f.src[pos:s.from])
		out.WriteString(f.node(x.Value, p.Child(x.Key.Text), slots[perm[i]].from, slots[perm[i]].to))
		pos = s.to
	}
	out.WriteString(f.src[pos:max(pos, to)])
	return out.String()
}

// blockMapping cuts the text of a mapping into one stretch per field, with the comments above it, and puts them together
// in order. What stands above the first key of a file, and below the last of any mapping, stays there.
func (f *file) blockMapping(n *schema.Node, p schema.Place, from, to int, root bool) string {
	if len(n.Fields) == 0 || !f.movable(n) {
		return f.src[from:to]
	}
	indent := n.Fields[0].Key.Range.Start.Col - 1
	leads := make([]int, len(n.Fields)+1) // the line at which the stretch of each field begins; the last: the tail
	first := n.Fields[0].Key.Range.Start.Line
	onDash := strings.Contains(f.src[f.Start(first):f.Offset(n.Fields[0].Key.Range.Start)], "-")
	leads[0] = first
	if !onDash && !root {
		leads[0] = f.lead(first, indent, f.LineOf(from)+1)
	}
	for i, x := range n.Fields[1:] {
		leads[i+1] = f.lead(x.Key.Range.Start.Line, indent, f.fieldEnd(n.Fields[i])+1)
	}
	end := f.LineOf(to)
	if to == len(f.src) && !strings.HasSuffix(f.src, "\n") {
		end++
	}
	leads[len(n.Fields)] = f.lead(end, indent, f.fieldEnd(n.Fields[len(n.Fields)-1])+1)

	var out strings.Builder
	if onDash {
		out.WriteString(f.src[from:f.Offset(n.Fields[0].Key.Range.Start)])
	} else {
		out.WriteString(f.src[from:f.Start(leads[0])])
	}
	for slot, i := range sorted(n, p) {
		x := n.Fields[i]
		line := x.Key.Range.Start.Line
		lead := f.src[f.Start(leads[i]):f.Start(line)]
		if slot == 0 && !root && i != 0 {
			lead = strings.TrimLeft(lead, "\n")
		}
		body := f.node(x.Value, p.Child(x.Key.Text), f.Offset(x.Key.Range.Start), f.Start(leads[i+1]))
		switch {
		case slot == 0 && onDash && isBlank(lead):
			lead = ""
		case slot == 0 && onDash:
			lead = strings.TrimLeft(lead, " \n") + strings.Repeat(" ", indent)
		default:
			lead += strings.Repeat(" ", indent)
		}
		out.WriteString(lead + body)
		if !strings.HasSuffix(body, "\n") {
			out.WriteByte('\n')
		}
	}
	out.WriteString(f.src[f.Start(leads[len(n.Fields)]):to])
	return out.String()
}

// fieldEnd is the last line of a field.
func (f *file) fieldEnd(x schema.Field) int {
	if isNothing(x.Value) {
		return x.Key.Range.End.Line
	}
	return max(x.Key.Range.End.Line, f.lastLine(x.Value))
}

// movable reports whether each key of a block mapping begins a line, behind nothing but blanks and, for the first, dashes.
func (f *file) movable(n *schema.Node) bool {
	for i, x := range n.Fields {
		at := x.Key.Range.Start
		before := f.src[f.Start(at.Line):f.Offset(at)]
		if i == 0 {
			before = strings.ReplaceAll(before, "-", " ")
		}
		if strings.Trim(before, " ") != "" || at.Col != n.Fields[0].Key.Range.Start.Col {
			return false
		}
	}
	return true
}
