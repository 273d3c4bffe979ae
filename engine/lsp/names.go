package lsp

import (
	"path"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
)

// nameKind says what a name is of.
type nameKind string

const (
	stageName  nameKind = "stage"
	inputName  nameKind = "input"
	secretName nameKind = "secret"
	outputName nameKind = "output"
	rowName    nameKind = "row"
	aliasName  nameKind = "pack"
	typeName   nameKind = "type"
	factName   nameKind = "fact"
	skillName  nameKind = "skill"
	paramName  nameKind = "param"
	matchName  nameKind = "field"
	flowName   nameKind = "flow"
)

// symbol is something that has a name. Two places that give the same symbol speak of the same thing.
type symbol struct {
	kind  nameKind
	file  string // where it is declared: the flow, or the main file of the pack
	scope string // the skill of a param or field
	name  string
}

// use is one place at which a symbol is named.
type use struct {
	symbol
	from, to int // byte offsets of the name
	declares bool
}

// names are all places of a file at which something is named, in the order in which they are found.
func (v *view) names() []use {
	if v.uses == nil {
		v.uses = v.collect()
	}
	return v.uses
}

func (v *view) collect() []use {
	c := &collector{view: v, uses: []use{}}
	switch {
	case v.flow != nil:
		c.ofFlow(v.flow)
	case v.kind == "pack/v1":
		if p, _ := schema.DecodePack(v.root); p != nil {
			c.ofPack(p)
		}
	case v.kind == "skills/v1":
		if f, _ := schema.DecodeSkills(v.root); f != nil && v.pack != nil {
			c.skills(f.Skills)
		}
	}
	return c.uses
}

type collector struct {
	*view
	uses  []use
	skill string            // whose expressions are looked at
	rows  map[string]string // names of for_each, by themselves
}

func (c *collector) add(kind nameKind, file, scope string, at schema.String, declares bool) {
	if !at.Set() || at.Value == "" {
		return
	}
	from, to := c.text.Offset(at.Range.Start), c.text.Offset(at.Range.End)
	if q := c.text.data[from:to]; len(q) >= 2 && (q[0] == '"' || q[0] == '\'') { // the quotes are not of the name
		from, to = from+1, to-1
	}
	if c.text.data[from:to] == at.Value {
		c.uses = append(c.uses, use{symbol{kind, file, scope, at.Value}, from, to, declares})
	}
}

// part is add for a stretch of a scalar, in bytes of its text.
func (c *collector) part(kind nameKind, file, scope string, n *schema.Node, from, to int) {
	name := n.Text[from:to]
	start := c.text.Offset(n.PosAt(len([]rune(n.Text[:from]))))
	end := start + len(name)
	if end <= len(c.text.data) && c.text.data[start:end] == name {
		c.uses = append(c.uses, use{symbol{kind, file, scope, name}, start, end, false})
	}
}

func (c *collector) ofFlow(f *schema.Flow) {
	c.rows = map[string]string{}
	for _, p := range f.Packs {
		c.add(aliasName, c.name, "", p.Alias, true)
	}
	for _, t := range f.Types {
		c.add(typeName, c.name, "", t.Name, true)
	}
	for _, p := range f.Inputs {
		c.add(inputName, c.name, "", p.Name, true)
	}
	for _, s := range f.Secrets {
		c.add(secretName, c.name, "", s.Name, true)
	}
	for _, p := range f.Outputs {
		c.add(outputName, c.name, "", p.Name, true)
	}
	c.row(f.ForEach)
	for _, st := range f.Stages {
		c.add(stageName, c.name, "", st.Name, true)
		for _, e := range slices.Concat(st.Relevance, st.Fallback) {
			c.entry(e)
		}
		for _, b := range st.Next {
			c.target(b.Go)
		}
		for _, b := range st.OnError {
			c.target(b.Go)
		}
		for _, b := range st.Collect {
			c.add(outputName, c.name, "", b.Name, false)
		}
		if st.Call != nil {
			c.call(st.Call)
		}
	}
	c.expressions(c.root, schema.Root("flow/v1"))
	c.refs(c.root)
}

func (c *collector) row(f *schema.ForEach) {
	if f != nil {
		c.add(rowName, c.name, "", f.As, true)
		c.rows[f.As.Value] = f.As.Value
	}
}

// target is the stage that an edge leads to.
func (c *collector) target(to schema.String) {
	if to.Value != "end" {
		c.add(stageName, c.name, "", to, false)
	}
}

func (c *collector) entry(e schema.Entry) {
	alias, name, _ := strings.Cut(e.Skill.Value, ".")
	from, to := c.text.Offset(e.Skill.Range.Start), c.text.Offset(e.Skill.Range.End)
	at := strings.Index(c.text.data[from:to], e.Skill.Value)
	if at < 0 {
		return
	}
	from += at
	c.uses = append(c.uses, use{symbol{aliasName, c.name, "", alias}, from, from + len(alias), false})
	p := c.catalog.Pack(alias)
	if p == nil {
		return
	}
	from += len(alias) + 1
	c.uses = append(c.uses, use{symbol{skillName, p.File, "", name}, from, from + len(name), false})
	for _, b := range e.With {
		c.add(paramName, p.File, name, b.Name, false)
	}
}

func (c *collector) call(call *schema.Call) {
	c.row(call.ForEach)
	file := path.Join(path.Dir(c.name), call.Flow.Value)
	if call.Flow.Set() {
		c.uses = append(c.uses, use{symbol{flowName, file, "", call.Flow.Value}, c.text.Offset(call.Flow.Range.Start), c.text.Offset(call.Flow.Range.End), false})
	}
	for _, b := range call.With {
		c.add(inputName, file, "", b.Name, false)
	}
}

func (c *collector) ofPack(p *schema.Pack) {
	for _, t := range p.Types {
		c.add(typeName, c.name, "", t.Name, true)
	}
	for _, f := range p.Facts {
		c.add(factName, c.name, "", f, true)
	}
	c.skills(p.Skills)
}

func (c *collector) skills(list []*schema.Skill) {
	owner := c.pack.File
	for _, s := range list {
		c.skill = s.Name.Value
		c.add(skillName, owner, "", s.Name, true)
		for _, p := range s.Params {
			c.add(paramName, owner, c.skill, p.Name, true)
		}
		for _, o := range s.Optional {
			c.add(paramName, owner, c.skill, o, false)
		}
		for _, f := range s.Sets {
			c.add(factName, owner, "", f.Fact, false)
		}
		if s.Target != nil {
			for _, r := range s.Target.Read {
				c.add(matchName, owner, c.skill, r.Name, true)
			}
		}
		if n := s.Node.Field("summary"); n != nil && n.Kind == schema.Scalar && len(n.Text) <= maxExpr {
			c.placeholders(n)
		}
		c.expressions(s.Node, schema.Root("skills/v1").Child("skills").Child("x"))
	}
	c.refs(c.root)
}

// placeholders are {param} and {match.field} in a summary.
func (c *collector) placeholders(n *schema.Node) {
	for i := 0; i < len(n.Text); i++ {
		end := strings.IndexByte(n.Text[i:], '}')
		if n.Text[i] != '{' || end < 0 {
			continue
		}
		name := n.Text[i+1 : i+end]
		if field, ok := strings.CutPrefix(name, "match."); ok {
			c.part(matchName, c.pack.File, c.skill, n, i+1+len("match."), i+1+len("match.")+len(field))
		} else {
			c.part(paramName, c.pack.File, c.skill, n, i+1, i+end)
		}
	}
}

// expressions looks into every expression below a node.
func (c *collector) expressions(n *schema.Node, p schema.Place) {
	eachExpr(n, p, false, func(e schema.Expr) {
		for _, ch := range chains(e.Text) {
			if len(ch) < 1 {
				continue
			}
			root, offset := ch[0].name, len(e.Node.Text)-len(e.Text)
			if _, ok := c.rows[root]; ok {
				c.part(rowName, c.name, "", e.Node, offset+ch[0].from, offset+ch[0].to)
			}
			if len(ch) < 2 {
				continue
			}
			if kind, file, ok := c.member(root, ch[1].name); ok {
				scope := ""
				if kind == paramName || kind == matchName {
					scope = c.skill
				}
				c.part(kind, file, scope, e.Node, offset+ch[1].from, offset+ch[1].to)
			}
		}
	})
}

// member is what "root.name" names.
func (c *collector) member(root, name string) (nameKind, string, bool) {
	if c.flow == nil {
		switch root {
		case "params":
			return paramName, c.pack.File, true
		case "match":
			return matchName, c.pack.File, true
		case "facts":
			return factName, c.pack.File, true
		}
		return "", "", false
	}
	switch root {
	case "inputs":
		return inputName, c.name, true
	case "secrets":
		return secretName, c.name, true
	case "outputs":
		return outputName, c.name, true
	case "stages":
		return stageName, c.name, true
	case "facts":
		for _, p := range c.catalog.Packs {
			if slices.ContainsFunc(p.Facts, func(f schema.String) bool { return f.Value == name }) {
				return factName, p.File, true
			}
		}
	}
	return "", "", false
}

// refs are the $refs of JSON Schemas, anywhere below a node.
func (c *collector) refs(n *schema.Node) {
	for _, f := range n.Fields {
		if f.Key.Text == "$ref" && f.Value.Kind == schema.Scalar {
			c.ref(f.Value)
		}
		c.refs(f.Value)
	}
	for _, item := range n.Items {
		c.refs(item)
	}
}

func (c *collector) ref(n *schema.Node) {
	alias, name, ok := strings.Cut(n.Text, "#/types/")
	if !ok || name == "" {
		return
	}
	owner := c.name
	switch {
	case alias != "":
		p := c.catalog.Pack(alias)
		if p == nil {
			return
		}
		owner = p.File
		c.part(aliasName, c.name, "", n, 0, len(alias))
	case c.pack != nil:
		owner = c.pack.File
	}
	c.part(typeName, owner, "", n, len(n.Text)-len(name), len(n.Text))
}

// maxExpr bounds the expressions that are looked into; engine/compile refuses longer ones.
const maxExpr = 4 << 10

// eachExpr calls do for every expression below a node.
func eachExpr(n *schema.Node, p schema.Place, inValue bool, do func(schema.Expr)) {
	inValue = inValue || p.IsValue()
	if n.Kind == schema.Scalar && len(n.Text) <= maxExpr {
		e, marked := n.IsExpr()
		switch {
		case marked && (inValue || p.IsCondition()):
			do(e)
		case p.IsCondition():
			do(schema.Expr{Text: n.Text, Node: n})
		}
	}
	for _, f := range n.Fields {
		eachExpr(f.Value, p.Child(f.Key.Text), inValue, do)
	}
	for _, item := range n.Items {
		eachExpr(item, p.Item(), inValue, do)
	}
}

// isName reports whether a text can be the name of a stage, an input and so on.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || i > 0 && (c == '_' || c >= '0' && c <= '9')) {
			return false
		}
	}
	return s != ""
}

// at returns the innermost use at a byte offset.
func (v *view) at(offset int) (use, bool) {
	var best use
	found := false
	for _, u := range v.names() {
		if u.from <= offset && offset <= u.to && (!found || u.to-u.from < best.to-best.from) {
			best, found = u, true
		}
	}
	return best, found
}

// skillOf is the skill that a symbol is, or belongs to; nil when it is not there.
func (v *view) skillOf(s symbol) *editor.Skill {
	name := s.name
	if s.kind != skillName {
		name = s.scope
	}
	if v.pack != nil && v.pack.File == s.file {
		return v.pack.Skill(name)
	}
	for _, p := range v.catalog.Packs {
		if p.File == s.file {
			return p.Skill(name)
		}
	}
	return nil
}
