package lint

import "github.com/expr-lang/expr/ast"

// isConstant reports whether an expression reads nothing.
func isConstant(n ast.Node) bool {
	reads := false
	visit(n, func(n ast.Node) {
		switch n.(type) {
		case *ast.IdentifierNode, *ast.CallNode:
			reads = true
		}
	})
	return !reads
}
