package model

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestBreaker: an endpoint that fails again and again is left alone, then looked at with one request.
func TestBreaker(t *testing.T) {
	var ill atomic.Bool
	ill.Store(true)
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		if ill.Load() {
			return modeltest.Status(503)
		}
		return modeltest.Text("1")
	})
	c := chatFor(t, s.URL(), "stub", 20*time.Second)
	now := time.Now()
	c.transport.breaker.now = func() time.Time { return now }
	ask := func(want string, requests int) {
		t.Helper()
		before := len(s.Log())
		_, err := pickOne(t, c, five(false))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
		if n := len(s.Log()) - before; n != requests {
			t.Errorf("%d requests, want %d", n, requests)
		}
	}
	ask("the endpoint failed (503): Service Unavailable (tried 3 times)", 3)
	ask("the endpoint failed (503): Service Unavailable (tried 2 times)", 2) // the fifth failure opens it
	ask("openai:stub: the endpoint failed 5 times in a row and is left alone; it is tried again in 20s", 0)
	now = now.Add(tripPause - time.Second)
	ask("it is tried again in 1s", 0)
	now = now.Add(time.Second)
	ask("the endpoint failed (503)", 1) // half open: one request, and open again
	ask("it is tried again in 20s", 0)
	ill.Store(false)
	now = now.Add(tripPause)
	ask("", 1)
	ask("", 1)
	ill.Store(true)
	ask("(tried 3 times)", 3) // closed: it counts from the start
}

// TestBreakerProbe: while one request looks whether the endpoint is back, others do not.
func TestBreakerProbe(t *testing.T) {
	b := newBreaker()
	now := time.Now()
	b.now = func() time.Time { return now }
	for range tripAfter {
		b.leave(ill, 0)
	}
	now = now.Add(tripPause)
	if _, err := b.enter(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.enter(); err == nil || !strings.Contains(err.Reason, "is on its way") {
		t.Errorf("a second probe: %v", err)
	}
	b.leave(unknown, 0) // the caller gave up: nothing was learned, the next one may look
	if _, err := b.enter(); err != nil {
		t.Error(err)
	}
	b.leave(healthy, 0)
	for range 3 {
		if _, err := b.enter(); err != nil {
			t.Error(err)
		}
	}
}

// TestBreakerHealth: what an endpoint says about a request says nothing about its health; silence and a caller's
// impatience are not the same.
func TestBreakerHealth(t *testing.T) {
	for name, c := range map[string]struct {
		reply modeltest.Reply
		fails int
	}{
		"400": {modeltest.Status(400), 0}, "401": {modeltest.Status(401), 0}, "404": {modeltest.Status(404), 0}, "429": {modeltest.Status(429), 0},
		"html": {modeltest.HTML(), 0}, "prose": {modeltest.Text("hm"), 0},
		"500": {modeltest.Status(500), 3}, "529": {modeltest.Status(529), 3}, "408": {modeltest.Status(408), 3},
		"reset": {modeltest.Reply{Fault: modeltest.Reset}, 3}, "hang": {modeltest.Reply{Fault: modeltest.HangHeaders}, 1},
	} {
		s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return c.reply })
		p := chatFor(t, s.URL(), "stub", 20*time.Second)
		if name == "hang" {
			p.timeout = tight
		}
		_, _ = pickOne(t, p, five(false))
		if got := p.transport.breaker.failed; got != c.fails {
			t.Errorf("%s: %d failures, want %d", name, got, c.fails)
		}
	}
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Reply{Fault: modeltest.HangHeaders} })
	p := chatFor(t, s.URL(), "stub", 20*time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, _ = p.Pick(ctx, engine.Request{Questions: []engine.Question{five(false)}})
	if got := p.transport.breaker.failed; got != 0 {
		t.Errorf("given up: %d failures", got)
	}
}

// TestRateLimitIsShared: after "wait 10 s" no pick asks earlier, and one that has no time to wait says so.
func TestRateLimitIsShared(t *testing.T) {
	at := time.Date(2027, 3, 14, 12, 0, 10, 0, time.UTC)
	for name, limited := range map[string]modeltest.Reply{
		"seconds": modeltest.Status(429, "Retry-After", "10"),
		"ms":      modeltest.Status(429, "Retry-After-Ms", "10000"),
		"body": {Status: 429, Body: []byte(`{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED",` +
			`"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"10s"}]}}`)},
	} {
		s := modeltest.Start(t, modeltest.Sequence(limited, modeltest.Text("1")))
		c := chatFor(t, s.URL(), "stub", 5*time.Second)
		now := at
		c.transport.breaker.now = func() time.Time { return now }
		if _, err := pickOne(t, c, five(false)); err == nil || !strings.Contains(err.Error(), "it asks to wait 10s, longer than the pick may take") {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := pickOne(t, c, five(false)); err == nil || !strings.Contains(err.Error(), "a pause that lasts 10s more") || len(s.Log()) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.Log()))
		}
		c.timeout = time.Hour
		waits := c.transport.skipWaits(0)
		c.transport.breaker.limited = c.transport.breaker.now().Add(10 * time.Second)
		if _, err := pickOne(t, c, five(false)); err != nil || len(*waits) != 1 || (*waits)[0].Round(time.Second) != 10*time.Second {
			t.Errorf("%s: waited %v, %v", name, *waits, err)
		}
	}
	h := http.Header{}
	h.Set("Retry-After", at.Format(http.TimeFormat))
	if got := retryAfter(h, nil, at.Add(-10*time.Second)); got != 10*time.Second {
		t.Errorf("as a date: %s", got)
	}
}
