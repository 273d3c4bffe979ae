package schema

import (
	"maps"
	"strings"
)

// entryShape is one line of a relevance list: "pack.skill", {pack.skill: {param: value}}, or the long form
// {use: pack.skill, with: {…}, when: …}.
type entryShape struct{}

var (
	skillRef  = text{re: skillRE, why: "write ALIAS.SKILL, such as std.fill"}
	longEntry = object{keys: []key{
		{name: "use", shape: skillRef, doc: "The skill, ALIAS.SKILL.", required: true},
		{name: "with", shape: bindings, doc: "Values for its params."},
		{name: "when", shape: exprText, doc: "Only if this holds."},
		{name: "optional", shape: truth{}, doc: "The stage can be done without it."},
		{name: "repeat", shape: truth{}, doc: "May be offered again after success."},
	}}
	withShape = byKind{mapping: bindings, scalar: emptyShape{}, want: "a mapping of params"}
)

func (entryShape) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind == Scalar:
		skillRef.check(n, what, ds)
	case n.Kind == Sequence:
		wrongKind(n, what, `a skill, or {skill: {param: value}}`, ds)
	case isLong(n):
		longEntry.check(n, what, ds)
	case len(n.Fields) != 1:
		ds.Errorf(head(n), "entry", "start each skill with its own \"- \", or use the long form {use: …, with: …}", "an entry of %s names one skill, not %d", what, len(n.Fields))
	default:
		skillRef.check(n.Fields[0].Key, what, ds)
		withShape.check(n.Fields[0].Value, n.Fields[0].Key.Text, ds)
	}
}

// isLong tells the long form by its keys; a skill has a dot in its name, and they have none.
func isLong(n *Node) bool {
	for _, f := range n.Fields {
		if strings.Contains(f.Key.Text, ".") {
			return false
		}
	}
	for _, f := range n.Fields {
		if longEntry.find(f.Key.Text) != nil {
			return true
		}
	}
	return false
}

func (entryShape) schema(defs map[string]any) map[string]any {
	short := map[string]any{
		"type": "object", "minProperties": 1, "maxProperties": 1,
		"propertyNames":        map[string]any{"pattern": skillRE.String()},
		"additionalProperties": withShape.schema(defs),
	}
	return map[string]any{"anyOf": []any{skillRef.schema(defs), short, longEntry.schema(defs)}}
}

// emptyShape is nothing after a colon.
type emptyShape struct{}

func (emptyShape) check(n *Node, what string, ds *Diagnostics) {
	if n.JSON() != nil {
		wrongKind(n, what, "a mapping of params", ds)
	}
}

func (emptyShape) schema(map[string]any) map[string]any { return map[string]any{"type": "null"} }

// returnsShape is a JSON Schema with the further key read.
type returnsShape struct{}

func (returnsShape) check(n *Node, what string, ds *Diagnostics) {
	jsonSchema{}.check(n, what, ds)
	if r := n.Field("read"); r != nil {
		reads.check(r, "read", ds)
	}
}

func (returnsShape) schema(defs map[string]any) map[string]any {
	read := reads.schema(defs)
	read["description"] = "Fields to read from the page afterwards."
	of := maps.Clone(jsonSchema{}.schema(defs))
	of["type"], of["properties"] = "object", map[string]any{"read": read}
	return of
}
