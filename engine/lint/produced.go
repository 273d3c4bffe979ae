package lint

import (
	"maps"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var readBeforeProduced = &Rule{
	ID: "read-before-produced", Severity: schema.Warning,
	Summary: "the result of a stage is read where the stage may not have been done",
	Doc: `stages.NAME is what the stage NAME returned, and outputs.NAME what a stage collected. On some path into this stage
(a branch of next, or an on_error), that stage has not been done, so there is no value and the expression fails. Lead
the path through the stage, or allow for it: stages.NAME?.field ?? "none", or a condition stages.NAME != nil before it.`,
	Check: func(p *pass) {
		if p.Program == nil {
			return
		}
		all, always, some := p.produced()
		for _, s := range p.sites() {
			if s.stage == nil || !p.graph().reached[s.stage.Index] || !s.expr.Uses("stages") && !s.expr.Uses("outputs") {
				continue
			}
			t := s.tree()
			t.each(func(n ast.Node) {
				x, ok := t.place(n)
				if !ok || x.root != "stages" && x.root != "outputs" || x.root == "stages" && x.first == s.stage.Name && s.afterPicks() {
					return
				}
				key := x.root + "." + x.first
				if x.path != key {
					return
				}
				if s.after && x.root == "outputs" && collectsInto(s.stage, x.first) {
					return
				}
				i := s.stage.Index
				if always[i][key] || t.allowsAbsent(n) {
					return
				}
				switch {
				case all[key] && !some[i][key]:
					p.report(s.spot(n), "read it in a stage that comes after", "%s is read in the stage %q, and no path into it sets it before", s.text(n), s.stage.Name)
				default:
					p.report(s.spot(n), "allow for it: "+key+"?.… ?? …, or lead every path through what sets it", "%s is read in the stage %q, and not every path into it sets it before", s.text(n), s.stage.Name)
				}
			})
		}
	},
}

// afterPicks reports whether an expression of a stage may be evaluated when skills of the stage have succeeded.
func (s *site) afterPicks() bool { return s.after || s.use == condition || s.use == orderUse }

func collectsInto(st *compile.Stage, output string) bool {
	for _, b := range st.Collect {
		if b.Name == output {
			return true
		}
	}
	return false
}

// produced says which of stages.NAME and outputs.NAME any stage sets, and per stage which of them every path into it sets,
// and some path.
func (p *pass) produced() (all factSet, always, some []factSet) {
	g, n := p.graph(), len(p.Program.Stages)
	sets := make([]factSet, n)
	all = factSet{}
	read := p.mentions()
	for i, st := range p.Program.Stages {
		sets[i] = factSet{}
		if read.has("stages", st.Name) {
			sets[i]["stages."+st.Name] = true
		}
		for _, b := range st.Collect {
			sets[i]["outputs."+b.Name] = true
		}
		maps.Copy(all, sets[i])
	}
	some = make([]factSet, n)
	always = make([]factSet, n)
	some[0], always[0] = factSet{}, factSet{}
	for again := true; again; {
		again = false
		for i := range n {
			if always[i] == nil {
				continue
			}
			may, after := union(some[i], sets[i]), union(always[i], sets[i])
			for _, e := range g.out[i] {
				if e.to == theEnd {
					continue
				}
				// What a stage returned stays although it failed later, so an error edge may have it, and need not.
				must := after
				if e.onError {
					must = always[i]
				}
				if some[e.to] == nil {
					some[e.to], always[e.to], again = maps.Clone(may), maps.Clone(must), true
					continue
				}
				size := len(some[e.to])
				maps.Copy(some[e.to], may)
				again = again || len(some[e.to]) > size
				for k := range always[e.to] {
					if !must[k] {
						delete(always[e.to], k)
						again = true
					}
				}
			}
		}
	}
	return all, always, some
}

// allowsAbsent reports whether an expression copes with a node that gives nothing.
func (t *tree) allowsAbsent(n ast.Node) bool {
	if t.at(n).guards[t.placeAt(n).path] {
		return true
	}
	switch up := t.at(n).parent.(type) {
	case *ast.ChainNode:
		return t.allowsAbsent(up)
	case *ast.MemberNode:
		return up.Node == n && up.Optional
	case *ast.BinaryNode:
		switch up.Operator {
		case "??":
			return up.Left == n
		case "==", "!=":
			return true
		case "in":
			return false
		}
	}
	return false
}
