package lint

import (
	"fmt"
	"slices"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var openObject = &Rule{
	ID: "open-object", Severity: schema.Warning,
	Summary: "an object that takes any further field",
	Doc: `The schema lists properties and does not say additionalProperties: false, so a misspelt field passes unseen; and
expressions cannot read a field that is not listed. Add additionalProperties: false, or additionalProperties: true to
say that further fields are meant.`,
	Check: func(p *pass) {
		p.eachSubschema(func(n *schema.Node) {
			props := n.Field("properties")
			if props == nil || n.Field("additionalProperties") != nil || n.Field("unevaluatedProperties") != nil || n.Field("patternProperties") != nil || composed(n) {
				return
			}
			for _, f := range n.Fields {
				if f.Key.Text == "properties" {
					p.report(f.Key.Range, "add additionalProperties: false", "this object takes any field, a misspelt one too")
				}
			}
		})
	},
}

// composed reports whether a schema is put together from several, where closing one of them would refuse the others.
func composed(n *schema.Node) bool {
	return slices.ContainsFunc([]string{"allOf", "anyOf", "oneOf", "if", "$ref"}, func(k string) bool { return n.Field(k) != nil })
}

// eachSubschema calls f for every schema of the file, and for those inside them.
func (p *pass) eachSubschema(f func(*schema.Node)) {
	p.eachSchema(func(_ string, n *schema.Node) { subschemas(n, f) })
}

func subschemas(n *schema.Node, f func(*schema.Node)) {
	if n == nil || n.Kind != schema.Mapping {
		return
	}
	f(n)
	for _, x := range n.Fields {
		switch x.Key.Text {
		case "properties", "patternProperties", "dependentSchemas":
			for _, sub := range x.Value.Fields {
				subschemas(sub.Value, f)
			}
		case "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties":
			subschemas(x.Value, f)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			for _, sub := range x.Value.Items {
				subschemas(sub, f)
			}
		}
	}
}

var impossibleSchema = &Rule{
	ID: "impossible-schema", Severity: schema.Error,
	Summary: "a schema that no value fits",
	Doc: `Parts of the schema contradict each other: a minimum above the maximum, a required field that
additionalProperties: false forbids, an enum whose values are of another type. Every value is refused.`,
	Check: func(p *pass) {
		p.eachSubschema(func(n *schema.Node) {
			for _, pair := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}, {"minContains", "maxContains"}} {
				lo, hi := num(n.Field(pair[0])), num(n.Field(pair[1]))
				if lo != nil && hi != nil && *lo > *hi {
					p.report(n.Field(pair[0]).Range, "", "%s %v is above %s %v: no value fits", pair[0], *lo, pair[1], *hi)
				}
			}
			p.exclusive(n)
			p.forbidden(n)
			p.enumTypes(n)
		})
	},
}

// num is the number that a keyword gives, nil when it gives none.
func num(n *schema.Node) *float64 {
	if n == nil {
		return nil
	}
	v, err := n.Resolve(schema.NumberType)
	f, ok := v.(float64)
	if err != nil || !ok {
		return nil
	}
	return &f
}

func (p *pass) exclusive(n *schema.Node) {
	for _, lo := range []string{"minimum", "exclusiveMinimum"} {
		for _, hi := range []string{"maximum", "exclusiveMaximum"} {
			a, b := num(n.Field(lo)), num(n.Field(hi))
			if a != nil && b != nil && *a >= *b && (lo != "minimum" || hi != "maximum") {
				p.report(n.Field(lo).Range, "", "%s %v leaves nothing below %s %v: no value fits", lo, *a, hi, *b)
			}
		}
	}
}

func (p *pass) forbidden(n *schema.Node) {
	extra, required := n.Field("additionalProperties"), n.Field("required")
	if extra == nil || required == nil || extra.Kind != schema.Scalar || extra.Text != "false" || composed(n) || n.Field("patternProperties") != nil {
		return
	}
	var known []string
	if props := n.Field("properties"); props != nil {
		for _, f := range props.Fields {
			known = append(known, f.Key.Text)
		}
	}
	for _, r := range required.Items {
		if slices.Contains(known, r.Text) {
			continue
		}
		fix := "add it to properties"
		if s := schema.Suggest(r.Text, known); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		p.report(r.Range, fix, "%q is required, but is no property and additionalProperties is false: no value fits", r.Text)
	}
}

func (p *pass) enumTypes(n *schema.Node) {
	t, enum := n.Field("type"), n.Field("enum")
	if t == nil || enum == nil || t.Kind != schema.Scalar || len(enum.Items) == 0 {
		return
	}
	values, _ := n.SchemaJSON().(map[string]any)["enum"].([]any)
	fits := slices.ContainsFunc(values, func(v any) bool { return isType(v, t.Text) })
	if !fits {
		p.report(enum.Range, "", "no value of the enum is of type %s: no value fits", t.Text)
	}
}

// isType reports whether a JSON value is of a JSON type.
func isType(v any, t string) bool {
	switch v := v.(type) {
	case string:
		return t == "string"
	case bool:
		return t == "boolean"
	case float64:
		return t == "number" || t == "integer" && v == float64(int64(v))
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	}
	return t == "null"
}

var schemaExample = &Rule{
	ID: "schema-example", Severity: schema.Warning,
	Summary: "an example, or the default of a field, that its own schema refuses",
	Doc: `examples: and the defaults inside of objects show people what to write. This one does not fit its own schema, so
one of the two is wrong.`,
	Check: func(p *pass) {
		for _, s := range p.schemas() {
			p.exampleIn(s.node, s.compiled)
		}
	},
}

// compiledSchema is a JSON Schema with where it is written.
type compiledSchema struct {
	node     *schema.Node
	compiled *compile.Schema
}

// schemas are the schemas of a file without errors, with what compile made of them.
func (p *pass) schemas() []compiledSchema {
	var out []compiledSchema
	add := func(src []schema.Param, list []*compile.Param) {
		for i := range list {
			if i < len(src) && src[i].Name.Value == list[i].Name {
				out = append(out, compiledSchema{src[i].Schema, list[i].Schema})
			}
		}
	}
	if p.Program != nil {
		add(p.Flow.Inputs, p.Program.Inputs)
		add(p.Flow.Outputs, p.Program.Outputs)
	}
	if p.Compiled != nil {
		add(p.Pack.Types, p.Compiled.Types)
		for _, s := range p.Compiled.Skills {
			add(s.Source.Params, s.Params)
		}
	}
	return out
}

func (p *pass) exampleIn(n *schema.Node, s *compile.Schema) {
	if n == nil || s == nil {
		return
	}
	if list := n.Field("examples"); list != nil {
		values, _ := n.SchemaJSON().(map[string]any)
		all, _ := values["examples"].([]any)
		for i, v := range all {
			if err := s.Check(v); err != nil && i < len(list.Items) {
				p.report(list.Items[i].Range, "", "this example does not fit its own schema: %s", err)
			}
		}
	}
	if props := n.Field("properties"); props != nil {
		for _, f := range props.Fields {
			sub, _ := s.Property(f.Key.Text)
			if d := f.Value.Field("default"); d != nil && sub != nil {
				v := f.Value.SchemaJSON().(map[string]any)["default"]
				if err := sub.Check(v); err != nil {
					p.report(d.Range, "", "the default does not fit its own schema: %s", err)
				}
			}
			p.exampleIn(f.Value, sub)
		}
	}
	if items := n.Field("items"); items != nil && items.Kind == schema.Mapping {
		p.exampleIn(items, s.Item())
	}
}
