package lint

import "github.com/nth-dev/nth/schema"

var unboundedLoop = &Rule{
	ID: "unbounded-loop", Severity: schema.Warning,
	Summary: "a circle of stages that only the engine's last resort ends",
	Doc: `Stages lead back to one another, and the flow has no limits: so the engine stops the circle only after 200 visits
of a stage. Set limits: {model_calls: …, wall: …} on the flow. To do the same for every row of a list, use for_each.`,
	Check: func(p *pass) {
		if p.Draft == nil {
			return
		}
		if l := p.Draft.Limits; l.ModelCalls > 0 || l.Tokens > 0 || l.Wall > 0 {
			return
		}
		g := p.graph()
		told := make([]bool, len(g.out))
		for i, st := range p.draft() {
			if !g.reached[i] || told[i] {
				continue
			}
			for _, e := range g.out[i] {
				if e.to == theEnd || e.to > i || !g.from(e.to)[i] {
					continue
				}
				back := g.into(i)
				for j, ok := range g.from(e.to) { // one finding per circle
					told[j] = told[j] || ok && back[j]
				}
				p.report(e.at, "add limits: {model_calls: …, wall: …} to the flow", "the stage %q leads back to %q, and no limits bound how often", st.Name, p.Draft.Stages[e.to].Name)
				break
			}
		}
	},
}
