package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/enginetest"
	"github.com/nth-dev/nth/engine/pack"
)

// brain is a picker made of a function; it is counted, and its questions are kept.
type brain struct {
	name  string
	caps  engine.Caps
	pick  func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) // n: 1 for the first question
	write func(n int, r engine.WriteRequest) (engine.Written, error)
	asked []engine.Request
	wrote []engine.WriteRequest
}

func (b *brain) Name() string      { return b.name }
func (b *brain) Caps() engine.Caps { return b.caps }
func (b *brain) Pick(ctx context.Context, r engine.Request) ([]engine.Answer, error) {
	b.asked = append(b.asked, r)
	a, err := b.pick(ctx, len(b.asked), r)
	if a.Usage.Calls == 0 {
		a.Usage = engine.Usage{Calls: 1, PromptTokens: 100, CompletionTokens: 2}
	}
	return []engine.Answer{a}, err
}

func (b *brain) Write(_ context.Context, r engine.WriteRequest) (engine.Written, error) {
	b.wrote = append(b.wrote, r)
	return b.write(len(b.wrote), r)
}

// keyed answers with the option whose label holds the text, wherever it stands, or "0".
func keyed(r engine.Request, text string) string {
	for _, o := range r.Questions[0].Options {
		if strings.Contains(o.Label, text) {
			return o.Key
		}
	}
	return "0"
}

// sure answers with the option of that label, and no probabilities.
func sure(name, text string) *brain {
	return &brain{name: name, pick: func(ctx context.Context, _ int, r engine.Request) (engine.Answer, error) {
		return engine.Answer{Keys: []string{keyed(r, text)}}, ctx.Err()
	}}
}

const twoDoors = `kind: flow/v1
name: doors
packs: {std: std@^1, shop: ./shop}
stages:
  go:
    goal: Go on
    relevance:
      - std.click: {name: Left}
      - std.click: {name: Right}
      - use: shop.pay
        optional: true
    done: page.title == "Through"
    STAGE
`

const shop = `kind: pack/v1
name: test/shop
version: 1.0.0
facts: [paid]
skills:
  pay:
    summary: Pay now
    target: {role: button, name: Pay}
    do: [{click: target}]
    sets: [paid]
    effect: commit
`

const doorsPage = `url: https://example.test/
title: Doors
button "Left"
button "Right"
button "Pay"
`

// world is a flow with its pages, ready to be run by pickers.
type world struct {
	prog   *compile.Program
	pages  map[string]string
	first  string
	rules  string
	runner engine.Runner
	log    memory
	done   []string
}

type memory struct{ records []engine.Record }

func (m *memory) Append(_ context.Context, r *engine.Record) error {
	m.records = append(m.records, *r)
	return nil
}

func newWorld(t *testing.T, flow string, files, pages map[string]string, first, rules string) *world {
	t.Helper()
	loader := &pack.Loader{Read: func(name string) ([]byte, error) {
		if name == "flow.yaml" {
			return []byte(flow), nil
		}
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}}
	in, err := loader.Load("flow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	prog, ds := compile.Compile(in)
	if prog == nil {
		t.Fatal(ds)
	}
	return &world{prog: prog, pages: pages, first: first, rules: rules}
}

func doors(t *testing.T, stage string) *world {
	return newWorld(t, strings.ReplaceAll(twoDoors, "STAGE", stage), map[string]string{"shop/pack.yaml": shop},
		map[string]string{"doors": doorsPage, "through": "url: https://example.test/through\ntitle: Through\nbutton \"Home\"\n"}, "doors",
		"click button \"Left\" -> through\nclick button \"Right\" -> through\nclick button \"Pay\" -> through\n")
}

// run makes one run on fresh pages.
func (w *world) run(t *testing.T, inputs map[string]any) *engine.Result {
	t.Helper()
	d := &enginetest.Driver{Pages: map[string]*enginetest.Page{}}
	for name, text := range w.pages {
		p, err := enginetest.ParsePage(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Pages[name] = p
	}
	var err error
	if d.Rules, err = enginetest.ParseRules(w.rules); err != nil {
		t.Fatal(err)
	}
	if err := d.Show(w.first); err != nil {
		t.Fatal(err)
	}
	in, err := engine.Inputs(w.prog, inputs)
	if err != nil {
		t.Fatal(err)
	}
	r := w.runner
	w.log = memory{}
	r.Driver, r.Journal = d, &w.log
	r.Secret = func(compile.Secret) (string, error) { return "hunter2-of-the-test", nil }
	res, err := r.Run(t.Context(), w.prog, in)
	if err != nil {
		t.Fatal(err)
	}
	w.done = d.Done
	return res
}

// picks are the picks of the last run that somebody was asked about.
func (w *world) picks() []*engine.Pick {
	var out []*engine.Pick
	for _, r := range w.log.records {
		if r.Pick != nil && r.Pick.By != "forced" {
			out = append(out, r.Pick)
		}
	}
	return out
}

func TestLadder(t *testing.T) {
	answer := func(keys string, p map[string]float64) (engine.Answer, error) {
		return engine.Answer{Keys: strings.Split(keys, ","), P: p, Source: engine.ProbVendor}, nil
	}
	tests := []struct {
		name     string
		stage    string
		picker   func(ctx context.Context, n int, r engine.Request) (engine.Answer, error)
		stronger *brain
		person   *brain
		limits   engine.Thresholds
		did      string // the last action
		by       string
		asked    int // questions put to the picker
		problem  string
	}{
		{name: "clear", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer("2", map[string]float64{"1": 0.2, "2": 0.8})
		}, did: `click button "Right"`, by: "weak:1", asked: 1},

		{name: "ambiguous, then clear in another order", picker: func(_ context.Context, n int, r engine.Request) (engine.Answer, error) {
			k := keyed(r, "Right")
			if n == 1 {
				return answer(k, map[string]float64{k: 0.505, keyed(r, "Left"): 0.495})
			}
			return answer(k, map[string]float64{k: 0.9, keyed(r, "Left"): 0.1})
		}, did: `click button "Right"`, by: "weak:1", asked: 2},

		{name: "it likes the first place: the average is a tie, and the stronger one decides", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			first := min(keyed(r, "Left"), keyed(r, "Right"))
			return answer(first, map[string]float64{first: 0.505, max(keyed(r, "Left"), keyed(r, "Right")): 0.495})
		}, stronger: sure("strong:1", "Right"), did: `click button "Right"`, by: "strong:1", asked: 2},

		{name: "the choice is not the most probable", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer(keyed(r, "Left"), map[string]float64{keyed(r, "Left"): 0.3, keyed(r, "Right"): 0.7})
		}, person: sure("human", "Right"), did: `click button "Right"`, by: "human", asked: 2},

		{name: "ambiguous, and nobody else to ask", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer(keyed(r, "Left"), map[string]float64{keyed(r, "Left"): 0.5, keyed(r, "Right"): 0.5})
		}, problem: "ambiguous", asked: 2},

		{name: "ambiguous, and the stage takes the first", stage: "fallback: {pick: first}", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer(keyed(r, "Right"), map[string]float64{keyed(r, "Left"): 0.5, keyed(r, "Right"): 0.5})
		}, did: `click button "Left"`, by: "fallback first", asked: 2},

		{name: "a threshold of the driver", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer(keyed(r, "Left"), map[string]float64{keyed(r, "Left"): 0.6, keyed(r, "Right"): 0.4})
		}, limits: engine.Thresholds{Margin: 0.3}, stronger: sure("strong:1", "Right"), did: `click button "Right"`, by: "strong:1", asked: 2},

		{name: "unreadable, then out of range", picker: func(_ context.Context, n int, r engine.Request) (engine.Answer, error) {
			if n == 1 {
				return engine.Answer{}, &engine.UnreadableError{Reply: "hm"}
			}
			if !r.Retry || !strings.Contains(r.Problem, "no number") {
				return engine.Answer{}, fmt.Errorf("the problem was not named: %q", r.Problem)
			}
			return answer("9", nil)
		}, stronger: sure("strong:1", "Left"), did: `click button "Left"`, by: "strong:1", asked: 2},

		{name: "refused twice", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return engine.Answer{Refused: true}, nil
		}, problem: "refused", asked: 2},

		{name: "endpoint down", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return engine.Answer{}, errors.New("connection refused")
		}, person: sure("human", "Left"), did: `click button "Left"`, by: "human", asked: 1},

		{name: "a stalled endpoint leaves time for the stronger one", picker: func(ctx context.Context, _ int, r engine.Request) (engine.Answer, error) {
			<-ctx.Done()
			return engine.Answer{}, ctx.Err()
		}, stronger: sure("strong:1", "Left"), did: `click button "Left"`, by: "strong:1", asked: 1},

		{name: "a commit may be picked without probabilities", picker: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
			return answer(keyed(r, "Pay"), nil)
		}, did: `click button "Pay"`, by: "weak:1", asked: 1},

		{name: "two answers differ about a commit: a person", picker: func(_ context.Context, n int, r engine.Request) (engine.Answer, error) {
			if n == 1 {
				return answer(keyed(r, "Left"), map[string]float64{keyed(r, "Left"): 0.5, keyed(r, "Pay"): 0.5})
			}
			return answer(keyed(r, "Pay"), map[string]float64{keyed(r, "Pay"): 1})
		}, stronger: sure("strong:1", "Pay"), person: sure("human", "Left"), did: `click button "Left"`, by: "human", asked: 2},

		{name: "two answers differ about a commit, and there is nobody", stage: "fallback: {pick: first}", picker: func(_ context.Context, n int, r engine.Request) (engine.Answer, error) {
			if n == 1 {
				return answer(keyed(r, "Pay"), map[string]float64{keyed(r, "Left"): 0.5, keyed(r, "Pay"): 0.5})
			}
			return answer(keyed(r, "Left"), map[string]float64{keyed(r, "Left"): 1})
		}, stronger: sure("strong:1", "Pay"), problem: "cannot be undone", asked: 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := doors(t, tt.stage)
			weak := &brain{name: "weak:1", pick: tt.picker}
			w.runner = engine.Runner{Picker: weak, Ladder: engine.Ladder{Deadline: 300 * time.Millisecond, Thresholds: map[string]engine.Thresholds{"weak": tt.limits}}}
			if tt.stronger != nil {
				w.runner.Ladder.Stronger = tt.stronger
			}
			if tt.person != nil {
				tt.person.caps.Person = true
				w.runner.Ladder.Person = tt.person
			}
			res := w.run(t, nil)
			if len(weak.asked) != tt.asked {
				t.Errorf("the picker was asked %d times, want %d", len(weak.asked), tt.asked)
			}
			if tt.problem != "" {
				if res.Error != engine.ErrModel || !strings.Contains(res.Message, tt.problem) || len(w.done) > 0 {
					t.Fatalf("%s %s: %s, did %v; want %s with %q and nothing done", res.Status, res.Error, res.Message, w.done, engine.ErrModel, tt.problem)
				}
				return
			}
			if b := tt.person; b != nil && len(b.asked) > 0 && (b.asked[0].Retry || !strings.Contains(b.asked[0].Problem, "did not settle it: ")) {
				t.Errorf("the person is told %q", b.asked[0].Problem)
			}
			if res.Status != engine.Done || len(w.done) != 1 || w.done[0] != tt.did {
				t.Fatalf("%s: %s, did %v; want %s", res.Status, res.Message, w.done, tt.did)
			}
			if p := w.picks()[0]; p.By != tt.by || p.Asked != len(p.Tries) {
				t.Errorf("picked by %q in %d of %d tries, want %q", p.By, p.Asked, len(p.Tries), tt.by)
			}
		})
	}
}

// One deadline covers every model of a pick.
func TestLadderDeadline(t *testing.T) {
	w := doors(t, "")
	hang := func(ctx context.Context, _ int, _ engine.Request) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{}, ctx.Err()
	}
	w.runner = engine.Runner{Picker: &brain{name: "a:1", pick: hang}, Ladder: engine.Ladder{Stronger: &brain{name: "b:1", pick: hang}, Deadline: 200 * time.Millisecond}}
	start := time.Now()
	res := w.run(t, nil)
	if took := time.Since(start); res.Error != engine.ErrModel || took < 190*time.Millisecond || took > 2*time.Second {
		t.Errorf("%s %s after %s", res.Error, res.Message, took)
	}
}

func TestBudgets(t *testing.T) {
	unreadable := func(context.Context, int, engine.Request) (engine.Answer, error) {
		return engine.Answer{}, &engine.UnreadableError{Reply: "?", Usage: engine.Usage{Calls: 1, PromptTokens: 1000, CompletionTokens: 100}}
	}
	prices := map[string]engine.Price{"weak:1": {Prompt: 10, Completion: 20}} // 0.012 per call
	for _, tt := range []struct {
		name, stage, limits string
		prices              map[string]engine.Price
		asked               int
		message             string
	}{
		{"calls of the stage", "budget: {calls: 1}", "", nil, 1, "1 model calls are used up"},
		{"tokens of the stage", "budget: {tokens: 1k}", "", nil, 1, "1100 of 1000 tokens are used up"},
		{"money of the stage", "budget: {cost: 0.01}", "", prices, 1, "0.01 of 0.01 for the model is used up"},
		{"calls of the run", "", "limits: {model_calls: 1}", nil, 1, "limit of 1 model calls"},
		{"tokens of the run", "", "limits: {tokens: 500}", nil, 1, "limit of 500 tokens"},
		{"money of the run", "", "limits: {cost: 0.01}", prices, 1, "limit of 0.01 for the model is reached (0.01 used)"},
		{"money, but no price", "", "limits: {cost: 0.01}", nil, 0, "no price for weak:1"},
		{"money left", "", "limits: {cost: 0.02}", prices, 2, "no usable answer twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			flow := strings.ReplaceAll(twoDoors, "STAGE", tt.stage)
			if tt.limits != "" {
				flow = strings.Replace(flow, "stages:", tt.limits+"\nstages:", 1)
			}
			w := newWorld(t, flow, map[string]string{"shop/pack.yaml": shop}, map[string]string{"doors": doorsPage}, "doors", "")
			b := &brain{name: "weak:1", pick: unreadable}
			w.runner = engine.Runner{Picker: b, Prices: tt.prices}
			res := w.run(t, nil)
			if len(b.asked) != tt.asked || !strings.Contains(res.Message, tt.message) {
				t.Errorf("asked %d times: %s; want %d times, %q", len(b.asked), res.Message, tt.asked, tt.message)
			}
			if tt.prices != nil && (res.Usage.Cost < 0.0119 || res.Usage.Cost > 0.0241) {
				t.Errorf("the run cost %v", res.Usage.Cost)
			}
		})
	}
}

// failedCall is an error of a call that the server may bill all the same.
type failedCall struct{ calls int }

func (e failedCall) Error() string       { return "the endpoint failed" }
func (e failedCall) Spent() engine.Usage { return engine.Usage{Calls: e.calls} }

// A call that failed counts against the limits: the stronger model is not asked beyond them.
func TestFailedCallsCount(t *testing.T) {
	for _, tt := range []struct {
		calls, asked int
		message      string
	}{{1, 1, "the endpoint failed"}, {3, 0, "the run's limit of 3 model calls is reached"}} {
		w := newWorld(t, strings.Replace(strings.ReplaceAll(twoDoors, "STAGE", ""), "stages:", "limits: {model_calls: 3}\nstages:", 1),
			map[string]string{"shop/pack.yaml": shop}, map[string]string{"doors": doorsPage}, "doors", "")
		fail := func(context.Context, int, engine.Request) (engine.Answer, error) {
			return engine.Answer{}, fmt.Errorf("weak: %w", failedCall{tt.calls})
		}
		strong := &brain{name: "b:1", pick: fail}
		w.runner = engine.Runner{Picker: &brain{name: "a:1", pick: fail}, Ladder: engine.Ladder{Stronger: strong}}
		res := w.run(t, nil)
		if want := tt.calls * (1 + tt.asked); len(strong.asked) != tt.asked || res.Usage.Calls != want || !strings.Contains(res.Message, tt.message) {
			t.Errorf("the stronger model was asked %d times, %d calls, %s; want %d, %d, %q", len(strong.asked), res.Usage.Calls, res.Message, tt.asked, want, tt.message)
		}
	}
}

// What must be done before a choice, and leaves none itself, is done without asking; the choice is then asked about alone.
func TestForcedBeforeAChoice(t *testing.T) {
	page := "url: https://example.test/\ntitle: Form\ncheckbox \"Terms\"\nbutton \"Room A\"\nbutton \"Room B\"\ncheckbox \"Late\"\nbutton \"Pay\"\n"
	for _, tc := range []struct{ name, relevance, first, asked string }{
		{"before the choice", "[{std.check: {field: Terms}}, {std.click: {name: Room}}, {std.check: {field: Late}}]", "Set Terms to true", "Click Room (1: button \"Room A\"), Click Room (2: button \"Room B\"), Set Late to true"},
		{"after the choice", "[{std.click: {name: Room}}, {std.check: {field: Terms}}]", "Click Room (2: button \"Room B\")", "Click Room (1: button \"Room A\"), Click Room (2: button \"Room B\"), Set Terms to true"},
		{"something optional", "[{std.check: {field: Terms}}, {std.click: {name: Room}}, {use: std.check, with: {field: Late}, optional: true}]", "Click Room (2: button \"Room B\")", "Set Terms to true, Click Room (1: button \"Room A\"), Click Room (2: button \"Room B\"), Set Late to true"},
		{"a commit", "[shop.pay, {std.click: {name: Room}}]", "Click Room (2: button \"Room B\")", "Pay now, Click Room (1: button \"Room A\"), Click Room (2: button \"Room B\")"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, "kind: flow/v1\nname: form\npacks: {std: std@^1, shop: ./shop}\nstages:\n  go:\n    relevance: "+tc.relevance+"\n",
				map[string]string{"shop/pack.yaml": shop}, map[string]string{"page": page}, "page", "")
			b := sure("m:1", "Room B")
			w.runner = engine.Runner{Picker: b}
			w.run(t, nil)
			var labels []string
			for _, o := range b.asked[0].Questions[0].Options {
				labels = append(labels, o.Label)
			}
			first := ""
			for _, r := range w.log.records {
				if first == "" && r.Type == "step" {
					first = r.Label
				}
			}
			if first != tc.first || strings.Join(labels, ", ") != tc.asked {
				t.Errorf("first %q, asked about %q", first, labels)
			}
		})
	}
}
