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
	// ProjectBaseURL and ProjectKey come from nth.yaml; the environment wins over them. The vendor's general key,
	// such as OPENAI_API_KEY, is never sent to a base URL that came from a project file, since such a file may come
	// with somebody else's repository; NTH_OPENAI_API_KEY is.
	ProjectBaseURL, ProjectKey string
	// ProjectKeyEnv is the variable that nth.yaml takes ProjectKey from. A vendor's general key is not sent to a base URL
	// from a project file by that way either.
	ProjectKeyEnv string
	// Headers go along with every request, beside or instead of the key's.
	Headers map[string]string
	// APIVersion is Azure's api-version.
	APIVersion string
	// MaxOptions bounds the options of one question of a typed-decision endpoint; 0 means its driver's default.
	MaxOptions int
	// Constrain says when a chat model is held to the menu's numbers by a tool or a JSON schema. Free text takes the
	// fewest tokens, so the default is ConstrainRetry.
	Constrain string
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

// When a chat model's answer is constrained.
const (
	ConstrainRetry  = "retry"  // only when it is asked again after an answer of no use
	ConstrainAlways = "always" // in every call
	ConstrainNever  = "never"
)

func (c Config) timeout() time.Duration {
	if c.Timeout <= 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// Spec names a picker: "first", "human", "openai:gpt-5-mini", "replay:RUN".
type Spec struct{ Provider, Name string }

func (s Spec) String() string {
	if s.Name == "" {
		return s.Provider
	}
	return s.Provider + ":" + s.Name
}

// ParseSpec reads "provider:name". The name may hold colons ("openai:qwen3:8b").
func ParseSpec(s string) (Spec, error) {
	text := strings.TrimSpace(s)
	if text == "" {
		return Spec{}, fmt.Errorf("the model is empty; %s", known())
	}
	name, arg, colon := strings.Cut(text, ":")
	spec := Spec{strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(arg)}
	if p, ok := providerNamed(spec.Provider); ok {
		switch {
		case p.arg == "" && colon:
			return Spec{}, fmt.Errorf("model %q: %q takes no name after a colon", s, p.name)
		case p.arg != "" && spec.Name == "":
			return Spec{}, fmt.Errorf("model %q: the name is missing, as in %s:%s", s, p.name, p.arg)
		}
		return spec, nil
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
	p, _ := providerNamed(s.Provider)
	if p.open == nil {
		return nil, errors.New("a replay needs a journal to read, and cannot be opened as a model")
	}
	return p.open(p, s.Name, cfg)
}

// newHuman asks whoever sits at the terminal.
func newHuman(_ provider, _ string, cfg Config) (engine.Picker, error) {
	h := &Human{In: cfg.In, Out: cfg.Out}
	if h.In == nil {
		h.In = os.Stdin
	}
	if h.Out == nil {
		h.Out = os.Stderr
	}
	return h, nil
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
