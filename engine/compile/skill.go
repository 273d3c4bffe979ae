package compile

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nth-dev/nth/schema"
)

// DefaultTimeout bounds each verb of a skill, and the wait for its ensures.
const DefaultTimeout = 5 * time.Second

// pack is one compiled pack.
type pack struct {
	name, alias string
	version     string
	facts       []string
	skills      map[string]*Skill
	implicit    bool // the flow did not ask for it: fallbacks only
	at          schema.Range
	public      *Pack
	schemas     *schemas
}

// as is the same pack under another name.
func (p *pack) as(name packName) *pack {
	other, public := *p, *p.public
	other.alias, other.implicit, other.public, other.skills = name.alias, name.implicit, &public, make(map[string]*Skill, len(p.skills))
	public.Alias, public.Implicit, public.Skills = name.alias, name.implicit, make([]*Skill, len(p.public.Skills))
	for i, s := range p.public.Skills {
		skill := *s
		skill.Alias = name.alias
		public.Skills[i], other.skills[s.Name] = &skill, &skill
	}
	return &other
}

// skillCompiler compiles the skills of one pack.
type skillCompiler struct {
	*unit
	pack *pack
}

func (c *skillCompiler) skill(src *schema.Skill) *Skill {
	s := &Skill{
		Pack: c.pack.name, Alias: c.pack.alias, Name: src.Name.Value,
		Effect: src.Effect.Value, Repeat: src.Repeat, Timeout: src.Timeout.Value, Range: src.Name.Range, Source: src,
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	for _, p := range src.Params {
		if sch := c.schemas.compile(p.Schema, c.pack.name, nil); sch != nil {
			_, hasDefault := sch.Default()
			optional := slices.ContainsFunc(src.Optional, func(o schema.String) bool { return o.Value == p.Name.Value })
			s.Params = append(s.Params, &Param{Name: p.Name.Value, Schema: sch, Required: !hasDefault && !optional})
		} else {
			s.Params = append(s.Params, &Param{Name: p.Name.Value, Schema: anySchema()})
		}
	}
	for _, o := range src.Optional {
		if s.Param(o.Value) == nil {
			c.diags.Errorf(o.Range, "unknown-param", suggestFix(o.Value, paramNames(s.Params), "params"), "optional: there is no param %q", o.Value)
		}
	}
	// The target's read fields give "match" its type; so look at them first.
	var fields []*ReadField
	if src.Target != nil {
		for _, f := range src.Target.Read {
			fields = append(fields, &ReadField{Name: f.Name.Value, As: f.As.Value})
		}
	}
	x := newExprEnv(skillEnv(s.Params, c.pack.facts, matchType(fields)), c.diags)
	s.Summary = x.template(src.Summary, s.Params, fields)
	s.Target = x.target(src.Target)
	s.Requires = x.requires(src.Requires)
	s.Verify = x.condition(src.Verify) // which another run may ask, after a crash
	x.acted = true
	s.Do = c.verbs(x, src.Do, s)
	s.Ensures = x.condition(src.Ensures)
	for _, set := range src.Sets {
		if !slices.Contains(c.pack.facts, set.Fact.Value) {
			c.diags.Errorf(set.Fact.Range, "unknown-fact", suggestFix(set.Fact.Value, slices.Clone(c.pack.facts), "facts"), "the pack declares no fact %q", set.Fact.Value).Edits = schema.Respell(set.Fact.Range, set.Fact.Value, c.pack.facts, nil)
			continue
		}
		s.Sets = append(s.Sets, Set{Fact: set.Fact.Value, When: x.condition(set.When)})
	}
	s.Changed = x.changed
	if src.Returns != nil {
		s.Returns = &Returns{Schema: c.schemas.compile(src.Returns.Schema, c.pack.name, nil)}
		for _, f := range src.Returns.Read {
			x.checkCSS(f.CSS)
			r := &ReadField{Name: f.Name.Value, CSS: f.CSS.Value, Attr: f.Attr.Value, As: f.As.Value}
			r.Keys = []string{pageRead(r).Key}
			s.Returns.Reads = append(s.Returns.Reads, *r)
		}
		c.returned(src, s)
	}
	if read := readVerb(s.Do); read != nil {
		if s.Returns == nil {
			s.Returns = &Returns{Schema: c.schemas.derive(read.json(), 0)}
		}
		if len(s.Returns.Reads) > 0 {
			c.diags.Errorf(src.Returns.Node.Range, "two-reads", "remove read: from returns, or the verb", "the verb read gives what the skill returns")
		}
		s.Returns.Verb = true
	}
	if len(s.Do) == 0 {
		c.diags.Errorf(src.Name.Range, "skill-empty", "say what it does, such as do: [{click: target}]", "skill %q does nothing", s.Name)
	}
	if s.Target == nil {
		for _, v := range s.Do {
			if v.OnSkill && v.needsTarget() {
				c.diags.Errorf(v.Range, "verb-target", "give the skill a target, or the verb one", "%s has nothing to act on: the skill has no target", v.Name)
			}
		}
	}
	if src.Repeat && s.Commit() {
		c.diags.Errorf(src.Name.Range, "commit-repeat", "remove repeat: true", "skill %q cannot be undone, so it must not repeat", s.Name)
	}
	return s
}

// returned checks that the fields which a skill reads are those that its result has.
func (c *skillCompiler) returned(src *schema.Skill, s *Skill) {
	result := s.Returns.Schema
	if result == nil || result.Kind != "object" {
		return
	}
	read := map[string]bool{}
	for _, f := range src.Returns.Read {
		read[f.Name.Value] = true
		if !result.Describes(f.Name.Value) {
			c.diags.Errorf(f.Name.Range, "returns-field", suggestFix(f.Name.Value, result.Properties(), "fields"), "what %s returns has no field %q", s.Name, f.Name.Value)
		}
	}
	if src.Target != nil {
		for _, f := range src.Target.Read {
			read[f.Name.Value] = true
		}
	}
	if readVerb(s.Do) != nil {
		return // the verb gives the whole of it
	}
	required, _ := result.Keyword("required").([]any)
	for _, r := range required {
		if name, ok := r.(string); ok && !read[name] {
			c.diags.Errorf(src.Returns.Node.Range, "returns-field", fmt.Sprintf("add read: {%s: …}", name), "%s has to return %q, and reads it nowhere", s.Name, name)
		}
	}
}

func anySchema() *Schema { return &Schema{exprType: anyType} }

func paramNames(ps []*Param) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return out
}

func (x *exprEnv) condition(src *schema.Expr) *Expr {
	if src == nil {
		return nil
	}
	return x.compile(*src, wantBool)
}

// requires compiles a precondition and cuts it by when its parts can be known.
func (x *exprEnv) requires(src *schema.Expr) Requires {
	whole := x.condition(src)
	if whole == nil {
		return Requires{}
	}
	r := Requires{Source: whole.Source, Whole: whole}
	stage := func(e *Expr) int {
		switch {
		case e.Uses(envMatch) || e.Uses(envTarget):
			return 2
		case e.Uses(envParams):
			return 1
		}
		return 0
	}
	if stage(whole) == 0 {
		r.State = whole
		return r
	}
	var text [3]string
	var parts [3][]*Expr
	for _, part := range splitConjuncts(*src) {
		e := x.compileText(schema.Expr{Text: part, Node: src.Node, Offset: src.Offset}, wantBool, true)
		if e == nil { // cannot happen for a part of a good condition; keep the whole then
			text = [3]string{"", "", whole.Source}
			break
		}
		k := stage(e)
		if text[k] != "" {
			text[k] += " and "
		}
		text[k] += "(" + part + ")"
		parts[k] = append(parts[k], e)
	}
	for k, dst := range []**Expr{&r.State, &r.Params, &r.Matched} {
		if text[k] != "" {
			*dst = x.compileText(schema.Expr{Text: text[k], Node: src.Node, Offset: src.Offset}, wantBool, true)
			if *dst != nil {
				(*dst).parts = parts[k]
			}
		}
	}
	return r
}

// verbs that act on an element.
var elementVerbs = map[string]bool{
	"click": true, "dblclick": true, "hover": true, "fill": true, "type": true, "clear": true, "select": true, "set_date": true,
	"check": true, "uncheck": true, "upload": true, "drag": true, "ask_person": true,
}

func (v *Verb) needsTarget() bool { return elementVerbs[v.Name] }

// rolesFor says which roles a verb can act on; a verb that is not listed acts on all.
var rolesFor = map[string][]string{
	"fill":       {"textbox", "searchbox", "combobox", "spinbutton", "slider", "group", "generic", "application"},
	"ask_person": {"textbox", "searchbox", "combobox", "spinbutton", "group", "generic", "application"},
	"type":       {"textbox", "searchbox", "combobox", "spinbutton", "listbox", "grid", "generic", "application"},
	"check":      {"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "button", "generic"},
	"uncheck":    {"checkbox", "switch", "menuitemcheckbox", "button", "generic"},
	"select":     {"combobox", "listbox", "textbox", "searchbox", "button", "tree", "menu", "radiogroup", "generic"},
}

func (c *unit) verbs(x *exprEnv, list []schema.Verb, owner *Skill) []*Verb {
	var out []*Verb
	for i := range list {
		src := &list[i]
		v := &Verb{Name: src.Name.Value, OnSkill: src.OnSkill, Timeout: src.Timeout.Value, Range: src.Name.Range, Source: src}
		v.Target, v.To = x.target(src.Target), x.target(src.To)
		v.When, v.Until = x.condition(src.When), x.condition(src.Until)
		if src.Value != nil {
			v.Value = x.value(*src.Value, &Schema{Kind: "string"})
			c.verbValue(v)
		}
		if src.Read != nil {
			v.Read = x.readText(src.Read)
		}
		if src.Repeat != nil {
			v.Repeat = &Repeat{Until: x.compile(src.Repeat.Until, wantBool), Max: src.Repeat.Max.Value, Do: c.verbs(x, src.Repeat.Do, owner)}
			if v.Repeat.Max < 1 {
				c.diags.Errorf(src.Name.Range, "repeat-max", "add max: with the largest sensible count", "repeat needs max: of at least 1, so that it ends")
			}
			if owner != nil && owner.Commit() {
				c.diags.Errorf(src.Name.Range, "commit-repeat", "move the repeated part into a skill of its own", "a skill that cannot be undone must not repeat its actions")
			}
		}
		if v.Name == "eval" && !c.allowEval {
			c.diags.Errorf(v.Range, "eval", "set eval: true in nth.yaml if this project may run scripts", "eval is not allowed in this project")
		}
		if owner == nil && v.needsTarget() && v.Target == nil {
			c.diags.Errorf(v.Range, "verb-target", "add target: {role: …, name: …}", "%s has nothing to act on", v.Name)
		}
		target := v.Target
		if target == nil && v.OnSkill && owner != nil {
			target = owner.Target
		}
		if allowed := rolesFor[v.Name]; allowed != nil && target != nil && len(target.Role) > 0 {
			if !slices.ContainsFunc(target.Role, func(r string) bool { return slices.Contains(allowed, r) }) {
				c.diags.Errorf(v.Range, "verb-role", "", "%s cannot act on role %s", v.Name, target.Role[0])
			}
		}
		// A skill offered once per match acts inside that match.
		if owner != nil && owner.Target != nil && owner.Target.Each && v.Target != nil && v.Target.Within == nil {
			v.Target.WithinSkill = true
		}
		out = append(out, v)
	}
	return out
}

// verbValue checks what a verb is given.
func (c *unit) verbValue(v *Verb) {
	if v.Value == nil {
		return
	}
	if v.Name == "goto" && v.Value.IsSecret() {
		c.diags.Errorf(v.Value.Range, "secret-flow", "", "a secret must not be part of a URL")
	}
	if v.Name == "ask_person" && v.Value.IsSecret() {
		c.diags.Errorf(v.Value.Range, "secret-flow", "", "a secret must not be part of a question to a person")
	}
	if v.Value.expr != nil {
		if k, ok := natureKind(v.Value.expr.nat); ok && (k == "array" || k == "object") {
			c.diags.Errorf(v.Value.Range, "value-type", "", "%s wants text, but %q is %s", v.Name, v.Value.Source, article(k))
		}
	}
}

// returnSchema is the type of what the skill returns, nil for nothing.
func (s *Skill) returnSchema() *Schema {
	if s.Returns == nil {
		return nil
	}
	return s.Returns.Schema
}

func sortedFacts(packs []*pack) []string {
	set := map[string]bool{}
	for _, p := range packs {
		for _, f := range p.facts {
			set[f] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
