package trace

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/nth-dev/nth/engine"
)

// A run's events arrive at a real OTLP endpoint as spans that hang together.
func TestTracer(t *testing.T) {
	var mu sync.Mutex
	got := map[string]*spans.Span{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var req collector.ExportTraceServiceRequest
		if r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &req) != nil {
			http.Error(w, "no traces", http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, rs := range req.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					got[s.Name] = s
				}
			}
		}
	}))
	defer srv.Close()
	tr, err := New(t.Context(), srv.URL+"/v1/traces", "test")
	if err != nil {
		t.Fatal(err)
	}
	pick := &engine.Pick{Keys: []string{"2"}, By: "openai:gpt-5", Model: "gpt-5-2026", Asked: 2, State: "#a page text #a", Raw: "page text", Tries: []engine.Try{
		{By: "openai:mini", Problem: "page text is not on the menu", Wall: 10, Usage: engine.Usage{Calls: 1, PromptTokens: 90, CompletionTokens: 3, Time: 20 * time.Millisecond}},
		{By: "openai:gpt-5", Keys: []string{"2"}, Wall: 30, Usage: engine.Usage{Calls: 1, PromptTokens: 120, CachedTokens: 64, CompletionTokens: 1, Time: 30 * time.Millisecond}},
	}}
	for _, e := range []engine.Event{
		{Kind: "stage", Path: "book[1]", Stage: "find"},
		{Kind: "pick", Path: "book[1]", Stage: "find", Pick: pick},
		{Kind: "step", Path: "book[1]", Record: &engine.Record{Skill: "std.click", OK: true, Timing: &engine.Timing{Act: 5, Verify: 5}}},
		{Kind: "stage", Path: "book[1]", Stage: "pay"},
		{Kind: "stage", Path: "book[1]/pay", Stage: "card"},
		{Kind: "step", Path: "book[1]/pay", Record: &engine.Record{Skill: "pay.confirm", Error: "in_doubt"}},
		{Kind: "end", Path: "book", Record: &engine.Record{Status: engine.InDoubt, Error: "in_doubt"}},
	} {
		e.Run = "r1"
		tr.Observe(e)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := tr.Close(ctx); err != nil {
		t.Fatal(err)
	}
	for child, parent := range map[string]string{
		"stage find": "run book", "chat mini": "stage find", "chat gpt-5": "stage find", "step std.click": "stage find",
		"stage pay": "run book", "stage card": "stage pay", "step pay.confirm": "stage card",
	} {
		c, p := got[child], got[parent]
		if c == nil || p == nil || !slices.Equal(c.ParentSpanId, p.SpanId) {
			t.Errorf("%s is not in %s", child, parent)
		}
	}
	chat := got["chat gpt-5"]
	attrs := map[string]any{}
	for _, a := range chat.Attributes {
		attrs[a.Key] = a.Value.GetStringValue()
		if n := a.Value.GetIntValue(); n != 0 {
			attrs[a.Key] = n
		}
	}
	for k, want := range map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5", "gen_ai.response.model": "gpt-5-2026",
		"gen_ai.usage.input_tokens": int64(120), "gen_ai.usage.cache_read.input_tokens": int64(64), "gen_ai.usage.output_tokens": int64(1),
	} {
		if attrs[k] != want {
			t.Errorf("%s is %v, want %v", k, attrs[k], want)
		}
	}
	if d := time.Duration(chat.EndTimeUnixNano - chat.StartTimeUnixNano); d != 30*time.Millisecond || chat.Kind != spans.Span_SPAN_KIND_CLIENT {
		t.Errorf("%s took %s", chat.Kind, d)
	}
	if s := got["run book"].Status; s.GetCode() != spans.Status_STATUS_CODE_ERROR || s.GetMessage() != "in_doubt" {
		t.Errorf("status of the run: %v", s)
	}
	for name, s := range got {
		if data, _ := proto.Marshal(s); bytes.Contains(data, []byte("page text")) {
			t.Errorf("%s tells what the page says", name)
		}
	}
}

func TestEndpointIsAURL(t *testing.T) {
	for _, bad := range []string{"notaurl", "localhost:4318", "ftp://host/x", "http://"} {
		if _, err := New(t.Context(), bad, "test"); err == nil || !strings.Contains(err.Error(), "not the URL of an OTLP endpoint") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
