package schema

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
	f.Limits = Limits{ModelCalls: integer(l.Field("model_calls")), Tokens: integer(l.Field("tokens")), Cost: number(l.Field("cost")), Wall: duration(l.Field("wall"))}
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
	s.Returns = n.Field("returns")
	s.Find = findOf(n.Field("find"))
	if fb := n.Field("fallback"); fb != nil && fb.Kind == Mapping {
		s.FallbackPick, s.Fallback = str(fb.Field("pick")), entries(fb.Field("skills"))
	}
	if len(s.Relevance) > 0 {
		s.Reason = Value{n.Field("reason")}
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
	s.Budget = Budget{Picks: integer(b.Field("picks")), Calls: integer(b.Field("calls")), Tokens: integer(b.Field("tokens")), Cost: number(b.Field("cost")), Wall: duration(b.Field("wall"))}
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
