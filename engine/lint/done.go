package lint

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var doneOnEntry = &Rule{
	ID: "done-on-entry", Severity: schema.Warning,
	Summary: "a stage that is done before it begins",
	Doc: `Every way into this stage has already set the facts that its done condition asks for, so the stage never does
anything. Usually the condition names the fact of an earlier stage.`,
	Check: func(p *pass) {
		for i, st := range p.stages() {
			if st.Done == nil || st.Kind != compile.MenuStage || !p.graph().reached[i] {
				continue
			}
			must := p.facts().known[i]
			holds := truth(st.Done.Tree(), func(f string) tri {
				if must[f] {
					return yes
				}
				return unknown
			})
			if holds == yes && !isConstant(st.Done.Tree()) {
				p.report(st.Done.Range, "name what this stage itself brings about", "the stage %q is done before it begins: %q holds on every way into it", st.Name, st.Done.Source)
			}
		}
	},
}

var doneUnreachable = &Rule{
	ID: "done-unreachable", Severity: schema.Error,
	Summary: "a stage that can never be done",
	Doc: `The done condition asks for a fact that no skill of the stage sets, and none of a stage before it. The stage
runs until its budget is used up. List a skill that sets the fact, or correct the condition.`,
	Check: func(p *pass) {
		for i, st := range p.stages() {
			if st.Done == nil || !p.graph().reached[i] || isConstant(st.Done.Tree()) {
				continue
			}
			may := p.facts().may[i]
			if truth(st.Done.Tree(), canHold(may)) != no {
				continue
			}
			missing := missingFacts(st.Done.Tree(), may)
			d := p.report(st.Done.Range, p.setters(missing), "the stage %q can never be done: nothing in it or before it sets %s", st.Name, list(missing))
			for _, e := range st.Entries {
				if !p.facts().possible[i][e.Index] {
					d.Related = append(d.Related, related(e.Range, "%s can never become possible here", e.Skill.FullName()))
				}
			}
		}
	},
}

// missingFacts are the facts that a condition names and that cannot hold, each once.
func missingFacts(n ast.Node, may factSet) []string {
	var out []string
	visit(n, func(n ast.Node) {
		if f, ok := factOf(n); ok && !may[f] && !slices.Contains(out, f) {
			out = append(out, f)
		}
	})
	return out
}

// setters words which skills of the flow's packs set one of the facts.
func (p *pass) setters(facts []string) string {
	var names []string
	for _, pk := range p.Program.Packs {
		for _, s := range pk.Skills {
			if slices.ContainsFunc(s.Sets, func(x compile.Set) bool { return slices.Contains(facts, x.Fact) }) {
				names = append(names, s.FullName())
			}
		}
	}
	if len(names) == 0 {
		return "no skill of the flow's packs sets it"
	}
	return "it is set by " + strings.Join(names, ", ")
}

func list(names []string) string {
	if len(names) == 0 {
		return "what it asks for"
	}
	return "the fact " + strings.Join(names, " or ")
}

var unsetFact = &Rule{
	ID: "unset-fact", Severity: schema.Warning,
	Summary: "a fact that is asked for and never set",
	Doc: `In a pack: a skill's condition asks for a declared fact that no skill of the pack sets. In a flow: a condition
asks for a fact that no skill in this stage or before it sets. The fact is always false there.`,
	Check: func(p *pass) {
		set := factSet{}
		for _, s := range p.skills() {
			addSets(set, s)
		}
		for _, s := range p.sites() {
			if !s.expr.Uses("facts") {
				continue
			}
			holds := set
			switch {
			case s.stage != nil && !p.graph().reached[s.stage.Index]:
				continue
			case s.stage != nil:
				holds = p.facts().may[s.stage.Index]
				if s.expr == s.stage.Done && truth(s.expr.Tree(), canHold(holds)) == no {
					continue // done-unreachable says it
				}
			case s.skill == nil:
				continue
			}
			s.tree().each(func(n ast.Node) {
				if f, ok := factOf(n); ok && !holds[f] {
					fix := "add it to sets: of the skill that brings it about"
					if s.stage != nil {
						fix = p.setters([]string{f})
					}
					p.report(s.spot(n), fix, "the fact %q is always false here: nothing sets it before", f)
				}
			})
		}
	},
}

var impossibleSkill = &Rule{
	ID: "impossible-skill", Severity: schema.Warning,
	Summary: "a skill that can never become possible in its stage",
	Doc: `The skill requires a fact that no skill of this stage and of no stage before it sets, or only skills that are
themselves impossible. It will never be in the menu.`,
	Check: func(p *pass) {
		for i, st := range p.stages() {
			if !p.graph().reached[i] {
				continue
			}
			for _, e := range st.Entries {
				if p.facts().possible[i][e.Index] {
					continue
				}
				missing := missingFacts(e.Skill.Requires.Whole.Tree(), p.facts().may[i])
				d := p.report(e.Range, p.setters(missing), "%s can never become possible in the stage %q: nothing sets %s before", e.Skill.FullName(), st.Name, list(missing))
				d.Related = append(d.Related, related(e.Skill.Requires.Whole.Range, "it requires %s", e.Skill.Requires.Source))
			}
		}
	},
}
