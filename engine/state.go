package engine

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// State is what a run knows. It is changed by the run's goroutine only, between steps.
type State struct {
	Stage   string
	Visit   int            // 1-based visit of Stage
	Facts   map[string]any // bool by fact; every declared fact is there
	Stages  map[string]any // stages.<name>: the last value that the stage's skills returned
	Outputs map[string]any
	visits  map[string]int
}

// shared is what all rows and sub-flows of one run have in common.
type shared struct {
	id      string
	now     time.Time // the run's clock, recorded
	started time.Time
	seq     int
	usage   Usage
	limits  compile.Limits
	commits map[string]bool // by commit key: intent written
	secrets []string        // values, longest first, for redaction
	steps   int
	// downloads are those of the last look.
	downloads []Download
	learnt    []lesson // what the pick cache may take from this run, if it ends well
	guesses   guesses
}

// run is one pass through one program: a row, or a sub-flow.
type run struct {
	*Runner
	prog    *compile.Program
	inputs  map[string]any
	secrets map[string]any // compile.SecretValue by name
	row     any
	rowName string
	rowNo   int
	path    string // "book_flights[2]/pay_by_card": where this pass stands in the whole run
	state   *State
	shared  *shared

	// of the current stage visit
	hist       history
	did        []string // labels of what succeeded, for the prompt
	lastDiff   []string
	lastFailed string
	picks      int
	spent      Usage
	since      time.Time
	inVain     string // where a forecast has looked at the page and found no question
	guess      *guess // the question that was put ahead of its time; nil: none
}

func (r *run) marker() string {
	if r.Marker != nil {
		return r.Marker()
	}
	return randomMarker()
}

// env is what the flow's expressions see. v may be nil where no page has been looked at.
func (r *run) env(v *view) map[string]any {
	env := map[string]any{
		"inputs": r.inputs, "secrets": r.secrets, "facts": r.state.Facts, "stages": r.state.Stages, "outputs": r.state.Outputs,
		"run":  r.runValue(),
		"page": compile.Page{Has: noPage, Count: noPageCount},
	}
	if v != nil {
		env["page"] = v.page()
	}
	if r.rowName != "" {
		env[r.rowName] = r.row
	}
	return env
}

// runValue is what expressions see as "run".
func (r *run) runValue() compile.Run {
	return compile.Run{ID: r.shared.id, Now: r.shared.now, Today: r.shared.now.Format(time.DateOnly), Row: r.rowNo, Clock: r.Now}
}

func noPage(string) (bool, error)     { return false, fmt.Errorf("no page is open yet") }
func noPageCount(string) (int, error) { return 0, fmt.Errorf("no page is open yet") }

func newState(p *compile.Program) *State {
	s := &State{Facts: map[string]any{}, Stages: map[string]any{}, Outputs: map[string]any{}, visits: map[string]int{}}
	for _, f := range p.Facts {
		s.Facts[f] = false
	}
	for _, st := range p.Stages {
		s.Stages[st.Name] = nil
	}
	for _, o := range p.Outputs {
		s.Outputs[o.Name] = nil
	}
	return s
}

// enter starts a visit of a stage.
func (r *run) enter(stage string) {
	r.state.Stage = stage
	r.state.visits[stage]++
	r.state.Visit = r.state.visits[stage]
	r.hist = history{done: map[string]bool{}, tried: map[string]int{}, entry: map[int]bool{}}
	r.did, r.lastDiff, r.lastFailed, r.inVain = nil, nil, "", ""
	r.picks, r.spent, r.since = 0, Usage{}, time.Now()
}

// redact replaces every secret in a text that leaves the engine.
func (r *run) redact(s string) string {
	for _, sec := range r.shared.secrets {
		s = strings.ReplaceAll(s, sec, Redacted)
	}
	return s
}

func (r *run) redactAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = r.redact(s)
	}
	return out
}

// redactValue replaces secrets at any depth; the value is not changed.
func (r *run) redactValue(x any) any {
	switch t := x.(type) {
	case string:
		return r.redact(t)
	case compile.SecretValue:
		return Redacted
	case map[string]any:
		m := maps.Clone(t)
		for k, v := range m {
			m[k] = r.redactValue(v)
		}
		return m
	case []any:
		l := make([]any, len(t))
		for i, v := range t {
			l[i] = r.redactValue(v)
		}
		return l
	}
	return x
}
