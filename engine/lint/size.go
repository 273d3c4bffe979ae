package lint

import "github.com/nth-dev/nth/schema"

// maxStages is up to how many stages the paths of a flow are followed.
const maxStages = 1000

var tooManyStages = &Rule{
	ID: "too-many-stages", Severity: schema.Warning,
	Summary: "a flow too large to be proved",
	Doc: `The rules about paths, facts and expressions follow flows of up to 1,000 stages; this one has more, so only what can be
seen without following it has been looked at. Split it into several flows with call:.`,
	Check: func(p *pass) {
		if p.Flow != nil && len(p.Flow.Stages) > maxStages {
			p.report(p.Flow.Stages[maxStages].Name.Range, "split it into several flows with call:", "the flow has %d stages; its paths are followed up to %d", len(p.Flow.Stages), maxStages)
		}
	},
}
