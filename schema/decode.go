package schema

import (
	"time"
)

// The decoders build the AST from a tree whose shape has been checked; where the shape did not fit, they take what
// they can, so that the checks after them can find more.

func str(n *Node) String {
	if n == nil || n.Kind != Scalar {
		return String{}
	}
	return String{Value: n.Text, Range: n.Range}
}

func strs(n *Node) []String {
	var out []String
	if n != nil {
		for _, item := range n.Items {
			if item.Kind == Scalar {
				out = append(out, str(item))
			}
		}
	}
	return out
}

func boolean(n *Node) bool { return n != nil && n.Text == "true" }

func integer(n *Node) Int {
	if n == nil {
		return Int{}
	}
	v, ok := parseCount(n.Text)
	if !ok {
		return Int{}
	}
	return Int{Value: v, Range: n.Range}
}

func duration(n *Node) Duration {
	if n == nil || !spanRE.MatchString(n.Text) {
		return Duration{}
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil {
		return Duration{}
	}
	return Duration{Value: d, Range: n.Range}
}

// expr is a condition: bare, but a leading "=" is let go, since everybody writes one now and then.
func expr(n *Node) *Expr {
	if n == nil || n.Kind != Scalar {
		return nil
	}
	if e, ok := n.IsExpr(); ok {
		return &e
	}
	return &Expr{Text: n.Text, Node: n}
}

func params(n *Node) []Param {
	var out []Param
	if n != nil {
		for _, f := range n.Fields {
			if f.Value.Kind == Mapping {
				out = append(out, Param{Name: str(f.Key), Schema: f.Value})
			}
		}
	}
	return out
}

func bindingList(n *Node) []Binding {
	var out []Binding
	if n != nil {
		for _, f := range n.Fields {
			out = append(out, Binding{Name: str(f.Key), Value: Value{f.Value}})
		}
	}
	return out
}

func entries(n *Node) []Entry {
	if n == nil {
		return nil
	}
	out := []Entry{}
	for _, item := range n.Items {
		e := Entry{Node: item}
		switch {
		case item.Kind == Scalar:
			e.Skill = str(item)
		case item.Kind == Mapping && isLong(item):
			e.Skill, e.With, e.When = str(item.Field("use")), bindingList(item.Field("with")), expr(item.Field("when"))
			e.Optional, e.Repeat = boolean(item.Field("optional")), boolean(item.Field("repeat"))
		case len(item.Fields) > 0:
			e.Skill, e.With = str(item.Fields[0].Key), bindingList(item.Fields[0].Value)
		}
		if skillRE.MatchString(e.Skill.Value) {
			out = append(out, e)
		}
	}
	return out
}

func values(n *Node) []Value {
	switch {
	case n == nil:
		return nil
	case n.Kind == Scalar:
		return []Value{{n}}
	}
	var out []Value
	for _, item := range n.Items {
		if item.Kind == Scalar {
			out = append(out, Value{item})
		}
	}
	return out
}

func targetOf(n *Node) *Target {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	t := &Target{
		Node: n,
		Role: values(n.Field("role")), Name: values(n.Field("name")), Text: values(n.Field("text")),
		Label: values(n.Field("label")), Placeholder: values(n.Field("placeholder")),
		CSS: str(n.Field("css")), Frame: str(n.Field("frame")),
		Within: targetOf(n.Field("within")), Near: targetOf(n.Field("near")), Has: targetOf(n.Field("has")),
		Index: integer(n.Field("index")), Exact: boolean(n.Field("exact")), Each: boolean(n.Field("each")), Limit: integer(n.Field("limit")),
		Read: readFields(n.Field("read")),
	}
	if id := n.Field("test_id"); id != nil && id.Kind == Scalar {
		t.TestID = &Value{id}
	}
	t.WithinSkill = onSkill(n.Field("within"))
	return t
}

func readFields(n *Node) []ReadField {
	var out []ReadField
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		r := ReadField{Name: str(f.Key), CSS: str(f.Value)}
		if f.Value.Kind == Mapping {
			r.CSS, r.Attr, r.As = str(f.Value.Field("css")), str(f.Value.Field("attr")), str(f.Value.Field("as"))
		}
		if r.As.Value == "" {
			r.As.Value = "text"
		}
		out = append(out, r)
	}
	return out
}

func onSkill(n *Node) bool { return n != nil && n.Kind == Scalar && n.Text == "target" }

// verbs that take an element as their argument, and those that take a value and act on an element.
var (
	targetVerbs = map[string]bool{"click": true, "dblclick": true, "hover": true, "clear": true, "check": true, "uncheck": true, "drag": true}
	valueVerbs  = map[string]bool{"fill": true, "type": true, "press": true, "select": true, "upload": true}
)

func verbs(n *Node) []Verb {
	var out []Verb
	if n == nil {
		return nil
	}
	for _, item := range n.Items {
		if v, ok := verbOf(item); ok {
			out = append(out, v)
		}
	}
	return out
}

func verbOf(n *Node) (Verb, bool) {
	if n.Kind == Scalar {
		v := Verb{Node: n, Name: str(n)}
		v.OnSkill = targetVerbs[v.Name.Value]
		return v, true
	}
	for _, f := range n.Fields {
		name := f.Key.Text
		if !contains(Verbs, name) {
			continue
		}
		v := Verb{Node: n, Name: str(f.Key), When: expr(n.Field("when")), Timeout: duration(n.Field("timeout")), To: targetOf(n.Field("to"))}
		arg := f.Value
		switch {
		case targetVerbs[name]:
			v.Target, v.OnSkill = targetOf(arg), onSkill(arg)
		case valueVerbs[name]:
			v.Value, v.Target = &Value{arg}, targetOf(n.Field("target"))
			v.OnSkill = v.Target == nil
		case name == "wait":
			v.Until = expr(arg)
		case name == "repeat":
			v.Repeat = &Repeat{Max: integer(arg.Field("max")), Do: verbs(arg.Field("do"))}
			if u := expr(arg.Field("until")); u != nil {
				v.Repeat.Until = *u
			} else {
				return v, false // the shape check has said so
			}
		case name == "back" || name == "reload" || name == "dismiss_dialog":
		default: // goto, scroll, switch_tab, accept_dialog, eval
			v.Value, v.Target = &Value{arg}, targetOf(n.Field("target"))
		}
		return v, true
	}
	return Verb{}, false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func forEach(n *Node) *ForEach {
	if n == nil || n.Kind != Mapping || n.Field("rows") == nil {
		return nil
	}
	return &ForEach{Node: n, Rows: Value{n.Field("rows")}, As: str(n.Field("as")), OnError: str(n.Field("on_error"))}
}

// DecodeFlow builds a Flow. The findings are those of the shape; the Flow holds what could be understood, and is nil
// only when the tree is not a mapping.
func DecodeFlow(n *Node) (*Flow, Diagnostics) {
	ds := check(n, "flow/v1")
	if n.Kind != Mapping {
		return nil, ds
	}
	f := &Flow{
		Node: n, Name: str(n.Field("name")), Summary: str(n.Field("summary")),
		Types: params(n.Field("types")), Inputs: params(n.Field("inputs")), Outputs: params(n.Field("outputs")),
		AllowOrigins: strs(n.Field("allow_origins")), ForEach: forEach(n.Field("for_each")),
	}
	if p := n.Field("packs"); p != nil {
		for _, x := range p.Fields {
			if x.Value.Kind == Scalar {
				f.Packs = append(f.Packs, PackRef{Alias: str(x.Key), Source: str(x.Value)})
			}
		}
	}
	if s := n.Field("secrets"); s != nil {
		for _, x := range s.Fields {
			f.Secrets = append(f.Secrets, Secret{Name: str(x.Key), Env: str(x.Value.Field("env")), File: str(x.Value.Field("file"))})
		}
	}
	l := n.Field("limits")
	f.Limits = Limits{ModelCalls: integer(l.Field("model_calls")), Tokens: integer(l.Field("tokens")), Wall: duration(l.Field("wall"))}
	if st := n.Field("stages"); st != nil {
		for _, x := range st.Fields {
			if x.Value.Kind == Mapping {
				f.Stages = append(f.Stages, stageOf(x))
			}
		}
	}
	return f, ds
}

func stageOf(f Field) *Stage {
	n := f.Value
	s := &Stage{
		Node: n, Name: str(f.Key), Summary: str(n.Field("summary")), Hint: str(n.Field("hint")),
		Goal: Value{n.Field("goal")}, Do: verbs(n.Field("do")), Relevance: entries(n.Field("relevance")),
		Pick: str(n.Field("pick")), Order: expr(n.Field("order")), Done: expr(n.Field("done")),
		Fallback: entries(n.Field("fallback")), Collect: bindingList(n.Field("collect")),
	}
	if c := n.Field("call"); c != nil {
		s.Call = &Call{Node: c, Flow: str(c)}
		if c.Kind == Mapping {
			s.Call.Flow, s.Call.With, s.Call.ForEach = str(c.Field("flow")), bindingList(c.Field("with")), forEach(c.Field("for_each"))
		}
	}
	if e := n.Field("end"); e != nil {
		s.End = &End{Node: e, Status: str(e), Reason: Value{n.Field("reason")}}
	}
	if a := n.Field("approve"); a != nil {
		s.Approve = &Approve{Node: a, Ask: Value{a.Field("ask")}, Wait: duration(a.Field("wait")), OnTimeout: str(a.Field("on_timeout"))}
		if show := a.Field("show"); show != nil {
			for _, item := range show.Items {
				s.Approve.Show = append(s.Approve.Show, Value{item})
			}
		}
	}
	if a := n.Field("assert"); a != nil {
		for _, item := range a.Items {
			if e := expr(item); e != nil {
				s.Assert = append(s.Assert, *e)
			}
		}
	}
	b := n.Field("budget")
	s.Budget = Budget{Picks: integer(b.Field("picks")), Tokens: integer(b.Field("tokens")), Wall: duration(b.Field("wall"))}
	if x := n.Field("next"); x != nil {
		if x.Kind == Scalar {
			s.Next = []Branch{{Node: x, Go: str(x)}}
		}
		for _, item := range x.Items {
			s.Next = append(s.Next, Branch{Node: item, When: expr(item.Field("when")), Go: str(item.Field("go"))})
		}
	}
	if x := n.Field("on_error"); x != nil {
		for _, item := range x.Items {
			s.OnError = append(s.OnError, ErrorBranch{Node: item, Is: str(item.Field("is")), Go: str(item.Field("go"))})
		}
	}
	return s
}

// DecodePack builds a Pack; see DecodeFlow.
func DecodePack(n *Node) (*Pack, Diagnostics) {
	ds := check(n, "pack/v1")
	if n.Kind != Mapping {
		return nil, ds
	}
	return &Pack{
		Node: n, Name: str(n.Field("name")), Version: str(n.Field("version")), Engine: str(n.Field("engine")), Summary: str(n.Field("summary")),
		Types: params(n.Field("types")), Facts: strs(n.Field("facts")), Skills: skills(n.Field("skills")), Files: strs(n.Field("files")),
	}, ds
}

// DecodeSkills builds a Skills; see DecodeFlow.
func DecodeSkills(n *Node) (*Skills, Diagnostics) {
	ds := check(n, "skills/v1")
	if n.Kind != Mapping {
		return nil, ds
	}
	return &Skills{Node: n, Skills: skills(n.Field("skills"))}, ds
}

func skills(n *Node) []*Skill {
	var out []*Skill
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f.Value.Kind == Mapping {
			out = append(out, skillOf(f))
		}
	}
	return out
}

func skillOf(f Field) *Skill {
	n := f.Value
	s := &Skill{
		Node: n, Name: str(f.Key), Summary: str(n.Field("summary")), Params: params(n.Field("params")), Optional: strs(n.Field("optional")),
		Target: targetOf(n.Field("target")), Requires: expr(n.Field("requires")), Do: verbs(n.Field("do")),
		Ensures: expr(n.Field("ensures")), Verify: expr(n.Field("verify")), Effect: str(n.Field("effect")),
		Repeat: boolean(n.Field("repeat")), Timeout: duration(n.Field("timeout")),
	}
	if sets := n.Field("sets"); sets != nil {
		for _, item := range sets.Items {
			if item.Kind == Scalar {
				s.Sets = append(s.Sets, Set{Fact: str(item)})
			}
			for _, x := range item.Fields {
				s.Sets = append(s.Sets, Set{Fact: str(x.Key), When: expr(x.Value)})
			}
		}
	}
	if r := n.Field("returns"); r != nil && r.Kind == Mapping {
		frag := *r
		frag.Fields = nil
		for _, x := range r.Fields {
			if x.Key.Text != "read" {
				frag.Fields = append(frag.Fields, x)
			}
		}
		s.Returns = &Returns{Node: r, Schema: &frag, Read: readFields(r.Field("read"))}
	}
	return s
}

// DecodeProject builds a Project; see DecodeFlow.
func DecodeProject(n *Node) (*Project, Diagnostics) {
	ds := check(n, "project/v1")
	if n.Kind != Mapping {
		return nil, ds
	}
	p := &Project{Node: n, Model: str(n.Field("model")), Eval: boolean(n.Field("eval"))}
	if ms := n.Field("models"); ms != nil {
		for _, f := range ms.Fields {
			m := ModelConfig{Provider: str(f.Key), BaseURL: str(f.Value.Field("base_url")), Timeout: duration(f.Value.Field("timeout"))}
			m.KeyEnv = str(f.Value.Field("key_env"))
			p.Models = append(p.Models, m)
		}
	}
	b := n.Field("browser")
	p.Browser = BrowserConfig{Executable: str(b.Field("executable")), Headed: boolean(b.Field("headed")), Locale: str(b.Field("locale")), Timezone: str(b.Field("timezone"))}
	v := b.Field("viewport")
	p.Browser.Viewport.Width, p.Browser.Viewport.Height = integer(v.Field("width")), integer(v.Field("height"))
	return p, ds
}
