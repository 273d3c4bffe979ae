package model

import (
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestConstrain: the first call is free text, the one after an answer of no use is held to the menu in each
// provider's own way, and a server that cannot is asked without it.
func TestConstrain(t *testing.T) {
	for spec, want := range map[string]string{
		"openai:stub":    `"response_format":{"json_schema":{"name":"pick","schema":{"additionalProperties":false,"properties":{"pick":{"items":{"enum":["0","1","2","3","4","5"],"type":"string"},"type":"array"}},"required":["pick"],"type":"object"},"strict":true},"type":"json_schema"}`,
		"mistral:stub":   `"response_format":{"json_schema":{`,
		"azure:stub":     `"response_format":{"json_schema":{`,
		"anthropic:stub": `"tool_choice":{"name":"pick","type":"tool"}`,
		"google:stub":    `"responseSchema":{"items":{"enum":["0","1","2","3","4","5"],"type":"STRING"},"type":"ARRAY"}`,
		"ollama:stub":    `"format":{"additionalProperties":false,`,
	} {
		base := func(s *modeltest.Server) string {
			for _, d := range drivers {
				if d.spec == spec {
					return d.base(s)
				}
			}
			return ""
		}
		first, again := engine.Request{Questions: []engine.Question{five(true)}}, engine.Request{Questions: []engine.Question{five(true)}, Retry: true}
		single := engine.Request{Questions: []engine.Question{five(false)}, Retry: true}
		s := modeltest.Start(t, nil)
		p := driver(t, spec, Config{BaseURL: base(s)})
		for i, r := range []engine.Request{first, again, single} {
			a, err := p.Pick(t.Context(), r)
			keys := "1,2,3,4,5"
			if i == 2 {
				keys = "1"
			}
			if err != nil || strings.Join(a[0].Keys, ",") != keys {
				t.Errorf("%s: %+v, %v", spec, a, err)
			}
			e := s.Log()[i].Request
			if e.Constrained != (i > 0) || (i == 1) != strings.Contains(string(e.Body), want) && i < 2 {
				t.Errorf("%s, call %d: constrained %v\n%s", spec, i, e.Constrained, e.Body)
			}
		}
		for constrain, want := range map[string][2]bool{"always": {true, true}, "never": {false, false}} {
			s := modeltest.Start(t, nil)
			p := driver(t, spec, Config{BaseURL: base(s), Constrain: constrain})
			for i, r := range []engine.Request{first, again} {
				if _, err := p.Pick(t.Context(), r); err != nil || s.Log()[i].Request.Constrained != want[i] {
					t.Errorf("%s, %s, call %d: %v, %v", spec, constrain, i, s.Log()[i].Request.Constrained, err)
				}
			}
		}
		s = modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
			if r.Constrained {
				return modeltest.Reply{Status: 400, Text: "response_format, tools and format are not supported"}
			}
			return modeltest.Text("2")
		})
		p = driver(t, spec, Config{BaseURL: base(s), Constrain: "always"})
		for i, calls := range []int{2, 1} {
			if a, err := p.Pick(t.Context(), first); err != nil || a[0].Keys[0] != "2" || a[0].Usage.Calls != calls {
				t.Errorf("%s, %d: %+v, %v", spec, i, a, err)
			}
		}
	}
	if _, err := New("openai:m", Config{BaseURL: "http://h/v1", Constrain: "sometimes", Env: noEnv}); err == nil || !strings.Contains(err.Error(), `constrain is "sometimes"; expected retry, always or never`) {
		t.Errorf("%v", err)
	}
}

// TestWireSettings: headers, Azure's version and what a vendor's own base URL looks like.
func TestWireSettings(t *testing.T) {
	s := modeltest.Start(t, nil)
	headers := map[string]string{"X-Team": "web", "authorization": "Basic c2VjcmV0LXZhbHVl"}
	p := driver(t, "azure:gpt-x", Config{BaseURL: s.Root() + "/openai/", Headers: headers, APIVersion: "2025-01-01"})
	if _, err := pickOne(t, p, five(false)); err != nil {
		t.Fatal(err)
	}
	got := s.Log()[0]
	if got.Request.Path != "/openai/deployments/gpt-x/chat/completions?api-version=2025-01-01" || got.Request.Model != "gpt-x" {
		t.Errorf("asked %s of %s", got.Request.Path, got.Request.Model)
	}
	if h := got.Header; h.Get("X-Team") != "web" || h.Get("Authorization") != "Basic c2VjcmV0LXZhbHVl" || h.Get("Api-Key") != testKey {
		t.Errorf("header %v", h)
	}
	for name, want := range map[string]string{"Host": "cannot be set", "A b": "not the name of a header", "X": "line break"} {
		value := "v"
		if name == "X" {
			value = "a\r\nEvil: 1"
		}
		if _, err := New("openai:m", Config{BaseURL: "http://h/v1", Headers: map[string]string{name: value}, Env: noEnv}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	// A header may hold a secret, which no error repeats.
	s = modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		return modeltest.Reply{Status: 400, Text: "no such token: c2VjcmV0LXZhbHVl, Basic c2VjcmV0LXZhbHVl"}
	})
	_, err := pickOne(t, driver(t, "openai:m", Config{BaseURL: s.URL(), Headers: map[string]string{"X-Token": "c2VjcmV0LXZhbHVl"}}), five(false))
	if err == nil || strings.Contains(err.Error(), "c2VjcmV0LXZhbHVl") || !strings.Contains(err.Error(), "[header]") {
		t.Errorf("%v", err)
	}
}

func TestBaseURLs(t *testing.T) {
	for _, c := range []struct{ provider, in, want string }{
		{"anthropic", "https://gateway.example", "https://gateway.example/v1"},
		{"anthropic", "https://gateway.example/anthropic/v1/messages", "https://gateway.example/anthropic/v1"},
		{"google", "https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta"},
		{"google", "http://h/v1/", "http://h/v1"},
		{"mistral", "https://api.mistral.ai", "https://api.mistral.ai/v1"},
		{"ollama", "0.0.0.0", "http://127.0.0.1:11434"},
		{"ollama", "box:1234", "http://box:1234"},
		{"ollama", "https://ollama.example/", "https://ollama.example"},
		{"ollama", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"},
		{"llama", "http://h:8080/v1", "http://h:8080"},
		{"systemone", "http://h/v1/systemone", "http://h/v1"},
		{"decisions", "http://h/v1/decisions/", "http://h/v1"},
		{"azure", "https://x.openai.azure.com/openai/", "https://x.openai.azure.com"},
	} {
		p, ok := providerNamed(c.provider)
		if got, err := cleanBaseURL(c.in, p); err != nil || !ok || got != c.want {
			t.Errorf("%s %s: %s, %v; want %s", c.provider, c.in, got, err, c.want)
		}
	}
}

// TestVendorVariables: the variables that a vendor's own tools read are read too, nth's own come first, and none goes
// to a base URL of a project file.
func TestVendorVariables(t *testing.T) {
	for _, c := range []struct {
		provider  string
		env       map[string]string
		cfg       Config
		base, key string
	}{
		{"anthropic", map[string]string{"ANTHROPIC_API_KEY": "k"}, Config{}, "https://api.anthropic.com/v1", "k"},
		{"anthropic", map[string]string{"ANTHROPIC_API_KEY": "k", "NTH_ANTHROPIC_API_KEY": "n", "ANTHROPIC_BASE_URL": "http://h"}, Config{}, "http://h/v1", "n"},
		{"anthropic", map[string]string{"ANTHROPIC_API_KEY": "k"}, Config{ProjectBaseURL: "http://evil"}, "http://evil/v1", ""},
		{"google", map[string]string{"GOOGLE_API_KEY": "b", "GEMINI_API_KEY": "a"}, Config{}, "https://generativelanguage.googleapis.com/v1beta", "a"},
		{"ollama", map[string]string{"OLLAMA_HOST": "gpu"}, Config{}, "http://gpu:11434", ""},
		{"azure", map[string]string{"AZURE_OPENAI_ENDPOINT": "https://x.openai.azure.com", "AZURE_OPENAI_API_KEY": "a"}, Config{}, "https://x.openai.azure.com", "a"},
		{"mistral", map[string]string{"MISTRAL_API_KEY": "m"}, Config{}, "https://api.mistral.ai/v1", "m"},
		{"logprobs", map[string]string{"OPENAI_API_KEY": "o", "NTH_LOGPROBS_BASE_URL": "http://h/v1"}, Config{}, "http://h/v1", "o"},
	} {
		c.cfg.Env = func(name string) string { return c.env[name] }
		p, _ := providerNamed(c.provider)
		e, err := resolveEndpoint(p, c.cfg)
		if err != nil || e.baseURL != c.base || e.key != c.key {
			t.Errorf("%s %v: %s with %q, %v", c.provider, c.env, e.baseURL, e.key, err)
		}
	}
}
