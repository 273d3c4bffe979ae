package lint

import (
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var missingSummary = &Rule{
	ID: "missing-summary", Severity: schema.Warning,
	Summary: "a flow or pack without a summary",
	Doc: `The summary is the one line by which people find a flow or pack in lists and reports. Add summary: with what it is
for.`,
	Check: func(p *pass) {
		if p.Flow != nil && p.Flow.Name.Set() && !p.Flow.Summary.Set() {
			p.report(p.Flow.Name.Range, "add summary: with one line about what it is for", "the flow has no summary")
		}
		if p.Pack != nil && p.Pack.Name.Set() && !p.Pack.Summary.Set() {
			p.report(p.Pack.Name.Range, "add summary: with one line about what it is for", "the pack has no summary")
		}
	},
}

var sameLine = &Rule{
	ID: "same-line", Severity: schema.Warning,
	Summary: "two menu lines that read the same",
	Doc: `Whoever picks sees only the menu lines, and these two cannot be told apart: two entries of a stage with the same
skill and the same values, or two skills with the same summary. Name in the summary what tells them apart.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			seen := map[string]*compile.Entry{}
			for _, e := range st.Entries {
				line, ok := p.line(e)
				if !ok {
					continue
				}
				first := seen[line]
				if first == nil {
					seen[line] = e
					continue
				}
				d := p.report(e.Range, "remove one, or tell them apart in the summary", "this entry reads %q in the menu, as another one does", e.Skill.Summary.Source)
				d.Related = append(d.Related, related(first.Range, "the other one"))
			}
		}
		seen := map[string]*schema.Skill{}
		for _, s := range p.sourceSkills() {
			line := strings.ToLower(strings.Join(strings.Fields(s.Summary.Value), " "))
			if line == "" {
				continue
			}
			if first := seen[line]; first != nil {
				d := p.report(s.Summary.Range, "tell them apart", "the skills %q and %q have the same summary", first.Name.Value, s.Name.Value)
				d.Related = append(d.Related, related(first.Summary.Range, "the other one"))
				continue
			}
			seen[line] = s
		}
	},
}

// line stands for the menu line of an entry, where the file decides it: the summary with the sources of what is in it.
func (p *pass) line(e *compile.Entry) (string, bool) {
	if e.When != nil {
		return "", false
	}
	var b strings.Builder
	b.WriteString(e.Skill.Summary.Source)
	for _, param := range e.Skill.Params {
		if !strings.Contains(e.Skill.Summary.Source, "{"+param.Name+"}") {
			continue
		}
		b.WriteString("\x00")
		for _, x := range e.Source.With {
			if x.Name.Value == param.Name {
				b.WriteString(x.Value.Node.Text)
				if x.Value.Node.Kind != schema.Scalar {
					return "", false
				}
			}
		}
	}
	return strings.ToLower(b.String()), true
}

var summarySecret = &Rule{
	ID: "summary-secret", Severity: schema.Warning,
	Summary: "a menu line with a secret in it",
	Doc: `The summary names a param that is x-secret. The menu shows only dots in its place, which tells the picker nothing,
and a secret has no business in a line that goes to the model. Take the placeholder out.`,
	Check: func(p *pass) {
		for _, s := range p.sourceSkills() {
			for _, x := range s.Params {
				if secret := x.Schema.Field("x-secret"); secret != nil && secret.Text == "true" && strings.Contains(s.Summary.Value, "{"+x.Name.Value+"}") {
					p.report(s.Summary.Range, "take {"+x.Name.Value+"} out", "the menu line of %q names the secret {%s}", s.Name.Value, x.Name.Value)
				}
			}
		}
	},
}

var deprecatedSkill = &Rule{
	ID: "deprecated", Severity: schema.Warning,
	Summary: "a skill that its pack wants to be rid of",
	Doc:     `The pack says deprecated: for this skill, and what to use instead. It may be gone in the next version of the pack.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			for _, e := range append(append([]*compile.Entry{}, st.Entries...), st.Fallback...) {
				if why := e.Skill.Source.Deprecated; why.Set() {
					d := p.report(e.Range, why.Value, "%s is deprecated", e.Skill.FullName())
					d.Related = append(d.Related, related(why.Range, "its pack says so"))
				}
			}
		}
	},
}
