package lint

import "github.com/nth-dev/nth/schema"

// What a file has in many places, as written; these work also where compile found errors.

// eachSourceVerb calls f for every verb of the file, those inside repeat included.
func (p *pass) eachSourceVerb(f func(*schema.Verb)) {
	var walk func([]schema.Verb)
	walk = func(list []schema.Verb) {
		for i := range list {
			f(&list[i])
			if list[i].Repeat != nil {
				walk(list[i].Repeat.Do)
			}
		}
	}
	for _, s := range p.sourceSkills() {
		walk(s.Do)
	}
	if p.Flow != nil {
		for _, st := range p.Flow.Stages {
			walk(st.Do)
		}
	}
}

// eachTarget calls f for every target of the file, those inside others included.
func (p *pass) eachTarget(f func(*schema.Target)) {
	var walk func(*schema.Target)
	walk = func(t *schema.Target) {
		if t != nil {
			f(t)
			walk(t.Within)
			walk(t.Near)
			walk(t.Has)
		}
	}
	for _, s := range p.sourceSkills() {
		walk(s.Target)
	}
	p.eachSourceVerb(func(v *schema.Verb) {
		walk(v.Target)
		walk(v.To)
	})
}

// eachSchema calls f for every JSON Schema of the file, those inside others not included.
func (p *pass) eachSchema(f func(what string, n *schema.Node)) {
	each := func(what string, list []schema.Param) {
		for _, x := range list {
			f(what+" "+x.Name.Value, x.Schema)
		}
	}
	if p.Flow != nil {
		each("type", p.Flow.Types)
		each("input", p.Flow.Inputs)
		each("output", p.Flow.Outputs)
	}
	if p.Pack != nil {
		each("type", p.Pack.Types)
	}
	for _, s := range p.sourceSkills() {
		each("param", s.Params)
		if s.Returns != nil {
			f("returns of "+s.Name.Value, s.Returns.Schema)
		}
	}
}

// eachNode calls f for a node and all below it; keys are told apart.
func eachNode(n *schema.Node, f func(n *schema.Node, isKey bool)) {
	if n == nil {
		return
	}
	f(n, false)
	for _, x := range n.Fields {
		f(x.Key, true)
		eachNode(x.Value, f)
	}
	for _, x := range n.Items {
		eachNode(x, f)
	}
}
