package lint

import (
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var intoFailure = &Rule{
	ID: "into-failure", Severity: schema.Warning,
	Summary: "a stage that goes on into a failing end only because that stands below it",
	Doc: `A stage without next goes on to the stage below it, and here that one ends the flow as failed: so the flow fails
when all has gone well. Usually next: end is missing, for the failing end is there for an on_error. Where the failure is
meant, name it: next: NAME.`,
	Check: func(p *pass) {
		for i, st := range p.draft() {
			if len(st.Source.Next) > 0 || st.Kind == compile.EndStage || !p.graph().reached[i] || i+1 >= len(p.draft()) {
				continue
			}
			below := p.draft()[i+1]
			if below.End == nil || below.Source.End.Status.Value != "failed" {
				continue
			}
			d := p.report(st.Range, "add next: end", "when the stage %q is done, the flow goes on to %q and fails", st.Name, below.Name)
			d.Related = append(d.Related, related(below.Source.End.Status.Range, "the end below it"))
		}
	},
}
