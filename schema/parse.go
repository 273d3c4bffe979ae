package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Parse reads one YAML document strictly. It returns nil when the text is not YAML at all; otherwise a tree in which
// what was refused (aliases, tags, duplicate keys, …) is left out, together with all findings in source order.
// A byte order mark and Windows line ends are accepted.
func Parse(name string, data []byte) (*Node, Diagnostics) {
	var ds Diagnostics
	whole := Range{File: name, Start: Pos{1, 1}, End: Pos{1, 1}}
	if len(data) > MaxBytes {
		ds.Errorf(whole, "file-too-large", "split it into several files", "the file is larger than %d bytes", MaxBytes)
		return nil, ds
	}
	src := NewSource(name, data)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !refuse(src, data, &ds) {
		return nil, ds
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	doc, err := decodeNode(dec)
	if err != nil && !errors.Is(err, io.EOF) {
		ds = append(ds, syntaxError(src, data, err))
		return nil, ds
	}
	if err != nil || doc.Kind == 0 || len(doc.Content) == 0 || empty(doc.Content[0]) {
		ds.Errorf(whole, "empty-file", `begin with "kind: flow/v1"`, "the file is empty")
		if err == nil {
			onlyOne(src, data, dec, &ds)
		}
		return nil, ds
	}
	c := converter{src: src, ds: &ds}
	root := c.node(doc.Content[0], 1)
	onlyOne(src, data, dec, &ds)
	ds.Sort()
	return root, ds
}

// onlyOne reports a second document.
func onlyOne(src *Source, data []byte, dec *yaml.Decoder, ds *Diagnostics) {
	if second, err := decodeNode(dec); err == nil {
		ds.Errorf(src.at(second.Line), "second-document", `put it into a file of its own, or remove the "---" between them`, "the file holds a second YAML document")
	} else if !errors.Is(err, io.EOF) {
		*ds = append(*ds, syntaxError(src, data, err))
	}
}

func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" && n.Style == 0 && n.Anchor == ""
}

// decodeNode decodes one document. yaml.v3 turns its own panics into errors; the few it misses are caught here.
func decodeNode(dec *yaml.Decoder) (n *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	n = &yaml.Node{}
	err = dec.Decode(n)
	return n, err
}

// converter makes the strict tree.
type converter struct {
	src  *Source
	ds   *Diagnostics
	deep bool   // reported
	free []Node // made ahead: one by one they would cost more
}

// nodeBlock is how many nodes are made at a time: what fits into 4 KB.
const nodeBlock = 31

// newNode makes a node of one rune where y starts.
func (c *converter) newNode(y *yaml.Node) *Node {
	if len(c.free) == 0 {
		c.free = make([]Node, nodeBlock)
	}
	n := &c.free[0]
	c.free = c.free[1:]
	n.source, n.Range = c.src, c.around(y, 1)
	return n
}

// around is the range of size runes from where y starts.
func (c *converter) around(y *yaml.Node, size int) Range {
	return c.src.span(y.Line, y.Column-1, y.Column-1+size)
}

// word is the range from where y starts up to the next blank.
func (c *converter) word(y *yaml.Node) Range {
	l := c.src.line(y.Line)
	size := 0
	for !strings.ContainsRune(" \t,]}\x00", l.at(y.Column-1+size)) {
		size++
	}
	return c.around(y, max(1, size))
}

func (c *converter) node(y *yaml.Node, depth int) *Node {
	n := c.newNode(y)
	if depth > MaxDepth {
		if !c.deep {
			c.ds.Errorf(n.Range, "too-deep", "", "nested more than %d deep", MaxDepth)
		}
		c.deep = true
		return n
	}
	if y.Anchor != "" {
		c.ds.Errorf(c.around(y, 1+utf8.RuneCountInString(y.Anchor)), "yaml-alias", `write the value out; put a text that begins with "&" into quotes`, "anchors (&%s) are not allowed", y.Anchor)
	}
	// yaml.v3 drops a "!" that stands alone: "done: ! facts.paid" would be the opposite of what it says.
	alone := c.src.line(y.Line).at(y.Column-1) == '!'
	tagged := alone || y.Style&yaml.TaggedStyle != 0
	if tagged {
		at := c.word(y)
		tag := y.Tag
		if alone {
			tag = c.src.line(y.Line).cut(at.Start.Col-1, at.End.Col-1)
		}
		c.ds.Errorf(at, "yaml-tag", `put a text that begins with "!" into quotes; in a condition, write "not" for "!"`, "tags (%s) are not allowed", tag)
	}
	if y.Anchor != "" || tagged {
		n.skipProperties()
	}
	switch y.Kind {
	case yaml.AliasNode:
		c.ds.Errorf(c.around(y, 1+utf8.RuneCountInString(y.Value)), "yaml-alias", `write the value out; put a text that begins with "*" into quotes`, "aliases (*%s) are not allowed", y.Value)
	case yaml.ScalarNode:
		c.scalar(n, y)
	case yaml.SequenceNode:
		n.Kind = Sequence
		n.Items = make([]*Node, 0, len(y.Content))
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item, depth+1))
		}
		c.end(n)
	case yaml.MappingNode:
		n.Kind = Mapping
		c.mapping(n, y, depth)
		c.end(n)
	}
	return n
}

func (c *converter) scalar(n *Node, y *yaml.Node) {
	n.Text = y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Style = DoubleQuoted
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Style = SingleQuoted
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		n.Style = Block
	}
	n.Range.End = n.end()
	if n.Style != Plain {
		return
	}
	// yaml.v3 reads "- a", newline, tab, "- b" as the one text "a - b".
	for ln := n.Range.Start.Line + 1; ln <= n.Range.End.Line; ln++ {
		l := c.src.line(ln)
		for col := range l.indent() {
			if l.at(col) == '\t' {
				*c.ds = append(*c.ds, tabFinding(c.src, ln, col))
				break
			}
		}
	}
}

// end puts the end of a mapping or sequence behind its last child, or behind its closing bracket.
func (c *converter) end(n *Node) {
	last := n.Range.Start
	for _, f := range n.Fields {
		last = later(last, later(f.Key.Range.End, f.Value.Range.End))
	}
	for _, i := range n.Items {
		last = later(last, i.Range.End)
	}
	n.Range.End = last
	switch open := c.src.line(n.Range.Start.Line).at(n.Range.Start.Col - 1); {
	case open == '[' && n.Kind == Sequence, open == '{' && n.Kind == Mapping:
		if last == n.Range.Start {
			last.Col++
		}
		n.Range.End = c.bracket(last)
	}
	if n.Range.End == n.Range.Start {
		n.Range.End = c.src.clamp(Pos{last.Line, last.Col + 1})
	}
}

// bracket is the place behind the first closing bracket after p; between them stand only blanks, commas and comments.
// Where that is not so (a child was refused), it is p.
func (c *converter) bracket(p Pos) Pos {
	for ln, col := p.Line, p.Col-1; ln <= len(c.src.lines); ln, col = ln+1, 0 {
		l := c.src.line(ln)
		for ; col < l.size; col++ {
			switch l.at(col) {
			case ']', '}':
				return Pos{ln, col + 2}
			case ' ', '\t', ',', ':', '?':
				continue
			case '#':
				col = l.size
			default:
				return p
			}
		}
	}
	return p
}

func later(a, b Pos) Pos {
	if b.Line > a.Line || b.Line == a.Line && b.Col > a.Col {
		return b
	}
	return a
}

func (c *converter) mapping(n *Node, y *yaml.Node, depth int) {
	first := keyIndex{}
	n.Fields = make([]Field, 0, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, val := y.Content[i], y.Content[i+1]
		k := c.node(key, depth+1)
		v := c.node(val, depth+1)
		switch {
		case key.Kind == yaml.AliasNode: // reported
			continue
		case key.Kind != yaml.ScalarNode:
			c.ds.Errorf(k.Range, "yaml-key", "", "a key must be a plain word, not %s", kindName(k))
			continue
		case key.Tag == "!!merge":
			c.ds.Errorf(k.Range, "yaml-merge", "write the keys out", "merge keys (<<) are not allowed")
			continue
		case k.Style == Plain && isNull(k.Text):
			c.ds.Errorf(k.Range, "yaml-key", "write a word before the colon; put it into quotes if it is meant", "a key must be a plain word, not %s", kindName(k))
			continue
		case first.of(n, key.Value) != nil:
			*c.ds = append(*c.ds, Diagnostic{
				Severity: Error, Rule: "duplicate-key", Range: k.Range, Summary: fmt.Sprintf("the key %q is there twice", key.Value), Fix: "remove one of them",
				Related: []Related{{Range: first.of(n, key.Value).Range, Message: "the first one is here"}},
			})
			continue
		}
		n.Fields = append(n.Fields, Field{Key: k, Value: v})
		first.add(n, k)
	}
}

// keyIndex finds the first key of a name. Most mappings are so small that looking at all their keys is quicker than a
// map, and a hostile one is so large that it is not.
type keyIndex map[string]*Node

const smallMapping = 16

func (x keyIndex) of(n *Node, key string) *Node {
	if len(n.Fields) > smallMapping {
		return x[key]
	}
	for _, f := range n.Fields {
		if f.Key.Text == key {
			return f.Key
		}
	}
	return nil
}

func (x keyIndex) add(n *Node, k *Node) {
	switch {
	case len(n.Fields) < smallMapping:
		return
	case len(n.Fields) == smallMapping:
		for _, f := range n.Fields {
			x[f.Key.Text] = f.Key
		}
	}
	x[k.Text] = k
}
