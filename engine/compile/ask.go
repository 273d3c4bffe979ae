package compile

import (
	"regexp"

	"github.com/nth-dev/nth/schema"
)

// Ask is a param whose value the model writes: {ask: "A polite note"}. The value is checked against the param's schema
// before it is used, and is written after the pick, so that nothing that decides what is offered may depend on it.
type Ask struct {
	Param  *Param
	Prompt *Value // trusted text of the flow
}

// askOf is the prompt of a binding {ask: …}, nil when the binding is something else. A param that takes an object is
// given objects.
func askOf(n *schema.Node, s *Schema) *schema.Node {
	if n == nil || n.Kind != schema.Mapping || len(n.Fields) != 1 || n.Fields[0].Key.Text != "ask" || s != nil && s.Kind == "object" {
		return nil
	}
	return n.Fields[0].Value
}

// ask compiles {ask: …}; nil after a finding.
func (c *flowCompiler) ask(prompt *schema.Node, p *Param, skill *Skill, fallback bool) *Ask {
	if prompt.Kind != schema.Scalar || prompt.Text == "" {
		c.diags.Errorf(prompt.Range, "ask-text", `say what to write: {ask: "A polite note"}`, "ask must be a text, which tells the model what to write")
		return nil
	}
	switch {
	case p.Schema.Secret:
		c.diags.Errorf(prompt.Range, "secret-flow", "bind =secrets.NAME", "param %s is secret, so the model cannot write it", p.Name)
		return nil
	case fallback:
		c.diags.Errorf(prompt.Range, "ask-fallback", "move the skill to the relevance list", "a fallback is done without asking anybody, so nobody writes %s", p.Name)
		return nil
	}
	if where := decides(skill.Source, p.Name); where != "" {
		c.diags.Errorf(prompt.Range, "ask-decides", "bind a value that is known before", "%s decides by its %s whether it is offered, so %s cannot be written after the pick", skill.FullName(), where, p.Name)
		return nil
	}
	v := c.env.value(schema.Value{Node: prompt}, &Schema{Kind: "string"})
	if v == nil {
		return nil
	}
	if v.IsSecret() {
		c.diags.Errorf(v.Range, "secret-flow", "", "a secret must not be part of what the model is told")
		return nil
	}
	return &Ask{Param: p, Prompt: v}
}

// decides names the part of a skill that speaks of a param before the skill is picked: "requires", "target", or "".
func decides(s *schema.Skill, param string) string {
	if s == nil {
		return ""
	}
	re := regexp.MustCompile(`\bparams(\.|\[")` + regexp.QuoteMeta(param) + `\b`)
	if s.Requires != nil && re.MatchString(s.Requires.Text) {
		return "requires"
	}
	if s.Target != nil && mentions(s.Target.Node, re) {
		return "target"
	}
	return ""
}

func mentions(n *schema.Node, re *regexp.Regexp) bool {
	if n == nil {
		return false
	}
	if n.Kind == schema.Scalar {
		return re.MatchString(n.Text)
	}
	for _, f := range n.Fields {
		if mentions(f.Value, re) {
			return true
		}
	}
	for _, item := range n.Items {
		if mentions(item, re) {
			return true
		}
	}
	return false
}
