package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// How long an empty menu may last: the page gets settle to bring something up before a fallback skill is tried,
// and patience before the stage gives up. Both are cut short by any change that helps.
const (
	settle   = 1500 * time.Millisecond
	patience = 6 * time.Second
	// turning is how long the page gets to show that a repeatable step was done, before it may be done again.
	turning = 3 * time.Second
)

// lately is how old a look at the page may be that is acted on without another one, when the answer had come before it.
const lately = 20 * time.Millisecond

// menuStage walks the corridor until the stage is done.
func (r *run) menuStage(ctx context.Context, st *compile.Stage) error {
	w := &walk{run: r, st: st}
	v, err := r.look(ctx, st.Probes)
	if err != nil {
		return err
	}
	if err := r.gateStage(ctx, st, v); err != nil {
		return err
	}
	for {
		done, err := r.stageDone(st, v)
		if err != nil || done {
			if err == nil {
				w.keep()
				w.speculatePast(ctx, v)
			}
			return err
		}
		if err := r.withinBudget(st); err != nil {
			var se *StageError
			if errors.As(err, &se) { // say why nothing else was possible, if nothing was
				se.Absent = w.absent
			}
			return err
		}
		if v, err = w.step(ctx, v); err != nil {
			return err
		}
	}
}

// walk is one visit of a menu stage.
type walk struct {
	*run
	st         *compile.Stage
	emptySince time.Time // zero: the last menu was not empty
	absent     []Absence // why the last menu was empty
	declined   string    // digest of the menu that the picker wanted nothing of

	turned   string // what the page showed before the last step, if that may be repeated and says not itself that it was done
	turnedAt time.Time

	// of a forecast
	looked bool // it looked at the page
	passed int  // stages that it went through without a look

	// for the pick cache
	chain  []*CachedPick   // the pages of the menu that is being picked from
	learnt []lesson        // of this visit
	stale  map[string]bool // keys whose entry did not do
}

// step is one pass through the corridor. It starts with a look at the page and returns the next one.
func (w *walk) step(ctx context.Context, v *view) (*view, error) {
	start := time.Now()
	if w.turned != "" && time.Since(w.turnedAt) < turning && (v.Busy || w.turned == shown(v, true)) {
		return w.changed(ctx, v, turning-time.Since(w.turnedAt))
	}
	cands, absent := w.candidates(v, w.st, w.st.Entries, 0)
	if len(cands) == 0 {
		return w.nothing(ctx, v, absent)
	}
	w.emptySince, w.absent = time.Time{}, nil
	rec := &Record{Type: "step", URL: v.URL, Title: w.redact(v.Title), Absent: absent, Dialogs: v.Dialogs, Timing: &Timing{}}
	menu, keys, err := w.choose(ctx, v, cands, rec, start)
	if err != nil {
		return nil, err
	}
	if keys == nil {
		return w.decline(ctx, v, menu, rec)
	}
	w.declined = ""
	pick := rec.Pick
	cands = make([]*Candidate, len(keys))
	for i, key := range keys {
		n, _ := strconv.Atoi(key)
		cands[i] = menu.Candidates[n-1]
	}
	w.speculate(ctx, v, cands)
	slow := pick.Asked > 0 && !w.Picker.Caps().Instant && (pick.Guess != "hit" || rec.Timing.Pick > ms(lately))
	var done []string
	failed := false
	defer func() { w.learn(ctx, menu, pick, done, failed) }()
	for i, c := range cands {
		if i > 0 {
			rec = &Record{Type: "step", Batch: i + 1, URL: v.URL, Title: w.redact(v.Title), Timing: &Timing{}}
		}
		if err := w.fill(ctx, v, c, pick, pick.values[keys[i]]); err != nil {
			return nil, w.refuse(ctx, rec, err)
		}
		next, surprise, err := w.act(ctx, v, c, rec, slow && i == 0 || len(c.Entry.Asks) > 0)
		if err != nil {
			return nil, err
		}
		v = next
		if rec.OK {
			done = append(done, keys[i])
		}
		failed = !rec.OK
		if surprise {
			break // what was picked for the old page is dropped
		}
		if done, err := w.stageDone(w.st, v); err != nil || done {
			return v, err
		}
	}
	return v, nil
}

// choose builds the menu, page by page, and has it answered. keys is nil when nothing was wanted.
func (w *walk) choose(ctx context.Context, v *view, cands []*Candidate, rec *Record, start time.Time) (*Menu, []string, error) {
	w.chain = nil
	for page := 0; ; page++ {
		menu, err := w.buildMenu(v, w.st, cands, page)
		if err != nil {
			return nil, nil, err
		}
		rec.Menu, rec.MenuDigest = w.redactAll(menu.Lines()), menu.digest(w.st.Name)
		w.observe(Event{Kind: "menu", Menu: rec.Menu, Absent: rec.Absent})
		rec.Timing.Menu = ms(time.Since(start))
		asked := time.Now()
		p, err := w.pick(ctx, v, menu)
		rec.Pick, rec.Timing.Pick = &p, ms(time.Since(asked))
		w.picks++
		if err != nil {
			w.observe(Event{Kind: "no_pick", Pick: &p, Menu: rec.Menu})
			return nil, nil, w.refuse(ctx, rec, err)
		}
		w.observe(Event{Kind: "pick", Pick: &p, Menu: rec.Menu})
		if p.Keys[0] == "0" {
			return menu, nil, nil
		}
		var keys []string
		for _, k := range p.Keys {
			if n, _ := strconv.Atoi(k); n <= len(menu.Candidates) {
				keys = append(keys, k)
			}
		}
		if len(keys) > 0 {
			return menu, keys, nil
		}
		if w.picks >= w.st.Budget.Picks {
			return nil, nil, failf(ErrBudget, "%d picks are used up", w.st.Budget.Picks)
		}
	}
}

// refuse records a step that came to nothing because of the pick, and returns the error that ends the stage.
func (w *walk) refuse(ctx context.Context, rec *Record, err error) error {
	var se *StageError
	if errors.As(err, &se) {
		rec.Error, rec.Message = se.Name, w.redact(se.Message)
		if jerr := w.append(ctx, rec); jerr != nil {
			return jerr
		}
	}
	return err
}

// act checks a picked candidate on the live page, carries it out and records it. surprise means that the page is no
// longer the one that the pick was made for.
func (w *walk) act(ctx context.Context, v *view, c *Candidate, rec *Record, lookAgain bool) (next *view, surprise bool, err error) {
	if lookAgain { // the picker took its time
		t := time.Now()
		if v, err = w.look(ctx, w.st.Probes); err != nil {
			return nil, false, err
		}
		rec.Timing.Look = ms(time.Since(t))
	}
	rec.Skill, rec.Label, rec.Effect = c.Entry.Skill.FullName(), w.redact(c.Label), c.Entry.Skill.Effect
	rec.Params, _ = w.redactValue(c.Params).(map[string]any)
	c, why := w.again(v, c)
	if c == nil {
		rec.Error, rec.Message = ErrTargetGone, why
		w.lastFailed = rec.Label + ": " + why
		w.observe(Event{Kind: "step", Record: rec})
		return v, true, w.append(ctx, rec)
	}
	if c.element >= 0 {
		rec.Target = w.redact(v.Elements[c.element].describe())
	}
	w.observe(Event{Kind: "act", Label: rec.Label})
	if c.Entry.Skill.Commit() {
		if err := w.intend(ctx, v, c, rec); err != nil {
			return nil, false, err
		}
	}
	out := w.carryOut(ctx, w.st, v, c)
	rec.Timing.Act, rec.Timing.Verify = ms(out.act), ms(out.verify)
	return w.settle(ctx, v, c, rec, out)
}

// again finds a candidate on a newer look.
func (w *walk) again(v *view, c *Candidate) (*Candidate, string) {
	entries := w.st.Entries
	if c.group >= len(w.st.Entries) {
		entries = w.st.Fallback
	}
	found, absent := w.candidates(v, w.st, entries[c.Entry.Index:c.Entry.Index+1], c.group-c.Entry.Index)
	if same := byKey(found, c.Key); same != nil {
		same.Label, same.Params = c.Label, c.Params // the label that was picked, and what the model wrote
		return same, ""
	}
	if len(absent) > 0 {
		return nil, "no longer possible: " + absent[0].Reason
	}
	return nil, "no longer there"
}

// intend writes a commit's intent to the journal, flushed, before anything is done.
func (w *walk) intend(ctx context.Context, v *view, c *Candidate, rec *Record) error {
	if err := w.asserts(w.st, v); err != nil {
		return err
	}
	key := w.commitKey(c)
	intent := &Record{Type: "intent", Skill: rec.Skill, Label: rec.Label, Effect: rec.Effect, Params: rec.Params, Target: rec.Target, URL: v.URL, CommitKey: key}
	if err := w.append(ctx, intent); err != nil {
		return err
	}
	w.shared.commits[key] = true
	rec.CommitKey = key
	return nil
}

// settle books the outcome of an action.
func (w *walk) settle(ctx context.Context, before *view, c *Candidate, rec *Record, out outcome) (next *view, surprised bool, err error) {
	var se *StageError
	switch {
	case out.err == nil:
		w.succeeded(c, rec, out)
		w.turned = ""
		if s := c.Entry.Skill; c.Entry.Repeat && (s.Ensures == nil || s.Changed) { // as "next page": nothing but the page says that it was done
			w.turned, w.turnedAt = shown(before, true), time.Now()
		}
	case errors.As(out.err, &se):
		rec.Error, rec.Message = se.Name, w.redact(se.Message)
		w.hist.tried[c.Key]++
		w.lastFailed = rec.Label + ": " + rec.Error
		if out.clean && c.Entry.Skill.Commit() {
			rec.Untouched = true
			delete(w.shared.commits, rec.CommitKey)
		}
	default: // cancelled
		rec.Error, rec.Message = "interrupted", out.err.Error()
	}
	next = out.view
	if next == nil && ctx.Err() == nil && (se == nil || se.Name != ErrBrowserLost && se.Name != ErrInDoubt) {
		next, err = w.look(ctx, w.st.Probes)
	}
	if next != nil {
		w.lastDiff = w.redactAll(diff(before.Snapshot, next.Snapshot))
		rec.Diff = w.lastDiff
		surprised = surprise(before.Snapshot, next.Snapshot)
	}
	if jerr := w.append(ctx, rec); jerr != nil {
		return nil, false, jerr
	}
	w.shared.steps++
	w.observe(Event{Kind: "step", Record: rec})
	switch {
	case se != nil && (se.Name == ErrInDoubt || se.Name == ErrBrowserLost || se.Name == ErrOrigin || se.Name == ErrJournal):
		return nil, false, se
	case out.err != nil && se == nil:
		return nil, false, out.err
	}
	return next, surprised || out.err != nil, err
}

func (w *walk) succeeded(c *Candidate, rec *Record, out outcome) {
	rec.OK = true
	w.hist.done[c.Key] = true
	if c.group < len(w.st.Entries) {
		w.hist.entry[c.Entry.Index] = true
	}
	for _, f := range out.facts {
		w.state.Facts[f] = true
	}
	rec.Facts = out.facts
	if out.returned != nil {
		w.state.Stages[w.st.Name] = out.returned
		rec.Returned = w.redactValue(out.returned)
	}
	w.did = append(w.did, c.Label)
	w.lastFailed = ""
}

// nothing handles an empty menu: wait for the page to change, then the fallback skills, then give up.
func (w *walk) nothing(ctx context.Context, v *view, absent []Absence) (*view, error) {
	w.absent = absent
	if w.emptySince.IsZero() {
		w.emptySince = time.Now()
	}
	waited := time.Since(w.emptySince)
	inTheWay := v.Modal != ""
	for _, a := range absent {
		inTheWay = inTheWay || a.hidden
	}
	if inTheWay || waited >= settle {
		if next, tried, err := w.fallback(ctx, v); tried || err != nil {
			return next, err
		}
	}
	if waited >= patience {
		err := &StageError{Name: ErrNoCandidates, Message: fmt.Sprintf("nothing in the relevance list of %s became possible within %s", w.st.Name, patience), Absent: absent}
		rec := &Record{Type: "step", URL: v.URL, Title: w.redact(v.Title), Absent: absent, Error: err.Name, Message: err.Message}
		if jerr := w.append(ctx, rec); jerr != nil {
			return nil, jerr
		}
		return nil, err
	}
	w.observe(Event{Kind: "waiting", Absent: absent})
	until := patience
	if waited < settle {
		until = settle
	}
	return w.changed(ctx, v, until-waited)
}

// changed waits for the page to change, at most for d, and looks again.
func (w *walk) changed(ctx context.Context, v *view, d time.Duration) (*view, error) {
	waitCtx, cancel := context.WithTimeout(ctx, d)
	err := w.Driver.Changed(waitCtx, v.Snapshot)
	cancel()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, asStageError(err)
	}
	return w.look(ctx, w.st.Probes)
}

// fallback does the first fallback skill that is possible.
func (w *walk) fallback(ctx context.Context, v *view) (next *view, tried bool, err error) {
	cands, _ := w.candidates(v, w.st, w.st.Fallback, len(w.st.Entries))
	if len(cands) == 0 {
		return nil, false, nil
	}
	menu, err := w.buildMenu(v, &compile.Stage{Name: w.st.Name}, cands, 0)
	if err != nil {
		return nil, false, err
	}
	w.emptySince = time.Time{}
	w.picks++
	p := Pick{Keys: []string{"1"}, By: "fallback"}
	rec := &Record{Type: "step", URL: v.URL, Title: w.redact(v.Title), Menu: w.redactAll(menu.Lines()), MenuDigest: menu.digest(w.st.Name), Pick: &p, Timing: &Timing{}}
	w.observe(Event{Kind: "menu", Menu: rec.Menu})
	w.observe(Event{Kind: "pick", Pick: &p, Menu: rec.Menu})
	next, _, err = w.act(ctx, v, menu.Candidates[0], rec, false)
	return next, true, err
}

// decline handles "none of these": the page may need time; a second time on the same menu ends the stage.
func (w *walk) decline(ctx context.Context, v *view, m *Menu, rec *Record) (*view, error) {
	rec.Error, rec.Message = ErrNoPick, "none of these"
	if err := w.append(ctx, rec); err != nil {
		return nil, err
	}
	w.observe(Event{Kind: "step", Record: rec})
	if d := rec.MenuDigest; w.declined == d {
		if next, tried, err := w.fallback(ctx, v); tried || err != nil {
			return next, err
		}
		return nil, failf(ErrNoPick, "%s wanted none of the %d actions, twice", rec.Pick.By, len(m.all))
	} else {
		w.declined = d
	}
	return w.changed(ctx, v, settle)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
