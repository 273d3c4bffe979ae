package lint

import "github.com/nth-dev/nth/schema"

var unreachableStage = &Rule{
	ID: "unreachable-stage", Severity: schema.Warning,
	Summary: "a stage that no edge leads to",
	Doc: `The run starts at the first stage and follows next and on_error. A stage that none of them leads to is never
entered. Lead an edge to it, or remove it. A stage that names no next goes on to the stage below it, unless it ends the
flow: a stage behind an unconditional "next" elsewhere is the usual case.`,
	Check: func(p *pass) {
		for i, st := range p.draft() {
			if !p.graph().reached[i] {
				p.report(st.Range, "lead a next or on_error to it, or remove it", "no edge leads to the stage %q", st.Name)
			}
		}
	},
}

var noPathToEnd = &Rule{
	ID: "no-path-to-end", Severity: schema.Error,
	Summary: "a stage from which the flow cannot end",
	Doc: `From this stage, no next and no on_error leads to an end: the flow goes round until a budget or limit stops it,
and never succeeds. Add an edge that leaves the circle.`,
	Check: func(p *pass) {
		for i, st := range p.draft() {
			if g := p.graph(); g.reached[i] && !g.ends[i] {
				p.report(st.Range, `let one of the stages behind it go to "end"`, "no path leads from the stage %q to an end of the flow", st.Name)
			}
		}
	},
}
