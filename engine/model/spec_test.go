package model

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
)

func TestParseSpec(t *testing.T) {
	for in, want := range map[string]Spec{
		"first": {"first", ""}, " human ": {"human", ""}, "openai:gpt-5-mini": {"openai", "gpt-5-mini"}, "OpenAI:qwen3:8b": {"openai", "qwen3:8b"},
		"replay:01J": {"replay", "01J"}, "openai:org/model": {"openai", "org/model"},
	} {
		got, err := ParseSpec(in)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"":              "the model is empty; known: openai:NAME, anthropic:NAME, google:NAME, mistral:NAME, ollama:NAME, azure:DEPLOYMENT, decisions:NAME, systemone:NAME, llama:NAME, logprobs:NAME, first, human, replay:RUN",
		"openai":        "the name is missing, as in openai:NAME",
		"openai: ":      "the name is missing",
		"replay":        "as in replay:RUN",
		"first:x":       `"first" takes no name`,
		"opnai:x":       `unknown provider "opnai"; did you mean "openai"?`,
		"frist":         `did you mean "first"?`,
		"gpt-5-mini":    `unknown provider "gpt-5-mini"; known: openai:NAME`,
		"anthropc:opus": `did you mean "anthropic"?`,
		"ollama":        "the name is missing, as in ollama:NAME",
	} {
		if _, err := ParseSpec(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", in, err, want)
		}
	}
}

func TestNew(t *testing.T) {
	env := func(string) string { return "" }
	for in, want := range map[string]string{"first": "first", "human": "human", "openai:m": "openai:m"} {
		p, err := New(in, Config{BaseURL: "http://127.0.0.1:1/v1", Env: env})
		if err != nil || p.Name() != want {
			t.Errorf("%q: %v, %v", in, p, err)
		}
	}
	if _, err := New("openai:m", Config{Env: env}); err == nil || !strings.Contains(err.Error(), "set NTH_OPENAI_API_KEY or OPENAI_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := New("replay:x", Config{}); err == nil {
		t.Error("a replay was built")
	}
}

func TestResolveEndpoint(t *testing.T) {
	const local = "http://127.0.0.1:8080/v1"
	for name, c := range map[string]struct {
		cfg       Config
		env       map[string]string
		base, key string
		err       string
	}{
		"flag wins":             {Config{BaseURL: local, Key: "f"}, map[string]string{"NTH_OPENAI_BASE_URL": "http://b/v1", "NTH_OPENAI_API_KEY": "n", "OPENAI_API_KEY": "o"}, local, "f", ""},
		"own before general":    {Config{}, map[string]string{"NTH_OPENAI_BASE_URL": local, "OPENAI_BASE_URL": "http://b/v1", "NTH_OPENAI_API_KEY": "n", "OPENAI_API_KEY": "o"}, local, "n", ""},
		"general":               {Config{ProjectBaseURL: "http://p/v1", ProjectKey: "p"}, map[string]string{"OPENAI_BASE_URL": local, "OPENAI_API_KEY": "o"}, local, "o", ""},
		"project":               {Config{ProjectBaseURL: local, ProjectKey: "p"}, nil, local, "p", ""},
		"general key stays":     {Config{ProjectBaseURL: local}, map[string]string{"OPENAI_API_KEY": "o"}, local, "", ""},
		"not by key_env":        {Config{ProjectBaseURL: local, ProjectKey: "o", ProjectKeyEnv: "OPENAI_API_KEY"}, map[string]string{"OPENAI_API_KEY": "o"}, local, "", ""},
		"nor another's":         {Config{ProjectBaseURL: local, ProjectKey: "a", ProjectKeyEnv: "ANTHROPIC_API_KEY"}, nil, local, "", ""},
		"by a name of its own":  {Config{ProjectBaseURL: local, ProjectKey: "g", ProjectKeyEnv: "GATEWAY_KEY"}, nil, local, "g", ""},
		"key_env to the vendor": {Config{ProjectKey: "o", ProjectKeyEnv: "ANTHROPIC_API_KEY"}, nil, "https://api.openai.com/v1", "o", ""},
		"own key goes":          {Config{ProjectBaseURL: local}, map[string]string{"OPENAI_API_KEY": "o", "NTH_OPENAI_API_KEY": "n"}, local, "n", ""},
		"default":               {Config{}, map[string]string{"OPENAI_API_KEY": "o"}, "https://api.openai.com/v1", "o", ""},
		"custom without key":    {Config{BaseURL: local}, nil, local, "", ""},
		"whole address":         {Config{BaseURL: local + "/chat/completions/"}, nil, local, "", ""},
		"no key":                {Config{}, nil, "", "", "NTH_OPENAI_API_KEY or OPENAI_API_KEY"},
		"no scheme":             {Config{BaseURL: "127.0.0.1:8080"}, nil, "", "", "base URL"},
		"other scheme":          {Config{BaseURL: "ftp://h/v1"}, nil, "", "", "expected http"},
		"password":              {Config{BaseURL: "http://u:secret@h/v1"}, nil, "", "", "user name or password"},
		"bad port":              {Config{BaseURL: "http://u:secret@h:port/v1"}, nil, "", "", "not a URL"},
		"query":                 {Config{BaseURL: "http://h/v1?key=secret"}, nil, "", "", "query"},
		"key with line end":     {Config{BaseURL: local, Key: "secret\nsecret"}, nil, "", "", "the key holds"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.Env = func(k string) string { return c.env[k] }
			p, _ := providerNamed("openai")
			e, err := resolveEndpoint(p, c.cfg)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "secret") {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || e.baseURL != c.base || e.key != c.key {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
}

func TestFirst(t *testing.T) {
	for name, c := range map[string]struct {
		q    engine.Question
		want string
	}{
		"one":            {menu(false, []int{0, 1}, "a", "b"), "1"},
		"each group":     {menu(true, []int{0, 0, 1, 2, 1}, "a", "b", "c", "d", "e"), "1,3,4"},
		"without groups": {menu(true, nil, "a", "b"), "1,2"},
		"empty":          {engine.Question{}, "0"},
	} {
		a, err := First{}.Pick(t.Context(), engine.Request{Questions: []engine.Question{c.q}})
		if err != nil || strings.Join(a[0].Keys, ",") != c.want || a[0].Usage != (engine.Usage{}) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (First{}).Pick(ctx, engine.Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}
