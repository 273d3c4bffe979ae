package lint

import (
	"slices"

	"github.com/expr-lang/expr/builtin"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var shadowedRow = &Rule{
	ID: "shadowed-row", Severity: schema.Warning,
	Summary: "the name of a row hides another name",
	Doc: `for_each: as: gives a row the name of a builtin function of expressions (len, date, …), or the name that the row of
the flow around it has already. Inside, the other one cannot be reached, or is not the one that a reader expects. Choose
another name.`,
	Check: func(p *pass) {
		if p.Program == nil {
			return
		}
		check := func(f *schema.ForEach) {
			if f != nil && slices.Contains(builtin.Names, f.As.Value) {
				p.report(f.As.Range, "choose another name", "as: %q is also a function of expressions", f.As.Value)
			}
		}
		check(p.Flow.ForEach)
		for _, st := range p.stages() {
			if st.Kind != compile.CallStage {
				continue
			}
			f := st.Source.Call.ForEach
			check(f)
			if outer := p.Flow.ForEach; f != nil && outer != nil && f.As.Value == outer.As.Value {
				d := p.report(f.As.Range, "choose another name", "as: %q hides the row of the flow", f.As.Value)
				d.Related = append(d.Related, related(outer.As.Range, "the row of the flow"))
			}
		}
	},
}
