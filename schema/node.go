package schema

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NodeKind says what a Node holds.
type NodeKind uint8

const (
	Scalar NodeKind = iota
	Mapping
	Sequence
)

// Style says how a scalar was written.
type Style uint8

const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Block // | and >
)

// Node is a checked YAML value: no aliases, tags, merge keys or duplicate keys are left in it.
// A scalar stays the text that the author wrote until somebody who knows the wanted type asks.
// Nodes are not changed after Parse.
type Node struct {
	Kind   NodeKind
	Style  Style
	Text   string  // scalars: the text after YAML unquoting
	Fields []Field // mappings, in source order
	Items  []*Node // sequences
	Range  Range

	source *Source
}

// Field is one key of a mapping.
type Field struct {
	Key   *Node // always a Scalar
	Value *Node
}

// Field returns the value of a key, or nil. It may be called on a nil Node and on any kind.
func (n *Node) Field(key string) *Node {
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f.Key.Text == key {
			return f.Value
		}
	}
	return nil
}

// IsExpr returns the expression in a scalar that begins with a single "=".
func (n *Node) IsExpr() (Expr, bool) {
	if n == nil || n.Kind != Scalar || !strings.HasPrefix(n.Text, "=") || strings.HasPrefix(n.Text, "==") {
		return Expr{}, false
	}
	return Expr{Text: n.Text[1:], Node: n, Offset: 1}, true
}

// Literal is the text of a scalar that is not an expression: a leading "==" stands for "=".
func (n *Node) Literal() string {
	if strings.HasPrefix(n.Text, "==") {
		return n.Text[1:]
	}
	return n.Text
}

// jsonNumber is how a number must be spelled to be one when nothing else is known: as in JSON. So 02134, 1_000,
// 0x10 and .5 stay text.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// JSON is the value as JSON knows it when no schema says what is wanted: map[string]any, []any, string, float64,
// bool, nil. A plain scalar is a number only if it is spelled as JSON spells one, and true, false and null are the
// only other words that are not text: dates, NO and 02134 stay text. Quoted scalars are text.
func (n *Node) JSON() any {
	switch n.Kind {
	case Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key.Text] = f.Value.JSON()
		}
		return m
	case Sequence:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = item.JSON()
		}
		return l
	}
	if n.Style != Plain {
		return n.Text
	}
	switch n.Text {
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	case "null", "Null", "NULL", "~", "":
		return nil
	}
	if jsonNumber.MatchString(n.Text) {
		if f, err := strconv.ParseFloat(n.Text, 64); err == nil {
			return f
		}
	}
	return n.Text
}

// textKeywords are the JSON Schema keywords whose value is text whatever it looks like.
var textKeywords = map[string]bool{"$ref": true, "$comment": true, "type": true, "title": true, "description": true, "pattern": true, "format": true, "required": true}

// SchemaJSON is a JSON Schema fragment as JSON. The values beside "type: string" (default, const, enum, examples)
// stay text.
func (n *Node) SchemaJSON() any {
	if n.Kind != Mapping {
		return n.JSON()
	}
	m := make(map[string]any, len(n.Fields))
	isText := n.Field("type") != nil && n.Field("type").Text == "string"
	for _, f := range n.Fields {
		key := f.Key.Text
		switch key {
		case "properties", "patternProperties", "dependentSchemas":
			sub := map[string]any{}
			for _, p := range f.Value.Fields {
				sub[p.Key.Text] = p.Value.SchemaJSON()
			}
			if f.Value.Kind != Mapping {
				m[key] = f.Value.JSON()
				continue
			}
			m[key] = sub
		case "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties":
			m[key] = f.Value.SchemaJSON()
		case "allOf", "anyOf", "oneOf", "prefixItems":
			if f.Value.Kind != Sequence {
				m[key] = f.Value.JSON()
				continue
			}
			list := make([]any, len(f.Value.Items))
			for i, item := range f.Value.Items {
				list[i] = item.SchemaJSON()
			}
			m[key] = list
		case "default", "const", "enum", "examples":
			if isText {
				m[key] = f.Value.textJSON()
			} else {
				m[key] = f.Value.JSON()
			}
		default:
			if textKeywords[key] {
				m[key] = f.Value.textJSON()
			} else {
				m[key] = f.Value.JSON()
			}
		}
	}
	return m
}

// textJSON is JSON with every scalar as text.
func (n *Node) textJSON() any {
	switch n.Kind {
	case Sequence:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = item.textJSON()
		}
		return l
	case Mapping:
		return n.JSON()
	}
	return n.Text
}

// MarshalJSON gives JSON(), for messages and tests.
func (n *Node) MarshalJSON() ([]byte, error) { return json.Marshal(n.JSON()) }

// PosAt is the place in the file of the rune at an offset in Text: through quotes, escapes, folding and the
// indentation of block scalars.
func (n *Node) PosAt(offset int) Pos {
	if n.source == nil || n.Kind != Scalar {
		return n.Range.Start
	}
	w := walker{src: n.source, pos: n.Range.Start}
	w.open(n.Style)
	for range min(offset, utf8.RuneCountInString(n.Text)) {
		w.next(n.Style)
	}
	w.settle(n.Style)
	return w.clamp()
}

// end is the place behind a scalar, its quotes included.
func (n *Node) end() Pos {
	if start := n.Range.Start; n.Style == Plain && !strings.Contains(n.Text, "\n") {
		// The usual case: the text stands in the line as it is.
		line := n.source.Line(start.Line)
		if from := runeIndex(line, start.Col-1); strings.HasPrefix(line[from:], n.Text) {
			return Pos{start.Line, start.Col + utf8.RuneCountInString(n.Text)}
		}
	}
	w := walker{src: n.source, pos: n.Range.Start}
	w.open(n.Style)
	for range utf8.RuneCountInString(n.Text) {
		w.next(n.Style)
	}
	if n.Style == SingleQuoted || n.Style == DoubleQuoted {
		w.settle(n.Style)
		w.pos.Col++
	}
	return w.clamp()
}

// runeIndex is the byte offset of rune number n.
func runeIndex(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// skipTag moves the start of a scalar behind a tag or anchor that was refused.
func (n *Node) skipTag() {
	line := []rune(n.source.Line(n.Range.Start.Line))
	for i := n.Range.Start.Col - 1; i >= 0 && i < len(line) && (line[i] == '!' || line[i] == '&'); {
		for i < len(line) && line[i] != ' ' {
			i++
		}
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i >= len(line) {
			return
		}
		n.Range.Start.Col = i + 1
	}
}
