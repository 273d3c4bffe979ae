package schema

import "slices"

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
		Index: integer(n.Field("index")), Exact: boolean(n.Field("exact")), Covering: boolean(n.Field("covering")), Each: boolean(n.Field("each")), Limit: integer(n.Field("limit")),
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
	valueVerbs  = map[string]bool{"fill": true, "type": true, "press": true, "select": true, "set_date": true, "upload": true, "ask_person": true}
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
		if !slices.Contains(Verbs, name) {
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
		case name == "read":
			v.Read = readVerbOf(arg)
		case name == "repeat":
			v.Repeat = &Repeat{Max: integer(arg.Field("max")), Do: verbs(arg.Field("do"))}
			if u := expr(arg.Field("until")); u != nil {
				v.Repeat.Until = *u
			} else {
				return v, false // the shape check has said so
			}
		case name == "scroll" && (arg.Kind == Mapping || onSkill(arg)):
			v.Target, v.OnSkill = targetOf(arg), onSkill(arg)
		case name == "scroll":
			v.Value, v.Target, v.OnSkill = &Value{arg}, targetOf(n.Field("target")), onSkill(n.Field("target"))
		case name == "back" || name == "forward" || name == "reload" || name == "dismiss_dialog":
		default: // goto, switch_tab, accept_dialog, eval
			v.Value = &Value{arg}
		}
		return v, true
	}
	return Verb{}, false
}
