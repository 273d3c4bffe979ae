package lint

import (
	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/schema"
)

var pageText = &Rule{
	ID: "page-text", Severity: schema.Warning,
	Summary: "text of a page decides what is opened, typed, asked or aimed for",
	Doc: `Whoever writes the page writes this text. Where it becomes a URL, a param, a goal, an input of a sub-flow, or the
question that a person is asked, the page steers the flow. Take the value from the inputs; or hold it to a list of
values (enum) or to an anchored pattern (^…$) in the schema of what the skill returns; show it to a person under
approve: show:, where it is displayed as what the page says. Numbers are no text and are not reported.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			became := steers[s.use]
			if became == "" {
				continue
			}
			t := s.tree()
			for _, n := range t.sources(t.root, fromPage) {
				p.report(s.spot(n), "take it from the inputs, or hold it to an enum or a pattern ^…$ in the skill's returns", "text of the page (%s) becomes %s", s.text(n), became)
			}
			for _, n := range t.sources(t.root, p.collectedFromPage) {
				p.report(s.spot(n), "take it from the inputs", "text of the page, collected in %s, becomes %s", s.text(n), became)
			}
		}
	},
}

// steers says what a text becomes that decides what the flow does.
var steers = map[use]string{
	gotoUse: "a URL to open", paramUse: "a param", inputUse: "an input of a sub-flow", goalUse: "a goal, which the model reads as an order", askUse: "the question that a person is asked",
}

// collectedFromPage reports whether a place is an output into which some stage collects free text of a page.
func (p *pass) collectedFromPage(x place) bool {
	if x.root != "outputs" || x.first == "" || constrained(x.schema) {
		return false
	}
	if p.taintedMemo == nil {
		p.taintedMemo = map[string]bool{}
		for _, s := range p.sites() {
			if s.use == outputUse && len(s.tree().sources(s.tree().root, fromPage)) > 0 {
				p.taintedMemo[s.what] = true
			}
		}
	}
	return p.taintedMemo["output "+x.first]
}

var secretLeak = &Rule{
	ID: "secret-leak", Severity: schema.Error,
	Summary: "a secret in a place that is read, logged or shown",
	Doc: `Secrets may only be typed into a page: bound to a param or input that is x-secret, or given to fill, type or
select. A goal goes to the model, a URL into logs and histories, a reason and an output into the record of the run; an
approval is shown to a person; a name of an element is compared with the page and told in messages. Take the secret out.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			where := leaks[s.use]
			if s.use == otherUse {
				where = "the argument of " + s.what
			}
			if (s.use == paramUse || s.use == inputUse) && !s.whole {
				where = "a list or mapping (" + s.what + "), which is not secret"
			}
			t := s.tree()
			if where == "" {
				p.dotted(s)
				continue
			}
			for _, n := range t.sources(t.root, isSecret) {
				p.report(s.spot(n), "take the secret out; secrets are only typed into fields", "the secret %s would be part of %s", s.text(n), where)
			}
		}
	},
}

// leaks says where a secret would be read, logged or shown.
var leaks = map[use]string{
	goalUse: "a goal, which is sent to the model", askUse: "a question to a person", showUse: "what is shown to a person", gotoUse: "a URL",
	outputUse: "an output, which is recorded", reasonUse: "the reason, which is recorded", nameUse: "what finds an element, which is told in messages",
	orderUse: "the order of the menu",
}

// dotted reports a secret that is computed with: expressions see only dots of it.
func (p *pass) dotted(s *site) {
	t := s.tree()
	t.each(func(n ast.Node) {
		x, ok := t.place(n)
		if !ok || !isSecret(x) {
			return
		}
		switch up := t.at(n).parent.(type) {
		case nil, *ast.ConditionalNode, *ast.MemberNode, *ast.ChainNode:
			return
		case *ast.CallNode:
			if id, ok := up.Callee.(*ast.IdentifierNode); ok && id.Value == "totp" {
				return
			}
		case *ast.BinaryNode:
			if _, isNil := up.Right.(*ast.NilNode); isNil {
				return
			}
		}
		p.report(s.spot(n), "bind the secret alone: =secrets.NAME", "the secret %s cannot be computed with: expressions see only dots of it", s.text(n))
	})
}

var plainSecret = &Rule{
	ID: "plain-secret", Severity: schema.Warning,
	Summary: "an input or param that by its name is a secret, and is not marked as one",
	Doc: `Inputs and params are written into the record of the run and may be read by the model, unless their schema says
x-secret: true. Declare it under secrets: instead of inputs:, or mark it x-secret: true.`,
	Check: func(p *pass) {
		check := func(list []schema.Param, fix string) {
			for _, x := range list {
				marked := x.Schema.Field("x-secret")
				if secretName.MatchString(x.Name.Value) && (marked == nil || marked.Text != "true") && !flagType(x.Schema) {
					p.report(x.Name.Range, fix, "%q sounds like a secret, but is kept in the open", x.Name.Value)
				}
			}
		}
		if p.Flow != nil {
			check(p.Flow.Inputs, "declare it under secrets:, or mark it x-secret: true")
		}
		for _, s := range p.sourceSkills() {
			check(s.Params, "mark it x-secret: true")
		}
	},
}

// flagType reports whether a schema is of a type that holds no secret.
func flagType(n *schema.Node) bool {
	t := n.Field("type")
	return t != nil && t.Text == "boolean"
}

// sourceSkills are the skills that the file and, for a pack, its further files declare.
func (p *pass) sourceSkills() []*schema.Skill {
	switch {
	case p.Compiled != nil:
		var out []*schema.Skill
		for _, s := range p.Compiled.Skills {
			out = append(out, s.Source)
		}
		return out
	case p.Pack != nil:
		return p.Pack.Skills
	case p.Skills != nil:
		return p.Skills.Skills
	}
	return nil
}
