package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nth-dev/nth/engine/compile"
)

// Proposer is a Picker that can also think of words. A find stage asks it when none of its own terms is on the page.
type Proposer interface {
	// Propose gives at most p.Max terms to look for, the best first. An error is like one of Pick.
	Propose(ctx context.Context, p Proposal) ([]string, Usage, error)
}

// Proposal asks for terms.
type Proposal struct {
	Goal  string   // trusted
	State string   // of the page, fenced
	Tried []string // terms that are not on the page
	Max   int
}

// maxProposed is how many terms are asked for.
const maxProposed = 5

// finder is one visit of a find stage.
type finder struct {
	*run
	st    *compile.Stage
	terms []compile.Matcher
	why   string // why a passage that matched could not be read
	shown int    // passages that have been offered
	seen  map[*Block]bool
	left  int // passages that the token cap has cut off
}

// findStage looks for the terms in the page's text and has one of the passages picked. When the page has none it is
// given a moment to change; then words that are nearly the terms are looked for, then the picker is asked for other
// terms, if it can. What is found, and what is read from it, is always text of the page, to the letter.
func (r *run) findStage(ctx context.Context, st *compile.Stage) error {
	v, err := r.look(ctx, st.Probes)
	if err != nil {
		return err
	}
	if err := r.gateStage(ctx, st, v); err != nil {
		return err
	}
	w := &finder{run: r, st: st, seen: map[*Block]bool{}}
	if w.terms, err = st.Find.BindTerms(r.env(v)); err != nil {
		return failf(ErrInput, "find: %v", err)
	}
	if len(w.terms) == 0 {
		return failf(ErrInput, "find: there is no term to look for")
	}
	v, hits, err := w.await(ctx, v)
	if err != nil {
		return err
	}
	for _, more := range []func(context.Context, *view) ([]passage, string, error){
		func(context.Context, *view) ([]passage, string, error) { return hits, "", nil },
		w.fuzzy,
		w.proposed,
	} {
		found, how, err := more(ctx, v)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(p passage) bool { return w.seen[p.block] })
		if len(found) == 0 {
			continue
		}
		if done, err := w.offer(ctx, v, found, how); done || err != nil {
			return err
		}
		for _, p := range found {
			w.seen[p.block] = true
		}
	}
	return w.nothing(ctx, v)
}

// await looks for the terms, and again at each change of the page when there are none: until it has been still for a
// short while, and never longer than patience.
func (w *finder) await(ctx context.Context, v *view) (*view, []passage, error) {
	start := time.Now()
	for {
		hits, why := search(v.Blocks, w.terms, w.st.Find, exactly)
		w.why = why
		if len(hits) > 0 {
			return v, hits, nil
		}
		still := settle
		if v.Busy {
			still = patience
		}
		left := min(still, patience-time.Since(start))
		if left <= 0 {
			return v, nil, nil
		}
		next, err := w.changedWithin(ctx, v, left)
		if err != nil || next == nil {
			return v, nil, err
		}
		v = next
	}
}

// changedWithin waits for a change of the page and looks again; nil when there was none.
func (w *finder) changedWithin(ctx context.Context, v *view, d time.Duration) (*view, error) {
	ctx2, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := w.Driver.Changed(ctx2, v.Snapshot)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case ctx2.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, asStageError(err)
	}
	return w.look(ctx, w.st.Probes)
}

func (w *finder) fuzzy(_ context.Context, v *view) ([]passage, string, error) {
	hits, why := search(v.Blocks, w.terms, w.st.Find, nearly)
	if w.why == "" {
		w.why = why
	}
	return hits, "nearly the terms", nil
}

func (w *finder) proposed(ctx context.Context, v *view) ([]passage, string, error) {
	p, ok := w.Picker.(Proposer)
	if !ok || !w.st.Find.Propose || w.st.Pick == "first" {
		return nil, "", nil
	}
	if w.guess != nil {
		w.drop(w.guess) // a picker answers one thing at a time
		w.guess = nil
	}
	if err := w.affordable(w.st, w.Picker); err != nil {
		return nil, "", err
	}
	req := Proposal{Goal: w.instructions(v, w.st), State: w.promptState(v), Max: maxProposed}
	for i := range w.terms {
		req.Tried = append(req.Tried, w.redact(w.terms[i].Text))
	}
	texts, usage, err := p.Propose(ctx, req)
	if err != nil {
		usage = spentOn(err)
	}
	usage = w.spend(w.Picker.Name(), usage)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "", &StageError{Name: ErrModel, Message: err.Error(), Err: err}
	}
	w.terms = nil
	rec := &Record{Type: "terms", OK: true, URL: v.URL, Terms: w.redactAll(texts), Usage: &usage}
	if err := w.append(ctx, rec); err != nil {
		return nil, "", err
	}
	for _, t := range texts[:min(len(texts), maxProposed)] {
		if m := compile.NewMatcher(t, false); m.Text != "" {
			w.terms = append(w.terms, m)
		}
	}
	hits, _ := search(v.Blocks, w.terms, w.st.Find, exactly)
	if len(hits) == 0 {
		hits, _ = search(v.Blocks, w.terms, w.st.Find, nearly)
	}
	return hits, "terms of " + w.Picker.Name() + ": " + cut(strings.Join(texts, ", "), 120), nil
}

// offer has one of the passages picked, page by page of the menu. done is false when none was wanted.
// how says in the record how the passages were found; a single one is taken without a question only where one of the
// flow's own terms has found it as a word.
func (w *finder) offer(ctx context.Context, v *view, found []passage, how string) (done bool, err error) {
	found = w.within(found)
	for page := 0; page*maxMenu < len(found); page++ {
		some := found[page*maxMenu : min(len(found), (page+1)*maxMenu)]
		options := passageOptions(some, len(found)-page*maxMenu-len(some))
		rec := &Record{Type: "step", URL: v.URL, Title: w.redact(v.Title), Message: w.redact(how), Timing: &Timing{}}
		rec.Menu = w.redactAll(optionLines(options))
		rec.MenuDigest = linesDigest(w.st.Name, optionLines(options))
		w.observe(Event{Kind: "menu", Menu: rec.Menu})
		p, err := w.pickPassage(ctx, v, rec, options, len(found) == 1 && how == "" && found[0].how != byPart)
		rec.Pick = &p
		var se *StageError
		if errors.As(err, &se) {
			rec.Error, rec.Message = se.Name, w.redact(se.Message)
			if jerr := w.append(ctx, rec); jerr != nil {
				return false, jerr
			}
		}
		if err != nil {
			return false, err
		}
		w.observe(Event{Kind: "pick", Pick: &p, Menu: rec.Menu})
		n, _ := strconv.Atoi(p.Keys[0])
		w.shown += len(some)
		if n >= 1 && n <= len(some) {
			return true, w.take(ctx, v, rec, some[n-1])
		}
		rec.Error, rec.Message = ErrNoPick, "none of these"
		if n > len(some) {
			rec.Error, rec.Message, rec.OK = "", "more", true
		}
		if err := w.append(ctx, rec); err != nil {
			return false, err
		}
		w.observe(Event{Kind: "step", Record: rec})
		if n == 0 {
			return false, nil
		}
	}
	return false, nil
}

func (w *finder) pickPassage(ctx context.Context, v *view, rec *Record, options []Option, forced bool) (Pick, error) {
	if err := w.withinBudget(w.st); err != nil {
		return Pick{}, err
	}
	w.picks++
	switch {
	case forced:
		return Pick{Keys: []string{"1"}, By: "forced"}, nil
	case w.st.Pick == "first":
		return Pick{Keys: []string{"1"}, By: "rule"}, nil
	}
	q := Question{
		ID: w.st.Name, Instructions: w.instructions(v, w.st) + "\nThe menu holds passages of the page. Which one answers this?",
		State: w.promptState(v), Options: options, Group: make([]int, len(options)),
	}
	start := time.Now()
	p := Pick{}
	err := w.ask(ctx, w.st, &Menu{}, q, rec.MenuDigest, &p)
	rec.Timing.Pick = ms(time.Since(start))
	return p, err
}

// take leaves the passage in stages.<name>.
func (w *finder) take(ctx context.Context, v *view, rec *Record, p passage) error {
	value := map[string]any{"passage": p.block.Text, "heading": strings.Join(headingsOf(p.block, len(p.block.Path)+1), " › "), "term": w.terms[p.term].Text, "url": v.URL}
	for k, x := range p.values {
		value[k] = x
	}
	w.state.Stages[w.st.Name] = value
	rec.OK, rec.Label, rec.Effect, rec.Returned = true, w.redact("Read "+p.label), "read", w.redactValue(value)
	if w.left > 0 {
		rec.Message = strings.TrimPrefix(rec.Message+fmt.Sprintf("; %d more passages did not fit", w.left), "; ")
	}
	if err := w.append(ctx, rec); err != nil {
		return err
	}
	w.shared.steps++
	w.observe(Event{Kind: "step", Record: rec})
	return nil
}

// nothing ends the stage without a passage.
func (w *finder) nothing(ctx context.Context, v *view) error {
	if w.shown > 0 {
		return failf(ErrNoPick, "none of the %d passages was wanted", w.shown)
	}
	terms, err := w.st.Find.BindTerms(w.env(v))
	if err != nil {
		return failf(ErrInput, "find: %v", err)
	}
	var texts []string
	for i := range terms {
		texts = append(texts, terms[i].String())
	}
	msg := "the page has no passage with " + cut(strings.Join(texts, ", "), 160)
	if w.why != "" {
		msg = "no passage with " + cut(strings.Join(texts, ", "), 160) + " can be read: " + w.why
	}
	rec := &Record{Type: "step", URL: v.URL, Title: w.redact(v.Title), Error: ErrNoCandidates, Message: w.redact(msg)}
	if err := w.append(ctx, rec); err != nil {
		return err
	}
	return failf(ErrNoCandidates, "%s", msg)
}

// passageRunes bounds one line of the menu, passageContext the headings in it.
const (
	passageRunes   = 156
	passageContext = 50
)

// within labels the passages and keeps those that the token cap allows, the first ones; about four letters are a token.
func (w *finder) within(list []passage) []passage {
	total := 0
	for i := range list {
		p := &list[i]
		p.label = ""
		if len(w.st.Find.Read) > 0 && w.st.Find.Read[0].Match != nil {
			p.label = cut(fmt.Sprint(p.values[w.st.Find.Read[0].Name]), 40) + ": "
		}
		if above := strings.Join(headingsOf(p.block, w.st.Find.Parents), " › "); above != "" {
			p.label += cut(above, passageContext) + ": "
		}
		p.label += around(p.block.Text, p.at, passageRunes-utf8.RuneCountInString(p.label))
		p.label = oneLine(p.label)
		total += utf8.RuneCountInString(p.label)/4 + 2
		if total > w.st.Find.Tokens && i > 0 {
			w.left = len(list) - i
			return list[:i]
		}
	}
	return list
}

// around is n runes of a text with the byte at in it, cut at words where it can be.
func around(s string, at, n int) string {
	all := []rune(s)
	if len(all) <= n {
		return s
	}
	hit := utf8.RuneCountInString(s[:min(at, len(s))])
	from := max(0, min(hit-n/3, len(all)-n+1))
	if from > 0 {
		if i := slices.Index(all[from:hit], ' '); i >= 0 {
			from += i + 1
		}
		return "…" + cut(string(all[from:]), n-1)
	}
	return cut(s, n)
}

func passageOptions(list []passage, more int) []Option {
	var out []Option
	for i, p := range list {
		out = append(out, Option{Key: strconv.Itoa(i + 1), Label: p.label})
	}
	if more > 0 {
		out = append(out, Option{Key: strconv.Itoa(len(out) + 1), Label: fmt.Sprintf("Show %d more", more)})
	}
	return out
}

func optionLines(options []Option) []string {
	var out []string
	for _, o := range options {
		out = append(out, o.Key+" "+o.Label)
	}
	return out
}
