package lint

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var unused = &Rule{
	ID: "unused", Severity: schema.Warning,
	Summary: "something is declared and never used",
	Doc: `A pack, type, input, secret or output of a flow, a param of a skill, or a fact of a pack is declared and nothing
uses it: it may be left over, or a name was mistaken where it should be used. An output is used when some stage collects
it, a fact when some skill sets or asks for it. The types of a pack are for others, so they are not looked at.`,
	Check: func(p *pass) {
		unusedIn := func(kind string, name schema.String, used bool, fix string) {
			if !used {
				p.report(name.Range, fix, "the %s %q is never used", kind, name.Value)
			}
		}
		if p.Program != nil {
			m := p.mentions()
			refs := p.refs()
			for _, x := range p.Flow.Packs {
				unusedIn("pack", x.Alias, refs[x.Alias.Value+"#"] || p.namesPack(x.Alias.Value), "remove it")
			}
			for _, x := range p.Flow.Types {
				unusedIn("type", x.Name, refs["#/types/"+x.Name.Value], `remove it, or refer to it: {$ref: "#/types/`+x.Name.Value+`"}`)
			}
			for _, x := range p.Flow.Inputs {
				unusedIn("input", x.Name, m.has("inputs", x.Name.Value), "remove it, or use it: =inputs."+x.Name.Value)
			}
			for _, x := range p.Flow.Secrets {
				unusedIn("secret", x.Name, m.has("secrets", x.Name.Value), "remove it, or bind it: =secrets."+x.Name.Value)
			}
			for _, x := range p.Flow.Outputs {
				unusedIn("output", x.Name, p.collects(x.Name.Value), "remove it, or let a stage collect it")
			}
		}
		if p.Compiled == nil {
			return
		}
		facts := map[string]bool{}
		for _, s := range p.Compiled.Skills {
			m := mentions(p.sitesOf(s))
			for _, x := range s.Source.Params {
				used := m.has("params", x.Name.Value) || strings.Contains(s.Summary.Source, "{"+x.Name.Value+"}")
				unusedIn("param", x.Name, used, "remove it, or use it: =params."+x.Name.Value)
			}
			for _, f := range s.Sets {
				facts[f.Fact] = true
			}
		}
		m := p.mentions()
		for _, f := range p.Pack.Facts {
			unusedIn("fact", f, facts[f.Value] || m.has("facts", f.Value), "remove it, or let a skill set it")
		}
	},
}

// mentioned are the names that expressions read: {inputs, city}, or {inputs} for all of them at once.
type mentioned map[[2]string]bool

func (m mentioned) has(root, name string) bool { return m[[2]string{root}] || m[[2]string{root, name}] }

// mentions are the names that the expressions of the file read.
func (p *pass) mentions() mentioned {
	if p.mentionsMemo == nil {
		p.mentionsMemo = mentions(p.sites())
	}
	return p.mentionsMemo
}

func mentions(sites []*site) mentioned {
	m := mentioned{}
	for _, s := range sites {
		for _, n := range s.tree().nodes {
			x := n.place
			if x == nil {
				continue
			}
			if x.first != "" {
				m[[2]string{x.root, x.first}] = true
				continue
			}
			if up, ok := n.parent.(*ast.MemberNode); ok && up.Node == n.node {
				if _, named := up.Property.(*ast.StringNode); named {
					continue
				}
			}
			m[[2]string{x.root}] = true
		}
	}
	return m
}

func (p *pass) sitesOf(skill *compile.Skill) []*site {
	var out []*site
	for _, s := range p.sites() {
		if s.skill == skill {
			out = append(out, s)
		}
	}
	return out
}

// refs are the $refs of the flow: "#/types/x" for its own types, "alias#" for those of packs.
func (p *pass) refs() map[string]bool {
	out := map[string]bool{}
	p.eachSchema(func(_ string, s *schema.Node) {
		eachNode(s, func(n *schema.Node, isKey bool) {
			if ref := n.Field("$ref"); !isKey && ref != nil {
				alias, _, _ := strings.Cut(ref.Text, "#")
				out[ref.Text], out[alias+"#"] = true, true
			}
		})
	})
	return out
}

// namesPack reports whether a stage names a skill of the pack.
func (p *pass) namesPack(alias string) bool {
	for _, st := range p.Flow.Stages {
		for _, list := range [][]schema.Entry{st.Relevance, st.Fallback} {
			for _, e := range list {
				if a, _, _ := strings.Cut(e.Skill.Value, "."); a == alias {
					return true
				}
			}
		}
	}
	return false
}

func (p *pass) collects(output string) bool {
	for _, st := range p.Flow.Stages {
		for _, b := range st.Collect {
			if b.Name.Value == output {
				return true
			}
		}
	}
	return false
}
