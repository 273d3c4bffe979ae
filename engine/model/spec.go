package model

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine"
)

// DefaultTimeout is the total deadline of one pick when Config.Timeout is 0.
const DefaultTimeout = 30 * time.Second

// Config is what a picker needs beside its name. The zero value is usable.
type Config struct {
	// BaseURL and Key were given on the command line; they win over everything.
	BaseURL, Key string
	// ProjectBaseURL and ProjectKey come from nth.yaml; the environment wins over them. The general
	// OPENAI_API_KEY is never sent to a base URL that came from a project file, since such a file may come with
	// somebody else's repository; NTH_OPENAI_API_KEY is.
	ProjectBaseURL, ProjectKey string
	// Timeout is the total deadline of one pick, retries included. 0 means DefaultTimeout.
	Timeout time.Duration
	// HTTPClient lends its Transport and Jar; nil means a transport of our own that obeys the proxy variables.
	HTTPClient *http.Client
	// Env reads an environment variable; nil means os.Getenv.
	Env func(string) string
	// In and Out are the terminal of a human picker; nil means os.Stdin and os.Stderr.
	In  io.Reader
	Out io.Writer
}

// Spec names a picker: "first", "human", "openai:gpt-5-mini", "replay:RUN".
type Spec struct{ Provider, Name string }

func (s Spec) String() string {
	if s.Name == "" {
		return s.Provider
	}
	return s.Provider + ":" + s.Name
}

// provider says how the part after the colon is used.
type provider struct {
	name string
	arg  string // "" for none
}

var providers = []provider{{"openai", "NAME"}, {"first", ""}, {"human", ""}, {"replay", "RUN"}}

// planned are providers whose own wire is not spoken yet.
var planned = []string{"anthropic", "google", "ollama", "mistral"}

// ParseSpec reads "provider:name". The name may hold colons ("openai:qwen3:8b").
func ParseSpec(s string) (Spec, error) {
	text := strings.TrimSpace(s)
	if text == "" {
		return Spec{}, fmt.Errorf("the model is empty; %s", known())
	}
	name, arg, colon := strings.Cut(text, ":")
	spec := Spec{strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(arg)}
	for _, p := range providers {
		switch {
		case p.name != spec.Provider:
		case p.arg == "" && colon:
			return Spec{}, fmt.Errorf("model %q: %q takes no name after a colon", s, p.name)
		case p.arg != "" && spec.Name == "":
			return Spec{}, fmt.Errorf("model %q: the name is missing, as in %s:%s", s, p.name, p.arg)
		default:
			return spec, nil
		}
	}
	for _, p := range planned {
		if p == spec.Provider {
			return Spec{}, fmt.Errorf("model %q: provider %q is not supported yet: use openai:%s with that server's "+
				"OpenAI-compatible base URL", s, p, orElse(spec.Name, "NAME"))
		}
	}
	if near := nearest(spec.Provider); near != "" {
		return Spec{}, fmt.Errorf("model %q: unknown provider %q; did you mean %q? %s", s, spec.Provider, near, known())
	}
	return Spec{}, fmt.Errorf("model %q: unknown provider %q; %s", s, spec.Provider, known())
}

// New builds the picker that spec names. A replay is built by whoever holds the journal, and is an error here.
func New(spec string, cfg Config) (engine.Picker, error) {
	s, err := ParseSpec(spec)
	if err != nil {
		return nil, err
	}
	switch s.Provider {
	case "first":
		return First{}, nil
	case "human":
		h := &Human{In: cfg.In, Out: cfg.Out}
		if h.In == nil {
			h.In = os.Stdin
		}
		if h.Out == nil {
			h.Out = os.Stderr
		}
		return h, nil
	case "openai":
		return NewChat(s.Name, cfg)
	}
	return nil, errors.New("a replay needs a journal to read, and cannot be opened as a model")
}

func known() string {
	names := make([]string, len(providers))
	for i, p := range providers {
		names[i] = Spec{p.name, p.arg}.String()
	}
	return "known: " + strings.Join(names, ", ")
}

// nearest is the provider at most two edits away, or "".
func nearest(name string) string {
	best, bestDist := "", 3
	for _, p := range providers {
		if d := editDistance(name, p.name); d < bestDist {
			best, bestDist = p.name, d
		}
	}
	return best
}

func editDistance(a, b string) int {
	if len(a) > 32 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, diag+1)
		}
	}
	return row[len(b)]
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
