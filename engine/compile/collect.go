package compile

import (
	"slices"
)

// probeSet gathers the questions of a stage to the page. Lists keep first-use order, so that the same flow
// asks the same way every time.
type probeSet struct{ p Probes }

// stageProbes collects everything that a stage can mention.
func stageProbes(st *Stage) *Probes {
	var s probeSet
	s.exprs(st.Order, st.Done)
	s.exprs(st.Assert...)
	s.verbs(st.Do)
	for _, b := range st.Next {
		s.exprs(b.When)
	}
	for _, b := range st.Collect {
		s.value(b.Value)
	}
	s.value(st.Goal)
	if st.Approve != nil {
		s.value(st.Approve.Ask)
		for _, v := range st.Approve.Show {
			s.value(v)
		}
	}
	if st.End != nil {
		s.value(st.End.Reason)
	}
	if st.Find != nil {
		s.p.Blocks = true
		for _, t := range st.Find.Terms {
			s.value(t.Value())
		}
	}
	for _, list := range [][]*Entry{st.Entries, st.Fallback} {
		for _, e := range list {
			s.exprs(e.When)
			for _, p := range e.Skill.Params {
				s.value(e.With[p.Name])
			}
			s.skill(e.Skill)
		}
	}
	return &s.p
}

func (s *probeSet) skill(k *Skill) {
	s.target(k.Target)
	s.exprs(k.Requires.State, k.Requires.Params, k.Requires.Matched, k.Ensures, k.Verify)
	for _, set := range k.Sets {
		s.exprs(set.When)
	}
	s.verbs(k.Do)
	if k.Returns != nil {
		for i := range k.Returns.Reads {
			s.read(pageRead(&k.Returns.Reads[i]))
		}
	}
}

func (s *probeSet) verbs(list []*Verb) {
	for _, v := range list {
		s.target(v.Target)
		s.target(v.To)
		s.exprs(v.When, v.Until)
		s.value(v.Value)
		if v.Read != nil {
			s.p.Blocks = true
			s.value(v.Read.Name)
			s.value(v.Read.Fields)
		}
		if v.Repeat != nil {
			s.exprs(v.Repeat.Until)
			s.verbs(v.Repeat.Do)
		}
	}
}

func (s *probeSet) target(t *Target) {
	if t == nil {
		return
	}
	for _, r := range t.Role {
		s.p.Roles = add(s.p.Roles, r)
	}
	if t.CSS != "" {
		s.p.CSS = add(s.p.CSS, t.CSS)
	}
	if len(t.Text) > 0 && len(t.Role) == 0 && t.CSS == "" {
		s.p.Text = true
	}
	for _, f := range t.Read {
		for _, r := range t.reads(f) {
			s.read(r)
		}
	}
	s.target(t.Within)
	s.target(t.Near)
	s.target(t.Has)
}

func (s *probeSet) exprs(list ...*Expr) {
	for _, e := range list {
		if e != nil {
			for _, sel := range e.has {
				s.p.Count = add(s.p.Count, sel)
			}
		}
	}
}

func (s *probeSet) value(v *Value) {
	if v == nil {
		return
	}
	s.exprs(v.expr)
	for _, c := range v.children() {
		s.value(c)
	}
}

func (s *probeSet) read(r Read) {
	if !slices.Contains(s.p.Reads, r) {
		s.p.Reads = append(s.p.Reads, r)
	}
}

func add(list []string, v string) []string {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}
