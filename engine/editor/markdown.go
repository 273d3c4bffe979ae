package editor

import (
	"fmt"
	"strings"
)

// Markdown documents a pack: of each skill what it does, its effect, its params, and an example for a relevance list.
// Skills that are deprecated come with what to use instead.
func Markdown(p *Pack) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n", p.Name.Value, p.Version.Value)
	if p.Summary.Value != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Summary.Value)
	}
	for _, s := range p.Skills {
		fmt.Fprintf(&b, "\n## %s\n\n%s (*%s*)\n", s.FullName(), s.Summary.Value, s.Effect.Value)
		if s.Deprecated.Value != "" {
			fmt.Fprintf(&b, "\nDeprecated: %s\n", s.Deprecated.Value)
		}
		fmt.Fprintf(&b, "\n```yaml\n- %s%s\n```\n", s.FullName(), Example(s.Skill, p.Types))
		for i := range s.Params {
			if i == 0 {
				b.WriteByte('\n')
			}
			param := &s.Params[i]
			need := "optional"
			if s.Required(param) {
				need = "required"
			}
			fmt.Fprintf(&b, "- `%s` (%s): %s", param.Name.Value, need, TypeText(param.Schema, p.Types))
			if d := Resolve(param.Schema, p.Types).Field("description"); d != nil {
				fmt.Fprintf(&b, ". %s", d.Text)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
