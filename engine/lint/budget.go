package lint

import (
	"time"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var budgetTooSmall = &Rule{
	ID: "budget-too-small", Severity: schema.Warning,
	Summary: "a stage that cannot get done within its own budget",
	Doc: `With pick: one, every entry that is not optional takes a pick of its own, and the stage has fewer of them. It ends
with budget_exceeded even when all goes well. Raise budget: picks:, or let one answer name several steps (pick: auto).`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			picks := st.Source.Budget.Picks
			if !picks.Set() || st.Pick != "one" || st.Done != nil {
				continue
			}
			need := 0
			for _, e := range st.Entries {
				if !e.Optional {
					need++
				}
			}
			if need > picks.Value {
				p.report(picks.Range, "raise it, or leave pick: one out", "the stage %q takes at least %d picks, its budget has %d", st.Name, need, picks.Value)
			}
		}
	},
}

var timeoutInversion = &Rule{
	ID: "timeout-inversion", Severity: schema.Warning,
	Summary: "something may take longer than what it is a part of",
	Doc: `A timeout inside is longer than the time of what is around it: a skill's or verb's timeout and the wall budget of
its stage; the wait for an approval, or a stage's budget, and the wall limit of the flow. The outer one ends the run
first, with a less helpful error. Make the outer one the longer one.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			wall := st.Source.Budget.Wall
			inStage := func(what string, d time.Duration, at schema.Range) {
				if d <= st.Budget.Wall {
					return
				}
				if wall.Set() {
					r := p.report(wall.Range, "make it longer than "+short(d), "%s may take %s, its stage %q only %s", what, short(d), st.Name, short(wall.Value))
					r.Related = append(r.Related, related(at, "this is %s", short(d)))
					return
				}
				p.report(at, "add budget: {wall: …} to the stage", "%s may take %s, a stage without budget only %s", what, short(d), short(st.Budget.Wall))
			}
			for _, e := range st.Entries {
				if t := e.Skill.Source.Timeout; t.Set() {
					at := t.Range
					if !wall.Set() {
						at = e.Range
					}
					inStage(e.Skill.FullName(), t.Value, at)
				}
			}
			eachVerb(st.Do, func(v *compile.Verb) {
				if v.Timeout > 0 {
					inStage(v.Name, v.Timeout, v.Source.Timeout.Range)
				}
			})
			p.inLimits(st)
		}
	},
}

// inLimits compares a stage's wait for approval with the flow's wall limit; budgets are the business of
// budget-over-limits.
func (p *pass) inLimits(st *compile.Stage) {
	limit := p.Flow.Limits.Wall
	if a := st.Source.Approve; a != nil && limit.Set() && a.Wait.Value > limit.Value {
		d := p.report(a.Wait.Range, "wait less, or raise limits: wall", "the stage %q may wait %s for approval, the whole run has only %s", st.Name, short(a.Wait.Value), short(limit.Value))
		d.Related = append(d.Related, related(limit.Range, "the limit"))
	}
}

// eachVerb calls f for every verb, those inside repeat included.
func eachVerb(verbs []*compile.Verb, f func(*compile.Verb)) {
	for _, v := range verbs {
		f(v)
		if v.Repeat != nil {
			eachVerb(v.Repeat.Do, f)
		}
	}
}

// menuLines is how many candidates one page of a menu holds.
const menuLines = 15

var menuTooLong = &Rule{
	ID: "menu-too-long", Severity: schema.Warning,
	Summary: "a menu that may not fit on one page",
	Doc: `A menu shows 15 lines; the rest is behind "more", which costs a pick and is often overlooked. A stage lists more
entries than that, or a skill that gives one line per match (each: true) with a limit above 15 and no order: to say
which come first. Split the stage, add order:, or lower limit:.`,
	Check: func(p *pass) {
		for _, st := range p.stages() {
			if n := len(st.Entries); n > menuLines {
				p.report(st.Range, "split the stage", "the stage %q lists %d entries, and a menu shows %d", st.Name, n, menuLines)
				continue
			}
			if st.Order != nil {
				continue
			}
			for _, e := range st.Entries {
				if t := e.Skill.Target; t != nil && t.Each && t.Limit > menuLines {
					d := p.report(e.Range, "add order: to say which come first, or lower the skill's limit", "%s may give %d lines, and a menu shows %d", e.Skill.FullName(), t.Limit, menuLines)
					d.Related = append(d.Related, related(e.Skill.Range, "one line per match"))
				}
			}
		}
	},
}
