package model

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nth-dev/nth/engine"
)

func TestHuman(t *testing.T) {
	groups := []int{0, 1, 1, 2}
	for name, c := range map[string]struct {
		in, want, err string
		many          bool
	}{
		"one":                {in: "2\n", want: "2"},
		"several":            {in: "4, 1\n", want: "4,1", many: true},
		"spaces":             {in: "  1 4 \n", want: "1,4", many: true},
		"full width":         {in: "１、４\n", want: "1,4", many: true},
		"zero":               {in: "0\n", want: "0"},
		"no line end":        {in: "2", want: "2"},
		"bad, then good":     {in: "x\n\n2\n", want: "2"},
		"three bad":          {in: "x\n9\n\n2\n", err: "no possible answer in 3 tries"},
		"off the menu":       {in: "5\n5\n5\n", err: `"5" is not on the menu`},
		"two for one":        {in: "1,2\n1,2\n1,2\n", err: "one number, please"},
		"alternatives":       {in: "2,3\n2,3\n2,3\n", err: "2 and 3 are alternatives", many: true},
		"twice":              {in: "1,1\n1,1\n1,1\n", err: "1 is there twice", many: true},
		"zero beside others": {in: "0,1\n0,1\n0,1\n", err: "stands alone", many: true},
		"stop":               {in: "q\n", err: ErrStopped.Error()},
		"end":                {in: "", err: "the input ended before a number was typed"},
		"end after bad":      {in: "x\n", err: "the input ended"},
		"endless line":       {in: strings.Repeat("1", 1<<20), err: "token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			h := &Human{In: strings.NewReader(c.in), Out: &out}
			q := menu(c.many, groups, "Enter Oslo", "Take SAS\x1b[2J", "Take KLM", "Pay")
			a, err := h.Pick(t.Context(), engine.Request{Questions: []engine.Question{q}})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				if stop := errors.Is(err, ErrStopped); stop != (name == "stop") {
					t.Errorf("stopped: %v", stop)
				}
				return
			}
			if err != nil || strings.Join(a[0].Keys, ",") != c.want {
				t.Errorf("%+v, %v", a, err)
			}
			if s := out.String(); strings.Contains(s, "\x1b") || !strings.Contains(s, "Take SAS") || !strings.Contains(s, "0  none of these") {
				t.Errorf("printed:\n%s", s)
			}
		})
	}
}

func TestHumanCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, typing := io.Pipe()
		h := &Human{In: in, Out: io.Discard}
		q := engine.Request{Questions: []engine.Question{menu(false, nil, "a", "b")}}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := h.Pick(ctx, q); !errors.Is(err, context.Canceled) {
			t.Errorf("after cancel: %v", err)
		}
		go func() { _, _ = io.WriteString(typing, "2\n") }()
		if a, err := h.Pick(t.Context(), q); err != nil || a[0].Keys[0] != "2" {
			t.Errorf("the next pick: %v, %v", a, err)
		}
		_ = typing.Close()
	})
}

func TestHumanRetry(t *testing.T) {
	var out strings.Builder
	h := &Human{In: strings.NewReader("1\n1\n"), Out: &out}
	q := menu(false, nil, "a", "b")
	a, err := h.Pick(t.Context(), engine.Request{Questions: []engine.Question{q, q}, Retry: true, Problem: "the page has changed"})
	if err != nil || len(a) != 2 || !strings.HasPrefix(out.String(), "That could not be used: the page has changed\n") {
		t.Errorf("%v, %v, printed:\n%s", a, err, out.String())
	}
}

// TestHumanAsked: what a person reads when the model did not settle it: why, the page's text without the markers that
// are for models, and no letters where all lines are alternatives.
func TestHumanAsked(t *testing.T) {
	var out strings.Builder
	h := &Human{In: strings.NewReader("2\n"), Out: &out}
	q := menu(true, []int{0, 0}, "Take SAS", "Take KLM")
	q.Instructions, q.State = "Take the cheapest", "#3fa9c1 Flights (/results) #3fa9c1"
	if _, err := h.Pick(t.Context(), engine.Request{Questions: []engine.Question{q}, Problem: "openai:mini did not settle it: no number in the reply"}); err != nil {
		t.Fatal(err)
	}
	want := `
You are asked, because openai:mini did not settle it: no number in the reply

Take the cheapest
Flights (/results)
  1  Take SAS
  2  Take KLM
  0  none of these
A number, or q to stop
> `
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}
