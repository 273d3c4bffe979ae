package editor

import (
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// Catalog is what a flow can name of its packs.
type Catalog struct {
	Packs []*Pack // in the order of the flow, the implicit one last
}

// Pack is a pack as a flow sees it.
type Pack struct {
	*schema.Pack
	Alias    string
	Implicit bool // the flow did not ask for it: its skills can be fallbacks only
	Skills   []*Skill
	File     string
}

// Skill is one skill of a pack.
type Skill struct {
	*schema.Skill
	Pack *Pack
}

// Read gathers the packs of a flow.
func Read(in *compile.Input) *Catalog {
	c := &Catalog{}
	for _, files := range in.Packs {
		if p := ReadPack(files); p != nil {
			c.Packs = append(c.Packs, p)
		}
	}
	return c
}

// ReadPack reads one pack; nil when its main file is not one.
func ReadPack(files compile.PackFiles) *Pack {
	node, _ := files.Pack.Parse()
	if node == nil {
		return nil
	}
	decoded, _ := schema.DecodePack(node)
	if decoded == nil {
		return nil
	}
	p := &Pack{Pack: decoded, Alias: files.Alias, Implicit: files.Implicit, File: files.Pack.Name}
	p.add(decoded.Skills)
	for _, f := range files.Skills {
		if node, _ := f.Parse(); node != nil {
			if more, _ := schema.DecodeSkills(node); more != nil {
				p.add(more.Skills)
			}
		}
	}
	return p
}

func (p *Pack) add(skills []*schema.Skill) {
	for _, s := range skills {
		p.Skills = append(p.Skills, &Skill{Skill: s, Pack: p})
	}
}

// Pack returns the pack of that alias, or nil.
func (c *Catalog) Pack(alias string) *Pack {
	i := slices.IndexFunc(c.Packs, func(p *Pack) bool { return p.Alias == alias })
	if i < 0 {
		return nil
	}
	return c.Packs[i]
}

// Skill returns the skill that a flow calls "alias.skill", or nil.
func (c *Catalog) Skill(full string) *Skill {
	alias, name, _ := strings.Cut(full, ".")
	p := c.Pack(alias)
	if p == nil {
		return nil
	}
	return p.Skill(name)
}

// Skill returns the pack's skill of that name, or nil.
func (p *Pack) Skill(name string) *Skill {
	i := slices.IndexFunc(p.Skills, func(s *Skill) bool { return s.Name.Value == name })
	if i < 0 {
		return nil
	}
	return p.Skills[i]
}

// FullName is "alias.skill", as a relevance list writes it.
func (s *Skill) FullName() string { return s.Pack.Alias + "." + s.Name.Value }

// Param returns the param of that name, or nil.
func (s *Skill) Param(name string) *schema.Param {
	for i := range s.Params {
		if s.Params[i].Name.Value == name {
			return &s.Params[i]
		}
	}
	return nil
}

// Required reports whether a param must be given: it has no default, and is not declared optional.
func (s *Skill) Required(p *schema.Param) bool {
	optional := slices.ContainsFunc(s.Optional, func(o schema.String) bool { return o.Value == p.Name.Value })
	return !optional && Resolve(p.Schema, s.Pack.Types).Field("default") == nil && p.Schema.Field("default") == nil
}

// Resolve follows the $ref of a JSON Schema to a type of its own file. A schema that refers elsewhere is returned as it
// is.
func Resolve(n *schema.Node, types []schema.Param) *schema.Node {
	for range 8 { // types that refer to each other in a circle end somewhere
		ref := n.Field("$ref")
		if ref == nil {
			return n
		}
		name, ok := strings.CutPrefix(ref.Text, "#/types/")
		i := slices.IndexFunc(types, func(t schema.Param) bool { return t.Name.Value == name })
		if !ok || i < 0 {
			return n
		}
		n = types[i].Schema
	}
	return n
}
