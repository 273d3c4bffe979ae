package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Ladder says who is asked when the picker's answer will not do.
//
// A pick climbs, and stops at the first rung that settles it:
//
//	forced    one candidate, or candidates that must all be done: nobody is asked         (pick.go)
//	cache     the same menu was picked from before, and it went well: nobody is asked      (cache.go)
//	guess     the question was put while the browser acted, on the menu that was expected  (speculate.go)
//	picker    the run's picker
//	again     an answer that cannot be used is asked for once more with the error named; an ambiguous one with the
//	          menu in another order, and the probabilities of both are averaged, which cancels a liking for positions
//	stronger  another picker, when the first failed, gave no usable answer twice, or stayed ambiguous
//	person    at the terminal, when there is one
//	first     only where the stage says fallback: {pick: first}, and never for a commit
//
// Every answer passes the same gate (gate.go). An answer without probabilities may be acted on: what cannot be undone
// is guarded by its declared effect and by approval, never by confidence. Where two answers differ and one of them is
// a commit, a person decides or nobody does.
//
// One deadline covers all models of a pick. While there is a stronger picker still to ask, the one before it gets at
// most half of the time that is left, so that a stalled endpoint cannot use it all up. A person reads slower than a
// model, and gets what is left of the stage's wall budget. Budgets are looked at before every call (price.go).
type Ladder struct {
	Stronger Picker        // nil: none
	Person   Picker        // nil: there is nobody
	Deadline time.Duration // of all models of one pick; 0: DefaultDeadline
	// Thresholds by driver: the part of the picker's name before the colon.
	Thresholds map[string]Thresholds
}

// DefaultDeadline bounds the models of one pick when Ladder.Deadline is 0.
const DefaultDeadline = 30 * time.Second

// climb is one pick on its way up.
type climb struct {
	*run
	st     *compile.Stage
	menu   *Menu
	q      Question // in the menu's own order
	digest string
	p      *Pick
	ahead  *reply     // an answer that was asked for ahead of its time; nil: none
	usable [][]string // keys of the usable answers so far
	why    string     // why the last one did not settle it
	failed error      // of the last picker that could not be reached
}

// ask has a question answered, by whoever on the ladder can, and says in p who it was. m is the menu that the question
// is about; an empty one when its options are no actions. digest identifies the question for replay.
func (r *run) ask(ctx context.Context, st *compile.Stage, m *Menu, q Question, digest string, p *Pick) error {
	p.Instructions, p.State = q.Instructions, q.State
	c := &climb{run: r, st: st, menu: m, q: q, p: p, digest: digest}
	err := c.climb(ctx)
	p.Raw = r.redact(p.Raw)
	return err
}

// climb asks until a rung settles the pick.
func (c *climb) climb(ctx context.Context) error {
	models, cancel := ctx, context.CancelFunc(func() {})
	if !c.Picker.Caps().Person {
		models, cancel = context.WithTimeoutCause(ctx, c.deadline(), errPickDeadline)
	}
	defer cancel()
	c.ahead = c.claim(models)
	done, err := c.rung(models, c.Picker, c.Ladder.Stronger != nil)
	if done || err != nil {
		return err
	}
	if c.Picker.Caps().Person { // nobody stands above a person
		return c.giveUp()
	}
	if c.Ladder.Stronger != nil && !c.partedOnCommit() {
		if done, err = c.rung(models, c.Ladder.Stronger, false); done || err != nil {
			return err
		}
	}
	if c.Ladder.Person != nil {
		left := c.st.Budget.Wall - time.Since(c.since)
		person, cancel := context.WithTimeoutCause(ctx, max(left, time.Second), errPickDeadline)
		defer cancel()
		if done, err = c.rung(person, c.Ladder.Person, false); done || err != nil {
			return err
		}
	}
	return c.giveUp()
}

var errPickDeadline = errors.New("the time for this pick is up")

func (r *run) deadline() time.Duration { return cmp.Or(r.Ladder.Deadline, DefaultDeadline) }

// giveUp is the end of the ladder: nobody gave an answer that may be acted on.
func (c *climb) giveUp() error {
	if c.st.FallbackFirst && !c.partedOnCommit() && !c.menu.pickedCommit([]string{"1"}) {
		c.p.Keys, c.p.By = []string{"1"}, "fallback first"
		return nil
	}
	c.p.Keys = nil
	if c.failed != nil {
		return &StageError{Name: ErrModel, Message: c.failed.Error(), Err: c.failed}
	}
	return &StageError{Name: ErrModel, Message: fmt.Sprintf("%s gave no usable answer%s: %s", c.p.By, times(len(c.p.Tries)), c.why)}
}

func times(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return " twice"
	}
	return fmt.Sprintf(" in %d tries", n)
}

// rung asks one picker, and once more when its answer cannot be used or is ambiguous. share: somebody else must have
// time left. Errors end the pick.
func (c *climb) rung(ctx context.Context, p Picker, share bool) (done bool, err error) {
	if share {
		if end, ok := ctx.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, time.Until(end)/2, errPickDeadline)
			defer cancel()
		}
	}
	limits := c.Ladder.Thresholds[driverOf(p)]
	req := Request{Questions: []Question{c.q}, Stage: c.st.Name, MenuDigest: c.digest}
	if n := len(c.p.Tries); n > 0 && p.Caps().Person {
		req.Problem = fmt.Sprintf("%s did not settle it: %s", c.p.Tries[n-1].By, c.why)
	}
	var order []int // nil: the menu's own
	var before map[string]float64
	for range 2 {
		try, a, err := c.try(ctx, p, req, order)
		if err != nil {
			return false, err
		}
		if a == nil { // no usable answer
			if c.failed != nil {
				return false, nil
			}
			req.Retry, req.Problem, order = true, c.why, nil
			req.Questions = []Question{c.q}
			continue
		}
		dist := average(before, try.P)
		try.Judged = confidence(c.q, try.Keys, dist)
		c.why = limits.ambiguous(try.Judged, dist[try.Keys[0]])
		c.usable = append(c.usable, try.Keys)
		if c.partedOnCommit() && !p.Caps().Person {
			c.why = "two answers differ, and one of them cannot be undone"
			try.Problem = c.why
			return false, nil
		}
		if c.why == "" {
			c.accept(p, try, a)
			return true, nil
		}
		try.Problem = c.why
		before = try.P
		order = turn(len(c.q.Options), c.menu.More() > 0)
		req.Questions, req.Retry, req.Problem = []Question{c.q.turned(order)}, false, ""
		req.MenuDigest = c.digest + "-turned"
	}
	return false, nil
}

func driverOf(p Picker) string {
	driver, _, _ := strings.Cut(p.Name(), ":")
	return driver
}

func (c *climb) accept(p Picker, try *Try, a *Answer) {
	c.p.Keys, c.p.By, c.p.Model, c.p.Reason = try.Keys, p.Name(), a.Model, cut(oneLine(c.redact(a.Reason)), 200)
	c.p.values = a.Values
}

// partedOnCommit reports whether two usable answers differ and one of them holds a commit.
func (c *climb) partedOnCommit() bool {
	differ, commit := false, false
	for _, keys := range c.usable {
		differ = differ || !slices.Equal(keys, c.usable[0])
		commit = commit || c.menu.pickedCommit(keys)
	}
	return differ && commit
}

// try puts one question and notes it. A nil answer could not be used; c.why says why, and c.failed is set when there
// was none. order is how the question was turned, nil for not at all. Errors end the pick: a limit is reached, the run
// was stopped, or a person has said so.
func (c *climb) try(ctx context.Context, p Picker, req Request, order []int) (*Try, *Answer, error) {
	if err := c.affordable(c.st, p); err != nil {
		return nil, nil, err
	}
	c.p.Tries = append(c.p.Tries, Try{By: p.Name(), Turned: order != nil})
	try := &c.p.Tries[len(c.p.Tries)-1]
	c.p.Asked++
	start := time.Now()
	answers, err := c.put(ctx, p, req)
	try.Wall, c.failed = since(start), nil
	if err != nil {
		c.booked(try, p, spentOn(err))
	}
	var unreadable *UnreadableError
	switch {
	case errors.As(err, &unreadable):
		c.p.Raw = cut(unreadable.Reply, 1024)
	case err != nil:
		try.Problem = c.redact(err.Error())
		if p.Caps().Person || parentEnded(ctx) {
			return nil, nil, c.stopped(ctx, err)
		}
		c.why, c.failed = try.Problem, err
		return try, nil, nil
	case len(answers) != 1:
		err = fmt.Errorf("%d answers to 1 question", len(answers))
	default:
		a := answers[0]
		c.booked(try, p, a.Usage)
		c.p.Model, c.p.Raw = a.Model, cut(a.Raw, 1024)
		if try.Keys, err = gate(req.Questions[0], a); err == nil {
			try.P, try.Source = a.P, a.Source
			if order != nil {
				try.Keys, try.P, a.Values = turnBack(try.Keys, order), turnBackAll(a.P, order), turnBackAll(a.Values, order)
			}
			return try, &a, nil
		}
	}
	c.why = c.redact(err.Error())
	try.Keys, try.Problem = nil, c.why
	return try, nil, nil
}

// put asks, or takes the answer that was asked for ahead of its time.
func (c *climb) put(ctx context.Context, p Picker, req Request) ([]Answer, error) {
	if c.ahead == nil {
		return p.Pick(ctx, req)
	}
	r := c.ahead
	c.ahead = nil
	return r.answers, r.err
}

func (c *climb) booked(try *Try, p Picker, u Usage) {
	try.Usage = c.spend(p.Name(), u)
	c.p.Usage = c.p.Usage.Add(try.Usage)
}

// parentEnded reports whether the run was stopped, as opposed to the time for the pick being up.
func parentEnded(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), errPickDeadline)
}

func (c *climb) stopped(ctx context.Context, err error) error {
	if parentEnded(ctx) {
		return ctx.Err()
	}
	return &StageError{Name: ErrModel, Message: err.Error(), Err: err}
}

// turn is another order of n options: backwards, but an entry for more stays last. turn[i] is the 0-based place in the menu of the option that is shown at place i.
func turn(n int, more bool) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if more {
		slices.Reverse(order[:n-1])
	} else {
		slices.Reverse(order)
	}
	return order
}

// turned is the question with its options in another order, numbered anew.
func (q Question) turned(order []int) Question {
	t := q
	t.Options, t.Group, t.Asks = nil, nil, nil
	for i, from := range order {
		key := strconv.Itoa(i + 1)
		t.Options = append(t.Options, Option{Key: key, Label: q.Options[from].Label})
		if from < len(q.Group) {
			t.Group = append(t.Group, q.Group[from])
		}
		if f, ok := q.Asks[q.Options[from].Key]; ok {
			if t.Asks == nil {
				t.Asks = map[string][]Field{}
			}
			t.Asks[key] = f
		}
	}
	return t
}

func turnBack(keys []string, order []int) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = turnKey(k, order)
	}
	return out
}

func turnKey(key string, order []int) string {
	n, err := strconv.Atoi(key)
	if err != nil || n < 1 || n > len(order) {
		return key // none of these
	}
	return strconv.Itoa(order[n-1] + 1)
}

func turnBackAll[V any](m map[string]V, order []int) map[string]V {
	if m == nil {
		return nil
	}
	out := make(map[string]V, len(m))
	for k, v := range m {
		out[turnKey(k, order)] = v
	}
	return out
}

// average is the mean of two distributions; of one, where the other is nil.
func average(a, b map[string]float64) map[string]float64 {
	if a == nil || b == nil {
		if b == nil {
			return a
		}
		return b
	}
	out := map[string]float64{}
	for k := range maps.Keys(a) {
		out[k] = a[k] / 2
	}
	for k, p := range b {
		out[k] += p / 2
	}
	return out
}
