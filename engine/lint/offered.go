package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var perhapsImpossible = &Rule{
	ID: "perhaps-impossible", Severity: schema.Warning,
	Summary: "a skill that is not possible on every way into its stage",
	Doc: `The skill requires a fact that no skill of this stage sets, and that not every way into the stage has set: on such a
way the skill never comes into the menu, and the stage runs out of its budget. Ask for the fact in the done condition of a
stage before, or make the entry optional.`,
	Check: func(p *pass) {
		for i, st := range p.stages() {
			if !p.graph().reached[i] {
				continue
			}
			set := factSet{}
			for _, list := range [][]*compile.Entry{st.Entries, st.Fallback} {
				for _, e := range list {
					addSets(set, e.Skill)
				}
			}
			holds := union(p.facts().known[i], set)
			for _, e := range st.Entries {
				whole := e.Skill.Requires.Whole
				if e.Optional || e.When != nil || whole == nil || !p.facts().possible[i][e.Index] || truth(whole.Tree(), canHold(holds)) != no {
					continue
				}
				missing := missingFacts(whole.Tree(), holds)
				d := p.report(e.Range, p.setters(missing), "%s is not possible on every way into the stage %q: not all of them set %s", e.Skill.FullName(), st.Name, list(missing))
				d.Related = append(d.Related, related(whole.Range, "it requires %s", e.Skill.Requires.Source))
			}
		}
	},
}

var neverOffered = &Rule{
	ID: "never-offered", Severity: schema.Warning,
	Summary: "a skill that has nothing left to bring about in its stage",
	Doc: `A skill is not offered once all the facts that it sets hold. Every way into this stage has set them, so the skill is
never in the menu here; and a stage without done waits for it in vain. Remove the entry; a skill that may be done again
says repeat: true.`,
	Check: func(p *pass) {
		for i, st := range p.stages() {
			if !p.graph().reached[i] {
				continue
			}
			holds := p.facts().known[i]
			for _, e := range st.Entries {
				if len(e.Skill.Sets) == 0 || e.Repeat || e.Skill.Repeat {
					continue
				}
				if !slices.ContainsFunc(e.Skill.Sets, func(s compile.Set) bool { return !holds[s.Fact] }) {
					p.report(e.Range, "remove it", "%s is never offered in the stage %q: all that it sets holds on every way into it", e.Skill.FullName(), st.Name)
				}
			}
		}
	},
}

// implications says, for every fact, which others hold once it does: what all the skills require that set it. Facts hold
// until the run ends, so this holds at any later time too.
func implications(prog *compile.Program) map[string]factSet {
	out := map[string]factSet{}
	for _, st := range prog.Stages {
		for _, list := range [][]*compile.Entry{st.Entries, st.Fallback} {
			for _, e := range list {
				if len(e.Skill.Sets) > 0 {
					implicationsOf(e.Skill, out)
				}
			}
		}
	}
	for again := true; again; {
		again = false
		for _, set := range out {
			size := len(set)
			for fact := range set {
				for k := range out[fact] {
					set[k] = true
				}
			}
			again = again || len(set) > size
		}
	}
	return out
}

// implicationsOf leaves to the facts that a skill sets only what the skill requires too.
func implicationsOf(s *compile.Skill, out map[string]factSet) {
	need := factSet{}
	if s.Requires.Whole != nil {
		implied(s.Requires.Whole.Tree(), need)
	}
	for _, x := range s.Sets {
		if out[x.Fact] == nil {
			out[x.Fact] = maps.Clone(need)
		}
		maps.DeleteFunc(out[x.Fact], func(k string, _ bool) bool { return !need[k] })
	}
}

var shownOnly = &Rule{
	ID: "shown-only", Severity: schema.Warning,
	Summary: "a param that changes the menu line and nothing else",
	Doc: `The summary names the param, and no target, verb or condition of the skill reads it: the menu promises something that
the skill does not do. Use the param, or take it out of the summary.`,
	Check: func(p *pass) {
		for _, s := range p.skills() {
			m := mentions(p.sitesOf(s))
			for _, x := range s.Source.Params {
				if !m.has("params", x.Name.Value) && strings.Contains(s.Summary.Source, "{"+x.Name.Value+"}") {
					p.report(x.Name.Range, "use it: =params."+x.Name.Value, "the param %q of %s is in the menu line, and the skill does nothing with it", x.Name.Value, s.Name)
				}
			}
		}
	},
}

var uncheckedFact = &Rule{
	ID: "unchecked-fact", Severity: schema.Warning,
	Summary: "a fact that is set without a look at the page",
	Doc: `The skill sets a fact and has no ensures (or one that is always true), so the fact holds as soon as the verbs went
through: a click that did nothing sets it too, and what follows builds upon it. Say what the page shows when it has worked:
ensures: page.has("…").`,
	Check: func(p *pass) {
		for _, s := range p.skills() {
			if len(s.Source.Sets) == 0 || s.Ensures != nil && !isConstant(s.Ensures.Tree()) || s.Commit() {
				continue // commit-unverified says it of commits
			}
			bare := slices.IndexFunc(s.Sets, func(f compile.Set) bool { return f.When == nil || !f.When.Uses("page") && !f.When.Uses("target") })
			if bare < 0 {
				continue // each is set on a condition that looks at the page
			}
			p.report(s.Range, "add ensures: what the page shows when it has worked", "the skill %q sets %s and nothing checks that it has worked", s.Name, s.Sets[bare].Fact)
		}
	},
}

var repeatedItem = &Rule{
	ID: "repeated-item", Severity: schema.Warning,
	Summary: "the same thing twice",
	Doc: `An item stands twice in a list (what an approval shows, what is asserted, the roles or names of a target, facts), or
both sides of and/or are the same. It does nothing the second time: usually the one of them is meant to be another.`,
	Check: func(p *pass) {
		eachNode(p.Node, func(n *schema.Node, isKey bool) {
			for _, f := range n.Fields {
				if f.Value.Kind == schema.Sequence && slices.Contains([]string{"show", "assert", "role", "name", "text", "label", "facts", "sets", "optional", "allow_origins", "files", "enum"}, f.Key.Text) {
					p.repeated(f.Value.Items)
				}
			}
		})
		for _, s := range p.sites() {
			s.tree().each(func(n ast.Node) {
				b, ok := n.(*ast.BinaryNode)
				if !ok || !isAnd(b) && !isOr(b) {
					return
				}
				if up, ok := s.tree().at(n).parent.(*ast.BinaryNode); ok && up.Operator == b.Operator {
					return // told for the whole chain
				}
				var parts []ast.Node
				operands(b, b.Operator, &parts)
				for i, x := range parts {
					if slices.ContainsFunc(parts[:i], func(y ast.Node) bool { return y.String() == x.String() }) {
						p.report(s.spot(x), "remove it, or write what is meant", "in %q: %s is there twice", s.expr.Source, x.String())
					}
				}
			})
		}
	},
}

func operands(n ast.Node, op string, out *[]ast.Node) {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == op {
		operands(b.Left, op, out)
		operands(b.Right, op, out)
		return
	}
	*out = append(*out, n)
}

func (p *pass) repeated(items []*schema.Node) {
	first := map[string]*schema.Node{}
	for _, x := range items {
		if x.Kind != schema.Scalar || x.Text == "" {
			continue
		}
		if y := first[x.Text]; y != nil {
			d := p.report(x.Range, "remove it, or write what is meant", "%q is in the list twice", x.Text)
			d.Related = append(d.Related, related(y.Range, "the first one"))
			continue
		}
		first[x.Text] = x
	}
}
