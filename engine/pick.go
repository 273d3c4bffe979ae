package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/nth-dev/nth/engine/compile"
)

// Pick is who chose what.
type Pick struct {
	Keys  []string `json:"keys"`
	By    string   `json:"by"` // forced, rule, fallback, or the picker's name
	Model string   `json:"model,omitempty"`
	Usage Usage    `json:"usage"`
	Raw   string   `json:"raw,omitempty"`
	Asked int      `json:"asked,omitempty"` // questions put, 2 after a re-ask
}

// forced reports whether there is nothing to decide: one candidate; or, in a stage that is done when all its
// entries have succeeded, one candidate per entry, all of which must be done anyway.
func forced(st *compile.Stage, m *Menu) bool {
	if len(m.all) == 1 {
		return true
	}
	if st.Done != nil || st.Order != nil {
		return false
	}
	seen := map[int]bool{}
	for _, c := range m.all {
		if c.Entry.Optional || seen[c.group] {
			return false
		}
		seen[c.group] = true
	}
	return true
}

// pick chooses from a menu that is not empty. It returns 0 as the only key for "none of these".
func (r *run) pick(ctx context.Context, v *view, st *compile.Stage, m *Menu) (Pick, error) {
	switch {
	case forced(st, m):
		return Pick{Keys: []string{"1"}, By: "forced"}, nil
	case st.Pick == "first":
		return Pick{Keys: []string{"1"}, By: "rule"}, nil
	}
	caps := r.Picker.Caps()
	q := Question{
		ID: st.Name, Instructions: r.instructions(v, st), State: r.promptState(v), Options: m.Options(),
		Many: st.Pick == "auto" && caps.Batch,
	}
	for _, c := range m.Candidates {
		q.Group = append(q.Group, c.group)
	}
	if m.More() > 0 {
		q.Group = append(q.Group, -1)
	}
	return r.ask(ctx, Request{Questions: []Question{q}, Stage: st.Name, MenuDigest: m.digest(st.Name)})
}

// ask puts a question to the picker, and once more when the answer cannot be used.
func (r *run) ask(ctx context.Context, req Request) (Pick, error) {
	p := Pick{By: r.Picker.Name()}
	for try := range 2 {
		if err := r.withinLimits(); err != nil {
			return p, err
		}
		answers, err := r.Picker.Pick(ctx, req)
		p.Asked = try + 1
		var unreadable *UnreadableError
		switch {
		case errors.As(err, &unreadable):
			p.Usage, p.Raw = p.Usage.Add(unreadable.Usage), cut(unreadable.Reply, 1024)
			r.spend(unreadable.Usage)
		case err != nil:
			if ctx.Err() != nil {
				return p, ctx.Err()
			}
			return p, &StageError{Name: ErrModel, Message: err.Error(), Err: err}
		case len(answers) != 1:
			err = fmt.Errorf("%d answers to 1 question", len(answers))
		default:
			a := answers[0]
			p.Model, p.Raw = a.Model, cut(a.Raw, 1024)
			p.Usage = p.Usage.Add(a.Usage)
			r.spend(a.Usage)
			if p.Keys, err = gate(req.Questions[0], a); err == nil {
				return p, nil
			}
		}
		req.Retry, req.Problem = true, err.Error()
	}
	return p, &StageError{Name: ErrModel, Message: fmt.Sprintf("%s gave no usable answer twice: %s", r.Picker.Name(), req.Problem)}
}

// gate is the one check that every answer passes, whoever gave it.
func gate(q Question, a Answer) ([]string, error) {
	if a.Refused {
		return nil, errors.New("the model refused to answer")
	}
	if len(a.Keys) == 0 {
		return nil, errors.New("no number was given")
	}
	if len(a.Keys) > 1 && !q.Many {
		return nil, fmt.Errorf("one number is wanted, not %d", len(a.Keys))
	}
	seen := map[int]bool{}
	var keys []string
	for _, k := range a.Keys {
		n, err := strconv.Atoi(k)
		if err != nil || n < 0 || n > len(q.Options) || strconv.Itoa(n) != k {
			return nil, fmt.Errorf("%s is not on the menu: the numbers are 0 to %d", quoteShort(k), len(q.Options))
		}
		if n == 0 {
			if len(a.Keys) > 1 {
				return nil, errors.New("0 means none of these, so it cannot stand beside other numbers")
			}
			return []string{"0"}, nil
		}
		if slices.Contains(keys, k) {
			continue
		}
		if n <= len(q.Group) {
			if g := q.Group[n-1]; seen[g] {
				return nil, fmt.Errorf("%d and another number are alternatives: choose one of them", n)
			} else {
				seen[g] = true
			}
		}
		keys = append(keys, k)
	}
	sum := 0.0
	for k, p := range a.P {
		if math.IsNaN(p) || math.IsInf(p, 0) || p < 0 || p > 1 {
			return nil, fmt.Errorf("the probability of %s is %v", quoteShort(k), p)
		}
		sum += p
	}
	if len(a.P) > 0 && math.Abs(sum-1) > 0.05 {
		return nil, fmt.Errorf("the probabilities sum to %.2f", sum)
	}
	return keys, nil
}
