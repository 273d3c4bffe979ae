package compile

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"

	"github.com/nth-dev/nth/schema"
)

// chain compiles an expression that is only names with dots between them ("inputs.trip.from"), as most in a flow are: its
// type can be looked up without a parser. It is nil when the expression is anything else, or anything is wrong with it,
// which compileText says.
func (x *exprEnv) chain(src schema.Expr, w want) *Expr {
	t, ok := chainType(x.names, src.Text)
	if !ok || w == wantBool && t != types.Bool {
		return nil
	}
	root, _, _ := strings.Cut(src.Text, ".")
	return x.expr(src, t.Nature(), []string{root}, nil)
}

// operatorWords are words that the lexer of expressions does not take for names, or the parser for values.
var operatorWords = map[string]bool{
	"not": true, "in": true, "or": true, "and": true, "matches": true, "contains": true, "startsWith": true, "endsWith": true,
	"let": true, "if": true, "else": true, "true": true, "false": true, "nil": true,
}

func chainType(names types.Map, text string) (types.Type, bool) {
	if !strings.Contains(text, ".") {
		return nil, false
	}
	var t types.Type = names
	for name := range strings.SplitSeq(text, ".") {
		m, ok := t.(types.Map)
		if !ok || !plainName(name) {
			return nil, false
		}
		if t = m[name]; t == nil {
			return nil, false
		}
	}
	root, _, _ := strings.Cut(text, ".")
	if baseConfig().Builtins[root] != nil || baseConfig().Functions[root] != nil {
		return nil, false
	}
	return t, true
}

func plainName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' || operatorWords[s] {
		return false
	}
	for _, r := range s {
		if !identRune(r) {
			return false
		}
	}
	return true
}

// chainTree is what the parser of expressions makes of a chain of names.
func chainTree(text string) ast.Node {
	var node ast.Node
	at := 0
	for name := range strings.SplitSeq(text, ".") {
		place := file.Location{From: at, To: at + len(name)}
		if node == nil {
			node = &ast.IdentifierNode{Value: name}
		} else {
			property := &ast.StringNode{Value: name}
			property.SetLocation(place)
			node = &ast.MemberNode{Node: node, Property: property}
		}
		node.SetLocation(place)
		at = place.To + 1
	}
	return node
}
