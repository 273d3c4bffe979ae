package lint

import (
	"slices"

	"github.com/nth-dev/nth/schema"
)

var untyped = &Rule{
	ID: "untyped", Severity: schema.Warning,
	Summary: "a schema that says nothing about the type of the value",
	Doc: `Without a type (or enum, const, $ref), any value fits: a text where a number is meant, a list where a text is. The
keywords beside it, such as minLength, look only at values of their own type. Add type:, or list the types that are
meant: type: [string, number].`,
	Check: func(p *pass) {
		p.eachSchema(func(what string, n *schema.Node) {
			checkTyped(p, what, n)
		})
	},
}

// checkTyped looks at a schema, and at those of its fields and items.
func checkTyped(p *pass, what string, n *schema.Node) {
	if n == nil || n.Kind != schema.Mapping {
		return
	}
	says := func(key string) bool { return n.Field(key) != nil }
	if !slices.ContainsFunc([]string{"type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", "not", "if"}, says) {
		p.report(head(n), "add type:", "%s: any value fits this schema", what)
	}
	if props := n.Field("properties"); props != nil {
		for _, f := range props.Fields {
			checkTyped(p, "field "+f.Key.Text, f.Value)
		}
	}
	checkTyped(p, "items", n.Field("items"))
}

// head is where a mapping begins: its first key, or its bracket.
func head(n *schema.Node) schema.Range {
	if len(n.Fields) > 0 {
		return n.Fields[0].Key.Range
	}
	return n.Range
}
