package lint

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/schema"
)

var unknownResult = &Rule{
	ID: "unknown-result", Severity: schema.Error,
	Summary: "an output that the called flow does not have",
	Doc: `stages.NAME of a call stage holds the outputs of the flow that it calls, and this is none of them: the expression gives
nothing, or fails, when it runs. With for_each it is a list of them, one per row.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			visit(t.root, func(n ast.Node) {
				m, ok := n.(*ast.MemberNode)
				if !ok {
					return
				}
				base, name := t.places[m.Node], m.Property
				field, named := name.(*ast.StringNode)
				if !named || base.outputs == nil {
					return
				}
				var known []string
				for _, o := range base.outputs {
					if o.Name == field.Value {
						return
					}
					known = append(known, o.Name)
				}
				fix := "its outputs: " + strings.Join(known, ", ")
				if near := schema.Suggest(field.Value, known); near != "" {
					fix = `did you mean "` + near + `"?`
				}
				p.report(s.spot(n), fix, "the flow that %s calls has no output %q", base.path, field.Value)
			})
		}
	},
}
