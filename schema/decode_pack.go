package schema

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
		Repeat: boolean(n.Field("repeat")), Timeout: duration(n.Field("timeout")), Deprecated: str(n.Field("deprecated")),
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
			m.APIVersion, m.MaxOptions, m.Constrain = str(f.Value.Field("api_version")), integer(f.Value.Field("max_options")), str(f.Value.Field("constrain"))
			if headers := f.Value.Field("headers"); headers != nil {
				for _, h := range headers.Fields {
					m.Headers = append(m.Headers, HeaderConfig{Name: str(h.Key), Value: str(h.Value), Env: str(h.Value.Field("env"))})
				}
			}
			p.Models = append(p.Models, m)
		}
	}
	l := n.Field("ladder")
	p.Ladder = LadderConfig{Stronger: str(l.Field("stronger")), Timeout: duration(l.Field("timeout"))}
	if person := l.Field("person"); person != nil {
		p.Ladder.NoPerson = !boolean(person)
	}
	if ts := l.Field("thresholds"); ts != nil {
		for _, f := range ts.Fields {
			p.Ladder.Thresholds = append(p.Ladder.Thresholds, Threshold{Driver: str(f.Key), Margin: number(f.Value.Field("margin")), P: number(f.Value.Field("p")), Entropy: number(f.Value.Field("entropy"))})
		}
	}
	if ps := n.Field("prices"); ps != nil {
		for _, f := range ps.Fields {
			p.Prices = append(p.Prices, Price{Model: str(f.Key), Prompt: number(f.Value.Field("prompt")), Cached: number(f.Value.Field("cached")), Completion: number(f.Value.Field("completion"))})
		}
	}
	if list := n.Field("lint"); list != nil {
		for _, item := range list.Items {
			c := LintConfig{Files: str(item.Field("files"))}
			if rules := item.Field("rules"); rules != nil {
				for _, f := range rules.Fields {
					c.Rules = append(c.Rules, RuleSetting{Rule: str(f.Key), Severity: str(f.Value)})
				}
			}
			p.Lint = append(p.Lint, c)
		}
	}
	b := n.Field("browser")
	p.Browser = BrowserConfig{Executable: str(b.Field("executable")), Headed: boolean(b.Field("headed")), Locale: str(b.Field("locale")), Timezone: str(b.Field("timezone"))}
	v := b.Field("viewport")
	p.Browser.Viewport.Width, p.Browser.Viewport.Height = integer(v.Field("width")), integer(v.Field("height"))
	return p, ds
}
