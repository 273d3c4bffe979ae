package lint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/lint"
)

var ruleForm = regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)

// Every id that the sources give to a finding is one that --rule and --explain know, and the other way round.
func TestEveryIDIsListed(t *testing.T) {
	used := map[string]token.Position{}
	fset := token.NewFileSet()
	for _, dir := range []string{"../../schema", "../compile", "../pack", "."} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "errors.go" && dir == "." {
				continue
			}
			f, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				for _, e := range ruleExprs(n) {
					if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						if id, _ := strconv.Unquote(lit.Value); ruleForm.MatchString(id) {
							used[id] = fset.Position(lit.Pos())
						}
					}
				}
				return true
			})
		}
	}
	known := lint.AllIDs()
	for id, at := range used {
		if !slices.Contains(known, id) {
			t.Errorf("%s: %q is in no list of rules", at, id)
		}
	}
	for _, r := range lint.All() {
		if _, ok := used[r.ID]; !ok && lint.Find(r.ID) == nil {
			t.Errorf("%q is listed, and nothing reports it", r.ID)
		}
	}
	if slices.Sort(known); len(slices.Compact(known)) != len(lint.All()) {
		t.Error("an id is listed twice")
	}
}

// ruleExprs are the places of a node that hold the id of a finding.
func ruleExprs(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr: // diags.Errorf(at, "id", …), v.fail(n, "id", …), x.report(src, err, "id")
		f, ok := n.Fun.(*ast.SelectorExpr)
		if ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "fail") && len(n.Args) > 3 {
			return n.Args[1:2]
		}
		if ok && f.Sel.Name == "report" && len(n.Args) == 3 {
			return n.Args[2:]
		}
	case *ast.KeyValueExpr:
		if k, ok := n.Key.(*ast.Ident); ok && k.Name == "Rule" {
			return []ast.Expr{n.Value}
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if s, ok := l.(*ast.SelectorExpr); ok && s.Sel.Name == "Rule" && i < len(n.Rhs) {
				return n.Rhs[i : i+1]
			}
		}
	}
	return nil
}

// Every error has a fixture: something in testdata/lint/err is told in its name. A file that is too large is made by a
// test of schema.
func TestEveryErrorHasAFixture(t *testing.T) {
	var all strings.Builder
	for _, file := range glob(t, "err") {
		out, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		all.Write(out)
	}
	for _, r := range lint.All() {
		if r.ID != "file-too-large" && !strings.Contains(all.String(), "["+r.ID+"]") {
			t.Errorf("%s is in no .out of testdata/lint/err", r.ID)
		}
	}
}
