package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/engine/model/modeltest"
	"github.com/nth-dev/nth/engine/pack"
)

// The right ones of three choices: one rides behind the six fields before it, one comes up at once with its page, and
// one behind three fields.
var stayChoices = []string{"Quiet room", "Breakfast", "After 20:00"}

// TestFormAhead fills a form of nine fields and three choices: each is asked about once, and rightly, whenever that is.
func TestFormAhead(t *testing.T) {
	runForm(t, engine.Runner{Speculate: true}, modeltest.Latency{}, 1)
}

// TestBenchForm prints how much of the model's time passes behind the fields of a form.
func TestBenchForm(t *testing.T) {
	if os.Getenv("NTH_BENCH") == "" {
		t.Skip("run with: make bench")
	}
	for _, row := range []struct {
		name   string
		runner engine.Runner
	}{
		{"asked when it is time", engine.Runner{}},
		{"asked ahead of time", engine.Runner{Speculate: true}},
	} {
		wall, hidden, res := runForm(t, row.runner, modeltest.Declared, modelRuns)
		t.Logf("form of 9 fields and 3 choices, %s: %s; %d calls, %d prompt and %d completion tokens, %.0f ms of the model", row.name, figures(wall), res.Usage.Calls, res.Usage.PromptTokens, res.Usage.CompletionTokens, float64(res.Usage.Time.Microseconds())/1000)
		if sp := res.Speculation; sp != nil {
			t.Logf("  of the model's time, %.0f %% are hidden; %d of %d guesses were right, %d tokens wasted", median(hidden), sp.Hits, sp.Asked, sp.Wasted.Tokens())
		}
	}
}

// runForm gives the wall time of each run in milliseconds, the share of the model's time that was hidden in percent, and
// the last run's result.
func runForm(t *testing.T, r engine.Runner, latency modeltest.Latency, runs int) (wall, hidden []float64, res *engine.Result) {
	t.Helper()
	var sent url.Values
	files := http.FileServer(http.Dir("../../testdata/bench/stay"))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/review.html" {
			sent = r.URL.Query()
		}
		files.ServeHTTP(w, r)
	}))
	defer srv.Close()
	stub := &modeltest.Server{Latency: latency, Answer: modeltest.Reader(func(menu []modeltest.Option) []string {
		for _, o := range menu {
			if slices.ContainsFunc(stayChoices, func(s string) bool {
				return strings.HasPrefix(o.Label, "Take "+s) && !strings.Contains(o.Label, "dinner")
			}) {
				return []string{o.Key}
			}
		}
		return nil
	})}
	stub.Start(t)
	var err error
	if r.Picker, err = model.New("openai:stub", model.Config{BaseURL: stub.URL(), Key: "k"}); err != nil {
		t.Fatal(err)
	}
	br, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	in, err := pack.FromFS(os.DirFS("../../testdata/bench/stay")).Load("flow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	prog, ds := compile.Compile(in)
	if prog == nil {
		t.Fatal(ds)
	}
	for range runs {
		sent = nil
		var ms float64
		ms, res = bookOnce(t, br, prog, srv.URL+"/index.html", r)
		if res.Status != engine.Done || res.Usage.Calls != 3 {
			t.Fatalf("%s %s, %d calls", res.Status, res.Message, res.Usage.Calls)
		}
		if sent.Get("room") != "quiet" || sent.Get("board") != "breakfast" || sent.Get("arrival") != "late" || sent.Get("postcode") != "11000" || sent.Get("note") != "Late arrival" {
			t.Fatalf("the form was sent with %v", sent)
		}
		wall = append(wall, ms)
		if sp := res.Speculation; sp != nil {
			hidden = append(hidden, 100*sp.Hidden/max(float64(res.Usage.Time.Microseconds())/1000, 0.001))
		}
	}
	return wall, hidden, res
}
