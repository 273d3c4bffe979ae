package schema

import (
	"strconv"
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

func boolean(n *Node) bool {
	if n == nil {
		return false
	}
	v, _ := n.Resolve(BooleanType)
	return v == true
}

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

func number(n *Node) Float {
	if n == nil || !amountRE.MatchString(n.Text) {
		return Float{}
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		return Float{}
	}
	return Float{Value: v, Range: n.Range}
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

func forEach(n *Node) *ForEach {
	if n == nil || n.Kind != Mapping || n.Field("rows") == nil {
		return nil
	}
	f := &ForEach{Node: n, Rows: Value{n.Field("rows")}, Items: n.Field("items"), As: str(n.Field("as")), OnError: str(n.Field("on_error"))}
	if file := n.Field("rows").Field("file"); file != nil && n.Field("rows").Kind == Mapping {
		f.File, f.Rows = &Value{file}, Value{}
	}
	return f
}
