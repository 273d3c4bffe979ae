package engine

import (
	"fmt"

	"github.com/nth-dev/nth/engine/compile"
)

// Price is what a model costs, per million tokens, in whatever currency the project's prices and limits are.
type Price struct {
	Prompt, Completion float64
	Rebate             float64 // by how much prompt tokens are cheaper that the provider had in its cache
}

// Of is what so many tokens cost.
func (p Price) Of(u Usage) float64 {
	return (float64(u.PromptTokens)*p.Prompt - float64(u.CachedTokens)*p.Rebate + float64(u.CompletionTokens)*p.Completion) / 1e6
}

// spend books what a call of a picker cost, and returns it with its price.
func (r *run) spend(picker string, u Usage) Usage {
	if price, ok := r.Prices[picker]; ok {
		u.Cost = price.Of(u)
	}
	r.spent = r.spent.Add(u)
	r.shared.usage = r.shared.usage.Add(u)
	return u
}

// affordable checks the stage's budget and the run's limits before a call of a picker.
func (r *run) affordable(st *compile.Stage, p Picker) error {
	l, u := r.shared.limits, r.shared.usage
	b := st.Budget
	if p.Caps().Person || p.Caps().Instant {
		return nil // nothing is called
	}
	_, priced := r.Prices[p.Name()]
	switch {
	case l.ModelCalls > 0 && u.Calls >= l.ModelCalls:
		return failf(ErrBudget, "the run's limit of %d model calls is reached", l.ModelCalls)
	case l.Tokens > 0 && u.Tokens() >= l.Tokens:
		return failf(ErrBudget, "the run's limit of %d tokens is reached (%d used)", l.Tokens, u.Tokens())
	case l.Cost > 0 && u.Cost >= l.Cost:
		return failf(ErrBudget, "the run's limit of %s for the model is reached (%s used)", Money(l.Cost), Money(u.Cost))
	case (l.Cost > 0 || b.Cost > 0) && !priced:
		return failf(ErrBudget, "there is a limit on cost, but no price for %s: add it to prices in nth.yaml", p.Name())
	case b.Calls > 0 && r.spent.Calls >= b.Calls:
		return failf(ErrBudget, "%s: %d model calls are used up", st.Name, b.Calls)
	case b.Tokens > 0 && r.spent.Tokens() >= b.Tokens:
		return failf(ErrBudget, "%s: %d of %d tokens are used up", st.Name, r.spent.Tokens(), b.Tokens)
	case b.Cost > 0 && r.spent.Cost >= b.Cost:
		return failf(ErrBudget, "%s: %s of %s for the model is used up", st.Name, Money(r.spent.Cost), Money(b.Cost))
	}
	return nil
}

// tight reports whether half of any limit or budget is used up, or would be by one more call: then nothing is spent on
// guesses.
func (r *run) tight(st *compile.Stage) bool {
	half := func(used, limit float64) bool { return limit > 0 && used >= limit/2 }
	calls := func(used, limit int) bool { return limit > 0 && 2*(used+1) > limit }
	l, u, b := r.shared.limits, r.shared.usage, st.Budget
	return calls(u.Calls, l.ModelCalls) || half(float64(u.Tokens()), float64(l.Tokens)) || half(u.Cost, l.Cost) ||
		calls(r.spent.Calls, b.Calls) || half(float64(r.spent.Tokens()), float64(b.Tokens)) || half(r.spent.Cost, b.Cost)
}

// Money prints an amount without its currency, with as many decimals as tell something.
func Money(x float64) string {
	if x >= 0.01 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.6f", x)
}
