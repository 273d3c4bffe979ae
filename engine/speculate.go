package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Speculation is what came of the questions that were put while the browser acted.
type Speculation struct {
	Asked  int     `json:"asked"`
	Hits   int     `json:"hits"`
	Hidden float64 `json:"hidden_ms"` // time of the model that passed while the browser acted, of the hits
	// Wasted is what the others cost; it is part of the run's usage. What a call had cost that was cancelled on its way
	// is not known: it counts as a call, with its prompt estimated at four bytes per token.
	Wasted Usage `json:"wasted"`
}

// guess is a question that was put for a menu that is expected. Only the goroutine that asks touches the fields
// answers and err, until done is closed.
type guess struct {
	st     *compile.Stage
	q      Question
	by     Picker
	start  time.Time
	cancel context.CancelFunc
	done   chan struct{}
	reply
	took time.Duration
}

// reply is a picker's answer.
type reply struct {
	answers []Answer
	err     error
}

// guesses are those of a run.
type guesses struct {
	Speculation
	open []*guess
}

// maxForecast bounds how many forced steps a forecast goes ahead.
const maxForecast = 12

// speculate puts the next question ahead of its time: the one that should follow when the candidates of this menu
// are done. It is called before the first of them, on the run's goroutine, and the question is complete before another
// goroutine has it.
//
// The forecast is the page as it is, with the declared effects: what was done is not offered again, its facts hold,
// and stages that are done then are left. Steps that will be forced count as done too. There is no forecast beyond a
// commit, an approval, or an assert; none where nothing is to be asked; and none when the budget is tight or guesses
// have mostly failed.
func (w *walk) speculate(ctx context.Context, v *view, next []*Candidate) {
	if w.maySpeculate(v) {
		f, ahead, m := w.forecast(ctx, v, next)
		w.venture(ctx, v, f, ahead, m)
	}
}

// speculatePast does the same when a stage is done, before the next one is looked at: where the stages that follow are
// known to be gone through without a question, the one after them is looked at first, and theirs are done behind the
// question.
func (w *walk) speculatePast(ctx context.Context, v *view) {
	if w.maySpeculate(v) {
		f, ahead, m := w.forecastPast(ctx, v)
		w.venture(ctx, v, f, ahead, m)
	}
}

func (w *walk) maySpeculate(v *view) bool {
	caps := w.Picker.Caps()
	g := &w.shared.guesses
	return w.Speculate && !caps.Instant && !caps.Person && w.guess == nil && !w.tight(w.st) && g.Asked-g.Hits <= g.Hits+1 && w.inVain != place(v)
}

// place is the page as far as a forecast goes: on the same page, a stage's steps are looked ahead of only once in vain.
func place(v *view) string {
	if v == nil { // nobody has looked yet
		return "nowhere"
	}
	return v.Document + " " + v.URL
}

// venture puts the question of a forecast that was made on the page from, if there is one that must be asked and may be.
func (w *walk) venture(ctx context.Context, from *view, f *walk, ahead *view, m *Menu) {
	switch {
	case m == nil && f.looked:
		w.inVain = place(from)
	case m != nil && w.affordable(f.st, w.Picker) == nil && !f.known(ctx, ahead, m):
		w.guess = w.shared.guesses.put(ctx, f.st, w.Picker, f.question(ahead, f.st, m), m.digest(f.st.Name), w.deadline())
	}
}

// put asks on a goroutine of its own.
func (g *guesses) put(ctx context.Context, st *compile.Stage, p Picker, q Question, digest string, d time.Duration) *guess {
	ctx, cancel := context.WithTimeoutCause(ctx, d, errPickDeadline)
	x := &guess{st: st, q: q, by: p, start: time.Now(), cancel: cancel, done: make(chan struct{})}
	req := Request{Questions: []Question{q}, Stage: st.Name, MenuDigest: digest}
	g.Asked++
	g.open = append(g.open, x)
	go func() {
		defer close(x.done)
		x.answers, x.err = p.Pick(ctx, req)
		x.took = time.Since(x.start)
	}()
	return x
}

// forecast is the walk as it should be when the candidates are done, with the menu that it will then put to the picker;
// a nil menu when there is none.
func (w *walk) forecast(ctx context.Context, v *view, next []*Candidate) (*walk, *view, *Menu) {
	f := &walk{run: w.run.copy(), st: w.st, stale: w.stale}
	for range maxForecast {
		for _, c := range next {
			if !f.assume(v, c) {
				return f, nil, nil
			}
		}
		var err error
		if v, err = f.follow(ctx, v); err != nil || v == nil {
			return f, nil, nil
		}
		m, ask := f.menuAhead(v)
		switch {
		case m == nil:
			return f, nil, nil
		case ask:
			return f, v, m
		}
		next = m.Candidates[:1]
	}
	return f, nil, nil
}

// menuAhead is the menu of a forecast, and whether somebody will be asked about it; nil when there is none.
func (w *walk) menuAhead(v *view) (m *Menu, ask bool) {
	cands, _ := w.candidates(v, w.st, w.st.Entries, 0)
	if len(cands) == 0 {
		return nil, false
	}
	m, err := w.buildMenu(v, w.st, cands, 0)
	if err != nil {
		return nil, false
	}
	return m, !w.forced(v, w.st, m) && w.st.Pick != "first"
}

// forecastPast is the forecast of a stage that is done, over stages that can only be gone through as a whole. It looks
// at the page once, for the stage after them; a nil menu when nothing will be asked there.
func (w *walk) forecastPast(ctx context.Context, v *view) (*walk, *view, *Menu) {
	f := &walk{run: w.run.copy(), st: w.st}
	for range maxForecast {
		if !f.leave(v) {
			return f, nil, nil
		}
		if f.passes(v) {
			continue
		}
		if f.passed == 0 { // it comes at once
			return f, nil, nil
		}
		v, err := f.lookAhead(ctx)
		if err != nil {
			return f, nil, nil
		}
		if m, ask := f.menuAhead(v); ask {
			return f, v, m
		}
		return f, nil, nil
	}
	return f, nil, nil
}

// passes takes a stage as done whose every entry has to succeed, in one way that is known without a look at the page:
// nothing in it is chosen, approved or committed, and what it sets is declared without regard to the page.
func (w *walk) passes(v *view) bool {
	if w.st.Done != nil {
		return false
	}
	facts := map[string]any{}
	for _, e := range w.st.Entries {
		s := e.Skill
		if e.Optional || e.When != nil || len(e.Asks) > 0 || s.Commit() || s.Target != nil && s.Target.Each {
			return false
		}
		for _, set := range s.Sets {
			if set.When != nil && (set.When.Uses("page") || set.When.Uses("target") || set.When.Uses("match")) {
				return false
			}
		}
		params, err := bindParams(e, w.env(v))
		if err != nil {
			return false
		}
		set, err := factsOf(s, map[string]any{"params": params, "facts": w.state.Facts, "run": w.runValue()})
		if err != nil {
			return false
		}
		for _, f := range set {
			facts[f] = true
		}
	}
	maps.Copy(w.state.Facts, facts)
	w.passed++
	return true
}

// copy is a run whose state may be changed without a trace.
func (r *run) copy() *run {
	c := *r
	state := *r.state
	state.Facts, state.Stages, state.visits = maps.Clone(state.Facts), maps.Clone(state.Stages), maps.Clone(state.visits)
	c.state = &state
	c.hist = history{done: maps.Clone(r.hist.done), tried: maps.Clone(r.hist.tried), entry: maps.Clone(r.hist.entry)}
	c.did, c.guess = slices.Clone(r.did), nil
	return &c
}

// assume takes a candidate as done, by its declared effects; false when nothing can be said of what follows.
func (w *walk) assume(v *view, c *Candidate) bool {
	s := c.Entry.Skill
	if s.Commit() || len(c.Entry.Asks) > 0 {
		return false
	}
	env := map[string]any{
		"params": c.Params, "match": c.Match, "facts": w.state.Facts, "page": v.page(), "run": w.runValue(), "target": v.element(c.element),
	}
	if s.Ensures != nil && strings.Contains(s.Ensures.Source, "page.url") {
		if ok, err := s.Ensures.Bool(env); err == nil && !ok {
			return false // it leads to another page, of which this one says nothing
		}
	}
	facts, err := factsOf(s, env)
	if err != nil {
		return false
	}
	for _, f := range facts {
		w.state.Facts[f] = true
	}
	w.hist.done[c.Key] = true
	w.hist.entry[c.Entry.Index] = true
	w.did = append(w.did, c.Label)
	w.lastFailed = ""
	return true
}

// follow leaves stages that are done. It returns the view for the stage that it stops at: the same, or one more look
// with what that stage wants to know. A nil view: nothing can be said.
func (w *walk) follow(ctx context.Context, v *view) (*view, error) {
	for range maxForecast {
		done, err := w.stageDone(w.st, v)
		if err != nil {
			return nil, err
		}
		if !done {
			if w.unfinished(w.st) == nil {
				return nil, nil // the page will say that it is done, in a way that nobody has declared
			}
			return v, nil
		}
		if !w.leave(v) {
			return nil, nil
		}
		if v, err = w.lookAhead(ctx); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// leave goes on to the stage that follows; false when nothing can be said of it.
func (w *walk) leave(v *view) bool {
	name, err := next(w.st, w.env(v), nil)
	if err != nil || name == "" {
		return false
	}
	st := w.prog.Stage(name)
	if st.Kind != compile.MenuStage || st.Approve != nil || len(st.Assert) > 0 {
		return false
	}
	w.st = st
	w.enter(name)
	return true
}

func (w *walk) lookAhead(ctx context.Context) (*view, error) {
	w.looked = true
	return w.look(ctx, w.st.Probes)
}

// known reports whether the cache will answer that menu.
func (w *walk) known(ctx context.Context, v *view, m *Menu) bool {
	p := Pick{}
	before := len(w.shared.learnt)
	hit := w.recall(ctx, v, m, &p)
	w.shared.learnt = w.shared.learnt[:before]
	return hit
}

// claim takes the answer of a guess if it was about this very menu: the same stage, goal and lines, to the byte. Any
// other guess is given up. The answer passes the gate like every other; nil means that the picker has to be asked.
func (c *climb) claim(ctx context.Context) *reply {
	g := c.guess
	if g == nil {
		return nil
	}
	c.guess = nil
	c.p.Guess = "miss"
	if g.st != c.st || !sameQuestion(g.q, c.q) {
		c.drop(g)
		return nil
	}
	claimed := time.Now()
	select {
	case <-g.done:
	case <-ctx.Done():
	}
	var unreadable *UnreadableError
	select {
	case <-g.done: // the answer is there, and nobody writes it any more
	default:
		c.drop(g)
		return nil
	}
	if g.err != nil && !errors.As(g.err, &unreadable) || slices.ContainsFunc(g.answers, func(a Answer) bool { return c.menu.pickedCommit(a.Keys) }) {
		c.drop(g) // it could not be asked, or is about something that cannot be undone: it is asked now
		return nil
	}
	g.cancel()
	s := &c.shared.guesses
	s.close(g)
	c.p.Guess, c.p.Hidden = "hit", ms(min(g.took, claimed.Sub(g.start)))
	s.Hits++
	s.Hidden += c.p.Hidden
	return &g.reply
}

func sameQuestion(a, b Question) bool {
	return a.Instructions == b.Instructions && a.Many == b.Many && a.Reason == b.Reason &&
		slices.Equal(a.Options, b.Options) && slices.Equal(a.Group, b.Group) && len(a.Asks) == 0 && len(b.Asks) == 0
}

// drop gives a guess up, waits until its goroutine is through with the picker, and books what it cost.
func (r *run) drop(g *guess) {
	g.cancel()
	<-g.done
	r.shared.guesses.close(g)
	u := Usage{}
	for _, a := range g.answers {
		u = u.Add(a.Usage)
	}
	if g.err != nil {
		if u = spentOn(g.err); u == (Usage{}) { // it was cut off, and the endpoint had the question
			u = Usage{Calls: 1, PromptTokens: g.q.size() / 4}
		}
	}
	w := &r.shared.guesses.Wasted
	*w = w.Add(r.spend(g.by.Name(), u))
}

// size is about how many bytes of a prompt a question makes.
func (q Question) size() int {
	n := len(q.Instructions) + len(q.State) + 200 // and the words around them
	for _, o := range q.Options {
		n += len(o.Label) + 4
	}
	return n
}

func (g *guesses) close(x *guess) {
	g.open = slices.DeleteFunc(g.open, func(y *guess) bool { return x == y })
}

// dropGuesses gives up what nobody has claimed, at the end of a run.
func (r *run) dropGuesses() {
	for _, g := range slices.Clone(r.shared.guesses.open) {
		r.drop(g)
	}
}

// pickedCommit reports whether an answer holds a commit.
func (m *Menu) pickedCommit(keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool {
		n, err := strconv.Atoi(k)
		return err == nil && n > 0 && n <= len(m.Candidates) && m.Candidates[n-1].Entry.Skill.Commit()
	})
}
