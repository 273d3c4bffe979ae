package lint

import (
	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/schema"
)

var unguardedOptional = &Rule{
	ID: "unguarded-optional", Severity: schema.Warning,
	Summary: "something that may be absent is used as if it were there",
	Doc: `By its schema the field is not required (or the param is optional) and has no default. Where it is absent the
expression fails when it runs, or the value is empty. Give a default: x ?? "none"; ask first: x != nil and …; use ?. in a
chain; or make the field required.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			if s.use == showUse || s.use == outputUse && s.whole && t.root == firstPlace(t) {
				continue // an absent value is shown as such
			}
			t.each(func(n ast.Node) {
				x, ok := t.place(n)
				if _, chain := n.(*ast.ChainNode); !ok || !x.optional || chain && t.optionalInside(n) || t.allowsAbsent(n) {
					return
				}
				if up, ok := t.at(n).parent.(*ast.ChainNode); ok && up.Node == n {
					return // told for the chain
				}
				p.report(s.spot(n), "write "+x.path+" ?? …, ask for "+x.path+" != nil before, or make it required", "%s may be absent here", s.text(n))
			})
		}
	},
}

func firstPlace(t *tree) ast.Node {
	if _, ok := t.place(t.root); ok {
		return t.root
	}
	return nil
}

// optionalInside reports whether the last field of a chain is itself required, so that the chain gives nothing only
// where the author allowed for it.
func (t *tree) optionalInside(n ast.Node) bool {
	c, ok := n.(*ast.ChainNode)
	return ok && t.at(n).parent == nil && !t.placeAt(c.Node).optional
}

var indexOutOfRange = &Rule{
	ID: "index-out-of-range", Severity: schema.Warning,
	Summary: "an index that the list may not reach",
	Doc: `Indices count from 0. By its schema the list never holds so many items (maxItems); or it may be empty or shorter
(minItems), and the expression fails then. Ask for len(list) first, or give the list a minItems.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				m, ok := n.(*ast.MemberNode)
				if !ok {
					return
				}
				at, isNum := number(m.Property)
				list, known := t.place(m.Node)
				if !isNum || !known || list.kind != "array" {
					return
				}
				size := sizes(list)
				need := at + 1
				if at < 0 {
					need = -at
				}
				switch {
				case size.max != nil && need > *size.max:
					p.report(s.spot(n), "indices count from 0", "index %v: %s holds at most %v items", at, list.path, *size.max)
				case list.schema != nil && need > *size.min && !t.at(n).guards["filled "+list.path]:
					p.report(s.spot(n), "ask for len("+list.path+") before, or give the list a minItems", "index %v: %s may hold fewer items", at, list.path)
				}
			})
		}
	},
}

var divisionByZero = &Rule{
	ID: "division-by-zero", Severity: schema.Warning,
	Summary: "a division whose divisor may be 0",
	Doc: `The remainder (%) of a division by 0 ends the run, a quotient (/) is infinite and compares as such. The divisor is 0,
or a number whose schema allows 0, or the length of a list that may be empty. Ask for it first, or give it a minimum.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				b, ok := n.(*ast.BinaryNode)
				if !ok || b.Operator != "/" && b.Operator != "%" {
					return
				}
				if x, isNum := number(b.Right); isNum {
					if x == 0 {
						p.report(s.spot(n), "", "in %q: division by 0", s.expr.Source)
					}
					return
				}
				if s.mayBeZero(b) {
					p.report(s.spot(b.Right), "ask for "+s.text(b.Right)+" != 0 before, or give it a minimum", "in %q: %s may be 0", s.expr.Source, s.text(b.Right))
				}
			})
		}
	},
}

func (s *site) mayBeZero(b *ast.BinaryNode) bool {
	t := s.tree()
	if call, ok := b.Right.(*ast.BuiltinNode); ok && (call.Name == "len" || call.Name == "count") {
		list, ok := t.place(call.Arguments[0])
		if !ok || call.Name == "count" {
			return true
		}
		return *sizes(list).min == 0 && !t.at(b).guards["filled "+list.path]
	}
	x, ok := t.place(b.Right)
	if !ok || x.kind != "number" && x.kind != "integer" || t.at(b).guards["nonzero "+x.path] {
		return false
	}
	r := rangeOf(x.schema)
	return r.below(0) != yes && r.above(0) != yes
}

var nestedLoop = &Rule{
	ID: "nested-loop", Severity: schema.Warning,
	Summary: "a loop in a loop over lists of any length",
	Doc: `A predicate (all, any, filter, map, …) inside another one goes through its list once for every item of the outer
one. With lists of any length that stalls a step. Give both lists a maxItems, or compare in another way, such as with
"in".`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			t := s.tree()
			t.each(func(n ast.Node) {
				inner, ok := n.(*ast.BuiltinNode)
				if !ok || !loops(inner) || t.at(n).loops == 0 || t.bounded(inner) {
					return
				}
				for up := t.at(n).parent; up != nil; up = t.at(up).parent {
					if outer, ok := up.(*ast.BuiltinNode); ok && loops(outer) && !t.bounded(outer) {
						p.report(s.spot(n), "give the lists a maxItems", "in %q: %s inside of %s goes through lists of any length", s.expr.Source, inner.Name, outer.Name)
						return
					}
				}
			})
		}
	},
}

// loops reports whether a builtin goes through a list with a predicate.
func loops(b *ast.BuiltinNode) bool {
	for _, a := range b.Arguments {
		if _, ok := a.(*ast.PredicateNode); ok {
			return true
		}
	}
	return false
}

// bounded reports whether the list that a builtin goes through has a largest length.
func (t *tree) bounded(b *ast.BuiltinNode) bool {
	switch list := b.Arguments[0].(type) {
	case *ast.ArrayNode:
		return true
	case *ast.BinaryNode:
		return list.Operator == ".."
	}
	x, ok := t.place(b.Arguments[0])
	if !ok {
		return false
	}
	_, has := maxItems(x.schema)
	return has
}
