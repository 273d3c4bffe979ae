package engine

import (
	"context"
	"errors"
	"time"
)

// Option is one numbered line of a menu.
type Option struct {
	Key   string `json:"key"` // "1".."n"; "0" is always offered and means "none of these"
	Label string `json:"label"`
}

// Question is one menu put to a picker.
type Question struct {
	ID           string   `json:"id"`
	Instructions string   `json:"instructions"` // the goal and the stage's hint: trusted text
	State        string   `json:"state"`        // title and path, what changed, what is done: page text, already fenced
	Options      []Option `json:"options"`
	// Group holds, per option, the 0-based relevance entry it belongs to: options of one group are alternatives,
	// so an answer may hold at most one key per group.
	Group []int `json:"group,omitempty"`
	Many  bool  `json:"many"` // an answer may hold several keys, in the order to do them
	// Reason asks for a short reason before the number.
	Reason bool `json:"reason,omitempty"`
	// Asks holds, by option key, the values that the model has to write if it picks that option. A picker with
	// Caps.Values answers them at once; for the others the engine asks a Writer afterwards.
	Asks map[string][]Field `json:"asks,omitempty"`
}

// Request is what a picker gets: one or more questions about the same page.
type Request struct {
	Questions []Question
	// Retry is set when the previous answer could not be used; Problem says why, for the prompt. To a person, Problem
	// also says why nobody before them settled it; Retry is not set then.
	Retry   bool
	Problem string
	// Stage and MenuDigest identify the menu for replay and caches.
	Stage      string
	MenuDigest string
}

// ProbSource says where an answer's probabilities come from.
type ProbSource string

const (
	ProbNone     ProbSource = ""         // the picker gives none
	ProbLogprobs ProbSource = "logprobs" // computed from token log-probabilities
	ProbVendor   ProbSource = "vendor"   // returned by a typed-decision endpoint
)

// Usage is what one call cost.
type Usage struct {
	Calls            int           `json:"calls"`
	PromptTokens     int           `json:"prompt_tokens"`
	CachedTokens     int           `json:"cached_tokens,omitempty"` // those of PromptTokens that the provider had in its own cache
	CompletionTokens int           `json:"completion_tokens"`
	Time             time.Duration `json:"time_ns"`
	Cost             float64       `json:"cost,omitempty"` // in the currency of the project's prices; set by the engine
}

// Add sums two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.PromptTokens + v.PromptTokens, u.CachedTokens + v.CachedTokens, u.CompletionTokens + v.CompletionTokens, u.Time + v.Time, u.Cost + v.Cost}
}

// Tokens is the sum of prompt and completion tokens.
func (u Usage) Tokens() int { return u.PromptTokens + u.CompletionTokens }

// Answer is a picker's reply to one question. The engine's gate checks it; a picker need not.
type Answer struct {
	Keys    []string           `json:"keys"` // in the order to do them; ["0"] means none
	P       map[string]float64 `json:"p,omitempty"`
	Source  ProbSource         `json:"source,omitempty"`
	Model   string             `json:"model,omitempty"`
	Usage   Usage              `json:"usage"`
	Refused bool               `json:"refused,omitempty"`
	Reason  string             `json:"reason,omitempty"` // where the question asked for one
	// Values are what was written for Question.Asks: by option key, then by field. The engine checks them.
	Values map[string]map[string]any `json:"values,omitempty"`
	// Raw is the reply as it came, cut to 1 KiB, for the record.
	Raw string `json:"raw,omitempty"`
}

// Caps says what a picker can do.
type Caps struct {
	MaxOptions   int // 0: no limit
	MaxQuestions int
	MaxTokens    int
	Batch        bool // understands Question.Many
	Source       ProbSource
	// Instant: it answers in no time, so that the page that it was asked about is the page that it is acted on.
	Instant bool
	// Person: somebody reads the question, so no model's deadline applies, and there is nobody above.
	Person bool
	Values bool // answers Question.Asks
}

// Picker answers menus. An error means that no answer could be had (transport, deadline, unreadable reply is
// an *UnreadableError); the engine re-asks once after an unreadable or impossible answer, and never guesses. An error
// with a method Spent() Usage says what the call cost all the same, which counts against budgets and limits.
type Picker interface {
	Name() string // "first", "human", "openai:gpt-5-mini"
	Caps() Caps
	Pick(ctx context.Context, r Request) ([]Answer, error)
}

// UnreadableError is a reply in which no pick could be found. Usage counts all the same.
type UnreadableError struct {
	Reply string // cut to 1 KiB
	Usage Usage
}

// spentOn is what a call cost that ended with err.
func spentOn(err error) Usage {
	if s, ok := errors.AsType[interface {
		error
		Spent() Usage
	}](err); ok {
		return s.Spent()
	}
	return Usage{}
}

func (e *UnreadableError) Spent() Usage { return e.Usage }

func (e *UnreadableError) Error() string { return "no number in the reply: " + quoteShort(e.Reply) }
