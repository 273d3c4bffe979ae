package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Preview is the menu that a picker would see, and why everything else is absent.
type Preview struct {
	Menu   []string  `json:"menu"`
	Absent []Absence `json:"absent"`
	Done   bool      `json:"done"` // the stage's done condition already holds
}

// PreviewMenu builds the menu of a stage on the page that the driver shows, as if the stage had just begun with
// these inputs and facts. It does nothing to the page. Secrets are stood in for.
func PreviewMenu(ctx context.Context, d Driver, p *compile.Program, stage string, inputs map[string]any, facts []string) (*Preview, error) {
	st := p.Stage(stage)
	if st == nil || st.Kind != compile.MenuStage {
		return nil, fmt.Errorf("%q is not a stage with a relevance list", stage)
	}
	now := time.Now()
	r := &run{Runner: &Runner{Driver: d}, prog: p, inputs: inputs, secrets: map[string]any{}, state: newState(p), path: p.Name}
	r.shared = &shared{now: now, started: now, commits: map[string]bool{}}
	for _, s := range p.Secrets {
		r.secrets[s.Name] = compile.NewSecret("secret")
	}
	for _, f := range facts {
		if _, ok := r.state.Facts[f]; !ok {
			return nil, fmt.Errorf("there is no fact %q", f)
		}
		r.state.Facts[f] = true
	}
	r.enter(stage)
	v, err := r.look(ctx, st.Probes)
	if err != nil {
		return nil, err
	}
	cands, absent := r.candidates(v, st, st.Entries, 0)
	m, err := r.buildMenu(v, st, cands, 0)
	if err != nil {
		return nil, err
	}
	out := &Preview{Menu: m.Lines(), Absent: absent}
	if st.Done != nil {
		out.Done, _ = r.stageDone(st, v)
	}
	return out, nil
}
