package lint

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var budgetOverLimits = &Rule{
	ID: "budget-over-limits", Severity: schema.Warning,
	Summary: "the stages' budgets add up to more than the flow's limits",
	Doc: `In the worst case each stage uses up the budget that it names. Added up over the stages that can be reached, over
sub-flows, and over the rows of for_each (the list's maxItems), that is more than the flow's limits: the run can be cut
off although every stage kept to its budget. Raise the limit, or lower the budgets or maxItems. Only what the file says
is counted, not the defaults; a pick as one model call, where a budget names no calls; and every stage once, for what
bounds a circle of stages is the limit.`,
	Check: func(p *pass) {
		if p.Program == nil {
			return
		}
		l, b := p.Flow.Limits, flowBill(p.Program)
		check := func(set bool, at schema.Range, over bool, worst, limit any, what string) {
			if set && over {
				d := p.report(at, "raise the limit, or lower the budgets"+b.rowsHint(), "in the worst case the budgets add up to %v%s%s, the limit is %v", worst, what, b.rowsNote(), limit)
				d.Related = b.parts
			}
		}
		check(l.ModelCalls.Set(), l.ModelCalls.Range, b.calls > l.ModelCalls.Value, b.calls, l.ModelCalls.Value, " model calls")
		check(l.Tokens.Set(), l.Tokens.Range, b.tokens > l.Tokens.Value, b.tokens, l.Tokens.Value, " tokens")
		check(l.Cost.Set(), l.Cost.Range, b.cost > l.Cost.Value*(1+1e-9), amount(b.cost), amount(l.Cost.Value), " for the model")
		check(l.Wall.Set(), l.Wall.Range, b.wall > l.Wall.Value, short(b.wall), short(l.Wall.Value), "")
	},
}

// amount is money without its currency, to a millionth.
func amount(x float64) string { return strconv.FormatFloat(math.Round(x*1e6)/1e6, 'f', -1, 64) }

// short is a duration as a file writes it: "20m", not "20m0s".
func short(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if len(s) > len(zero) && s[len(s)-len(zero):] == zero {
			s = s[:len(s)-2]
		}
	}
	return s
}

// bill is what a flow uses when each stage uses up the budget that it names.
type bill struct {
	calls, tokens int
	cost          float64
	wall          time.Duration
	rows          int // of the flow's for_each; 0: none, or not known
	parts         []schema.Related
}

// most and mostTime keep sums from overflowing; no real budget comes near them.
const (
	most     = 1 << 40
	mostTime = time.Duration(1 << 60)
	mostRows = 1 << 20
)

func (b *bill) add(o bill, times int) {
	b.calls = min(most, b.calls+o.calls*times)
	b.cost = min(most, b.cost+o.cost*float64(times))
	b.tokens = min(most, b.tokens+o.tokens*times)
	wall := mostTime
	if times == 0 || o.wall < mostTime/time.Duration(times) {
		wall = o.wall * time.Duration(times)
	}
	b.wall = min(mostTime, b.wall+wall)
}

func (b *bill) rowsNote() string {
	if b.rows == 0 {
		return ""
	}
	return fmt.Sprintf(" (over %d rows)", b.rows)
}

func (b *bill) rowsHint() string {
	if b.rows == 0 {
		return ""
	}
	return ", or the maxItems of the rows"
}

// ownBill is what a stage's budget allows. A pick takes a call as a rule, so picks bound the calls where the budget does
// not say how many there may be.
func ownBill(b schema.Budget) bill {
	own := bill{calls: b.Picks.Value, tokens: b.Tokens.Value, cost: b.Cost.Value, wall: b.Wall.Value}
	if b.Calls.Set() {
		own.calls = b.Calls.Value
	}
	return own
}

func (b *bill) some() bool { return b.calls > 0 || b.tokens > 0 || b.cost > 0 || b.wall > 0 }

func flowBill(prog *compile.Program) bill {
	var once bill
	g := newGraph(prog)
	for i, st := range prog.Stages {
		if !g.reached[i] {
			continue
		}
		own := ownBill(st.Source.Budget)
		once.add(own, 1)
		if own.some() {
			once.parts = append(once.parts, related(st.Range, "the budget of %s", st.Name))
		}
		if st.Call != nil {
			times := 1
			if n, ok := rowCount(st.Call.ForEach); ok {
				times = n
			}
			sub := flowBill(st.Call.Program)
			if sub.some() {
				once.parts = append(once.parts, related(st.Range, "the flow %s, %d times", st.Call.Program.Name, times))
			}
			once.add(sub, times)
		}
	}
	total := bill{parts: once.parts}
	times := 1
	if n, ok := rowCount(prog.ForEach); ok {
		times, total.rows = n, n
	}
	total.add(once, times)
	return total
}

// rowCount is the largest number of rows, if it is known.
func rowCount(f *compile.ForEach) (int, bool) {
	if f == nil || f.Rows == nil {
		return 0, false
	}
	if c, ok := f.Rows.Const(); ok {
		if rows, isList := c.([]any); isList {
			return len(rows), true
		}
		return 0, false
	}
	if f.Rows.Expr() == nil {
		return len(f.Rows.Items()), true
	}
	return maxItems(f.List)
}

var unboundedRows = &Rule{
	ID: "unbounded-rows", Severity: schema.Warning,
	Summary: "a for_each whose cost nothing bounds",
	Doc: `The list that for_each goes through may be of any length, and the flow has no limits, so the worst-case bill is
not bounded. Give the list a maxItems, or the flow limits: {model_calls: …, tokens: …, cost: …, wall: …}.`,
	Check: func(p *pass) {
		if p.Program == nil {
			return
		}
		if l := p.Program.Limits; l.ModelCalls > 0 || l.Tokens > 0 || l.Cost > 0 || l.Wall > 0 {
			return
		}
		for _, s := range p.sites() {
			if s.use != rowsUse || !s.whole {
				continue
			}
			if _, bounded := maxItems(s.tree().placeAt(s.tree().root).schema); !bounded {
				p.report(s.expr.Range, "give the list a maxItems, or the flow limits", "nothing bounds how many rows %q has", s.expr.Source)
			}
		}
	},
}

// maxItems is the most that a list may hold.
func maxItems(s *compile.Schema) (int, bool) {
	switch n := s.Keyword("maxItems").(type) {
	case float64:
		return int(max(0, min(n, mostRows))), true
	case int:
		return max(0, min(n, mostRows)), true
	}
	if e, ok := s.Keyword("enum").([]any); ok && s.Kind == "array" {
		longest := 0
		for _, v := range e {
			l, _ := v.([]any)
			longest = max(longest, len(l))
		}
		return longest, true
	}
	return 0, false
}
