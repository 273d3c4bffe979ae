package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits on input files.
const (
	MaxBytes = 1 << 20
	MaxDepth = 64
)

// Source is a file's text by lines, for positions and excerpts.
type Source struct {
	Name  string
	lines []string // without line ends
}

// NewSource cuts a text into lines. A byte order mark is dropped.
func NewSource(name string, data []byte) *Source {
	text := strings.TrimPrefix(string(data), "\ufeff")
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return &Source{Name: name, lines: lines}
}

// Line returns line n, 1-based, without its end; "" outside the file.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// at is the range of one line's text.
func (s *Source) at(line int) Range {
	line = max(1, min(line, len(s.lines)))
	text := s.Line(line)
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	return Range{File: s.Name, Start: Pos{line, indent + 1}, End: Pos{line, max(utf8.RuneCountInString(text), indent) + 1}}
}

// Parse reads one YAML document strictly. It returns nil when the text is not YAML at all; otherwise a tree in which
// what was refused (aliases, tags, duplicate keys, …) is left out, together with all findings in source order.
func Parse(name string, data []byte) (*Node, Diagnostics) {
	var ds Diagnostics
	whole := Range{File: name, Start: Pos{1, 1}, End: Pos{1, 1}}
	if len(data) > MaxBytes {
		ds.Errorf(whole, "file-too-large", "split it into several files", "the file is larger than %d bytes", MaxBytes)
		return nil, ds
	}
	src := NewSource(name, data)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		for i, l := range src.lines {
			if !utf8.ValidString(l) {
				at := Range{File: name, Start: Pos{i + 1, 1}, End: Pos{i + 1, 1}}
				ds.Errorf(at, "not-utf8", "save the file as UTF-8", "line %d is not UTF-8 text", i+1)
				return nil, ds
			}
		}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		ds.Errorf(src.at(1+bytes.Count(data[:i], []byte("\n"))), "not-text", "", "the file holds a zero byte: it is not a text file")
		return nil, ds
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	doc, err := decodeNode(dec)
	if errors.Is(err, io.EOF) || err == nil && (doc.Kind == 0 || len(doc.Content) == 0 || empty(doc.Content[0])) {
		ds.Errorf(whole, "empty-file", `begin with "kind: flow/v1"`, "the file is empty")
		return nil, ds
	}
	if err != nil {
		ds = append(ds, syntaxError(src, err))
		return nil, ds
	}
	c := converter{src: src, ds: &ds}
	root := c.node(doc.Content[0], 1)
	if second, err := decodeNode(dec); err == nil {
		ds.Errorf(src.at(second.Line), "second-document", "put it into a file of its own", "the file holds a second YAML document")
	} else if !errors.Is(err, io.EOF) {
		ds = append(ds, syntaxError(src, err))
	}
	ds.Sort()
	return root, ds
}

func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" && n.Style == 0
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

var yamlLine = regexp.MustCompile(`line (\d+): `)

// syntaxError words an error of yaml.v3 for people, and places it as well as can be: yaml.v3 gives no column, and
// its line can be the one before.
func syntaxError(src *Source, err error) Diagnostic {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = strings.Replace(msg, m[0], "", 1)
	}
	d := Diagnostic{Severity: Error, Rule: "yaml-syntax", Range: src.at(line)}
	for i, l := range src.lines { // a tab is the usual culprit, and yaml names some other line
		if rest := strings.TrimLeft(l, " "); strings.HasPrefix(rest, "\t") && strings.TrimSpace(rest) != "" && i+1 >= line-1 {
			col := len(l) - len(rest) + 1
			d.Range = Range{File: src.Name, Start: Pos{i + 1, col}, End: Pos{i + 1, col + 1}}
			d.Summary, d.Fix, d.Rule = "this line is indented with a tab", "indent with spaces", "yaml-tab"
			return d
		}
	}
	switch {
	case strings.Contains(msg, "mapping values are not allowed"):
		d.Summary = `a ": " stands where no key can be`
		d.Fix = `put the text into quotes, or check the indentation of the line`
	case strings.Contains(msg, "did not find expected key"), strings.Contains(msg, "did not find expected '-' indicator"):
		d.Summary = "the indentation does not fit the lines above"
		d.Fix = "keys of one mapping, and items of one list, start in the same column"
	case strings.Contains(msg, "could not find expected ':'"):
		d.Summary = `a ":" is missing after a key`
		d.Fix = `write "key: value"`
	case strings.Contains(msg, "did not find expected ',' or"):
		d.Summary = "a { or [ is not closed, or a comma is missing in it"
		d.Fix = "close it; inside { } and [ ], put texts that hold , : ? # [ ] { } into quotes"
	case strings.Contains(msg, "unexpected end of stream"), strings.Contains(msg, "found unexpected end"):
		d.Summary = "a quote or bracket is opened and never closed"
	case strings.Contains(msg, "cannot start any token"):
		d.Summary = "a character stands where none can be"
		d.Fix = "put text that begins with @, `, % or & into quotes"
	case strings.Contains(msg, "unknown anchor"):
		d.Summary, d.Rule = "aliases (*name) are not allowed", "yaml-alias"
		d.Fix = `put a text that begins with "*" into quotes`
	default:
		d.Summary = "not valid YAML: " + msg
	}
	return d
}

// converter makes the strict tree.
type converter struct {
	src *Source
	ds  *Diagnostics
}

func (c *converter) node(y *yaml.Node, depth int) *Node {
	n := &Node{source: c.src, Range: Range{File: c.src.Name, Start: Pos{y.Line, y.Column}}}
	n.Range.End = Pos{y.Line, y.Column + 1}
	if depth > MaxDepth {
		c.ds.Errorf(n.Range, "too-deep", "", "nested more than %d deep", MaxDepth)
		return n
	}
	if y.Anchor != "" {
		c.ds.Errorf(n.Range, "yaml-alias", `write the value out; put a text that begins with "&" into quotes`, "anchors (&%s) are not allowed", y.Anchor)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.ds.Errorf(n.Range, "yaml-tag", `put a text that begins with "!" into quotes; in a condition, write "not" for "!"`, "tags (%s) are not allowed", y.Tag)
	}
	switch y.Kind {
	case yaml.AliasNode:
		c.ds.Errorf(Range{File: c.src.Name, Start: n.Range.Start, End: Pos{y.Line, y.Column + 1 + utf8.RuneCountInString(y.Value)}}, "yaml-alias", `write the value out; put a text that begins with "*" into quotes`, "aliases (*%s) are not allowed", y.Value)
	case yaml.ScalarNode:
		c.scalar(n, y)
	case yaml.SequenceNode:
		n.Kind = Sequence
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item, depth+1))
		}
		c.end(n, y)
	case yaml.MappingNode:
		n.Kind = Mapping
		c.mapping(n, y, depth)
		c.end(n, y)
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
	if y.Anchor != "" || y.Style&yaml.TaggedStyle != 0 {
		n.skipTag()
	}
	n.Range.End = n.end()
}

// end puts the end of a mapping or sequence behind its last child, or behind its brackets when it is empty.
func (c *converter) end(n *Node, y *yaml.Node) {
	last := Pos{y.Line, y.Column + 1}
	if y.Style&yaml.FlowStyle != 0 {
		last.Col++
	}
	for _, f := range n.Fields {
		last = later(last, f.Value.Range.End)
		last = later(last, f.Key.Range.End)
	}
	for _, i := range n.Items {
		last = later(last, i.Range.End)
	}
	n.Range.End = last
}

func later(a, b Pos) Pos {
	if b.Line > a.Line || b.Line == a.Line && b.Col > a.Col {
		return b
	}
	return a
}

func (c *converter) mapping(n *Node, y *yaml.Node, depth int) {
	first := map[string]*Node{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, val := y.Content[i], y.Content[i+1]
		k := c.node(key, depth+1)
		v := c.node(val, depth+1)
		switch {
		case key.Kind != yaml.ScalarNode:
			if key.Kind != yaml.AliasNode {
				c.ds.Errorf(k.Range, "yaml-key", "", "a key must be a plain word")
			}
			continue
		case key.Tag == "!!merge":
			c.ds.Errorf(k.Range, "yaml-merge", "write the keys out", "merge keys (<<) are not allowed")
			continue
		case first[key.Value] != nil:
			*c.ds = append(*c.ds, Diagnostic{
				Severity: Error, Rule: "duplicate-key", Range: k.Range, Summary: fmt.Sprintf("the key %q is there twice", key.Value), Fix: "remove one of them",
				Related: []Related{{Range: first[key.Value].Range, Message: "the first one is here"}},
			})
			continue
		}
		first[key.Value] = k
		n.Fields = append(n.Fields, Field{Key: k, Value: v})
	}
}
