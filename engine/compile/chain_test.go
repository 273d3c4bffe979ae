package compile

import (
	"testing"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"

	"github.com/nth-dev/nth/schema"
)

// What is read without the parser and the checker of expressions must be what they make of it.
func TestChain(t *testing.T) {
	names := types.Map{
		"inputs": types.Map{"site": types.String, "trip": types.Map{"from": types.String, "seats": types.Int}, "tags": types.Array(types.String), "any": types.Any, "not": types.Bool},
		"facts":  types.Map{"found": types.Bool},
		"page":   types.TypeOf(Page{}),
		"len":    types.Map{"x": types.Int},
	}
	for text, want := range map[string]bool{
		"inputs.site": true, "inputs.trip": true, "inputs.trip.from": true, "inputs.trip.seats": true, "inputs.tags": true, "inputs.any": true, "facts.found": true,
		"inputs": false, "inputs.": false, ".site": false, "inputs..site": false, "inputs.town": false, "inputs.site.x": false, "inputs.any.x": false, "inputs.not": false,
		"inputs .site": false, "inputs.site ": false, "inputs?.site": false, "inputs.tags[0]": false, "page.title": false, "len.x": false, "town.x": false, "facts.found and true": false,
	} {
		var diags schema.Diagnostics
		x := newExprEnv(names, &diags)
		src := schema.Expr{Text: text, Node: &schema.Node{Text: text}}
		e := x.chain(src, wantAny)
		if got := e != nil; got != want {
			t.Errorf("%q: a chain: %t, want %t", text, got, want)
		}
		if e == nil {
			continue
		}
		tree, err := parser.ParseWithConfig(text, x.cfg())
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, want := ast.Dump(e.Tree()), ast.Dump(tree.Node); got != want {
			t.Errorf("%q:\n%s\nthe parser says\n%s", text, got, want)
		}
		for a, b := e.Tree(), tree.Node; ; {
			if a.Location() != b.Location() {
				t.Errorf("%q: %s is at %v, the parser says %v", text, a, a.Location(), b.Location())
			}
			m, ok := a.(*ast.MemberNode)
			if !ok {
				break
			}
			n := b.(*ast.MemberNode)
			if m.Property.Location() != n.Property.Location() {
				t.Errorf("%q: %s is at %v, the parser says %v", text, m.Property, m.Property.Location(), n.Property.Location())
			}
			a, b = m.Node, n.Node
		}
		if _, err := checker.Check(tree, x.cfg()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got, want := e.nat, *tree.Node.Nature(); got.Type != want.Type || got.Kind != want.Kind || got.Strict != want.Strict {
			t.Errorf("%q is %v, the checker says %v", text, got, want)
		}
		if _, err := e.program(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if x.chain(src, wantBool) != nil && text != "facts.found" {
			t.Errorf("%q is taken for a condition", text)
		}
	}
}

func TestChainEval(t *testing.T) {
	var diags schema.Diagnostics
	x := newExprEnv(types.Map{"inputs": types.Map{"trip": types.Map{"from": types.String}}}, &diags)
	e := x.chain(schema.Expr{Text: "inputs.trip.from", Node: &schema.Node{Text: "inputs.trip.from"}}, wantAny)
	got, err := e.Eval(map[string]any{"inputs": map[string]any{"trip": map[string]any{"from": "Prague"}}})
	if err != nil || got != "Prague" {
		t.Errorf("%v, %v", got, err)
	}
}
