package format

import (
	"errors"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// ErrMeaning is returned for files whose canonical form would not be the same to a reader.
var ErrMeaning = errors.New("it cannot be formatted without changing what it says")

// Source gives the canonical form of a file. The findings are why there is none: it is not YAML, or no YAML that nth
// reads. A file that has other mistakes is formatted like any other. Line ends stay those of the first line, a byte order
// mark is dropped.
func Source(name string, data []byte) ([]byte, schema.Diagnostics, error) {
	root, ds := schema.Parse(name, data)
	return Tree(name, data, root, ds)
}

// Tree is Source of a file that has been parsed: root and ds are what schema.Parse gave for data.
func Tree(name string, data []byte, root *schema.Node, ds schema.Diagnostics) ([]byte, schema.Diagnostics, error) {
	if root == nil || ds.HasErrors() {
		return nil, ds, nil
	}
	src := strings.TrimPrefix(string(data), "\ufeff")
	eol := "\n"
	if first, _, ok := strings.Cut(src, "\n"); ok && strings.HasSuffix(first, "\r") {
		eol = "\r\n"
	}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	before := newFile(src, root)
	if src != string(data) { // places are those of the text without what was dropped
		var ok bool
		if before, ok = parse(name, src); !ok {
			return nil, nil, ErrMeaning
		}
	}
	for _, passes := range [][]pass{{order, indent, tidy}, {order, tidy}, {tidy}} {
		if out, ok := settle(name, before, passes); ok {
			return []byte(strings.ReplaceAll(out, "\n", eol)), nil, nil
		}
	}
	return nil, nil, ErrMeaning
}

// pass changes one aspect of a text that is known to be good YAML.
type pass func(*file) string

// settle runs passes until nothing changes any more. It reports false when the result is not the same to a reader, or
// when it does not settle.
func settle(name string, before *file, passes []pass) (string, bool) {
	f := before
	for range 4 {
		start := f.src
		for _, p := range passes {
			out := p(f)
			if out == f.src {
				continue
			}
			var ok bool
			if f, ok = parse(name, out); !ok || !same(before, f) {
				return "", false
			}
		}
		if f.src == start {
			return f.src, true
		}
	}
	return "", false
}

// file is a text and what it says.
type file struct {
	*schema.Offsets
	src   string
	root  *schema.Node
	place schema.Place

	commentMemo []string // what comments gives, once it was asked
}

func parse(name, src string) (*file, bool) {
	root, ds := schema.Parse(name, []byte(src))
	if root == nil || ds.HasErrors() {
		return nil, false
	}
	return newFile(src, root), true
}

func newFile(src string, root *schema.Node) *file {
	return &file{Offsets: schema.NewOffsets(src), src: src, root: root, place: schema.Root(schema.Kind(root))}
}

// isFlow reports whether a collection is written in brackets.
func isFlow(n *schema.Node) bool { return n.Kind != schema.Scalar && !n.BlockStyle() }

// isNothing reports whether a value was left out.
func isNothing(n *schema.Node) bool {
	return n.Kind == schema.Scalar && n.Style == schema.Plain && n.Text == ""
}

// lastLine is the last line of a node; the empty lines that a block scalar keeps ("|+") count.
func (f *file) lastLine(n *schema.Node) int {
	switch {
	case n.Kind == schema.Mapping && !isFlow(n) && len(n.Fields) > 0:
		last := n.Fields[len(n.Fields)-1]
		return max(last.Key.Range.End.Line, f.lastLine(last.Value))
	case n.Kind == schema.Sequence && !isFlow(n) && len(n.Items) > 0:
		return f.lastLine(n.Items[len(n.Items)-1])
	case isNothing(n):
		return n.Range.Start.Line
	}
	last := n.Range.End.Line
	if n.Style == schema.Block && strings.Contains(f.header(n), "+") {
		for last < f.Lines() && strings.TrimSpace(f.Line(last+1)) == "" {
			last++
		}
	}
	return last
}

// header is the indicator of a block scalar: "|", ">-", "|2+".
func (f *file) header(n *schema.Node) string {
	at := f.Offset(n.Range.Start)
	h, _, _ := strings.Cut(f.src[at:f.Start(n.Range.Start.Line+1)], " ")
	return strings.TrimSpace(h)
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// indentOf counts the blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
