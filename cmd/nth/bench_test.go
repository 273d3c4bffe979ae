package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/engine/model/modeltest"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/flows"
	flights "github.com/nth-dev/nth/flows/flights/site"
)

// benchRuns is how many bookings each side makes in the benchmark.
const benchRuns = 20

// TestBenchDemo prints how nth compares with a hand-written Playwright script that makes the same bookings on the same
// site, in one run, alternating. It fails only when a booking is missing, wrong or doubled: time decides no test.
func TestBenchDemo(t *testing.T) {
	if os.Getenv("NTH_BENCH") == "" {
		t.Skip("run with: make bench")
	}
	ctx := t.Context()
	s := flights.New()
	srv := httptest.NewServer(s)
	defer srv.Close()
	br, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	prog := demoProgram(t)
	script := startScript(t, br.Executable(), srv.URL+"/")

	var ours, theirs []float64
	for i := range benchRuns {
		theirs = append(theirs, script.run(t))
		ms, res := bookOnce(t, br, prog, srv.URL+"/", engine.Runner{Picker: model.First{}})
		if res.Status != engine.Done {
			t.Fatalf("run %d: %s: %s", i+1, res.Status, res.Message)
		}
		ours = append(ours, ms)
	}
	checkAll(t, s, 2*benchRuns)
	t.Logf("hand-written Playwright script: %s", figures(theirs))
	t.Logf("nth without a model:            %s", figures(ours))
	t.Logf("ratio of the medians: %.2f (goal: at most 1.5)", median(ours)/median(theirs))
}

// modelRuns is how many bookings are made with a model of declared speed, per row.
const modelRuns = 5

// TestBenchModel prints what a model of declared speed adds, with and without asking ahead of time, and what the pick
// cache takes away again. Each booking has one of the hand-written script beside it, at the same load of the machine.
func TestBenchModel(t *testing.T) {
	if os.Getenv("NTH_BENCH") == "" {
		t.Skip("run with: make bench")
	}
	s := flights.New()
	srv := httptest.NewServer(s)
	defer srv.Close()
	site := srv.URL
	br, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	prog := demoProgram(t)
	script := startScript(t, br.Executable(), site+"/")
	stub := &modeltest.Server{Answer: modeltest.Reader(nil), Latency: modeltest.Declared}
	stub.Start(t)
	picker, err := model.New("openai:stub", model.Config{BaseURL: stub.URL(), Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		runner engine.Runner
	}{
		{"asked when it is time", engine.Runner{Picker: picker}},
		{"asked ahead of time", engine.Runner{Picker: picker, Speculate: true}},
	} {
		clearBookings(t, site)
		var ours, theirs, declared, hidden, share []float64
		var res *engine.Result
		for range modelRuns {
			theirs = append(theirs, script.run(t))
			var ms float64
			ms, res = bookOnce(t, br, prog, site+"/", row.runner)
			if res.Status != engine.Done {
				t.Fatalf("%s: %s: %s", row.name, res.Status, res.Message)
			}
			took := float64(res.Usage.Time.Microseconds()) / 1000
			ours, declared = append(ours, ms), append(declared, took)
			if sp := res.Speculation; sp != nil {
				hidden, share = append(hidden, sp.Hidden), append(share, 100*sp.Hidden/took)
			}
		}
		checkAll(t, s, 2*modelRuns)
		t.Logf("model, %s: %s; %d calls, %d prompt and %d completion tokens (goal: at most 3, 450, 30); %.2f × (script %.0f ms + model %.0f ms) (goal: at most 1.3)",
			row.name, figures(ours), res.Usage.Calls, res.Usage.PromptTokens, res.Usage.CompletionTokens, median(ours)/(median(theirs)+median(declared)), median(theirs), median(declared))
		if sp := res.Speculation; sp != nil {
			t.Logf("  of the model's time, %.0f ms are hidden: %.0f %% (goal: half); %d of %d guesses were right, %d tokens wasted", median(hidden), median(share), sp.Hits, sp.Asked, sp.Wasted.Tokens())
		}
	}
	runner := engine.Runner{Picker: picker, Cache: &engine.MemoryCache{}}
	bookOnce(t, br, prog, site+"/", runner)
	ms, res := bookOnce(t, br, prog, site+"/", runner)
	t.Logf("model, second run: %.0f ms, %d calls, %d tokens (goal: none)", ms, res.Usage.Calls, res.Usage.Tokens())
}

// A booking takes a model a handful of tokens the first time, and none the second.
func TestDemoTokens(t *testing.T) {
	br, err := browser.Launch(t.Context(), browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	s := flights.New()
	srv := httptest.NewServer(s)
	defer srv.Close()
	picker, err := model.New("openai:stub", model.Config{BaseURL: modeltest.Start(t, nil).URL(), Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	prog := demoProgram(t)
	runner := engine.Runner{Picker: picker, Cache: engine.DirCache{Dir: t.TempDir()}, Speculate: true}
	for i, most := range []engine.Usage{{Calls: 3, PromptTokens: 450, CompletionTokens: 30}, {}} {
		_, res := bookOnce(t, br, prog, srv.URL+"/", runner)
		u := res.Usage
		if res.Status != engine.Done || u.Calls > most.Calls || u.PromptTokens > most.PromptTokens || u.CompletionTokens > most.CompletionTokens {
			t.Errorf("run %d: %s %s, %d calls, %d+%d tokens; want at most %d, %d+%d", i+1, res.Status, res.Message, u.Calls, u.PromptTokens, u.CompletionTokens, most.Calls, most.PromptTokens, most.CompletionTokens)
		}
	}
	checkAll(t, s, 2)
}

func demoProgram(t *testing.T) *compile.Program {
	in, err := pack.FromFS(flows.FS).Load("flights/flow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	prog, ds := compile.Compile(in)
	if prog == nil {
		t.Fatal(ds)
	}
	return prog
}

type yes struct{}

func (yes) Approve(context.Context, engine.Approval) (engine.Decision, error) {
	return engine.Decision{OK: true, By: "bench"}, nil
}

// bookOnce books in a fresh tab; the clock starts before the page is opened, as in the script.
func bookOnce(t *testing.T, br *browser.Browser, prog *compile.Program, site string, r engine.Runner) (float64, *engine.Result) {
	session, err := br.NewSession(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	inputs, err := engine.Inputs(prog, map[string]any{"site": site})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r.Driver, r.Journal, r.Approver = session, engine.Discard{}, yes{}
	res, err := r.Run(t.Context(), prog, inputs)
	if err != nil {
		t.Fatal(err)
	}
	return float64(time.Since(start).Microseconds()) / 1000, res
}

// checkAll asks the site's own server: as many bookings as runs, all of them the cheapest nonstop flight.
func checkAll(t *testing.T, s *flights.Site, want int) {
	t.Helper()
	bookings := s.Bookings()
	if len(bookings) != want {
		t.Fatalf("the site has %d bookings, want %d", len(bookings), want)
	}
	for _, b := range bookings {
		if cheapest := flights.Cheapest(b.From, b.To, b.Date, true); b.Flight != cheapest.ID || b.Passengers != 2 {
			t.Errorf("booking %s is %s for %d, want %s for 2", b.Reference, b.Flight, b.Passengers, cheapest.ID)
		}
	}
}

func clearBookings(t *testing.T, site string) {
	req, _ := http.NewRequest(http.MethodDelete, site+"/api/bookings", nil)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

// script is the hand-written Playwright script, one booking per line that it is sent.
type script struct {
	out *bufio.Scanner
	in  interface{ Write([]byte) (int, error) }
}

func startScript(t *testing.T, chromium, site string) *script {
	cmd := exec.CommandContext(t.Context(), "node", "../../testdata/bench/playwright.mjs", "--interactive",
		"--playwright", filepath.Join(browser.DriverDir(), "package"), "--chromium", chromium, "--url", site)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Logf("playwright script: %v\n%s", err, stderr.String())
		}
	})
	return &script{out: bufio.NewScanner(stdout), in: stdin}
}

func (s *script) run(t *testing.T) float64 {
	t.Helper()
	if _, err := s.in.Write([]byte("run\n")); err != nil {
		t.Fatal(err)
	}
	if !s.out.Scan() {
		t.Fatal("the script ended: ", s.out.Err())
	}
	var line struct {
		Wall float64 `json:"wall_ms"`
	}
	if err := json.Unmarshal(s.out.Bytes(), &line); err != nil || line.Wall == 0 {
		t.Fatalf("the script said %q: %v", s.out.Text(), err)
	}
	return line.Wall
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return s[len(s)/2]
}

func figures(xs []float64) string {
	return fmt.Sprintf("median %.0f ms, min %.0f, max %.0f, %d runs", median(xs), slices.Min(xs), slices.Max(xs), len(xs))
}
