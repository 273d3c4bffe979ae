package model

import (
	"net/http"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// provider is one row of the table of everything that can stand before the colon of a spec.
type provider struct {
	name string
	arg  string // what stands after the colon; "" for nothing

	// How its endpoint is found. NTH_<NAME>_BASE_URL and NTH_<NAME>_API_KEY always come first.
	baseURL  string   // the default; "" if one must be named
	baseEnv  []string // the variables that the vendor's own tools read
	keyEnv   []string
	needsKey bool                            // the default base URL refuses requests without one
	clean    func(string) string             // brings what people write as its base URL into the form that the wire needs
	auth     func(h http.Header, key string) // puts the key into a request; nil means a bearer token

	open func(p provider, name string, cfg Config) (engine.Picker, error) // nil for replay
}

// providers in the order in which they are listed to people.
var providers []provider

func init() { // open refers to functions that refer to providers
	chat := func(p provider, name string, cfg Config) (engine.Picker, error) { return openChat(p, name, cfg) }
	providers = []provider{
		{name: "openai", arg: "NAME", baseURL: "https://api.openai.com/v1", baseEnv: []string{"OPENAI_BASE_URL"}, keyEnv: []string{"OPENAI_API_KEY"},
			needsKey: true, clean: without("/chat/completions"), open: chat},
		{name: "anthropic", arg: "NAME", baseURL: "https://api.anthropic.com/v1", baseEnv: []string{"ANTHROPIC_BASE_URL"}, keyEnv: []string{"ANTHROPIC_API_KEY"},
			needsKey: true, clean: ending("/messages", "/v1"), auth: header("X-Api-Key"), open: chat},
		{name: "google", arg: "NAME", baseURL: "https://generativelanguage.googleapis.com/v1beta", baseEnv: []string{"GOOGLE_GEMINI_BASE_URL"},
			keyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, needsKey: true, clean: ending("/models", "/v1beta", "/v1", "/v1alpha"), auth: header("X-Goog-Api-Key"), open: chat},
		{name: "mistral", arg: "NAME", baseURL: "https://api.mistral.ai/v1", baseEnv: []string{"MISTRAL_BASE_URL"}, keyEnv: []string{"MISTRAL_API_KEY"},
			needsKey: true, clean: ending("/chat/completions", "/v1"), open: chat},
		{name: "ollama", arg: "NAME", baseURL: "http://127.0.0.1:11434", baseEnv: []string{"OLLAMA_HOST"}, keyEnv: []string{"OLLAMA_API_KEY"}, clean: ollamaHost, open: chat},
		{name: "azure", arg: "DEPLOYMENT", baseEnv: []string{"AZURE_OPENAI_ENDPOINT"}, keyEnv: []string{"AZURE_OPENAI_API_KEY"}, clean: without("/openai"), auth: header("Api-Key"), open: chat},
		{name: "decisions", arg: "NAME", baseURL: "https://api.openai.com/v1", keyEnv: []string{"OPENAI_API_KEY"}, needsKey: true, clean: without("/decisions"), open: newDecisions},
		{name: "systemone", arg: "NAME", clean: without("/systemone"), open: newDecisions},
		{name: "llama", arg: "NAME", baseURL: "http://127.0.0.1:8080", clean: without("/completion", "/v1"), open: newLabels},
		{name: "logprobs", arg: "NAME", baseURL: "https://api.openai.com/v1", baseEnv: []string{"OPENAI_BASE_URL"}, keyEnv: []string{"OPENAI_API_KEY"},
			needsKey: true, clean: without("/chat/completions"), open: newLabels},
		{name: "first", open: func(provider, string, Config) (engine.Picker, error) { return First{}, nil }},
		{name: "human", open: newHuman},
		{name: "replay", arg: "RUN"},
	}
}

func providerNamed(name string) (provider, bool) {
	i := slices.IndexFunc(providers, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{}, false
	}
	return providers[i], true
}

// ownEnv is a variable of nth's own, such as NTH_OPENAI_API_KEY.
func (p provider) ownEnv(suffix string) string {
	return "NTH_" + strings.ToUpper(p.name) + "_" + suffix
}

// keyHint names the variables that a key is read from.
func (p provider) keyHint() string {
	return strings.Join(append([]string{p.ownEnv("API_KEY")}, p.keyEnv...), " or ")
}

func (p provider) baseHint() string {
	return strings.Join(append([]string{p.ownEnv("BASE_URL")}, p.baseEnv...), " or ")
}

// baseAdvice is what to look at when nothing answers at the base URL.
func (p provider) baseAdvice() string {
	if strings.HasSuffix(p.baseURL, "/v1") || p.name == "systemone" {
		return "does the base URL end in /v1?"
	}
	return "check the base URL"
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

func header(name string) func(http.Header, string) {
	return func(h http.Header, key string) { h.Set(name, key) }
}

// without cuts the ends of a path that people paste along.
func without(tails ...string) func(string) string {
	return func(s string) string {
		for _, t := range tails {
			s = strings.TrimRight(strings.TrimSuffix(s, t), "/")
		}
		return s
	}
}

// ending cuts a tail and adds the first of the versions unless the address ends in one of them: the vendors' own
// tools take the base URL without it.
func ending(tail string, versions ...string) func(string) string {
	return func(s string) string {
		s = without(tail)(s)
		if slices.ContainsFunc(versions, func(v string) bool { return strings.HasSuffix(s, v) }) {
			return s
		}
		return s + versions[0]
	}
}

// ollamaHost reads what Ollama allows in OLLAMA_HOST: a scheme and a port may be missing, and the address to listen
// on is not one to connect to.
func ollamaHost(s string) string {
	s = without("/api/chat", "/api", "/v1")(s)
	scheme, host, ok := strings.Cut(s, "://")
	if !ok {
		scheme, host = "http", s
	}
	name, rest, path := strings.Cut(host, "/")
	name = strings.Replace(name, "0.0.0.0", "127.0.0.1", 1)
	if !ok && !strings.Contains(name, ":") {
		name += ":11434"
	}
	if path {
		name += "/" + rest
	}
	return scheme + "://" + name
}
