package model

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestUsageOfEachWire: every wire names its token counts in its own way, and some leave a part out of the sum.
func TestUsageOfEachWire(t *testing.T) {
	for _, c := range []struct {
		spec, body                 string
		prompt, completion, cached int
	}{
		{"openai:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}`, 12, 3, 8},
		{"mistral:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`, 12, 3, 0},
		{"anthropic:stub", `{"content":[{"type":"text","text":"3"}],"usage":{"input_tokens":2,"cache_creation_input_tokens":4,"cache_read_input_tokens":6,"output_tokens":3}}`, 12, 3, 6},
		{"anthropic:stub", `{"content":[{"type":"text","text":"3"}],"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0},"output_tokens":3}}`, 12, 3, 0},
		{"openai:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":4}}`, 12, 3, 8},
		{"openai:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"cached_tokens":7}}`, 12, 3, 7},
		{"openai:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":99}}}`, 12, 3, 12},
		{"openai:stub", `{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":null}}`, 12, 3, 0},
		{"google:stub", `{"candidates":[{"content":{"parts":[{"text":"3"}]}}],"usageMetadata":{"promptTokenCount":12,"cachedContentTokenCount":9,"candidatesTokenCount":3,"totalTokenCount":15}}`, 12, 3, 9},
		{"systemone:stub", `{"answers":{"q1":{"choice":"3"}},"usage":{"input_tokens":12,"output_tokens":3,"input_tokens_details":{"cached_tokens":5}}}`, 12, 3, 5},
		{"google:stub", `{"candidates":[{"content":{"parts":[{"text":"3"}]}}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":1,"thoughtsTokenCount":2,"totalTokenCount":15}}`, 12, 3, 0},
		{"ollama:stub", `{"message":{"content":"3"},"done":true,"prompt_eval_count":12,"eval_count":3,"eval_duration":99}`, 12, 3, 0},
		{"ollama:stub", `{"message":{"content":"3"},"done":true,"eval_count":3}`, 0, 3, 0},
		{"systemone:stub", `{"answers":{"q1":{"choice":"3"}},"usage":{"input_tokens":12,"output_tokens":3}}`, 12, 3, 0},
		{"decisions:stub", `{"answers":[{"name":"q1","choice":"3"}],"usage":{"input_tokens":12,"output_tokens":3,"total_tokens":15}}`, 12, 3, 0},
		{"llama:stub", `{"content":"C","tokens_evaluated":12,"tokens_predicted":3}`, 12, 3, 0},
		{"logprobs:stub", `{"choices":[{"message":{"content":"C"}}],"usage":{"prompt_tokens":12.0,"completion_tokens":3}}`, 12, 3, 0},
		{"decisions:stub", `{"answers":[{"name":"q1","choice":"3"}],"usage":{"input_tokens":-12,"output_tokens":1e99}}`, 0, 0, 0},
	} {
		s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Reply{Body: []byte(c.body)} })
		base := s.Root()
		if spec, _, _ := strings.Cut(c.spec, ":"); spec == "openai" || spec == "logprobs" || spec == "systemone" || spec == "decisions" {
			base = s.URL()
		}
		a, err := pickOne(t, driver(t, c.spec, Config{BaseURL: base}), five(false))
		if err != nil || a.Usage.PromptTokens != c.prompt || a.Usage.CompletionTokens != c.completion || a.Usage.CachedTokens != c.cached || a.Usage.Calls != 1 {
			t.Errorf("%s: %+v, %v; want %d and %d tokens, %d cached", c.body, a.Usage, err, c.prompt, c.completion, c.cached)
		}
	}
}

// TestRequestsOfEachChatWire: the two messages and the options, in each wire's words.
func TestRequestsOfEachChatWire(t *testing.T) {
	for _, d := range drivers {
		if d.odds {
			continue
		}
		s := modeltest.Start(t, nil)
		if _, err := pickOne(t, driver(t, d.spec, Config{BaseURL: d.base(s)}), five(false)); err != nil {
			t.Fatal(err)
		}
		r := s.Log()[0].Request
		want := []modeltest.Message{{Role: "system", Content: System}, {Role: "user", Content: Prompt(five(false), engine.Request{})}}
		if len(r.Messages) != 2 || r.Messages[0] != want[0] || r.Messages[1] != want[1] || r.Model != "stub" {
			t.Errorf("%s: %q of %s", d.spec, r.Messages, r.Model)
		}
		if r.Temperature != nil && *r.Temperature != 0 || r.MaxTokens+r.MaxCompletionTokens != maxTokens {
			t.Errorf("%s: temperature %v, %d and %d tokens", d.spec, r.Temperature, r.MaxTokens, r.MaxCompletionTokens)
		}
		if wire, _, _ := strings.Cut(d.spec, ":"); wire != r.Wire && wire != "mistral" {
			t.Errorf("%s speaks %s", d.spec, r.Wire)
		}
	}
}

// TestNoTemperature: models that take no temperature are asked without one, on the wires that always send it.
func TestNoTemperature(t *testing.T) {
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		if strings.Contains(string(r.Body), "temperature") {
			return modeltest.Reply{Status: 400, Text: "`temperature` is deprecated for this model."}
		}
		return modeltest.Text("3")
	})
	p := driver(t, "anthropic:stub", Config{BaseURL: s.Root()})
	for i, calls := range []int{2, 1} {
		if a, err := pickOne(t, p, five(false)); err != nil || a.Keys[0] != "3" || a.Usage.Calls != calls {
			t.Errorf("%d: %+v, %v", i, a, err)
		}
	}
}

// FuzzReaders: no reply makes a reader fail in another way than with an error, what it lets through is JSON, and what
// it counts is bounded.
func FuzzReaders(f *testing.F) {
	files, err := filepath.Glob("testdata/replies/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if _, body, _ := strings.Cut(string(part.Data), "\n"); !strings.Contains(body, "{{") {
				f.Add([]byte(body))
			}
		}
	}
	p, _ := providerNamed("openai")
	e := endpoint{provider: p, baseURL: "http://h/v1"}
	readers := []reader{endpoint.canonical, readAnthropic, readGoogle, readOllama, readJSON}
	keys := map[string]string{"0": "0", "A": "1", "B": "2"}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, read := range readers {
			var seen exchange
			out, we := read(e, body, &seen)
			if (we == nil) != (out != nil) || we == nil && !json.Valid(out) {
				t.Errorf("reader %d: %q, %v", i, out, we)
			}
			if seen.prompt < 0 || seen.completion < 0 {
				t.Errorf("reader %d counts %d and %d", i, seen.prompt, seen.completion)
			}
		}
		var reply decisionReply
		if json.Unmarshal(body, &reply) == nil {
			v := reply.vote("q1", 0)
			if v.bad == "" && !v.refused && v.key == "" {
				t.Errorf("no key: %+v", v)
			}
			for _, p := range v.p {
				if !(p >= 0 && p <= 1) {
					t.Errorf("probability %v", p)
				}
			}
		}
		var llama llamaReply
		var chat chatLogprobs
		for _, token := range []func() (tokenChoice, error){
			func() (tokenChoice, error) { err := json.Unmarshal(body, &llama); return llama.token(), err },
			func() (tokenChoice, error) { err := json.Unmarshal(body, &chat); return chat.token(), err },
		} {
			if choice, err := token(); err == nil {
				sum := 0.0
				v := choice.vote(keys)
				for _, p := range v.p {
					sum += p
				}
				if v.p != nil && (sum < 0.99 || sum > 1.01) {
					t.Errorf("the labels' probabilities sum to %f", sum)
				}
			}
		}
	})
}
