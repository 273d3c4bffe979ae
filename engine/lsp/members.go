package lsp

import (
	"reflect"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
)

// member is something that an expression can name behind a dot, or at its beginning.
type member struct {
	name   string
	detail string // its type
	doc    string
	schema *schema.Node   // nil: unknown
	types  []schema.Param // those of the file that schema stands in
	kind   reflect.Type   // fields of Go structs
	fields []member       // of what nth makes itself
}

// scope is what the expressions at one place can see.
type scope struct{ members []member }

// scopeAt is the scope at a path of a file.
func (v *view) scopeAt(keys []string) scope {
	s := scope{[]member{
		{name: "facts", doc: "Facts that skills have set: true or false.", fields: v.facts()},
		structMember("page", "The page as it is now.", reflect.TypeFor[compile.Page]()),
		structMember("run", "The run and its clock.", reflect.TypeFor[compile.Run]()),
	}}
	if v.flow != nil {
		s.members = append(s.members, v.flowMembers(keys)...)
	} else if skill := v.skillAt(keys); skill != nil {
		s.members = append(s.members,
			member{name: "params", doc: "The params of the skill.", fields: v.paramMembers(skill.Params, skill.Pack.Types)},
			structMember("target", "The element that the skill acts on.", reflect.TypeFor[compile.Element]()),
			member{name: "match", doc: "What was read from the target.", fields: readMembers(skill.Target)})
	}
	return s
}

func structMember(name, doc string, t reflect.Type) member {
	return member{name: name, doc: doc, kind: t}
}

func (v *view) flowMembers(keys []string) []member {
	f := v.flow
	var secrets, stages, match []member
	for _, s := range f.Secrets {
		secrets = append(secrets, member{name: s.Name.Value, detail: "secret"})
	}
	for _, st := range f.Stages {
		m := member{name: st.Name.Value, detail: "what the stage's skill returned", doc: goalText(st)}
		for _, e := range st.Relevance {
			skill := v.catalog.Skill(e.Skill.Value)
			if skill != nil && skill.Returns != nil && skill.Returns.Schema != nil {
				m.schema, m.types = skill.Returns.Schema, skill.Pack.Types
			}
			if skill != nil && len(keys) > 1 && keys[0] == "stages" && keys[1] == st.Name.Value {
				match = append(match, readMembers(skill.Target)...)
			}
		}
		stages = append(stages, m)
	}
	out := []member{
		{name: "inputs", doc: "The inputs of the flow.", fields: v.paramMembers(f.Inputs, f.Types)},
		{name: "secrets", doc: "Secrets: they can be bound to params, and nothing else.", fields: secrets},
		{name: "outputs", doc: "What has been collected.", fields: v.paramMembers(f.Outputs, f.Types)},
		{name: "stages", doc: "What the stages have left.", fields: stages},
	}
	if len(match) > 0 {
		out = append(out, member{name: "match", doc: "What was read from the target of an entry.", fields: match})
	}
	rows := []*schema.ForEach{f.ForEach}
	for _, st := range f.Stages {
		if st.Call != nil && len(keys) > 1 && keys[1] == st.Name.Value {
			rows = append(rows, st.Call.ForEach)
		}
	}
	for _, r := range rows {
		if r == nil || r.As.Value == "" {
			continue
		}
		m := member{name: r.As.Value, doc: "The row of for_each.", types: f.Types}
		if e, ok := r.Rows.Node.IsExpr(); ok {
			name, _ := strings.CutPrefix(strings.TrimSpace(e.Text), "inputs.")
			for _, p := range f.Inputs {
				if p.Name.Value == name {
					m.schema = editor.Resolve(p.Schema, f.Types).Field("items")
				}
			}
		}
		out = append(out, m)
	}
	return out
}

func (v *view) facts() []member {
	var out []member
	packs := v.catalog.Packs
	if v.pack != nil {
		packs = []*editor.Pack{v.pack}
	}
	for _, p := range packs {
		for _, f := range p.Facts {
			out = append(out, member{name: f.Value, detail: "true or false", doc: setBy(p, f.Value)})
		}
	}
	return out
}

// setBy says which skills set a fact.
func setBy(p *editor.Pack, fact string) string {
	var by []string
	for _, s := range p.Skills {
		if slices.ContainsFunc(s.Sets, func(x schema.Set) bool { return x.Fact.Value == fact }) {
			by = append(by, s.Name.Value)
		}
	}
	if by == nil {
		return "A fact of the pack " + p.Name.Value + "; no skill sets it."
	}
	return "A fact of the pack " + p.Name.Value + ", set by " + strings.Join(by, ", ") + "."
}

func (v *view) paramMembers(list []schema.Param, types []schema.Param) []member {
	var out []member
	for _, p := range list {
		out = append(out, v.schemaMember(p.Name.Value, p.Schema, types))
	}
	return out
}

func (v *view) schemaMember(name string, n *schema.Node, types []schema.Param) member {
	t, of := v.resolve(n, types)
	m := member{name: name, detail: editor.TypeText(t, of), schema: n, types: types}
	if d := n.Field("default"); d != nil && t != n && d.Kind == schema.Scalar {
		m.detail += ", default " + d.Text
	}
	for _, x := range []*schema.Node{n, t} {
		if d := x.Field("description"); d != nil && m.doc == "" {
			m.doc = d.Text
		}
	}
	return m
}

// resolve follows the $refs of a JSON Schema, into the packs too. The types are those of the file in which it ends.
func (v *view) resolve(n *schema.Node, types []schema.Param) (*schema.Node, []schema.Param) {
	for range 8 {
		n = editor.Resolve(n, types)
		ref := n.Field("$ref")
		if ref == nil {
			break
		}
		alias, name, _ := strings.Cut(ref.Text, "#/types/")
		p := v.catalog.Pack(alias)
		if p == nil {
			break
		}
		i := slices.IndexFunc(p.Types, func(t schema.Param) bool { return t.Name.Value == name })
		if i < 0 {
			break
		}
		n, types = p.Types[i].Schema, p.Types
	}
	return n, types
}

func readMembers(t *schema.Target) []member {
	var out []member
	if t != nil {
		for _, r := range t.Read {
			out = append(out, member{name: r.Name.Value, detail: r.As.Value, doc: "Read from " + r.CSS.Value})
		}
	}
	return out
}

// members are what can be named behind m and a dot.
func (m member) members(v *view) []member {
	switch {
	case m.fields != nil:
		return m.fields
	case m.kind != nil:
		return structFields(m.kind)
	case m.schema == nil:
		return nil
	}
	n, types := v.resolve(m.schema, m.types)
	var out []member
	if props := n.Field("properties"); props != nil {
		for _, f := range props.Fields {
			out = append(out, v.schemaMember(f.Key.Text, f.Value, types))
		}
	}
	return out
}

// structFields are the fields that expressions see of a Go struct.
func structFields(t reflect.Type) []member {
	var out []member
	for _, f := range compile.Fields(t) {
		out = append(out, member{name: f.Name, detail: f.Kind, doc: f.Doc})
	}
	return out
}

// lookup follows a chain of names; ok is false when one of them is not there.
func (s scope) lookup(v *view, names []string) (member, bool) {
	list := s.members
	var m member
	for _, name := range names {
		i := slices.IndexFunc(list, func(m member) bool { return m.name == name })
		if i < 0 {
			return member{}, false
		}
		m = list[i]
		list = m.members(v)
	}
	return m, len(names) > 0
}

// skillAt is the skill of a pack's own file that a path leads into.
func (v *view) skillAt(keys []string) *editor.Skill {
	if v.pack == nil || len(keys) < 2 || keys[0] != "skills" {
		return nil
	}
	return v.pack.Skill(keys[1])
}

// callInputs are the inputs of a flow that is called.
func (v *view) callInputs(flow string) []member {
	in := v.calls[flow]
	if in == nil {
		return nil
	}
	node, _ := in.Flow.Parse()
	if node == nil {
		return nil
	}
	f, _ := schema.DecodeFlow(node)
	if f == nil {
		return nil
	}
	return v.paramMembers(f.Inputs, f.Types)
}

// goalText is what a stage is for, as far as it is written out.
func goalText(st *schema.Stage) string {
	if n := st.Goal.Node; n != nil && n.Kind == schema.Scalar {
		return n.Literal()
	}
	return st.Summary.Value
}
