package lint

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var commitUnapproved = &Rule{
	ID: "commit-unapproved", Severity: schema.Warning,
	Summary: "something that cannot be undone can be reached without a person's approval",
	Doc: `On some path from the first stage to a skill with effect: commit (or to a sub-flow with one), no stage has an
approve. The proof is over all paths, error edges included; what follows an error edge of a stage with approve has not
been approved, for a "no" is an error too. Put approve: {ask: …} on the stage itself, or on a stage that every path goes
through. Where nobody needs to be asked, say so: # nth:ignore commit-unapproved REASON.`,
	Check: func(p *pass) {
		if p.Draft == nil {
			return
		}
		ways := p.graph().unapproved(p.Draft)
		for i, at := range p.commits() {
			way := ways[i]
			if at == nil || way == nil {
				continue
			}
			names := make([]string, len(way))
			for k, s := range way {
				names[k] = p.Draft.Stages[s].Name
			}
			for _, c := range at {
				d := p.report(c.at, "add approve: {ask: …} to the stage "+p.Draft.Stages[i].Name, "%s cannot be undone, and can be reached without approval: %s", c.name, strings.Join(names, " → "))
				if c.related.Range.File != "" {
					d.Related = append(d.Related, c.related)
				}
			}
		}
	},
}

// commit is a place where a flow does what cannot be undone.
type commit struct {
	name    string
	at      schema.Range
	related schema.Related
}

// commits lists them by stage. A sub-flow counts when it can get to one without an approval of its own.
func (p *pass) commits() [][]commit {
	out := make([][]commit, len(p.draft()))
	for i, st := range p.draft() {
		for _, e := range st.Entries {
			if e.Skill.Commit() {
				out[i] = append(out[i], commit{name: e.Skill.FullName(), at: e.Range, related: related(e.Skill.Range, "its effect is commit")})
			}
		}
		if st.Call != nil && unapproved(st.Call.Program) {
			out[i] = append(out[i], commit{name: "what the flow " + st.Call.Program.Name + " does", at: st.Source.Call.Flow.Range})
		}
	}
	return out
}

// unapproved reports whether a flow can get to a commit without approval.
func unapproved(prog *compile.Program) bool {
	ways := newGraph(prog).unapproved(prog)
	return slices.ContainsFunc(prog.Stages, func(st *compile.Stage) bool {
		if ways[st.Index] == nil {
			return false
		}
		return slices.ContainsFunc(st.Entries, func(e *compile.Entry) bool { return e.Skill.Commit() }) || st.Call != nil && unapproved(st.Call.Program)
	})
}

var approveTimeout = &Rule{
	ID: "approve-timeout", Severity: schema.Warning,
	Summary: "silence counts as approval",
	Doc: `on_timeout: allow lets the stage act when nobody answers in time, which is what an approval is there to prevent.
Leave it out: no answer then means no.`,
	Check: func(p *pass) {
		if p.Flow == nil {
			return
		}
		for _, st := range p.Flow.Stages {
			if a := st.Approve; a != nil && a.OnTimeout.Value == "allow" {
				p.report(a.OnTimeout.Range, "write deny", "the stage %q acts without approval when nobody answers", st.Name.Value)
			}
		}
	},
}

var commitRetry = &Rule{
	ID: "commit-retry", Severity: schema.Warning,
	Summary: "a stage that cannot be undone may be entered again",
	Doc: `Behind a stage with a commit, an edge leads back to it. The engine does a commit with the same bindings at most
once, but with others (another row, another value read from the page) it would do it again. Lead the edge to a stage
that does not come back, or use for_each for one commit per row.`,
	Check: func(p *pass) {
		for i, at := range p.commits() {
			if at == nil || !p.graph().reached[i] {
				continue
			}
			for _, e := range p.graph().out[i] {
				if e.onError && (e.is == "denied" || e.is == "in_doubt") || e.to == theEnd || !p.graph().from(e.to)[i] {
					continue
				}
				d := p.report(e.at, "lead it to a stage that does not come back", "from here the flow comes back to the stage %q, which has %s that cannot be undone", p.Draft.Stages[i].Name, at[0].name)
				d.Related = append(d.Related, related(at[0].at, "it could be done a second time"))
			}
		}
	},
}

var commitUnverified = &Rule{
	ID: "commit-unverified", Severity: schema.Warning,
	Summary: "a commit that nothing checks",
	Doc: `A skill with effect: commit has no ensures, or one that is always true: so a failed payment counts as done. Or it has
no verify, and what its ensures asks of the page could be asked again: so a payment whose outcome is unknown (a crash, a
timeout) stays in doubt. Add ensures: what the page shows when it has worked; and verify: the same, for a page that is
loaded later.`,
	Check: func(p *pass) {
		says := func(e *schema.Expr, c *compile.Expr) bool {
			return e != nil && (c == nil || !isConstant(c.Tree()))
		}
		for i, s := range p.sourceSkills() {
			if s.Effect.Value != "commit" {
				continue
			}
			var ensures, verify *compile.Expr
			if all := p.skills(); all != nil {
				ensures, verify = all[i].Ensures, all[i].Verify
			}
			switch {
			case !says(s.Ensures, ensures) && !says(s.Verify, verify):
				p.report(s.Name.Range, "add ensures: what the page shows when it has worked", "the skill %q cannot be undone, and nothing checks that it has worked", s.Name.Value)
			case !says(s.Ensures, ensures):
				p.report(s.Name.Range, "add ensures: "+s.Verify.Text, "the skill %q cannot be undone, and counts as done as soon as its verbs went through", s.Name.Value)
			case !says(s.Verify, verify) && onlyPage(ensures):
				p.report(s.Name.Range, "add verify: "+s.Ensures.Text, "the skill %q cannot be undone, and after a crash nothing tells whether it has happened", s.Name.Value)
			}
		}
	},
}

// onlyPage reports whether a condition asks for what the page shows, whatever the skill's params and target were.
func onlyPage(e *compile.Expr) bool {
	return e != nil && e.Uses("page") && !e.Uses("params") && !e.Uses("target") && !e.Uses("match")
}

var readSecret = &Rule{
	ID: "read-secret", Severity: schema.Warning,
	Summary: "a secret is read back from the page",
	Doc: `A field of the page that holds a password or a card's code is read into a value, which then is not opaque: it
reaches records, menus and prompts. Do not read it; to check that a secret was filled in, compare with the empty text:
target.value != "".`,
	Check: func(p *pass) {
		fields := func(list []schema.ReadField) {
			for _, f := range list {
				if secretField(f.CSS.Value) {
					p.report(f.CSS.Range, "do not read it", "the field %q reads a secret from the page (%s)", f.Name.Value, f.CSS.Value)
				}
			}
		}
		for _, s := range p.sourceSkills() {
			if s.Target != nil {
				fields(s.Target.Read)
				if secretField(s.Target.CSS.Value) {
					for _, f := range s.Target.Read {
						if f.CSS.Value == "" && f.Attr.Value == "" {
							p.report(f.Name.Range, "do not read it", "the field %q reads a secret from the page (%s)", f.Name.Value, s.Target.CSS.Value)
						}
					}
				}
			}
			if s.Returns != nil {
				fields(s.Returns.Read)
			}
		}
		p.filledSecret()
	},
}

// filledSecret reports a skill that types a secret into its target and then takes the target's value for something
// else than a condition.
func (p *pass) filledSecret() {
	for _, s := range p.sites() {
		if s.skill == nil || s.use == condition || s.skill.Target == nil || !fillsSecret(s.skill) {
			continue
		}
		s.tree().each(func(n ast.Node) {
			if x := s.tree().placeAt(n); x.path == "target.value" {
				p.report(s.spot(n), "do not read it", "target.value is the secret that %s fills in", s.skill.Name)
			}
		})
	}
}

// fillsSecret reports whether a skill types a secret param into its own target.
func fillsSecret(s *compile.Skill) bool {
	return slices.ContainsFunc(s.Do, func(v *compile.Verb) bool { return v.OnSkill && v.Value.IsSecret() })
}
