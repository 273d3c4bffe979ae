package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/report"
	"github.com/nth-dev/nth/engine/trace"
)

// watch adds to a runner's observer what the flags ask for. Call stop when the run is over.
func (a *app) watch(ctx context.Context, r *engine.Runner, f *runFlags) (stop func(), err error) {
	observers := []func(engine.Event){r.Observe}
	if f.explain {
		observers = append(observers, func(e engine.Event) {
			switch e.Kind {
			case "pick", "no_pick":
				a.explainPick(e.Pick)
			case "end":
				a.explainRun(e)
			}
		})
	}
	stop = func() {}
	if f.otel != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "" {
		t, err := trace.New(ctx, f.otel, version())
		if err != nil {
			return nil, usageErrorf("%w", err)
		}
		observers = append(observers, t.Observe)
		stop = func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if err := t.Close(ctx); err != nil { // the run is as good without
				fmt.Fprintf(a.stderr, "  %v\n", err)
			}
		}
	}
	r.Observe = func(e engine.Event) {
		for _, o := range observers {
			o(e)
		}
	}
	return stop, nil
}

// explainPick prints a pick: who was asked what, what came back, and what it took.
func (a *app) explainPick(p *engine.Pick) {
	line := func(format string, args ...any) { fmt.Fprintf(a.stderr, "    | "+format+"\n", args...) }
	if p.CacheKey != "" {
		line("cache: %s (%s)", p.Cache, p.CacheKey[:12])
	}
	if p.Guess != "" {
		hidden := ""
		if p.Guess == "hit" {
			hidden = fmt.Sprintf(", %.0f ms of the model passed while the browser acted", p.Hidden)
		}
		line("asked ahead of time: %s%s", p.Guess, hidden)
	}
	if p.Asked == 0 {
		line("nobody was asked: %s", map[string]string{
			"forced": "there is nothing to choose", "rule": "pick: first", "fallback": "nothing else is possible", "cache": "the same menu was picked from before",
		}[p.By])
		return
	}
	line("goal: %s", strings.ReplaceAll(p.Instructions, "\n", " / "))
	line("page: %s", p.State)
	for i, t := range p.Tries {
		what := "answered " + strings.Join(t.Keys, ", ")
		switch {
		case t.Written:
			what = "wrote values"
		case len(t.Keys) == 0:
			what = "gave no usable answer"
		}
		if t.Turned {
			what += " with the menu turned round"
		}
		line("%d. %s %s (%s, cost %s, %.0f ms)", i+1, t.By, what, report.Tokens(t.Usage), cost(t.Usage.Cost), t.Wall)
		if t.Judged != nil {
			line("   p_max %.3f, margin %.3f, entropy %.3f (%s): %s", t.Judged.PMax, t.Judged.Margin, t.Judged.Entropy, t.Source, distribution(t.P))
		}
		if t.Problem != "" {
			line("   %s", t.Problem)
		}
	}
	if p.Raw != "" {
		line("reply: %q", p.Raw)
	}
	if p.Reason != "" {
		line("reason: %s", p.Reason)
	}
}

// explainRun sums a run up.
func (a *app) explainRun(e engine.Event) {
	u := e.Usage
	fmt.Fprintf(a.stderr, "    | in all: %s, %s, cost %s, %.0f ms of the model\n", report.Calls(u.Calls), report.Tokens(u), cost(u.Cost), float64(u.Time.Microseconds())/1000)
	if s := e.Record.Speculation; s != nil {
		fmt.Fprintf(a.stderr, "    | asked ahead of time: %d, right %d, hidden %.0f ms, wasted %d tokens\n", s.Asked, s.Hits, s.Hidden, s.Wasted.Tokens())
	}
}

func cost(x float64) string {
	if x == 0 {
		return "unknown"
	}
	return engine.Money(x)
}

func distribution(p map[string]float64) string {
	var out []string
	for _, k := range sortedKeys(p) {
		out = append(out, fmt.Sprintf("%s: %.3f", k, p[k]))
	}
	return strings.Join(out, ", ")
}
