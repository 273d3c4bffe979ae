package schema

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// shape describes what may stand at one place of a file. The strict check and the JSON Schema of a kind both come
// from it, so they cannot part.
type shape interface {
	// check reports what does not fit. what names the place in messages.
	check(n *Node, what string, ds *Diagnostics)
	// schema is the JSON Schema of the shape; named shapes are put into defs.
	schema(defs map[string]any) map[string]any
}

// key is one key of an object.
type key struct {
	name     string
	shape    shape
	doc      string
	required bool
	beside   []string       // it may stand only beside one of these keys, if set
	needs    string         // this key must stand beside it, if set
	hints    map[string]any // further words of its JSON Schema, for editors
}

// object is a mapping with known keys. Exactly one of the keys oneOf must be there, if it is set.
type object struct {
	noun  string // names the mapping in messages, where its place does not
	keys  []key
	oneOf []string
}

func (o object) find(name string) *key {
	for i := range o.keys {
		if o.keys[i].name == name {
			return &o.keys[i]
		}
	}
	return nil
}

func (o object) names() []string {
	out := make([]string, len(o.keys))
	for i, k := range o.keys {
		out[i] = k.name
	}
	return out
}

func (o object) check(n *Node, what string, ds *Diagnostics) {
	if o.noun != "" {
		what = o.noun
	}
	if n.Kind != Mapping {
		wrongKind(n, what, "a mapping of "+shortList(o.names()), ds)
		return
	}
	var found []string
	known, meant := 0, false // meant: an unknown key is one of oneOf, misspelt
	for _, f := range n.Fields {
		k := o.find(f.Key.Text)
		if k == nil {
			fix := "known keys: " + strings.Join(o.names(), ", ")
			if s := Suggest(f.Key.Text, o.names()); s != "" {
				fix = fmt.Sprintf("did you mean %q?", s)
				meant = meant || slices.Contains(o.oneOf, s)
			}
			ds.Errorf(f.Key.Range, "unknown-key", fix, "%s has no key %q", what, f.Key.Text).Edits = Respell(f.Key.Range, f.Key.Text, o.names(), n.has)
			continue
		}
		known++
		if slices.Contains(o.oneOf, k.name) {
			found = append(found, k.name)
		}
		k.shape.check(f.Value, k.name, ds)
	}
	o.checkBeside(n, what, len(found) == 1, ds)
	for _, k := range o.keys {
		if k.required && n.Field(k.name) == nil {
			ds.Errorf(head(n), "missing-key", fmt.Sprintf("add %q: %s", k.name, k.doc), "%s has no %q", what, k.name)
		}
	}
	if o.oneOf != nil && len(found) != 1 {
		if len(found) == 0 && (meant || known == 0 && len(n.Fields) > 0) {
			return // the unknown key is the finding
		}
		if len(found) == 0 {
			ds.Errorf(head(n), "missing-key", "add one of: "+strings.Join(o.oneOf, ", "), "%s needs one of %s", what, strings.Join(o.oneOf, ", "))
		} else {
			ds.Errorf(head(n), "too-many-keys", "keep one of them", "%s has %s, but only one of them can be", what, strings.Join(found, " and "))
		}
	}
}

// checkBeside reports keys that have no meaning, or not enough, beside the others. chosen: there is one key of oneOf;
// where there is not, that is the finding.
func (o object) checkBeside(n *Node, what string, chosen bool, ds *Diagnostics) {
	for _, f := range n.Fields {
		k := o.find(f.Key.Text)
		if k == nil {
			continue
		}
		if chosen && k.beside != nil && !slices.ContainsFunc(k.beside, func(name string) bool { return n.Field(name) != nil }) {
			ds.Errorf(f.Key.Range, "misplaced-key", "remove it", "%s: %q has a meaning only beside %s", what, k.name, strings.Join(k.beside, ", "))
		}
		if k.needs != "" && n.Field(k.needs) == nil {
			ds.Errorf(f.Key.Range, "missing-key", fmt.Sprintf("add %q: %s", k.needs, o.find(k.needs).doc), "%s has no %q", k.name, k.needs)
		}
	}
}

// has reports whether a mapping has a key.
func (n *Node) has(key string) bool { return n.Field(key) != nil }

// head is the beginning of a node, for findings about something that is not there.
func head(n *Node) Range {
	r := n.Range
	if n.Kind == Mapping && len(n.Fields) > 0 {
		r = n.Fields[0].Key.Range
	}
	return r
}

func (o object) schema(defs map[string]any) map[string]any {
	props := map[string]any{}
	required := []any{}
	beside := map[string]any{}
	needs := map[string]any{}
	for _, k := range o.keys {
		s := documented(k.shape.schema(defs), k.doc)
		maps.Copy(s, k.hints)
		props[k.name] = s
		if k.required {
			required = append(required, k.name)
		}
		if k.beside != nil {
			beside[k.name] = map[string]any{"anyOf": eachRequired(k.beside)}
		}
		if k.needs != "" {
			needs[k.name] = []any{k.needs}
		}
	}
	s := map[string]any{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	if o.oneOf != nil {
		s["oneOf"] = eachRequired(o.oneOf)
	}
	if len(beside) > 0 {
		s["dependentSchemas"] = beside
	}
	if len(needs) > 0 {
		s["dependentRequired"] = needs
	}
	return s
}

// documented is a JSON Schema with a description, if there is one.
func documented(s map[string]any, doc string) map[string]any {
	if doc == "" {
		return s
	}
	s = maps.Clone(s) // shapes may share theirs
	s["description"] = doc
	return s
}

func eachRequired(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = map[string]any{"required": []any{name}}
	}
	return out
}

// jsonSchema is a JSON Schema fragment; compile checks what is in it.
type jsonSchema struct{}

func (jsonSchema) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Mapping {
		wrongKind(n, what, "a JSON Schema, such as {type: string}", ds)
	}
}

func (jsonSchema) schema(defs map[string]any) map[string]any {
	if defs["jsonSchema"] == nil {
		defs["jsonSchema"] = keywordSchema()
	}
	return map[string]any{"$ref": "#/$defs/jsonSchema"}
}

// mapOf is a mapping with free keys of one form.
type mapOf struct {
	key  *regexp.Regexp
	why  string
	elem shape
	some bool   // at least one
	doc  string // what each is
}

func (m mapOf) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Mapping {
		wrongKind(n, what, "a mapping", ds)
		return
	}
	if m.some && len(n.Fields) == 0 {
		ds.Errorf(n.Range, "wrong-value", "", "%s is empty", what)
	}
	for _, f := range n.Fields {
		if !m.key.MatchString(f.Key.Text) {
			ds.Errorf(f.Key.Range, "wrong-name", m.why, "%s: %q is not a name", what, f.Key.Text)
		}
		m.elem.check(f.Value, f.Key.Text, ds)
	}
}

func (m mapOf) schema(defs map[string]any) map[string]any {
	s := map[string]any{"type": "object", "propertyNames": map[string]any{"pattern": m.key.String()}, "additionalProperties": documented(m.elem.schema(defs), m.doc)}
	if m.some {
		s["minProperties"] = 1
	}
	return s
}

// listOf is a sequence.
type listOf struct {
	elem shape
	some bool // at least one
}

func (l listOf) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Sequence {
		wrongKind(n, what, `a list ("- …" lines, or [a, b])`, ds)
		return
	}
	if l.some && len(n.Items) == 0 {
		ds.Errorf(n.Range, "wrong-value", "leave the key out, or list something", "%s is an empty list", what)
	}
	for _, item := range n.Items {
		l.elem.check(item, what, ds)
	}
}

func (l listOf) schema(defs map[string]any) map[string]any {
	s := map[string]any{"type": "array", "items": l.elem.schema(defs)}
	if l.some {
		s["minItems"] = 1
	}
	return s
}

// byKind takes different shapes for scalars, mappings and sequences; nil ones are not allowed.
type byKind struct {
	scalar, mapping, sequence shape
	want                      string
}

func (b byKind) check(n *Node, what string, ds *Diagnostics) {
	s := [...]shape{Scalar: b.scalar, Mapping: b.mapping, Sequence: b.sequence}[n.Kind]
	if s == nil {
		wrongKind(n, what, b.want, ds)
		return
	}
	s.check(n, what, ds)
}

func (b byKind) schema(defs map[string]any) map[string]any {
	alts := []any{}
	for _, s := range []shape{b.scalar, b.mapping, b.sequence} {
		if s != nil {
			alts = append(alts, s.schema(defs))
		}
	}
	return map[string]any{"anyOf": alts}
}

// named is a shape with a name of its own in the JSON Schema; shapes that hold themselves must be named.
type named string

// namedShapes is filled at start-up, because the shapes in it mention each other.
var namedShapes map[string]func() shape

func (r named) check(n *Node, what string, ds *Diagnostics) {
	namedShapes[string(r)]().check(n, what, ds)
}

func (r named) schema(defs map[string]any) map[string]any {
	if _, ok := defs[string(r)]; !ok {
		defs[string(r)] = true // being made
		defs[string(r)] = namedShapes[string(r)]().schema(defs)
	}
	return map[string]any{"$ref": "#/$defs/" + string(r)}
}

func wrongKind(n *Node, what, want string, ds *Diagnostics) {
	ds.Errorf(n.Range, "wrong-type", "", "%s must be %s, not %s", what, want, kindName(n))
}

func kindName(n *Node) string {
	switch n.Kind {
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a list"
	}
	if n.Text == "" && n.Style == Plain {
		return "empty"
	}
	t := []rune(n.Text)
	if len(t) > 40 {
		t = append(t[:39], '…')
	}
	return strconv.Quote(string(t))
}

func shortList(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
