package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
)

// hover explains what stands at a place: a name, a key, or what an expression names.
func (s *Server) hover(c *cursor) *hover {
	v := s.current(c.doc)
	if v == nil {
		return nil
	}
	if u, ok := v.at(c.offset); ok {
		if doc := s.explain(v, u, c.offset); doc != "" {
			return &hover{markup{"markdown", doc}, v.text.bytes(u.from, u.to)}
		}
	}
	if h := v.hoverExpr(c.offset); h != nil {
		return h
	}
	return v.hoverKey(v.root, schema.Root(v.kind), c.offset)
}

// explain says what a name is of.
func (s *Server) explain(v *view, u use, offset int) string {
	switch u.kind {
	case skillName:
		if skill := v.skillOf(u.symbol); skill != nil {
			return v.menuLine(skill, offset) + v.skillDoc(skill)
		}
	case paramName:
		if skill := v.skillOf(u.symbol); skill != nil {
			if p := skill.Param(u.name); p != nil {
				return memberDoc("param", v.schemaMember(u.name, p.Schema, skill.Pack.Types))
			}
		}
	case inputName:
		if v.flow != nil && u.file == v.name {
			return v.declared("input", u.name, v.flow.Inputs, v.flow.Types)
		}
		for path := range v.calls {
			for _, m := range v.callInputs(path) {
				if m.name == u.name && v.calls[path].Flow.Name == u.file {
					return memberDoc("input", m)
				}
			}
		}
	case outputName:
		return v.declared("output", u.name, v.flow.Outputs, v.flow.Types)
	case factName:
		for _, m := range v.facts() {
			if m.name == u.name {
				return memberDoc("fact", m)
			}
		}
	case stageName:
		i := slices.IndexFunc(v.flow.Stages, func(st *schema.Stage) bool { return st.Name.Value == u.name })
		if i >= 0 {
			return memberDoc("stage", member{name: u.name, doc: goalText(v.flow.Stages[i])})
		}
	case aliasName:
		if p := v.catalog.Pack(u.name); p != nil {
			var names []string
			for _, skill := range p.Skills {
				names = append(names, "`"+skill.Name.Value+"`")
			}
			return fmt.Sprintf("**%s** %s\n\n%s\n\nSkills: %s", p.Name.Value, p.Version.Value, p.Summary.Value, strings.Join(names, ", "))
		}
	case typeName:
		types, name := v.typesOf(u.file), u.name
		return v.declared("type", name, types, types)
	case secretName, rowName, matchName, flowName:
		return memberDoc(string(u.kind), member{name: u.name})
	}
	return ""
}

// typesOf are the types that a file declares.
func (v *view) typesOf(file string) []schema.Param {
	switch {
	case v.flow != nil && file == v.name:
		return v.flow.Types
	case v.pack != nil && v.pack.File == file:
		return v.pack.Types
	}
	for _, p := range v.catalog.Packs {
		if p.File == file {
			return p.Types
		}
	}
	return nil
}

func (v *view) declared(what, name string, list, types []schema.Param) string {
	for _, p := range list {
		if p.Name.Value == name {
			return memberDoc(what, v.schemaMember(name, p.Schema, types))
		}
	}
	return ""
}

func memberDoc(what string, m member) string {
	out := fmt.Sprintf("%s `%s`", what, m.name)
	if m.detail != "" {
		out += ": " + m.detail
	}
	if m.doc != "" {
		out += "\n\n" + m.doc
	}
	return out
}

// skillDoc explains a skill: what the menu says, its params, and what it does to the page.
func (v *view) skillDoc(s *editor.Skill) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s** (%s)\n\nMenu line: `%s`\n", s.FullName(), s.Effect.Value, s.Summary.Value)
	if s.Deprecated.Value != "" {
		fmt.Fprintf(&out, "\nDeprecated: %s\n", s.Deprecated.Value)
	}
	if len(s.Params) > 0 {
		out.WriteByte('\n')
	}
	for i := range s.Params {
		p := &s.Params[i]
		m := v.schemaMember(p.Name.Value, p.Schema, s.Pack.Types)
		need := ""
		if s.Required(p) {
			need = "required, "
		}
		fmt.Fprintf(&out, "- `%s`: %s%s", m.name, need, m.detail)
		if m.doc != "" {
			fmt.Fprintf(&out, ". %s", m.doc)
		}
		out.WriteByte('\n')
	}
	for _, x := range []struct {
		what string
		expr *schema.Expr
	}{{"Requires", s.Requires}, {"Ensures", s.Ensures}} {
		if x.expr != nil {
			fmt.Fprintf(&out, "\n%s: `%s`\n", x.what, x.expr.Text)
		}
	}
	var sets []string
	for _, f := range s.Sets {
		sets = append(sets, "`"+f.Fact.Value+"`")
	}
	if sets != nil {
		fmt.Fprintf(&out, "\nSets %s\n", strings.Join(sets, ", "))
	}
	return out.String()
}

// menuLine is the line of the menu for the entry at a place, with what is bound there written out. "" where no entry is.
func (v *view) menuLine(s *editor.Skill, offset int) string {
	if v.flow == nil {
		return ""
	}
	for _, st := range v.flow.Stages {
		for _, e := range slices.Concat(st.Relevance, st.Fallback) {
			r := e.Skill.Range
			if v.text.Offset(r.Start) > offset || offset > v.text.Offset(r.End) {
				continue
			}
			line := s.Summary.Value
			for i := range s.Params {
				p := &s.Params[i]
				text := ""
				if d := editor.Resolve(p.Schema, s.Pack.Types).Field("default"); d != nil {
					text = d.Text
				}
				for _, b := range e.With {
					if b.Name.Value == p.Name.Value && b.Value.Node.Kind == schema.Scalar {
						text = b.Value.Node.Text
					}
				}
				if x := p.Schema.Field("x-secret"); x != nil && x.Text == "true" {
					text = "••••"
				}
				if text != "" {
					line = strings.ReplaceAll(line, "{"+p.Name.Value+"}", text)
				}
			}
			return "In the menu: `" + line + "`\n\n"
		}
	}
	return ""
}

// hoverExpr explains a field that an expression names.
func (v *view) hoverExpr(offset int) *hover {
	var out *hover
	eachExpr(v.root, schema.Root(v.kind), false, func(e schema.Expr) {
		from, to := v.text.Offset(e.Node.Range.Start), v.text.Offset(e.Node.Range.End)
		if out != nil || offset < from || offset > to {
			return
		}
		skip := len(e.Node.Text) - len(e.Text)
		for _, ch := range chains(e.Text) {
			var names []string
			for _, w := range ch {
				names = append(names, w.name)
				start := v.text.Offset(e.Node.PosAt(len([]rune(e.Node.Text[:skip+w.from]))))
				if end := start + len(w.name); start <= offset && offset <= end && end <= len(v.text.data) {
					steps := locate(v.text.data, from).keys()
					if m, ok := v.scopeAt(steps).lookup(v, names); ok {
						out = &hover{markup{"markdown", memberDoc(strings.Join(names[:len(names)-1], "."), m)}, v.text.bytes(start, end)}
						out.Contents.Value = strings.TrimPrefix(out.Contents.Value, " ")
					} else if f := functionNamed(w.name); f != nil && len(names) == 1 {
						out = &hover{markup{"markdown", "`" + f.signature + "`\n\n" + f.doc}, v.text.bytes(start, end)}
					}
				}
			}
		}
	})
	return out
}

// hoverKey explains a key.
func (v *view) hoverKey(n *schema.Node, p schema.Place, offset int) *hover {
	keys := slices.Concat(p.Keys(), p.Keywords())
	for _, f := range n.Fields {
		from, to := v.text.Offset(f.Key.Range.Start), v.text.Offset(f.Key.Range.End)
		if from <= offset && offset <= to {
			i := slices.IndexFunc(keys, func(k schema.Key) bool { return k.Name == f.Key.Text })
			if i < 0 {
				return nil
			}
			doc := fmt.Sprintf("**%s**: %s", f.Key.Text, keys[i].Doc)
			if words := keys[i].Place.Words(); words != nil {
				doc += "\n\nOne of: " + strings.Join(words, ", ")
			}
			return &hover{markup{"markdown", doc}, v.text.bytes(from, to)}
		}
		if v.text.Offset(f.Value.Range.Start) <= offset && offset <= v.text.Offset(f.Value.Range.End) {
			return v.hoverKey(f.Value, p.Child(f.Key.Text), offset)
		}
	}
	for _, item := range n.Items {
		if v.text.Offset(item.Range.Start) <= offset && offset <= v.text.Offset(item.Range.End) {
			return v.hoverKey(item, p.Item(), offset)
		}
	}
	return nil
}
