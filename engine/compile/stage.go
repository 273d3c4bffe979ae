package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr/types"

	"github.com/nth-dev/nth/schema"
)

// DefaultWall bounds a stage visit whose budget names no wall time.
const DefaultWall = 2 * time.Minute

// flowCompiler compiles the stages of one flow.
type flowCompiler struct {
	*unit
	flow    *schema.Flow
	prog    *Program
	packs   []*pack
	names   types.Map // the flow's expression environment, without match
	env     *exprEnv
	callees map[*Input]*Program // flows that stages call, compiled
	aliases map[string]string   // of the packs, to their names
}

func (c *flowCompiler) entries(list []schema.Entry, fallback bool) []*Entry {
	var out []*Entry
	for i := range list {
		src := &list[i]
		skill := c.lookup(src.Skill, fallback)
		if skill == nil {
			continue
		}
		e := &Entry{Index: len(out), Skill: skill, With: map[string]*Value{}, Optional: src.Optional, Repeat: src.Repeat || skill.Repeat, Constant: true, Range: src.Skill.Range, Source: src}
		e.When = c.env.condition(src.When)
		for _, b := range src.With {
			p := skill.Param(b.Name.Value)
			if p == nil {
				c.diags.Errorf(b.Name.Range, "unknown-param", suggestFix(b.Name.Value, paramNames(skill.Params), "params of "+skill.FullName()), "%s has no param %q", skill.FullName(), b.Name.Value).Edits = schema.Respell(b.Name.Range, b.Name.Value, paramNames(skill.Params), func(s string) bool { return bound(src.With, s) })
				continue
			}
			if prompt := askOf(b.Value.Node, p.Schema); prompt != nil {
				if a := c.ask(prompt, p, skill, fallback); a != nil {
					e.Asks = append(e.Asks, *a)
				}
				continue
			}
			v := c.env.bind(b.Value, p.Schema, "param "+p.Name)
			if v == nil {
				continue
			}
			if _, ok := v.Const(); !ok {
				e.Constant = false
			}
			e.With[p.Name] = v
		}
		for _, p := range skill.Params {
			if _, ok := e.With[p.Name]; !ok && p.Required && !bound(src.With, p.Name) {
				c.diags.Errorf(src.Skill.Range, "missing-param", fmt.Sprintf("add %s: …", p.Name), "%s needs the param %q", skill.FullName(), p.Name)
			}
		}
		if skill.Commit() && src.Repeat {
			c.diags.Errorf(src.Skill.Range, "commit-repeat", "remove repeat: true", "%s cannot be undone, so it must not repeat", skill.FullName())
		}
		if skill.Commit() && fallback {
			c.diags.Errorf(src.Skill.Range, "commit-fallback", "move it to the relevance list", "%s cannot be undone, so it must not be a fallback", skill.FullName())
		}
		out = append(out, e)
	}
	return out
}

func bound(list []schema.Binding, name string) bool {
	return slices.ContainsFunc(list, func(b schema.Binding) bool { return b.Name.Value == name })
}

// find returns the pack and the skill that "alias.skill" names, each nil when there is none. The packs that a flow did
// not declare are found for fallbacks only.
func (c *flowCompiler) find(ref schema.String, fallback bool) (*pack, *Skill) {
	alias, name, _ := strings.Cut(ref.Value, ".")
	for _, p := range c.packs {
		if p.alias == alias && (fallback || !p.implicit) {
			return p, p.skills[name]
		}
	}
	return nil, nil
}

// lookup is find, and reports what is wrong.
func (c *flowCompiler) lookup(ref schema.String, fallback bool) *Skill {
	p, skill := c.find(ref, fallback)
	if skill != nil {
		return skill
	}
	alias, name, _ := strings.Cut(ref.Value, ".")
	if p != nil {
		known := slices.Collect(maps.Keys(p.skills))
		at := ref.Range
		at.Start.Col += len(alias) + 1
		c.diags.Errorf(ref.Range, "unknown-skill", suggestFix(name, known, "skills of "+alias), "pack %q has no skill %q", alias, name).Edits = schema.Respell(at, name, known, nil)
		return nil
	}
	if c.badPacks[alias] { // a pack that could not be loaded has its own finding
		return nil
	}
	if undeclared, _ := c.find(ref, true); undeclared != nil {
		c.diags.Errorf(ref.Range, "unknown-pack", fmt.Sprintf("add it to the flow: packs: {%s: %s@^1}", alias, undeclared.name), "the flow does not declare the pack %q", alias)
		return nil
	}
	var aliases []string
	for _, p := range c.packs {
		if fallback || !p.implicit {
			aliases = append(aliases, p.alias)
		}
	}
	c.diags.Errorf(ref.Range, "unknown-pack", suggestFix(alias, aliases, "packs of this flow"), "no pack is called %q in this flow", alias)
	return nil
}

// stage compiles one stage, all but its edges.
func (c *flowCompiler) stage(st *Stage, src *schema.Stage) {
	x := c.env
	if src.Goal.Node != nil {
		st.Goal = x.value(src.Goal, &Schema{Kind: "string"})
		if st.Goal.IsSecret() {
			c.diags.Errorf(st.Goal.Range, "secret-flow", "", "a secret must not be part of a goal: goals are sent to the model")
		}
	}
	st.Hint = src.Hint.Value
	st.FallbackFirst = src.FallbackPick.Value == "first"
	if n := src.Reason.Node; n != nil {
		if st.Reason = n.Text == "true"; !st.Reason {
			c.diags.Errorf(n.Range, "stage-reason", "write reason: true, or remove it", "beside relevance, reason can only be true")
		}
	}
	st.Do = c.verbs(x, src.Do, nil)
	st.Done = x.condition(src.Done)
	for _, a := range src.Assert {
		st.Assert = append(st.Assert, x.condition(&a))
	}
	if src.Order != nil {
		names := types.Map{}
		for k, v := range c.names {
			names[k] = v
		}
		names[envMatch] = mergedMatch(st.Entries)
		names[envTarget] = types.TypeOf(Element{})
		st.Order = newExprEnv(names, c.diags).compile(*src.Order, wantAny)
	}
	if src.Approve != nil {
		st.Approve = c.approve(src.Approve)
	}
	if src.Returns != nil && !readsText(src.Do) {
		c.diags.Errorf(src.Returns.Range, "returns", "add the verb read, or leave returns out", "nothing in this stage reads what it returns")
	}
	if src.Find != nil {
		st.Find = c.findStage(src.Find)
	}
	if src.Call != nil {
		st.Call = c.call(src.Call)
	}
	if src.End != nil {
		st.End = &End{Failed: src.End.Status.Value == "failed"}
		if src.End.Reason.Node != nil {
			st.End.Reason = x.value(src.End.Reason, &Schema{Kind: "string"})
		}
	}
	for _, b := range src.Collect {
		out := c.output(b)
		if out != nil {
			st.Collect = append(st.Collect, *out)
		}
	}
}

func (c *flowCompiler) approve(src *schema.Approve) *Approve {
	a := &Approve{Ask: c.env.value(src.Ask, &Schema{Kind: "string"}), Wait: src.Wait.Value, AllowOnTimeout: src.OnTimeout.Value == "allow"}
	if a.Ask.IsSecret() {
		c.diags.Errorf(a.Ask.Range, "secret-flow", "", "a secret must not be shown for approval")
	}
	for _, s := range src.Show {
		v := c.env.value(s, nil)
		if v == nil {
			continue
		}
		if v.IsSecret() {
			c.diags.Errorf(v.Range, "secret-flow", "", "a secret must not be shown for approval")
		}
		a.Show = append(a.Show, v)
		a.ShowText = append(a.ShowText, v.Source)
	}
	return a
}

// output compiles one line of collect.
func (c *flowCompiler) output(b schema.Binding) *Binding {
	for _, p := range c.prog.Outputs {
		if p.Name != b.Name.Value {
			continue
		}
		want, many := p.Schema, false
		if p.Schema.Kind == "array" {
			// One value per collect, unless the expression is a list itself.
			v := c.env.value(b.Value, nil)
			if v == nil {
				return nil
			}
			isList := v.list != nil
			if v.expr != nil {
				k, known := natureKind(v.expr.nat)
				isList = known && k == "array"
			}
			if !isList {
				want, many = p.Schema.item, true
			}
		}
		v := c.env.bind(b.Value, want, "output "+p.Name)
		if v == nil {
			return nil
		}
		return &Binding{Name: p.Name, Value: v, Many: many}
	}
	c.diags.Errorf(b.Name.Range, "unknown-output", suggestFix(b.Name.Value, paramNames(c.prog.Outputs), "outputs"), "the flow declares no output %q", b.Name.Value)
	return nil
}

// mergedMatch is the type of match over all entries of a stage: a field that not every entry reads may be absent.
func mergedMatch(entries []*Entry) types.Map {
	m := types.Map{}
	for _, e := range entries {
		if e.Skill.Target == nil {
			continue
		}
		for k, t := range matchType(e.Skill.Target.Read) {
			if old, ok := m[k]; ok && !old.Equal(t) {
				t = types.Any
			}
			m[k] = t
		}
	}
	return m
}

// edges compiles next and on_error, once all stages are known.
func (c *flowCompiler) edges(st *Stage, src *schema.Stage) {
	goTo := func(s schema.String) string {
		if s.Value == "end" || !s.Set() { // the shape has said that it is missing
			return ""
		}
		if c.prog.byName[s.Value] == nil {
			var known []string
			for _, st := range c.prog.Stages {
				known = append(known, st.Name)
			}
			c.diags.Errorf(s.Range, "unknown-stage", suggestFix(s.Value, append(slices.Clone(known), "end"), "stages"), "there is no stage %q", s.Value).Edits = schema.Respell(s.Range, s.Value, append(known, "end"), nil)
		}
		return s.Value
	}
	for _, b := range src.Next {
		st.Next = append(st.Next, Branch{When: c.env.condition(b.When), Go: goTo(b.Go)})
	}
	if st.Kind != EndStage && (len(st.Next) == 0 || st.Next[len(st.Next)-1].When != nil) {
		following := ""
		if st.Index+1 < len(c.prog.Stages) {
			following = c.prog.Stages[st.Index+1].Name
		}
		st.Next = append(st.Next, Branch{Go: following})
	}
	for _, b := range src.OnError {
		st.OnError = append(st.OnError, ErrorBranch{Is: b.Is.Value, Go: goTo(b.Go)})
		if b.Is.Value != "any" && !slices.Contains(ErrorNames, b.Is.Value) {
			c.diags.Errorf(b.Is.Range, "unknown-error", suggestFix(b.Is.Value, append(slices.Clone(ErrorNames), "any"), "errors"), "there is no error %q", b.Is.Value).Edits = schema.Respell(b.Is.Range, b.Is.Value, append(slices.Clone(ErrorNames), "any"), nil)
		}
	}
}

// ErrorNames are the errors that on_error can test for; engine declares what each means.
var ErrorNames = []string{
	"target_gone", "covered", "disabled", "ambiguous", "not_found", "bad_value", "timeout", "navigation_failed", "browser_lost",
	"unsupported", "ensures_failed", "requires_failed", "no_candidates", "no_pick", "model_failed", "budget_exceeded",
	"assert_failed", "origin_denied", "denied", "in_doubt", "bad_input", "flow_failed",
}

func budget(b schema.Budget, entries int) Budget {
	out := Budget{Picks: b.Picks.Value, Calls: b.Calls.Value, Tokens: b.Tokens.Value, Cost: b.Cost.Value, Wall: b.Wall.Value}
	if out.Picks == 0 {
		out.Picks = 3*entries + 5
	}
	if out.Wall == 0 {
		out.Wall = DefaultWall
	}
	return out
}
