package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var literalMismatch = &Rule{
	ID: "literal-mismatch", Severity: schema.Warning,
	Summary: "a value is compared with a literal that its schema does not allow",
	Doc: `By its schema (enum, const, pattern, format, length) the value can never be equal to this literal: the comparison
always comes out the same. Usually the literal is misspelt.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				b, ok := n.(*ast.BinaryNode)
				if !ok {
					return
				}
				switch b.Operator {
				case "==", "!=":
					p.literal(s, b.Left, b.Right)
					p.literal(s, b.Right, b.Left)
				case "in":
					if a, ok := b.Right.(*ast.ArrayNode); ok {
						for _, item := range a.Nodes {
							p.literal(s, b.Left, item)
						}
					}
				}
			})
		}
	},
}

func (p *pass) literal(s *site, value, literal ast.Node) {
	text, ok := literal.(*ast.StringNode)
	x, known := s.tree().place(value)
	if !ok || !known || x.schema == nil || x.kind != "string" || text.Value == "" && x.optional {
		return
	}
	if err := x.schema.Check(text.Value); err != nil {
		p.report(s.spot(literal), nearest(x.schema, text.Value), "%s is never %q: %s", s.text(value), text.Value, err)
	}
}

// nearest suggests one of the schema's own values.
func nearest(s *compile.Schema, word string) string {
	values, _ := s.Keyword("enum").([]any)
	var known []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			known = append(known, text)
		}
	}
	if near := schema.Suggest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) > 0 {
		return "it is one of: " + strings.Join(known, ", ")
	}
	return ""
}

var badDate = &Rule{
	ID: "bad-date", Severity: schema.Warning,
	Summary: "a date is compared with a text that is none, or that sorts differently",
	Doc: `Dates are texts here (2027-03-14), and texts are compared letter by letter. Compared with 14.3.2027, 2027-3-14 or a
day that does not exist, the comparison comes out wrong. Write YYYY-MM-DD, with zeros. date("…") of such a text ends the
run.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				switch n := n.(type) {
				case *ast.BinaryNode:
					if _, ordered := negated[n.Operator]; !ordered {
						return
					}
					for _, pair := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
						text, ok := pair[1].(*ast.StringNode)
						if !ok || !t.isDate(pair[0]) || (n.Operator == "==" || n.Operator == "!=") && t.placeAt(pair[0]).schema != nil {
							continue // literal-mismatch says it
						}
						if _, err := time.Parse(time.DateOnly, text.Value); err != nil {
							p.report(s.spot(text), "write YYYY-MM-DD", "%q is not a date that %s can be compared with", text.Value, s.text(pair[0]))
						}
					}
				case *ast.BuiltinNode:
					if n.Name != "date" || len(n.Arguments) != 1 {
						return
					}
					if text, ok := n.Arguments[0].(*ast.StringNode); ok && !parsesAsDate(text.Value) {
						p.report(s.spot(text), "write YYYY-MM-DD", "date(%q): this is not a date", text.Value)
					}
				}
			})
		}
	},
}

// isDate reports whether a node is a date in the form YYYY-MM-DD.
func (t *tree) isDate(n ast.Node) bool {
	x, ok := t.place(n)
	if !ok {
		return false
	}
	return x.path == "run.today" || x.schema.Keyword("format") == "date"
}

// parsesAsDate reports whether date() takes a text: the layouts that expr tries.
func parsesAsDate(text string) bool {
	for _, layout := range []string{
		time.DateOnly, time.TimeOnly, time.DateTime, time.RFC3339, time.RFC822, time.RFC850, time.RFC1123,
	} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
