package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
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
}

// object is a mapping with known keys. Exactly one of the keys oneOf must be there, if it is set.
type object struct {
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
	if n.Kind != Mapping {
		wrongKind(n, what, "a mapping of "+shortList(o.names()), ds)
		return
	}
	var found []string
	for _, f := range n.Fields {
		k := o.find(f.Key.Text)
		if k == nil {
			fix := "known keys: " + strings.Join(o.names(), ", ")
			if s := Suggest(f.Key.Text, o.names()); s != "" {
				fix = fmt.Sprintf("did you mean %q?", s)
			}
			ds.Errorf(f.Key.Range, "unknown-key", fix, "%s has no key %q", what, f.Key.Text)
			continue
		}
		if slices.Contains(o.oneOf, k.name) {
			found = append(found, k.name)
		}
		k.shape.check(f.Value, k.name, ds)
	}
	for _, k := range o.keys {
		if k.required && n.Field(k.name) == nil {
			ds.Errorf(head(n), "missing-key", fmt.Sprintf("add %q: %s", k.name, k.doc), "%s has no %q", what, k.name)
		}
	}
	if o.oneOf != nil && len(found) != 1 {
		if len(found) == 0 {
			ds.Errorf(head(n), "missing-key", "add one of: "+strings.Join(o.oneOf, ", "), "%s needs one of %s", what, strings.Join(o.oneOf, ", "))
		} else {
			ds.Errorf(head(n), "too-many-keys", "keep one of them", "%s has %s, but only one of them can be", what, strings.Join(found, " and "))
		}
	}
}

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
	for _, k := range o.keys {
		s := k.shape.schema(defs)
		if k.doc != "" {
			if _, isRef := s["$ref"]; isRef {
				s = map[string]any{"$ref": s["$ref"]}
			}
			s["description"] = k.doc
		}
		props[k.name] = s
		if k.required {
			required = append(required, k.name)
		}
	}
	s := map[string]any{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	if o.oneOf != nil {
		alts := []any{}
		for _, name := range o.oneOf {
			alts = append(alts, map[string]any{"required": []any{name}})
		}
		s["oneOf"] = alts
	}
	return s
}

// text is a scalar that stays as it is written. re is what it must look like, why says so in words.
type text struct {
	re   *regexp.Regexp
	why  string
	enum []string
}

func (t text) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind != Scalar:
		wrongKind(n, what, "a text", ds)
	case t.enum != nil && !slices.Contains(t.enum, n.Text):
		fix := "allowed: " + strings.Join(t.enum, ", ")
		if s := Suggest(n.Text, t.enum); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		ds.Errorf(n.Range, "wrong-value", fix, "%s: %q is not one of %s", what, n.Text, shortList(t.enum))
	case t.re != nil && !t.re.MatchString(n.Text):
		ds.Errorf(n.Range, "wrong-value", t.why, "%s: %q is not allowed here", what, n.Text)
	case t.re == nil && t.enum == nil && strings.TrimSpace(n.Text) == "":
		ds.Errorf(n.Range, "wrong-value", "write a value, or leave the key out", "%s is empty", what)
	}
}

// scalarTypes are the JSON types that an editor may see in a scalar: 02134 and 2026-05-01 are text to nth.
var scalarTypes = []any{"string", "number", "boolean"}

func (t text) schema(map[string]any) map[string]any {
	switch {
	case t.enum != nil:
		list := []any{}
		for _, e := range t.enum {
			list = append(list, e)
		}
		return map[string]any{"enum": list}
	case t.re != nil:
		return map[string]any{"type": "string", "pattern": t.re.String()}
	}
	return map[string]any{"type": scalarTypes, "pattern": `\S`}
}

// truth is true or false.
type truth struct{}

func (truth) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Scalar || n.Style != Plain || n.Text != "true" && n.Text != "false" {
		wrongKind(n, what, "true or false", ds)
	}
}

func (truth) schema(map[string]any) map[string]any { return map[string]any{"type": "boolean"} }

// count is a whole number from min up; with kilo, "60k" is 60000.
type count struct {
	min  int
	kilo bool
}

var (
	countRE = regexp.MustCompile(`^[0-9]{1,9}$`)
	kiloRE  = regexp.MustCompile(`^[0-9]{1,6}k$`)
)

func parseCount(s string) (int, bool) {
	factor := 1
	if kiloRE.MatchString(s) {
		s, factor = strings.TrimSuffix(s, "k"), 1000
	}
	if !countRE.MatchString(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n * factor, err == nil
}

func (c count) check(n *Node, what string, ds *Diagnostics) {
	v, ok := parseCount(n.Text)
	if n.Kind != Scalar || !ok || n.Style != Plain || !c.kilo && strings.HasSuffix(n.Text, "k") || strings.HasPrefix(n.Text, "0") && n.Text != "0" {
		want := "a whole number"
		if c.kilo {
			want += ", such as 4000 or 4k"
		}
		wrongKind(n, what, want, ds)
		return
	}
	if v < c.min {
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s is too small, the least is %d", what, n.Text, c.min)
	}
}

func (c count) schema(map[string]any) map[string]any {
	whole := map[string]any{"type": "integer", "minimum": c.min, "maximum": 999999999}
	if !c.kilo {
		return whole
	}
	// "0k" is below any minimum but 0.
	pattern := `^[1-9][0-9]{0,5}k$`
	return map[string]any{"anyOf": []any{whole, map[string]any{"type": "string", "pattern": pattern}}}
}

// span is a duration: "45s", "10m", "1h30m", "500ms".
type span struct{}

var spanRE = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

func (span) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Scalar || !spanRE.MatchString(n.Text) {
		wrongKind(n, what, `a duration, such as 500ms, 45s, 10m or 1h30m`, ds)
		return
	}
	if d, err := time.ParseDuration(n.Text); err != nil || d <= 0 || d > 24*time.Hour {
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s must be more than nothing and at most 24h", what, n.Text)
	}
}

func (span) schema(map[string]any) map[string]any {
	return map[string]any{"type": "string", "pattern": spanRE.String()}
}

// condition is a bare expression.
type condition struct{}

func (condition) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind == Mapping && len(n.Fields) > 0:
		ds.Errorf(n.Range, "wrong-type", `put the condition into quotes: YAML reads ": " as a key`, "%s must be a condition, not a mapping", what)
	case n.Kind != Scalar:
		ds.Errorf(n.Range, "wrong-type", `put the condition into quotes if it begins with "["`, "%s must be a condition, not %s", what, kindName(n))
	case strings.Contains(n.Text, "{{"):
		ds.Errorf(n.Range, "template", "write the expression itself, without braces", "%s: there are no {{ templates }} in nth", what)
	case strings.TrimSpace(n.Text) == "":
		ds.Errorf(n.Range, "wrong-value", "write a condition, or leave the key out", "%s is empty", what)
	}
}

func (condition) schema(map[string]any) map[string]any {
	return map[string]any{"type": scalarTypes, "pattern": `\S`}
}

// value is a literal, or an expression after "=", at any depth.
type value struct{ scalar bool }

func (v value) check(n *Node, what string, ds *Diagnostics) {
	if v.scalar && n.Kind != Scalar {
		wrongKind(n, what, "a text", ds)
		return
	}
	n.eachScalar(func(s *Node) {
		if strings.Contains(s.Text, "{{") && s.Style != Block {
			ds.Errorf(s.Range, "template", `write an expression after "=": =inputs.name`, "%s: %q: there are no {{ templates }} in nth", what, s.Text)
		}
	})
}

func (v value) schema(map[string]any) map[string]any {
	if v.scalar {
		return map[string]any{"type": append(slices.Clone(scalarTypes), "null")}
	}
	return map[string]any{}
}

func (n *Node) eachScalar(f func(*Node)) {
	if n.Kind == Scalar {
		f(n)
	}
	for _, x := range n.Fields {
		x.Value.eachScalar(f)
	}
	for _, x := range n.Items {
		x.eachScalar(f)
	}
}

// jsonSchema is a JSON Schema fragment; compile checks what is in it.
type jsonSchema struct{}

func (jsonSchema) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Mapping {
		wrongKind(n, what, "a JSON Schema, such as {type: string}", ds)
	}
}

func (jsonSchema) schema(map[string]any) map[string]any {
	return map[string]any{"type": "object"}
}

// mapOf is a mapping with free keys of one form.
type mapOf struct {
	key  *regexp.Regexp
	why  string
	elem shape
	some bool // at least one
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
	s := map[string]any{"type": "object", "propertyNames": map[string]any{"pattern": m.key.String()}, "additionalProperties": m.elem.schema(defs)}
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
