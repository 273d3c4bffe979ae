package engine

import (
	"context"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Pick is who chose what, and what it took.
type Pick struct {
	Keys  []string `json:"keys"`
	By    string   `json:"by"` // forced, rule, cache, fallback, or the picker's name
	Model string   `json:"model,omitempty"`
	Usage Usage    `json:"usage"`           // of all questions put for this pick
	Raw   string   `json:"raw,omitempty"`   // the last reply
	Asked int      `json:"asked,omitempty"` // questions put; 0 when nobody was asked

	Instructions string                    `json:"instructions,omitempty"` // the trusted part of the question
	State        string                    `json:"state,omitempty"`        // the page's part, fenced
	Tries        []Try                     `json:"tries,omitempty"`        // the questions, in order
	Reason       string                    `json:"reason,omitempty"`       // what the model said for it, in a stage with reason: true
	Cache        string                    `json:"cache,omitempty"`        // hit, miss or stale; "" when the cache was not looked at
	CacheKey     string                    `json:"cache_key,omitempty"`
	Guess        string                    `json:"guess,omitempty"`     // hit or miss, when the question was put ahead of its time
	Hidden       float64                   `json:"hidden_ms,omitempty"` // of a hit: time of the model that passed while the browser acted
	values       map[string]map[string]any // by key: what the picker wrote for asked params
}

// Try is one question put to one picker.
type Try struct {
	By      string             `json:"by"`
	Turned  bool               `json:"turned,omitempty"`  // the menu was shown in another order
	Written bool               `json:"written,omitempty"` // values were asked for, not a pick
	Keys    []string           `json:"keys,omitempty"`    // in the menu's own order
	P       map[string]float64 `json:"p,omitempty"`
	Source  ProbSource         `json:"source,omitempty"`
	Judged  *Confidence        `json:"judged,omitempty"`
	Problem string             `json:"problem,omitempty"` // why the answer did not do
	Usage   Usage              `json:"usage"`
	Wall    float64            `json:"wall_ms"`
}

// pick chooses from a menu that is not empty. It returns 0 as the only key for "none of these".
func (w *walk) pick(ctx context.Context, v *view, m *Menu) (Pick, error) {
	switch {
	case w.forced(v, w.st, m):
		return Pick{Keys: []string{"1"}, By: "forced"}, nil
	case w.st.Pick == "first":
		return Pick{Keys: []string{"1"}, By: "rule"}, nil
	}
	p := Pick{By: w.Picker.Name()}
	if w.recall(ctx, v, m, &p) {
		return p, nil
	}
	q := w.question(v, w.st, m)
	err := w.ask(ctx, w.st, m, q, m.digest(w.st.Name), &p)
	return p, err
}

// question is a menu as a picker is asked about it.
func (r *run) question(v *view, st *compile.Stage, m *Menu) Question {
	q := Question{
		ID: st.Name, Instructions: r.instructions(v, st), State: r.promptState(v), Options: m.Options(),
		Many: st.Pick == "auto" && r.Picker.Caps().Batch, Reason: st.Reason,
	}
	for i := range q.Options {
		q.Options[i].Label = r.redact(q.Options[i].Label)
	}
	for i, c := range m.Candidates {
		q.Group = append(q.Group, c.group)
		if fields := r.fields(v, c); len(fields) > 0 {
			if q.Asks == nil {
				q.Asks = map[string][]Field{}
			}
			q.Asks[q.Options[i].Key] = fields
		}
	}
	if m.More() > 0 {
		q.Group = append(q.Group, -1)
	}
	return q
}

func since(t time.Time) float64 { return ms(time.Since(t)) }
