package model

import (
	"context"

	"github.com/nth-dev/nth/engine"
)

// First picks in menu order and makes no calls: the first option, or, where several keys are allowed, the first
// option of every group. An empty menu is answered with "0".
type First struct{}

var _ engine.Picker = First{}

// Name is "first".
func (First) Name() string { return "first" }

// Caps: no limits.
func (First) Caps() engine.Caps { return engine.Caps{Batch: true, Instant: true} }

// Pick answers every question; it fails only when ctx has ended.
func (First) Pick(ctx context.Context, r engine.Request) ([]engine.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answers := make([]engine.Answer, len(r.Questions))
	for i, q := range r.Questions {
		answers[i] = engine.Answer{Keys: firstKeys(q), Model: "first"}
	}
	return answers, nil
}

func firstKeys(q engine.Question) []string {
	if len(q.Options) == 0 {
		return []string{noneKey}
	}
	if !q.Many {
		return []string{q.Options[0].Key}
	}
	var keys []string
	taken := map[int]bool{}
	for i, o := range q.Options {
		if i < len(q.Group) {
			if taken[q.Group[i]] {
				continue
			}
			taken[q.Group[i]] = true
		}
		keys = append(keys, o.Key)
	}
	return keys
}
