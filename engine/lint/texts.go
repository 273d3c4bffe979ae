package lint

import (
	"regexp"
	"slices"
	"time"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/schema"
)

var textOrder = &Rule{
	ID: "text-order", Severity: schema.Warning,
	Summary: "texts are compared by what comes first",
	Doc: `<, <=, > and >= compare texts letter by letter, capitals before small letters, and "10" before "9". That is right for
dates of the form 2027-03-14 (give them format: date) and hardly for anything else. Compare numbers as numbers, with
as: number or a schema; and for equality write ==.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				b, ok := n.(*ast.BinaryNode)
				if !ok || !slices.Contains([]string{"<", "<=", ">", ">="}, b.Operator) {
					return
				}
				if t.isText(b.Left) && t.isText(b.Right) && !t.sortable(b.Left) && !t.sortable(b.Right) {
					p.report(s.spot(b), "compare numbers, or dates of format: date; for equality write ==", "in %q: these texts are compared letter by letter", s.expr.Source)
				}
			})
		}
	},
}

// isText reports whether a node is surely a text.
func (t *tree) isText(n ast.Node) bool {
	if _, ok := n.(*ast.StringNode); ok {
		return true
	}
	return t.placeAt(n).kind == "string"
}

// sortable reports whether a node is a text that sorts as what it stands for.
func (t *tree) sortable(n ast.Node) bool {
	if text, ok := n.(*ast.StringNode); ok {
		_, date := time.Parse(time.DateOnly, text.Value)
		return date == nil || isoStart.MatchString(text.Value)
	}
	x := t.placeAt(n)
	f, _ := x.schema.Keyword("format").(string)
	return x.path == "run.today" || slices.Contains([]string{"date", "time", "date-time"}, f)
}

// isoStart is the beginning of a date or time; what is wrong with the rest is the business of bad-date.
var isoStart = regexp.MustCompile(`^\d{1,4}[-.:/]\d`)

var constantOrder = &Rule{
	ID: "constant-order", Severity: schema.Warning,
	Summary: "an order that is the same for every candidate",
	Doc: `order sorts the candidates of a stage by a value of each. This one reads neither match nor target, so it gives the
same for all of them, and the menu stays in the order of the page. Sort by a field that the target reads:
order: match.price.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			if s.use != orderUse {
				continue
			}
			varies := false
			for _, n := range s.tree().nodes {
				if x := n.place; x != nil {
					varies = varies || x.root == "match" || x.root == "target" || x.root == "params"
				}
			}
			if !varies {
				p.report(s.expr.Range, "sort by a field that the target reads, such as match.price", "%q is the same for every candidate", s.expr.Source)
			}
		}
	},
}

var mixedBranches = &Rule{
	ID: "mixed-branches", Severity: schema.Warning,
	Summary: "a choice between values of different types",
	Doc: `cond ? a : b gives a text in one case and a number, a list or a truth value in the other, so whatever takes it has to
cope with both. Usually one of them lacks its quotes, or has them for nothing.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				c, ok := n.(*ast.ConditionalNode)
				if !ok {
					return
				}
				a, b := t.kindOf(c.Exp1), t.kindOf(c.Exp2)
				if a != "" && b != "" && a != b {
					p.report(s.spot(c), "give both the same type", "in %q: this is %s or %s", s.expr.Source, kindWord(a), kindWord(b))
				}
			})
		}
	},
}

// kindOf is the JSON type of a literal or of what has a schema, integers taken for numbers; "" when it is not known.
func (t *tree) kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.StringNode:
		return "string"
	case *ast.IntegerNode, *ast.FloatNode:
		return "number"
	case *ast.BoolNode:
		return "boolean"
	case *ast.ArrayNode:
		return "array"
	case *ast.MapNode:
		return "object"
	}
	if k := t.placeAt(n).kind; k != "integer" {
		return k
	}
	return "number"
}
