package lint

import (
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// use says what the value of an expression is used for.
type use uint8

const (
	condition use = iota // true or false, nothing else comes of it
	orderUse             // sorts the menu
	goalUse              // read by the model
	askUse               // asked of a person
	showUse              // shown to a person
	gotoUse              // opened
	paramUse             // bound to a param
	inputUse             // bound to an input of a sub-flow
	outputUse            // collected
	reasonUse            // the last word of the flow
	nameUse              // finds an element
	typedUse             // put into a field
	otherUse             // a key, the number of a tab, an answer to a dialog, a script
	rowsUse              // gone through row by row
)

// site is one expression of the file.
type site struct {
	expr  *compile.Expr
	use   use
	what  string          // "done", "param city"
	want  *compile.Schema // what the place wants; nil: unknown
	whole bool            // the expression is the value, not a part of a list or mapping
	skill *compile.Skill  // it belongs to a skill of this file, or
	stage *compile.Stage  // to a stage
	after bool            // it is evaluated when its stage is done
	scope *scope

	treeMemo *tree
}

// scope is what an expression can see, by schema.
type scope struct {
	params, inputs, outputs []*compile.Param
	stages                  *compile.Program
	rows                    map[string]*compile.Schema // by name; nil: unknown
	match                   []*compile.ReadField
}

// sites are the expressions of the file's Program or Pack, in the order of the file's parts.
func (p *pass) sites() []*site {
	if p.sitesMemo == nil {
		c := siteCollector{}
		if p.Program != nil {
			c.flow(p.Program)
		}
		for _, s := range p.skills() {
			c.skillOf(s)
		}
		p.sitesMemo = c.sites
	}
	return p.sitesMemo
}

type siteCollector struct {
	sites []*site
	at    site // what the next expressions have in common
}

func (c *siteCollector) expr(e *compile.Expr, u use, what string, want *compile.Schema, whole bool) {
	if e == nil {
		return
	}
	s := c.at
	s.expr, s.use, s.what, s.want, s.whole = e, u, what, want, whole
	c.sites = append(c.sites, &s)
}

func (c *siteCollector) condition(e *compile.Expr, what string) {
	c.expr(e, condition, what, nil, true)
}

func (c *siteCollector) value(v *compile.Value, u use, what string, want *compile.Schema) {
	c.expr(v.Expr(), u, what, want, true)
	c.parts(v, u, what)
}

func (c *siteCollector) parts(v *compile.Value, u use, what string) {
	for _, item := range v.Items() {
		c.expr(item.Expr(), u, what, nil, false)
		c.parts(item, u, what)
	}
}

func (c *siteCollector) flow(p *compile.Program) {
	flow := &scope{inputs: p.Inputs, outputs: p.Outputs, stages: p, rows: map[string]*compile.Schema{}}
	c.at = site{scope: flow}
	if p.ForEach != nil {
		c.value(p.ForEach.Rows, rowsUse, "rows", nil)
		flow.rows[p.ForEach.As] = p.ForEach.Item
	}
	for _, st := range p.Stages {
		c.at = site{scope: flow, stage: st}
		c.stage(st, flow)
	}
}

func (c *siteCollector) stage(st *compile.Stage, flow *scope) {
	c.value(st.Goal, goalUse, "goal", nil)
	if st.Find != nil {
		for _, t := range st.Find.Terms {
			c.value(t.Value(), nameUse, "term", nil)
		}
	}
	c.verbs(st.Do)
	for _, list := range [][]*compile.Entry{st.Entries, st.Fallback} {
		for _, e := range list {
			c.condition(e.When, "when")
			for _, b := range e.Source.With {
				if v := e.With[b.Name.Value]; v != nil {
					c.value(v, paramUse, "param "+b.Name.Value, e.Skill.Param(b.Name.Value).Schema)
				}
			}
		}
	}
	if a := st.Approve; a != nil {
		c.value(a.Ask, askUse, "ask", nil)
		for _, v := range a.Show {
			c.value(v, showUse, "show", nil)
		}
	}
	if st.Order != nil {
		order := *flow
		for _, e := range st.Entries {
			if e.Skill.Target != nil {
				order.match = append(order.match, e.Skill.Target.Read...)
			}
		}
		c.at.scope = &order
		c.expr(st.Order, orderUse, "order", nil, true)
		c.at.scope = flow
	}
	c.condition(st.Done, "done")
	for _, a := range st.Assert {
		c.condition(a, "assert")
	}
	if st.Call != nil {
		c.call(st.Call, flow)
	}
	if st.End != nil {
		c.value(st.End.Reason, reasonUse, "reason", nil)
	}
	c.at.after = true
	for _, b := range st.Collect {
		var want *compile.Schema
		for _, o := range flow.outputs {
			if o.Name == b.Name {
				want = o.Schema
			}
		}
		if b.Many {
			want = want.Item()
		}
		c.value(b.Value, outputUse, "output "+b.Name, want)
	}
	for _, b := range st.Next {
		c.condition(b.When, "when")
	}
}

func (c *siteCollector) call(call *compile.Call, flow *scope) {
	inner := *flow
	if f := call.ForEach; f != nil {
		c.value(f.Rows, rowsUse, "rows", nil)
		inner.rows = map[string]*compile.Schema{f.As: f.Item}
		for k, v := range flow.rows {
			inner.rows[k] = v
		}
	}
	c.at.scope = &inner
	for _, b := range call.With {
		var want *compile.Schema
		for _, in := range call.Program.Inputs {
			if in.Name == b.Name {
				want = in.Schema
			}
		}
		c.value(b.Value, inputUse, "input "+b.Name, want)
	}
	c.at.scope = flow
}

func (c *siteCollector) skillOf(s *compile.Skill) {
	c.at = site{skill: s, scope: &scope{params: s.Params}}
	if s.Target != nil {
		c.at.scope.match = s.Target.Read
	}
	c.target(s.Target)
	c.condition(s.Requires.Whole, "requires")
	c.verbs(s.Do)
	c.condition(s.Ensures, "ensures")
	c.condition(s.Verify, "verify")
	for _, x := range s.Sets {
		c.condition(x.When, "sets "+x.Fact)
	}
}

var typedVerbs = map[string]bool{"fill": true, "type": true, "select": true, "set_date": true, "upload": true}

func (c *siteCollector) verbs(list []*compile.Verb) {
	for _, v := range list {
		c.target(v.Target)
		c.target(v.To)
		u := otherUse
		switch {
		case v.Name == "goto":
			u = gotoUse
		case v.Name == "ask_person":
			u = askUse
		case typedVerbs[v.Name]:
			u = typedUse
		}
		c.value(v.Value, u, v.Name, nil)
		if v.Read != nil {
			c.value(v.Read.Name, nameUse, v.Name, nil)
			c.value(v.Read.Fields, nameUse, v.Name, nil)
			c.value(v.Read.As, otherUse, v.Name, nil)
		}
		c.condition(v.When, "when")
		c.condition(v.Until, "wait")
		if v.Repeat != nil {
			c.condition(v.Repeat.Until, "until")
			c.verbs(v.Repeat.Do)
		}
	}
}

func (c *siteCollector) target(t *compile.Target) {
	if t == nil {
		return
	}
	for _, texts := range []struct {
		key  string
		list []*compile.Pattern
	}{{"name", t.Name}, {"text", t.Text}, {"label", t.Label}, {"placeholder", t.Placeholder}} {
		for _, p := range texts.list {
			c.value(p.Value(), nameUse, texts.key, nil)
		}
	}
	c.value(t.TestID, nameUse, "test_id", nil)
	c.target(t.Within)
	c.target(t.Near)
	c.target(t.Has)
}

// at is the place in the file of a part of the site's expression.
func (s *site) at(from, to int) schema.Range { return s.expr.At(from, to) }
