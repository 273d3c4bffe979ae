package engine

import (
	"context"
	"fmt"
)

// Replay is a Picker that answers from the journal of an earlier run: the same menus get the same picks.
type Replay struct {
	picks map[string][]Pick           // by menu digest, in the order they were made
	terms [][]string                  // that were proposed, in order
	texts map[string][]map[string]any // params by label of the step: what the model wrote is among them
	run   string
}

// NewReplay takes the picks out of a journal's records.
func NewReplay(records []Record) (*Replay, error) {
	p := &Replay{picks: map[string][]Pick{}, texts: map[string][]map[string]any{}}
	for _, r := range records {
		p.run = r.Run
		if r.Type == "step" && r.Pick != nil && (r.Pick.Asked > 0 || r.Pick.By == "cache") && len(r.Pick.Keys) > 0 {
			p.picks[r.MenuDigest] = append(p.picks[r.MenuDigest], *r.Pick)
		}
		if r.Type == "step" && r.Skill != "" {
			p.texts[r.Label] = append(p.texts[r.Label], r.Params)
		}
	}
	for _, r := range records {
		if r.Type == "terms" {
			p.terms = append(p.terms, r.Terms)
		}
	}
	if p.run == "" {
		return nil, fmt.Errorf("the journal is empty")
	}
	return p, nil
}

// Name implements Picker.
func (p *Replay) Name() string { return "replay:" + p.run }

// Caps implements Picker.
func (p *Replay) Caps() Caps { return Caps{Batch: true, Instant: true} }

// Pick implements Picker. A menu that the recorded run did not meet is an error: the runs have parted.
func (p *Replay) Pick(_ context.Context, r Request) ([]Answer, error) {
	left := p.picks[r.MenuDigest]
	if len(left) == 0 {
		return nil, fmt.Errorf("run %s never picked from this menu of stage %s: the page or the flow is not the same any more", p.run, r.Stage)
	}
	p.picks[r.MenuDigest] = left[1:]
	return []Answer{{Keys: left[0].Keys, Model: left[0].Model}}, nil
}

// Propose implements Proposer.
func (p *Replay) Propose(context.Context, Proposal) ([]string, Usage, error) {
	if len(p.terms) == 0 {
		return nil, Usage{}, nil
	}
	terms := p.terms[0]
	p.terms = p.terms[1:]
	return terms, Usage{}, nil
}

// Write implements Writer: the values are those that the recorded run used in its next step of that name.
func (p *Replay) Write(_ context.Context, r WriteRequest) (Written, error) {
	left := p.texts[r.Action]
	if len(left) == 0 {
		return Written{}, fmt.Errorf("run %s never came to %q: the page or the flow is not the same any more", p.run, r.Action)
	}
	p.texts[r.Action] = left[1:]
	return Written{Values: left[0]}, nil
}

var (
	_ Picker   = (*Replay)(nil)
	_ Proposer = (*Replay)(nil)
	_ Writer   = (*Replay)(nil)
)
