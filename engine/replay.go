package engine

import (
	"context"
	"fmt"
)

// Replay is a Picker that answers from the journal of an earlier run: the same menus get the same picks.
type Replay struct {
	picks map[string][]Pick // by menu digest, in the order they were made
	run   string
}

// NewReplay takes the picks out of a journal's records.
func NewReplay(records []Record) (*Replay, error) {
	p := &Replay{picks: map[string][]Pick{}}
	for _, r := range records {
		p.run = r.Run
		if r.Type == "step" && r.Pick != nil && (r.Pick.Asked > 0 || r.Pick.By == "cache") && len(r.Pick.Keys) > 0 {
			p.picks[r.MenuDigest] = append(p.picks[r.MenuDigest], *r.Pick)
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

var _ Picker = (*Replay)(nil)
