package lint

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
)

// sources finds the places whose text can become (a part of) the value of a node. Conditions and counts do not count:
// that a text was compared is not that it flows on.
func (t *tree) sources(n ast.Node, is func(place) bool) []ast.Node {
	if n == nil {
		return nil
	}
	if p, ok := t.place(n); ok {
		if is(p) {
			return []ast.Node{n}
		}
		return nil
	}
	switch n := n.(type) {
	case *ast.BinaryNode:
		switch n.Operator {
		case "+", "??", "|":
			return append(t.sources(n.Left, is), t.sources(n.Right, is)...)
		}
		return nil
	case *ast.UnaryNode:
		return nil
	case *ast.ConditionalNode:
		return append(t.sources(n.Exp1, is), t.sources(n.Exp2, is)...)
	case *ast.BuiltinNode:
		if countingBuiltins[n.Name] {
			return nil
		}
	case *ast.VariableDeclaratorNode:
		return t.sources(n.Expr, is)
	case *ast.MemberNode:
		return t.sources(n.Node, is)
	}
	var out []ast.Node
	eachChild(n, func(c ast.Node) { out = append(out, t.sources(c, is)...) })
	return out
}

// countingBuiltins give numbers, truth values and dates, not texts.
var countingBuiltins = map[string]bool{
	"len": true, "count": true, "all": true, "any": true, "none": true, "one": true, "sum": true, "int": true, "float": true,
	"indexOf": true, "lastIndexOf": true, "findIndex": true, "findLastIndex": true, "abs": true, "ceil": true, "floor": true,
	"round": true, "hasPrefix": true, "hasSuffix": true, "mean": true, "median": true, "min": true, "max": true, "date": true, "duration": true,
}

// fromPage reports whether a place holds free text that a page wrote. What a schema holds to a list of values, or to an
// anchored pattern, is not free.
func fromPage(p place) bool {
	switch p.root {
	case "page", "target", "match", "stages":
	default:
		return false
	}
	if p.first == "" || p.kind != "" && p.kind != "string" && p.kind != "array" && p.kind != "object" {
		return false
	}
	return !constrained(p.schema)
}

// constrained reports whether a schema leaves a page no free choice of text.
func constrained(s *compile.Schema) bool {
	if s == nil {
		return false
	}
	if s.Keyword("enum") != nil || s.Keyword("const") != nil {
		return true
	}
	switch f, _ := s.Keyword("format").(string); f {
	case "date", "time", "date-time", "uuid", "email", "ipv4", "ipv6":
		return true
	}
	pattern, _ := s.Keyword("pattern").(string)
	return strings.HasPrefix(pattern, "^") && strings.HasSuffix(pattern, "$")
}

// isSecret reports whether a place is a secret.
func isSecret(p place) bool {
	return p.root == "secrets" && p.first != "" || p.schema != nil && p.schema.Secret
}
