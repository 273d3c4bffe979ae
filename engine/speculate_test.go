package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/enginetest"
)

const guessFlow = `kind: flow/v1
name: guess
packs: {std: std@^1, shop: ./shop}
LIMITS
stages:
  narrow:
    relevance:
      - std.check: {field: Nonstop}
      - std.check: {field: Cheap}
  choose:
    goal: Choose
    relevance:
      - std.click: {name: Offer}
      - use: shop.pay
        optional: true
    done: page.title == "Third" or page.title == "Paid"
`

func guessing(t *testing.T, limits, rules string) *world {
	w := newWorld(t, strings.Replace(guessFlow, "LIMITS", limits, 1), map[string]string{"shop/pack.yaml": shop}, map[string]string{
		"first": "url: https://example.test/\ntitle: First\ncheckbox \"Nonstop\"\ncheckbox \"Cheap\"\nbutton \"Offer A\"\nbutton \"Offer B\"\nbutton \"Pay\"\n",
		"other": "url: https://example.test/\ntitle: First\ncheckbox \"Nonstop\" checked=true\ncheckbox \"Cheap\" checked=true\nbutton \"Offer B\"\nbutton \"Offer C\"\nbutton \"Pay\"\n",
		"third": "url: https://example.test/3\ntitle: Third\nbutton \"Home\"\n",
	}, "first", rules+"click button \"Offer A\" -> third\nclick button \"Offer B\" -> third\nclick button \"Pay\" -> third\n")
	return w
}

// slow is a driver that acts only while a question is open, so that a test can tell that they overlap.
type slow struct {
	*enginetest.Driver
	open    chan struct{}
	look    *compile.Probes // what waits for the question is this look; nil: the first action
	overlap bool
}

func (d *slow) await() {
	if d.open != nil {
		select {
		case <-d.open:
			d.overlap = true
		case <-time.After(2 * time.Second):
		}
		d.open = nil
	}
}

func (d *slow) Do(ctx context.Context, a engine.Action) error {
	if d.look == nil {
		d.await()
	}
	return d.Driver.Do(ctx, a)
}

func (d *slow) Snapshot(ctx context.Context, p *compile.Probes) (*engine.Snapshot, error) {
	if d.look == p && p != nil && len(d.Done) > 0 {
		d.await()
	}
	return d.Driver.Snapshot(ctx, p)
}

func runSlow(t *testing.T, w *world, b *brain, overlap bool) (*engine.Result, *slow) {
	t.Helper()
	return runHeld(t, w, b, overlap, nil)
}

func runHeld(t *testing.T, w *world, b *brain, overlap bool, look *compile.Probes) (*engine.Result, *slow) {
	t.Helper()
	d := &slow{Driver: &enginetest.Driver{Pages: map[string]*enginetest.Page{}}, look: look}
	for name, text := range w.pages {
		p, err := enginetest.ParsePage(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Pages[name] = p
	}
	d.Rules, _ = enginetest.ParseRules(w.rules)
	_ = d.Show(w.first)
	if overlap {
		d.open = make(chan struct{})
		open, pick := d.open, b.pick
		b.pick = func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) {
			if n == 1 {
				close(open)
			}
			return pick(ctx, n, r)
		}
	}
	w.log = memory{}
	r := engine.Runner{Driver: d, Picker: b, Journal: &w.log, Speculate: true, Secret: func(compile.Secret) (string, error) { return "", nil }}
	res, err := r.Run(t.Context(), w.prog, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	w.done = d.Done
	return res, d
}

func TestSpeculationHit(t *testing.T) {
	w, b := guessing(t, "", ""), sure("m:1", "Offer B")
	res, d := runSlow(t, w, b, true)
	if res.Status != engine.Done || !d.overlap || len(b.asked) != 1 {
		t.Fatalf("%s %s, overlap %t, %d questions", res.Status, res.Message, d.overlap, len(b.asked))
	}
	p := w.picks()[0]
	if p.Guess != "hit" || p.Asked != 1 || w.done[2] != `click button "Offer B"` {
		t.Errorf("guess %q, asked %d, did %v", p.Guess, p.Asked, w.done)
	}
	if s := res.Speculation; s == nil || s.Asked != 1 || s.Hits != 1 || s.Wasted != (engine.Usage{}) || res.Usage.Calls != 1 {
		t.Errorf("%+v, usage %+v", s, res.Usage)
	}
}

// The menu that came is not the one that was expected: the answer is thrown away and paid for.
func TestSpeculationMiss(t *testing.T) {
	w, b := guessing(t, "", "check checkbox \"Cheap\" -> other\n"), sure("m:1", "Offer B")
	res, _ := runSlow(t, w, b, true)
	if res.Status != engine.Done || len(b.asked) != 2 {
		t.Fatalf("%s %s, %d questions", res.Status, res.Message, len(b.asked))
	}
	if p := w.picks()[0]; p.Guess != "miss" || p.Keys[0] != "1" {
		t.Errorf("guess %q, keys %v", p.Guess, p.Keys)
	}
	if s := res.Speculation; s.Hits != 0 || s.Wasted.Calls != 1 || s.Wasted.Tokens() == 0 || res.Usage.Calls != 2 {
		t.Errorf("%+v, usage %+v", s, res.Usage)
	}
}

// A picker that never answers a guess does not stop the run: the deadline is that of the pick.
func TestSpeculationHangs(t *testing.T) {
	w, b := guessing(t, "", "check checkbox \"Cheap\" -> other\n"), sure("m:1", "")
	b.pick = func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) {
		if n == 1 {
			<-ctx.Done()
			return engine.Answer{}, ctx.Err()
		}
		return engine.Answer{Keys: []string{keyed(r, "Offer B")}}, nil
	}
	start := time.Now()
	res, _ := runSlow(t, w, b, true)
	if res.Status != engine.Done || time.Since(start) > 5*time.Second {
		t.Fatalf("%s %s after %s", res.Status, res.Message, time.Since(start))
	}
	if u := res.Speculation.Wasted; u.Calls != 1 || u.PromptTokens < 50 {
		t.Errorf("wasted %+v", u)
	}
}

// What cannot be undone is never picked ahead of time.
func TestSpeculationNoCommit(t *testing.T) {
	w, b := guessing(t, "", ""), sure("m:1", "Pay")
	res, _ := runSlow(t, w, b, true)
	if len(b.asked) != 2 || w.picks()[0].Guess != "miss" {
		t.Errorf("%s: %d questions, guess %q", res.Status, len(b.asked), w.picks()[0].Guess)
	}
}

func TestSpeculationOffWhenTight(t *testing.T) {
	w, b := guessing(t, "limits: {model_calls: 1}", ""), sure("m:1", "Offer B")
	res, _ := runSlow(t, w, b, false)
	if res.Status != engine.Done || res.Speculation != nil || w.picks()[0].Guess != "" {
		t.Errorf("%s %s, %+v", res.Status, res.Message, res.Speculation)
	}
}

// pastFlow has the question one stage further on: it is put when the first stage is done, before the stage between them
// is looked at.
const pastFlow = `kind: flow/v1
name: guess
packs: {std: std@^1, shop: ./shop}
stages:
  start:
    relevance: [std.click: {name: Search}]
  narrow:
    relevance:
      - std.check: {field: Nonstop}
      - std.check: {field: Cheap}
  choose:
    goal: Choose
    relevance: [{std.click: {name: Offer}}]
    done: page.title == "Third"
`

func TestSpeculationPastAStage(t *testing.T) {
	w := newWorld(t, pastFlow, map[string]string{"shop/pack.yaml": shop}, map[string]string{
		"first": "url: https://example.test/\ntitle: First\nbutton \"Search\"\n",
		"list":  "url: https://example.test/list\ntitle: List\ncheckbox \"Nonstop\"\ncheckbox \"Cheap\"\nbutton \"Offer A\"\nbutton \"Offer B\"\n",
		"third": "url: https://example.test/3\ntitle: Third\nbutton \"Home\"\n",
	}, "first", "click button \"Search\" -> list\nclick button \"Offer B\" -> third\n")
	b := sure("m:1", "Offer B")
	res, d := runHeld(t, w, b, true, w.prog.Stage("narrow").Probes)
	if s := res.Speculation; res.Status != engine.Done || !d.overlap || s == nil || s.Hits != 1 || s.Asked != 1 || len(b.asked) != 1 {
		t.Fatalf("%s %s, %+v", res.Status, res.Message, res.Speculation)
	}
	if got := strings.Join(d.Done, ", "); got != `click button "Search", check checkbox "Nonstop", check checkbox "Cheap", click button "Offer B"` {
		t.Error(got)
	}
}
