package engine

import (
	"slices"

	"github.com/nth-dev/nth/engine/compile"
)

// forced reports whether there is nothing to decide about the first of the menu, so that it can be done without asking:
// there is one candidate only; or the stage cannot be done without any of the entries that have one, and the first of
// them has no alternative. The latter is so for every entry that is not optional where the stage names no done
// condition, and else for the entries that bring about, alone in the stage, a fact that the condition needs, or that
// such an entry requires; a commit among them is asked about, because the order matters then. An entry that has
// alternatives is asked about when those before it in the list are done: the list is the order.
func (r *run) forced(v *view, st *compile.Stage, m *Menu) bool {
	if len(m.all) == 1 {
		return true
	}
	if st.Order != nil {
		return false
	}
	needed := func(e *compile.Entry) bool { return !e.Optional }
	if st.Done != nil {
		list := r.needed(v, st)
		needed = func(e *compile.Entry) bool { return slices.Contains(list, e) && !e.Skill.Commit() }
	}
	first, alternatives := m.all[0], map[int]int{}
	decide := false
	for _, c := range m.all {
		if c.group >= len(st.Entries) || !needed(c.Entry) {
			return false
		}
		alternatives[c.group]++
		decide = decide || alternatives[c.group] > 1
	}
	return !decide || alternatives[first.group] == 1 && !first.Entry.Skill.Commit()
}

// needed are the entries that a stage with a done condition cannot do without. It goes back from the facts that the
// condition names: a fact that a single entry of the stage can set needs that entry, and the facts that it requires.
func (r *run) needed(v *view, st *compile.Stage) []*compile.Entry {
	var out []*compile.Entry
	facts := st.Done.Facts()
	for i := 0; i < len(facts); i++ { // it grows
		if r.state.Facts[facts[i]] == true {
			continue
		}
		var setter *compile.Entry
		for _, e := range st.Entries {
			if !r.maySet(v, e, facts[i]) {
				continue
			}
			if setter != nil {
				setter = nil // there is a choice
				break
			}
			setter = e
		}
		if setter == nil || slices.Contains(out, setter) {
			continue
		}
		out = append(out, setter)
		for _, f := range setter.Skill.Requires.State.Facts() {
			if !slices.Contains(facts, f) {
				facts = append(facts, f)
			}
		}
	}
	return out
}

// maySet reports whether an entry can set a fact; what cannot be told counts as yes.
func (r *run) maySet(v *view, e *compile.Entry, fact string) bool {
	for _, s := range e.Skill.Sets {
		if s.Fact != fact {
			continue
		}
		if s.When == nil || s.When.Uses("match") || s.When.Uses("target") || s.When.Uses("page") {
			return true
		}
		params, err := bindParams(e, r.env(v))
		if err != nil {
			return true
		}
		ok, err := s.When.Bool(map[string]any{"params": params, "facts": r.state.Facts, "run": r.runValue()})
		if err != nil || ok {
			return true
		}
	}
	return false
}
