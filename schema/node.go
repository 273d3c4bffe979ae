package schema

import (
	"encoding/json"
	"strings"
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

// MarshalJSON gives JSON(), for messages and tests.
func (n *Node) MarshalJSON() ([]byte, error) { return json.Marshal(n.JSON()) }

// PosAt is the place in the file of the rune at an offset in Text: through quotes, escapes, folding and the
// indentation of block scalars. An offset behind the text gives its end.
func (n *Node) PosAt(offset int) Pos {
	if n.source == nil || n.Kind != Scalar {
		return n.Range.Start
	}
	if size, ok := n.asWritten(); ok {
		return Pos{n.Range.Start.Line, n.Range.Start.Col + max(0, min(offset, size))}
	}
	places := n.places()
	return places[max(0, min(offset, len(places)-1))]
}

// CommentFollows reports whether a comment ends the line in which a plain scalar ends: the author may have meant the "#"
// as a part of the text.
func (n *Node) CommentFollows() bool {
	if n.source == nil || n.Kind != Scalar || n.Style != Plain {
		return false
	}
	l := n.source.line(n.Range.End.Line)
	return strings.HasPrefix(strings.TrimLeft(l.cut(n.Range.End.Col-1, l.size), " \t"), "#")
}

// Comment is the comment that ends the line in which a plain scalar ends, "" when there is none.
func (n *Node) Comment() string {
	if !n.CommentFollows() {
		return ""
	}
	l := n.source.line(n.Range.End.Line)
	return strings.TrimSpace(l.cut(n.Range.End.Col-1, l.size))
}

// BlockStyle reports whether a mapping or list is written without brackets.
func (n *Node) BlockStyle() bool {
	if n.source == nil || n.Kind == Scalar {
		return false
	}
	first := n.source.line(n.Range.Start.Line).at(n.Range.Start.Col - 1)
	return first != '{' && first != '['
}
