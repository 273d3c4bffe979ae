package lint

import (
	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var constantCondition = &Rule{
	ID: "constant-condition", Severity: schema.Warning,
	Summary: "a condition that always comes out the same",
	Doc: `The condition, or a part of it, reads nothing; compares something with itself; asks for a thing and its opposite; or
compares a number with one that its schema does not let it reach. So it is always true or always false, and a check is
missing where one was meant.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			if s.use == condition && isConstant(s.tree().root) {
				always := unknown
				if b, err := s.expr.Bool(nil); err == nil {
					always = triOf(b)
				}
				p.report(s.expr.Range, "", "%s: %q is always %s", s.what, s.expr.Source, words(always))
				continue
			}
			s.tree().each(func(n ast.Node) {
				if b, ok := n.(*ast.BinaryNode); ok {
					if always := s.always(b); always != unknown {
						p.report(s.spot(b), "", "%s: %q is always %s", s.what, b.String(), words(always))
					}
				}
			})
		}
	},
}

func words(t tri) string {
	switch t {
	case yes:
		return "true"
	case no:
		return "false"
	}
	return "the same"
}

// isConstant reports whether an expression reads nothing.
func isConstant(n ast.Node) bool {
	reads := false
	visit(n, func(n ast.Node) {
		switch n.(type) {
		case *ast.IdentifierNode, *ast.CallNode, *ast.PointerNode:
			reads = true
		}
	})
	return !reads
}

// always is what a comparison or connection always gives, if that can be told.
func (s *site) always(b *ast.BinaryNode) tri {
	switch {
	case isAnd(b) && (opposite(b.Left, b.Right)):
		return no
	case isOr(b) && (opposite(b.Left, b.Right)):
		return yes
	case isAnd(b) || isOr(b):
		return unknown
	}
	_, ordered := negated[b.Operator]
	if ordered && !isConstant(b.Left) && b.Left.String() == b.Right.String() {
		return triOf(b.Operator == "==" || b.Operator == "<=" || b.Operator == ">=")
	}
	if x, ok := number(b.Right); ok {
		return s.ranged(b.Left, b.Operator, x)
	}
	if x, ok := number(b.Left); ok {
		return s.ranged(b.Right, mirrored[b.Operator], x)
	}
	return unknown
}

var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

// ranged compares the range that a schema gives to a number, or to the length of a text or list, with a number.
func (s *site) ranged(n ast.Node, op string, x float64) tri {
	r := numbers{}
	if call, ok := n.(*ast.BuiltinNode); ok && call.Name == "len" {
		of, ok := s.tree().place(call.Arguments[0])
		if !ok {
			return unknown
		}
		r = sizes(of)
	} else if of, ok := s.tree().place(n); ok && !of.optional && (of.kind == "number" || of.kind == "integer") {
		r = rangeOf(of.schema)
	} else if isCount(n) {
		zero := 0.0
		r.min = &zero
	} else {
		return unknown
	}
	switch op {
	case "<":
		return r.below(x)
	case ">=":
		return r.below(x).not()
	case ">":
		return r.above(x)
	case "<=":
		return r.above(x).not()
	case "==", "!=":
		if r.below(x) == yes || r.above(x) == yes {
			return triOf(op == "!=")
		}
	}
	return unknown
}

// isCount reports whether a node is page.count(…), which is never below 0.
func isCount(n ast.Node) bool {
	call, ok := n.(*ast.CallNode)
	if !ok {
		return false
	}
	m, ok := call.Callee.(*ast.MemberNode)
	if !ok {
		return false
	}
	root, isName := m.Node.(*ast.IdentifierNode)
	method, isText := m.Property.(*ast.StringNode)
	return isName && isText && root.Value == "page" && method.Value == "count"
}

// numbers is a range of numbers; nil: no bound.
type numbers struct {
	min, max         *float64
	openMin, openMax bool // the bound itself is not in it
}

// below says whether all numbers of the range are below x (yes), or none (no).
func (r numbers) below(x float64) tri {
	switch {
	case r.max != nil && (*r.max < x || r.openMax && *r.max == x):
		return yes
	case r.min != nil && *r.min >= x:
		return no
	}
	return unknown
}

func (r numbers) above(x float64) tri {
	switch {
	case r.min != nil && (*r.min > x || r.openMin && *r.min == x):
		return yes
	case r.max != nil && *r.max <= x:
		return no
	}
	return unknown
}

// rangeOf is what minimum, maximum and the exclusive ones say.
func rangeOf(s *compile.Schema) numbers {
	r := numbers{min: keyNumber(s, "minimum"), max: keyNumber(s, "maximum")}
	if m := keyNumber(s, "exclusiveMinimum"); m != nil && (r.min == nil || *m >= *r.min) {
		r.min, r.openMin = m, true
	}
	if m := keyNumber(s, "exclusiveMaximum"); m != nil && (r.max == nil || *m <= *r.max) {
		r.max, r.openMax = m, true
	}
	return r
}

// sizes are the lengths that a schema gives to texts and lists.
func sizes(of place) numbers {
	zero := 0.0
	r := numbers{min: &zero}
	least, most := "minItems", "maxItems"
	if of.kind == "string" {
		least, most = "minLength", "maxLength"
	}
	if m := keyNumber(of.schema, least); m != nil {
		r.min = m
	}
	r.max = keyNumber(of.schema, most)
	return r
}

func keyNumber(s *compile.Schema, keyword string) *float64 {
	if x, ok := s.Keyword(keyword).(float64); ok {
		return &x
	}
	return nil
}
