package lint

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var shadowedBranch = &Rule{
	ID: "shadowed-branch", Severity: schema.Warning,
	Summary: "a branch of next or on_error that an earlier one always comes before",
	Doc: `The first branch that fits is taken. Behind a branch without a condition, behind "is: any", or behind a branch with
the same condition, a branch is never taken. Put the narrower one first, or remove it.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			var seen []string
			always := -1
			for i, b := range st.Source.Next {
				at := b.Go.Range
				when := ""
				if b.When != nil {
					when = strings.TrimSpace(b.When.Text)
				}
				switch {
				case always >= 0:
					d := p.report(at, "put it before the branch without a condition, or remove it", "this branch to %q is never taken: the one before it has no condition", b.Go.Value)
					d.Related = append(d.Related, related(st.Source.Next[always].Go.Range, "this one is always taken"))
				case when != "" && contains(seen, when):
					p.report(at, "remove it, or correct its condition", "this branch to %q is never taken: an earlier one has the same condition", b.Go.Value)
				}
				if when == "" && always < 0 {
					always = i
				}
				seen = append(seen, when)
			}
			p.shadowedErrors(st)
		}
	},
}

func (p *pass) shadowedErrors(st *compile.Stage) {
	first := map[string]schema.Range{}
	for i, b := range st.OnError {
		src := st.Source.OnError[i]
		by, ok := first["any"]
		if !ok {
			by, ok = first[b.Is]
		}
		if ok {
			d := p.report(src.Is.Range, "remove it, or put it first", "on_error: %q is never looked at: an earlier branch takes it", b.Is)
			d.Related = append(d.Related, related(by, "this one takes it"))
			continue
		}
		first[b.Is] = src.Is.Range
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

var nextNotTotal = &Rule{
	ID: "next-not-total", Severity: schema.Warning,
	Summary: "conditions of next that leave cases over",
	Doc: `When no branch of next fits, the flow goes on to the stage below, or ends after the last one. That is easily
overlooked, and moving a stage changes it. Say what happens otherwise: end the list with a branch that has no condition.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			src := st.Source.Next
			if len(src) == 0 || src[len(src)-1].When == nil || p.total(st) {
				continue
			}
			rest := st.Next[len(st.Next)-1].Go
			if rest == "" {
				rest = "end"
			}
			last := src[len(src)-1]
			d := p.report(last.Go.Range, "add a last branch: - {go: "+rest+"}", "next of the stage %q does not say what happens when no condition holds: the flow then goes on to %q", st.Name, rest)
			if list := st.Source.Node.Field("next"); list.Kind == schema.Sequence {
				end := last.Node.Range
				text := ", {go: " + rest + "}"
				if list.BlockStyle() {
					text = "\n" + strings.Repeat(" ", list.Range.Start.Col-1) + "- {go: " + rest + "}"
				}
				d.Edits = []schema.Edit{{Range: schema.Range{File: end.File, Start: end.End, End: end.End}, Text: text}}
			}
		}
	},
}

// total reports whether a next list has two branches of which one always fits: a condition and its opposite.
func (p *pass) total(st *compile.Stage) bool {
	var seen []ast.Node
	for _, b := range st.Next[:len(st.Next)-1] {
		if b.When == nil {
			return true
		}
		n := b.When.Tree()
		for _, other := range seen {
			if opposite(n, other) {
				return true
			}
		}
		seen = append(seen, n)
	}
	return false
}

var negated = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// opposite reports whether one of two conditions is written as the negation of the other.
func opposite(a, b ast.Node) bool {
	if inner, ok := negation(a); ok && inner.String() == b.String() {
		return true
	}
	if inner, ok := negation(b); ok && inner.String() == a.String() {
		return true
	}
	x, ok := a.(*ast.BinaryNode)
	y, okY := b.(*ast.BinaryNode)
	return ok && okY && negated[x.Operator] == y.Operator && x.Left.String() == y.Left.String() && x.Right.String() == y.Right.String()
}

func negation(n ast.Node) (ast.Node, bool) {
	u, ok := n.(*ast.UnaryNode)
	if !ok || u.Operator != "not" && u.Operator != "!" {
		return nil, false
	}
	return u.Node, true
}
