package model

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// tight is a deadline that hangs run into; long enough for the headers of a reply on a busy machine.
const tight = 400 * time.Millisecond

// TestFailures holds every way in which an endpoint fails: what is said, how often it is tried, and that it ends in
// time and leaves nothing behind.
func TestFailures(t *testing.T) {
	always := func(r modeltest.Reply) func(modeltest.ChatRequest) modeltest.Reply {
		return func(modeltest.ChatRequest) modeltest.Reply { return r }
	}
	echo := modeltest.Reply{Status: 400, Text: "bad key " + testKey + " and sk-proj-abc***xyz\x1b[31m"}
	for name, c := range map[string]struct {
		answer  func(modeltest.ChatRequest) modeltest.Reply
		timeout time.Duration
		status  int
		tries   int // requests that the server saw
		want    string
	}{
		"401": {always(modeltest.Reply{Status: 401, Text: "Incorrect API key provided: " + testKey}), 0, 401, 1,
			"openai:stub: the key was refused (401); set NTH_OPENAI_API_KEY or OPENAI_API_KEY"},
		"403":           {always(modeltest.Status(403)), 0, 403, 1, "the key may not use this model or endpoint (403): Forbidden"},
		"404 model":     {always(modeltest.Reply{Status: 404, Text: "The model `stub` does not exist"}), 0, 404, 1, "does not know this model (404): The model `stub` does not exist"},
		"404 page":      {always(modeltest.Reply{Status: 404, Body: []byte("<html>Not found</html>"), ContentType: "text/html"}), 0, 404, 1, "does the base URL end in /v1?"},
		"400 with keys": {always(echo), 0, 400, 1, "the endpoint refused the request (400): bad key [key] and [key][31m"},
		"408":           {always(modeltest.Status(408)), 0, 408, 3, "the endpoint gave up waiting (408): Request Timeout (tried 3 times)"},
		"429":           {always(modeltest.Status(429)), 0, 429, 3, "the endpoint limits the rate (429)"},
		"429 for long":  {always(modeltest.Status(429, "Retry-After", "3600")), 0, 429, 1, "it asks to wait 1h0m0s, longer than the pick may take"},
		"429 no credit": {always(modeltest.Reply{Status: 429, Body: []byte(`{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}`)}), 0, 429, 1, "You exceeded your quota"},
		"500":           {always(modeltest.Status(500)), 0, 500, 3, "the endpoint failed (500): Internal Server Error (tried 3 times)"},
		"503 as text":   {always(modeltest.Reply{Status: 503, Body: []byte("busy"), ContentType: "text/plain"}), 0, 503, 3, "the endpoint failed (503)"},
		"529":           {always(modeltest.Status(529)), 0, 529, 3, "the endpoint is overloaded (529)"},
		"redirect loop": {always(modeltest.Redirect()), 0, 307, 1, "the endpoint redirects (307) to /v1/chat/completions"},
		"html":          {always(modeltest.HTML()), 0, 200, 1, "a web page (HTML) where JSON was expected"},
		"stream":        {always(modeltest.Reply{Body: []byte("data: {}\n\n")}), 0, 200, 1, "the endpoint streams"},
		"text":          {always(modeltest.Reply{Body: []byte("OK " + testKey)}), 0, 200, 1, "the reply is not JSON: OK [key]"},
		"empty":         {always(modeltest.Reply{Body: []byte{}}), 0, 200, 1, "the reply is empty"},
		"other JSON":    {always(modeltest.Reply{Body: []byte(`{"choices":"none"}`)}), 0, 200, 1, "the reply has another shape than this wire"},
		"error in 200":  {always(modeltest.Reply{Body: []byte(`{"error":{"message":"upstream is down"}}`)}), 0, 200, 3, "an error with status 200: upstream is down"},
		"half a reply":  {always(modeltest.Reply{Text: "3", Fault: modeltest.Truncate}), 0, 200, 1, "the reply breaks off after"},
		"half, closed":  {always(modeltest.Reply{Text: "3", Fault: modeltest.HalfClose}), 0, 200, 3, "bytes into the reply (tried 3 times)"},
		"reset":         {always(modeltest.Reply{Fault: modeltest.Reset}), 0, 0, 3, "closed the connection without an answer (tried 3 times)"},
		"10 MB":         {always(modeltest.Reply{Body: bytes.Repeat([]byte("3 "), 5<<20)}), 0, 200, 1, "the reply is larger than 1024 KiB"},
		"10 MB of 500":  {always(modeltest.Reply{Status: 500, Body: bytes.Repeat([]byte("3 "), 5<<20)}), 0, 500, 1, "the reply is larger than 1024 KiB"},
		"hang headers":  {always(modeltest.Reply{Fault: modeltest.HangHeaders}), tight, 0, 1, "waiting for the first byte of the reply"},
		"hang start":    {always(modeltest.Reply{Fault: modeltest.HangStart}), tight, 200, 1, ", 0 bytes into the reply"},
		"hang body":     {always(modeltest.Reply{Text: "3", Fault: modeltest.HangBody}), tight, 200, 1, "bytes into the reply"},
		"drip":          {always(modeltest.Reply{Text: "3", Fault: modeltest.Drip}), tight, 200, 1, "bytes into the reply"},
		"500, then hang": {modeltest.Sequence(modeltest.Status(500), modeltest.Reply{Fault: modeltest.HangHeaders}), tight, 500, 2,
			"waiting for the first byte of the reply; before that: the endpoint failed (500): Internal Server Error (tried 2 times)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.Start(t, c.answer)
			timeout := c.timeout
			if timeout == 0 {
				timeout = 20 * time.Second
			}
			p := chatFor(t, s.URL(), "stub", timeout)
			start := time.Now()
			_, err := pickOne(t, p, five(false))
			if took := time.Since(start); c.timeout != 0 && took > c.timeout+2*time.Second {
				t.Errorf("took %s", took)
			}
			e, ok := errors.AsType[*CallError](err)
			if !ok || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v (%T), want %q", err, err, c.want)
			}
			if e.Status != c.status || e.Model != "openai:stub" {
				t.Errorf("%+v", e)
			}
			if _, unreadable := errors.AsType[*engine.UnreadableError](err); unreadable {
				t.Error("a failed call counts as an unreadable reply")
			}
			if got := errors.Is(err, context.DeadlineExceeded); got != (c.timeout != 0) {
				t.Errorf("deadline exceeded: %v", got)
			}
			if n := len(s.Log()); n != c.tries {
				t.Errorf("%d requests, want %d", n, c.tries)
			}
			noConns(t, s, p)
		})
	}
}

// noConns fails when connections stay open after the picker was closed.
func noConns(t *testing.T, s *modeltest.Server, c *Chat) {
	t.Helper()
	_ = c.Close()
	for end := time.Now().Add(5 * time.Second); s.Conns() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%d connections are left", s.Conns())
			return
		}
	}
}

// TestRecovers: what passes is retried within the same pick.
func TestRecovers(t *testing.T) {
	for name, first := range map[string]modeltest.Reply{
		"429": modeltest.Status(429, "Retry-After", "1"), "500": modeltest.Status(500), "529": modeltest.Status(529),
		"reset": {Fault: modeltest.Reset}, "half": {Text: "3", Fault: modeltest.HalfClose},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.Start(t, modeltest.Sequence(first, first, modeltest.Text("3")))
			c := chatFor(t, s.URL(), "stub", 20*time.Second)
			waits := c.transport.skipWaits(1)
			a, err := pickOne(t, c, five(false))
			if err != nil || a.Keys[0] != "3" || a.Usage.Calls != 3 {
				t.Fatalf("%+v, %v", a, err)
			}
			waited := *waits
			want := []time.Duration{1, 2}
			if name == "429" {
				want = []time.Duration{time.Second, time.Second}
			}
			if len(waited) != 2 || waited[0] != want[0] || waited[1] != want[1] {
				t.Errorf("waited %v, want %v", waited, want)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := "http://" + l.Addr().String() + "/v1"
	_ = l.Close()
	s := modeltest.Start(t, nil)
	for name, c := range map[string]struct{ base, want string }{
		"refused":    {free, "is the server running? (tried 3 times)"},
		"black hole": {modeltest.Blackhole(t), "waiting for the first byte of the reply"},
		"no TLS":     {strings.Replace(s.URL(), "http:", "https:", 1), "does not speak TLS; the base URL may need http://"},
		"wrong path": {strings.TrimSuffix(s.URL(), "/v1"), "does the base URL end in /v1?"},
	} {
		timeout := 20 * time.Second
		if name == "black hole" {
			timeout = tight
		}
		if _, err := pickOne(t, chatFor(t, c.base, "stub", timeout), five(false)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestServerRefuses checks the refusals of the stub itself, which nobody scripted.
func TestServerRefuses(t *testing.T) {
	s := &modeltest.Server{Key: "another", Models: []string{"known"}}
	s.Start(t)
	if _, err := pickOne(t, chatFor(t, s.URL(), "known", 5*time.Second), five(false)); err == nil || !strings.Contains(err.Error(), "(401)") {
		t.Errorf("wrong key: %v", err)
	}
	s = &modeltest.Server{Key: testKey, Models: []string{"known"}}
	s.Start(t)
	if _, err := pickOne(t, chatFor(t, s.URL(), "stub", 5*time.Second), five(false)); err == nil || !strings.Contains(err.Error(), "does not know this model (404)") {
		t.Errorf("unknown model: %v", err)
	}
	if _, err := pickOne(t, chatFor(t, s.URL(), "known", 5*time.Second), five(false)); err != nil {
		t.Error(err)
	}
}

// TestMissingKey: the message says why a key was not sent.
func TestMissingKey(t *testing.T) {
	s := &modeltest.Server{Key: testKey}
	s.Start(t)
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{BaseURL: s.URL()}, "a key is needed (401); set"},
		{Config{ProjectBaseURL: s.URL()}, "OPENAI_API_KEY is not sent to a base URL from a project file"},
	} {
		c.cfg.Env = func(name string) string {
			if name == "OPENAI_API_KEY" && c.cfg.ProjectBaseURL != "" {
				return testKey
			}
			return ""
		}
		picker, err := New("openai:stub", c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		p := picker.(*Chat)
		if _, err := pickOne(t, p, five(false)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		_ = p.Close()
	}
}

func TestCancel(t *testing.T) {
	asked := make(chan struct{}, 1)
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		asked <- struct{}{}
		return modeltest.Reply{Fault: modeltest.HangHeaders}
	})
	before := runtime.NumGoroutine()
	c := chatFor(t, s.URL(), "stub", 20*time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := c.Pick(ctx, engine.Request{Questions: []engine.Question{five(false)}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the call was given up") {
		t.Errorf("%v", err)
	}
	noConns(t, s, c)
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2027, 3, 14, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]time.Duration{"": 0, "2": 2 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "soon": 0, "1e99": 0,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second, now.Add(-time.Hour).Format(http.TimeFormat): 0} {
		h := http.Header{}
		h.Set("Retry-After", in)
		if got := retryAfter(h, nil, now); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for attempt, want := range map[int]time.Duration{1: 250 * time.Millisecond, 2: time.Second} {
		for range 100 {
			if got := jitter(attempt); got < want/2 || got > want {
				t.Fatalf("jitter(%d) = %s", attempt, got)
			}
		}
	}
}
