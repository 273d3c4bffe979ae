package compile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr/checker/nature"

	"github.com/nth-dev/nth/schema"
)

// Value is a literal, an expression, or a list or mapping with expressions inside.
type Value struct {
	Range  schema.Range
	Source string // the expression's source, "" for literals

	expr     *Expr
	constant any
	list     []*Value
	fields   []valueField
	isConst  bool
}

type valueField struct {
	name  string
	value *Value
}

// Const returns the value when it is a literal.
func (v *Value) Const() (any, bool) { return v.constant, v.isConst }

// Expr is the expression that the value is as a whole, or nil.
func (v *Value) Expr() *Expr {
	if v == nil {
		return nil
	}
	return v.expr
}

// Items are the values inside a list or mapping that holds expressions.
func (v *Value) Items() []*Value {
	if v == nil {
		return nil
	}
	return v.children()
}

// IsSecret reports whether the value is a secret as a whole.
func (v *Value) IsSecret() bool {
	return v != nil && v.expr != nil && v.expr.nat.Type == reflect.TypeFor[SecretValue]()
}

// Uses reports whether an expression in the value mentions a root name.
func (v *Value) Uses(name string) bool {
	if v == nil {
		return false
	}
	if v.expr.Uses(name) {
		return true
	}
	for _, e := range v.children() {
		if e.Uses(name) {
			return true
		}
	}
	return false
}

func (v *Value) children() []*Value {
	out := slices.Clip(v.list)
	for _, f := range v.fields {
		out = append(out, f.value)
	}
	return out
}

// Eval gives the value in an environment.
func (v *Value) Eval(env map[string]any) (any, error) {
	switch {
	case v.isConst:
		return v.constant, nil
	case v.expr != nil:
		return v.expr.Eval(env)
	case v.fields != nil:
		m := make(map[string]any, len(v.fields))
		for _, f := range v.fields {
			x, err := f.value.Eval(env)
			if err != nil {
				return nil, err
			}
			m[f.name] = x
		}
		return m, nil
	}
	l := make([]any, len(v.list))
	for i, item := range v.list {
		x, err := item.Eval(env)
		if err != nil {
			return nil, err
		}
		l[i] = x
	}
	return l, nil
}

// Text gives the value as text: strings as they are, numbers and booleans in their JSON form.
func (v *Value) Text(env map[string]any) (string, error) {
	x, err := v.Eval(env)
	if err != nil {
		return "", err
	}
	return FormatText(x)
}

// FormatText gives a scalar as text. Secrets are revealed: the caller must know what it does.
func FormatText(x any) (string, error) {
	switch t := x.(type) {
	case string:
		return t, nil
	case SecretValue:
		return Reveal(t), nil
	case bool:
		return strconv.FormatBool(t), nil
	case int:
		return strconv.Itoa(t), nil
	case float64:
		return strconv.FormatFloat(t, 'f', -1, 64), nil
	case nil:
		return "", fmt.Errorf("no value")
	}
	return "", fmt.Errorf("%T is not text", x)
}

// value compiles a literal or expression; want (may be nil) says what the author meant by a plain scalar.
func (x *exprEnv) value(src schema.Value, want *Schema) *Value {
	n := src.Node
	if n == nil {
		return nil
	}
	v := &Value{Range: n.Range}
	switch n.Kind {
	case schema.Scalar:
		if e, ok := n.IsExpr(); ok {
			v.expr = x.compile(e, wantAny)
			if v.expr == nil {
				return nil
			}
			v.Source = v.expr.Source
			return v
		}
		v.constant, v.isConst = want.literal(n), true
	case schema.Sequence:
		v.list = []*Value{}
		var item *Schema
		if want != nil {
			item = want.item
		}
		for _, in := range n.Items {
			c := x.value(schema.Value{Node: in}, item)
			if c == nil {
				return nil
			}
			v.list = append(v.list, c)
		}
	case schema.Mapping:
		v.fields = []valueField{}
		for _, f := range n.Fields {
			c := x.value(schema.Value{Node: f.Value}, want.property(f.Key.Text))
			if c == nil {
				return nil
			}
			v.fields = append(v.fields, valueField{f.Key.Text, c})
		}
	}
	if all := v.children(); !v.isConst && allConst(all) {
		v.constant, _ = v.Eval(nil)
		v.isConst = true
	}
	return v
}

func allConst(vs []*Value) bool {
	for _, v := range vs {
		if !v.isConst {
			return false
		}
	}
	return true
}

// literal reads a scalar as the schema wants it: what is text by the schema stays text.
func (s *Schema) literal(n *schema.Node) any {
	kind := ""
	if s != nil {
		kind = s.Kind
		if kind == "" && s.allowsOnlyText() {
			kind = "string"
		}
	}
	if kind == "string" {
		return n.Literal()
	}
	v := n.JSON()
	if _, isText := v.(string); isText {
		return n.Literal()
	}
	return s.Normalize(v)
}

// allowsOnlyText reports whether a type list names string beside null only.
func (s *Schema) allowsOnlyText() bool {
	list, ok := s.json["type"].([]any)
	if !ok {
		return false
	}
	for _, t := range list {
		if t != "string" && t != "null" {
			return false
		}
	}
	return true
}

// property is the schema of a field, nil when nothing is known.
func (s *Schema) property(name string) *Schema {
	if s == nil {
		return nil
	}
	props, _ := s.json["properties"].(map[string]any)
	p, ok := props[name].(map[string]any)
	if !ok {
		return nil
	}
	return &Schema{json: p, Kind: kindOf(p)}
}

// bind compiles a value for a place with a schema and checks it: a literal against the schema, an expression
// by its type. what names the place in findings ("param city").
func (x *exprEnv) bind(src schema.Value, s *Schema, what string) *Value {
	v := x.value(src, s)
	if v == nil || s == nil {
		return v
	}
	if c, ok := v.Const(); ok {
		if s.Secret {
			x.diags.Errorf(src.Node.Range, "secret-literal", "declare it under secrets: and bind =secrets.NAME", "%s is secret and must not be written in the file", what)
			return v
		}
		if err := s.Validate(c); err != nil {
			at, ve := src.Node, err.(*ValueError)
			for _, key := range ve.Path {
				if next := childNode(at, key); next != nil {
					at = next
				}
			}
			x.diags.Errorf(at.Range, "value-schema", "", "%s: %s does not fit: %s", what, quoteNode(at), ve.Message)
		}
		v.constant = s.Normalize(c)
		return v
	}
	if v.expr == nil {
		return v
	}
	if v.IsSecret() {
		if !s.Secret {
			x.diags.Errorf(v.Range, "secret-flow", "mark it x-secret: true in the skill if it must take a secret", "%s is not secret, so it cannot take %s", what, v.Source)
		}
		return v
	}
	if got, ok := natureKind(v.expr.nat); ok && s.Kind != "" && !fits(got, s.Kind) {
		x.diags.Errorf(v.Range, "value-type", "", "%s wants %s, but %q is %s", what, article(s.Kind), v.Source, article(got))
	}
	return v
}

func childNode(n *schema.Node, key string) *schema.Node {
	if f := n.Field(key); f != nil {
		return f
	}
	if i, err := strconv.Atoi(key); err == nil && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

func quoteNode(n *schema.Node) string {
	switch n.Kind {
	case schema.Scalar:
		return strconv.Quote(n.Text)
	case schema.Sequence:
		return "the list"
	}
	return "the mapping"
}

func article(kind string) string {
	switch kind {
	case "integer":
		return "a whole number"
	case "array":
		return "a list"
	case "object":
		return "a mapping"
	case "boolean":
		return "true or false"
	case "string":
		return "text"
	}
	return "a " + kind
}

// natureKind is the JSON type of an expression's result, if it is known.
func natureKind(n nature.Nature) (string, bool) {
	if n.Type == nil {
		return "", false
	}
	switch n.Type.Kind() {
	case reflect.String:
		return "string", true
	case reflect.Bool:
		return "boolean", true
	case reflect.Float64, reflect.Float32:
		return "number", true
	case reflect.Int, reflect.Int64, reflect.Int32:
		return "integer", true
	case reflect.Slice, reflect.Array:
		return "array", true
	case reflect.Map:
		return "object", true
	}
	return "", false
}

func fits(got, want string) bool {
	return got == want || want == "number" && got == "integer" || want == "integer" && got == "number"
}
