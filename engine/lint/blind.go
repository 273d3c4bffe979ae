package lint

import "github.com/nth-dev/nth/schema"

var blindApproval = &Rule{
	ID: "blind-approval", Severity: schema.Warning,
	Summary: "an approval that does not show what is approved",
	Doc: `The question is always the same text and show lists nothing, so whoever is asked says yes to what cannot be seen:
not the price, not the address. List the values that matter: show: [=stages.choose.price]; or put them into the question:
ask: ="Buy at " + string(stages.choose.price) + "?".`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			if a := st.Approve; a != nil && len(a.Show) == 0 && a.Ask != nil && a.Ask.Expr() == nil {
				p.report(a.Ask.Range, "add show: with the values that are approved", "the approval of the stage %q shows nothing of what is approved", st.Name)
			}
		}
	},
}
