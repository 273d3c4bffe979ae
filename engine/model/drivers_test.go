package model

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// drivers are all that ask over HTTP, with the base URL that each takes from the stub's.
var drivers = []struct {
	spec string
	base func(*modeltest.Server) string
	key  string // the header that carries the key
	odds bool   // gives probabilities, and one key per answer
}{
	{"openai:stub", (*modeltest.Server).URL, "Authorization", false},
	{"mistral:stub", (*modeltest.Server).Root, "Authorization", false},
	{"azure:stub", (*modeltest.Server).Root, "Api-Key", false},
	{"anthropic:stub", (*modeltest.Server).Root, "X-Api-Key", false},
	{"google:stub", (*modeltest.Server).Root, "X-Goog-Api-Key", false},
	{"ollama:stub", (*modeltest.Server).Root, "Authorization", false},
	{"systemone:stub", (*modeltest.Server).URL, "Authorization", true},
	{"decisions:stub", (*modeltest.Server).URL, "Authorization", true},
	{"llama:stub", (*modeltest.Server).Root, "Authorization", true},
	{"logprobs:stub", (*modeltest.Server).URL, "Authorization", true},
}

// driver opens one of them, with waits between tries that take no time.
func driver(t *testing.T, spec string, cfg Config) engine.Picker {
	t.Helper()
	if cfg.Env == nil {
		cfg.Env = noEnv
	}
	if cfg.Key == "" {
		cfg.Key = testKey
	}
	p, err := New(spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	transportOf(p).skipWaits(0)
	t.Cleanup(func() { _ = p.(interface{ Close() error }).Close() })
	return p
}

func transportOf(p engine.Picker) *transport {
	switch p := p.(type) {
	case *Chat:
		return p.transport
	case *Decisions:
		return p.transport
	case *Labels:
		return p.transport
	}
	return nil
}

// TestSamePicks puts the same menus through each driver: the picks are the same, and every reply is counted.
func TestSamePicks(t *testing.T) {
	want := func(label string) func([]modeltest.Option) []string {
		return func(menu []modeltest.Option) []string {
			for _, o := range menu {
				if strings.Contains(o.Label, label) {
					return []string{o.Key}
				}
			}
			return nil
		}
	}
	long := menu(false, nil, strings.Split("a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd", " ")...)
	for _, c := range []struct {
		name   string
		q      engine.Question
		prefer string
		key    string
	}{
		{"first", five(false), "Enter Oslo", "1"},
		{"last", five(false), "Dismiss", "5"},
		{"none", five(false), "no such thing", "0"},
		{"two digits", fifteen(), "Show the next page", "15"},
		{"one option", menu(false, nil, "Go on"), "Go on", "1"},
		{"longer than a question", long, "dd", "30"},
		{"in an early heat", long, "bb", "28"},
		{"several allowed", five(true), "Run the search", "4"},
		{"page text", menu(false, nil, "Take <b>SAS</b> \"at\" 120 \\ 1 Pay now", "Søk – 検索 🛫"), "検索", "2"},
	} {
		for _, d := range drivers {
			t.Run(c.name+"/"+d.spec, func(t *testing.T) {
				s := modeltest.Start(t, modeltest.Reader(want(c.prefer)))
				p := driver(t, d.spec, Config{BaseURL: d.base(s)})
				a, err := pickOne(t, p, c.q)
				if err != nil {
					t.Fatal(err)
				}
				if len(a.Keys) != 1 || a.Keys[0] != c.key {
					t.Fatalf("picked %v (%s), want %s", a.Keys, a.Raw, c.key)
				}
				_, total := s.Total()
				completion := total.CompletionTokens
				if strings.HasPrefix(d.spec, "systemone") || strings.HasPrefix(d.spec, "decisions") {
					completion = 0
				}
				if a.Usage.Calls != len(s.Log()) || a.Usage.PromptTokens != total.PromptTokens || a.Usage.CompletionTokens != completion || a.Usage.Time <= 0 {
					t.Errorf("usage %+v, the server counted %d calls, %+v", a.Usage, len(s.Log()), total)
				}
				checkOdds(t, a, len(c.q.Options), d.odds)
				h := s.Log()[0].Header
				if got := strings.TrimPrefix(h.Get(d.key), "Bearer "); got != testKey {
					t.Errorf("%s: %q", d.key, got)
				}
				for _, other := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"} {
					if other != d.key && h.Get(other) != "" {
						t.Errorf("%s is sent too", other)
					}
				}
			})
		}
	}
}

// checkOdds fails unless the probabilities pass what the engine's gate asks of them.
func checkOdds(t *testing.T, a engine.Answer, options int, wanted bool) {
	t.Helper()
	if !wanted {
		if a.P != nil || a.Source != engine.ProbNone {
			t.Errorf("probabilities from nowhere: %v", a.P)
		}
		return
	}
	sum, best := 0.0, ""
	for key, p := range a.P {
		sum += p
		if p > a.P[best] {
			best = key
		}
	}
	if len(a.P) != options+1 || sum < 0.999 || sum > 1.001 || best != a.Keys[0] || a.Source == engine.ProbNone {
		t.Errorf("%d probabilities of %d options sum to %f, best %s: %v", len(a.P), options, sum, best, a.P)
	}
}

// TestSeveralKeys: chat drivers give several keys where they are asked for.
func TestSeveralKeys(t *testing.T) {
	for _, d := range drivers {
		s := modeltest.Start(t, nil)
		p := driver(t, d.spec, Config{BaseURL: d.base(s)})
		a, err := pickOne(t, p, five(true))
		want := "1,2,3,4,5"
		if !p.Caps().Batch {
			want = "1"
		}
		if err != nil || strings.Join(a.Keys, ",") != want {
			t.Errorf("%s: %v, %v; want %s", d.spec, a.Keys, err, want)
		}
		if p.Name() != d.spec {
			t.Errorf("%s calls itself %s", d.spec, p.Name())
		}
	}
}

// TestEveryDriverFails: what goes wrong below HTTP is said in the same words by every driver, in time.
func TestEveryDriverFails(t *testing.T) {
	for _, d := range drivers {
		for name, c := range map[string]struct {
			reply modeltest.Reply
			want  string
			tries int
		}{
			"hang":      {modeltest.Reply{Fault: modeltest.HangHeaders}, "waiting for the first byte of the reply", 1},
			"hang body": {modeltest.Reply{Text: "1", Fault: modeltest.HangBody}, "bytes into the reply", 1},
			"drip":      {modeltest.Reply{Text: "1", Fault: modeltest.Drip, Every: 50 * time.Millisecond}, "bytes into the reply", 1},
			"reset":     {modeltest.Reply{Fault: modeltest.Reset}, "closed the connection without an answer", 3},
			"half":      {modeltest.Reply{Text: "1", Fault: modeltest.Truncate}, "the reply breaks off after", 1},
			"redirect":  {modeltest.Redirect(), "the endpoint redirects (307)", 1},
			"html":      {modeltest.HTML(), "a web page (HTML) where JSON was expected", 1},
			"10 MB":     {modeltest.Reply{Body: []byte(strings.Repeat("3 ", 5<<20))}, "larger than 1024 KiB", 1},
			"401":       {modeltest.Reply{Status: 401, Text: "bad key " + testKey}, "the key was refused (401)", 1},
			"404":       {modeltest.Reply{Status: 404, Text: "model not found"}, "does not know this model (404)", 1},
			"408":       {modeltest.Status(408), "gave up waiting (408)", 3},
			"429":       {modeltest.Status(429), "limits the rate (429)", 3},
			"429 later": {modeltest.Status(429, "Retry-After", "3600"), "it asks to wait 1h0m0s", 1},
			"500":       {modeltest.Status(500), "the endpoint failed (500)", 3},
			"529":       {modeltest.Status(529), "overloaded (529)", 3},
		} {
			t.Run(d.spec+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return c.reply })
				timeout := 20 * time.Second
				if strings.HasPrefix(name, "hang") || name == "drip" {
					timeout = time.Second // enough for the headers on a busy machine
				}
				p := driver(t, d.spec, Config{BaseURL: d.base(s), Timeout: timeout})
				start := time.Now()
				_, err := pickOne(t, p, five(false))
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), d.spec+": ") {
					t.Fatalf("%v, want %q", err, c.want)
				}
				if took := time.Since(start); timeout == time.Second && took > timeout+5*time.Second {
					t.Errorf("took %s", took)
				}
				if ce, ok := err.(*CallError); !ok || len(s.Log()) != c.tries || ce.Spent().Calls != c.tries {
					t.Errorf("%d requests, want %d; %+v", len(s.Log()), c.tries, ce)
				}
			})
		}
	}
}

// TestRefusals: a refusal is no error, and no pick.
func TestRefusals(t *testing.T) {
	for _, d := range drivers {
		if strings.HasPrefix(d.spec, "llama") || strings.HasPrefix(d.spec, "ollama") || strings.HasPrefix(d.spec, "logprobs") {
			continue // these wires have no refusals
		}
		s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Reply{Refusal: "I cannot do that."} })
		a, err := pickOne(t, driver(t, d.spec, Config{BaseURL: d.base(s)}), five(false))
		if err != nil || !a.Refused || len(a.Keys) > 0 {
			t.Errorf("%s: %+v, %v", d.spec, a, err)
		}
	}
}

// TestDriversConcurrent: one picker serves several rows at once.
func TestDriversConcurrent(t *testing.T) {
	for _, d := range drivers {
		s := modeltest.Start(t, nil)
		p := driver(t, d.spec, Config{BaseURL: d.base(s)})
		errs := make(chan error)
		for range 8 {
			go func() {
				_, err := p.Pick(context.Background(), engine.Request{Questions: []engine.Question{five(false)}})
				errs <- err
			}()
		}
		for range 8 {
			if err := <-errs; err != nil {
				t.Errorf("%s: %v", d.spec, err)
			}
		}
	}
}
