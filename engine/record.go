package engine

import (
	"context"
	"fmt"
	"time"
)

// Record is one line of the journal.
type Record struct {
	Seq   int       `json:"seq"`
	Time  time.Time `json:"time"`
	Type  string    `json:"type"` // run, row, stage, step, intent, end
	Run   string    `json:"run"`
	Path  string    `json:"path,omitempty"` // flow, row and sub-flow: "book_flights[2]"
	Stage string    `json:"stage,omitempty"`
	Visit int       `json:"visit,omitempty"`

	URL        string         `json:"url,omitempty"`
	Title      string         `json:"title,omitempty"`
	Menu       []string       `json:"menu,omitempty"`
	MenuDigest string         `json:"menu_digest,omitempty"`
	Absent     []Absence      `json:"absent,omitempty"`
	Pick       *Pick          `json:"pick,omitempty"`  // of the first action of a pick; the following ones have Batch
	Batch      int            `json:"batch,omitempty"` // 2, 3, … for the further actions of one pick
	Skill      string         `json:"skill,omitempty"`
	Label      string         `json:"label,omitempty"`
	Effect     string         `json:"effect,omitempty"`
	Params     map[string]any `json:"params,omitempty"` // secrets redacted
	Target     string         `json:"target,omitempty"`
	CommitKey  string         `json:"commit_key,omitempty"`

	OK bool `json:"ok"`
	// Untouched: the action failed before it touched the page, for certain, so an intent before it is void.
	Untouched bool     `json:"untouched,omitempty"`
	Error     string   `json:"error,omitempty"` // error name
	Message   string   `json:"message,omitempty"`
	Returned  any      `json:"returned,omitempty"`
	Facts     []string `json:"facts,omitempty"` // set by this step
	Terms     []string `json:"terms,omitempty"` // type terms: what a picker proposed to look for
	Diff      []string `json:"diff,omitempty"`  // lines of the page that came ("+ …") and went ("- …")
	Dialogs   []Dialog `json:"dialogs,omitempty"`
	Timing    *Timing  `json:"timing,omitempty"`

	// type run
	Flow   string         `json:"flow,omitempty"`
	Digest string         `json:"digest,omitempty"`
	Inputs map[string]any `json:"inputs,omitempty"`
	Now    *time.Time     `json:"now,omitempty"`
	// type end
	Status    Status         `json:"status,omitempty"`
	Outputs   map[string]any `json:"outputs,omitempty"`
	Downloads []Download     `json:"downloads,omitempty"`
	Usage     *Usage         `json:"usage,omitempty"`
	// Speculation: see Result.
	Speculation *Speculation `json:"speculation,omitempty"`
}

// Timing is where the time of a step went, in milliseconds.
type Timing struct {
	Look   float64 `json:"look_ms"`
	Menu   float64 `json:"menu_ms"`
	Pick   float64 `json:"pick_ms"`
	Act    float64 `json:"act_ms"`
	Verify float64 `json:"verify_ms"`
}

// Journal is the append-only record of a run. Append returns when the record is safe: in the order of the calls,
// and on disk for the types intent and end. An error stops the run before it does anything more.
type Journal interface {
	Append(ctx context.Context, r *Record) error
}

// StageError is why a stage did not come to its end. Name is one of the error names; on_error tests for it.
type StageError struct {
	Name    string
	Message string
	Absent  []Absence
	Err     error
}

func (e *StageError) Error() string {
	s := fmt.Sprintf("%s: %s", e.Name, e.Message)
	for _, a := range e.Absent {
		s += fmt.Sprintf("\n  %s: %s", a.Skill, a.Reason)
	}
	return s
}

func (e *StageError) Unwrap() error { return e.Err }

func failf(name, format string, args ...any) *StageError {
	return &StageError{Name: name, Message: fmt.Sprintf(format, args...)}
}

// Event tells an observer what a run is doing. Events are not recorded.
type Event struct {
	Kind   string // stage, menu, pick, no_pick (nobody gave a usable answer), act, step, waiting, approval (the Approver is asked next), end
	Run    string
	Path   string
	Stage  string
	Menu   []string
	Absent []Absence
	Pick   *Pick
	Label  string  // what is about to be done
	Record *Record // for step and end
	Usage  Usage   // of the run so far
}

// append writes a record, filling in where the run stands.
func (r *run) append(ctx context.Context, rec *Record) error {
	r.shared.seq++
	rec.Seq, rec.Time, rec.Run, rec.Path = r.shared.seq, r.Now(), r.shared.id, r.path
	if rec.Stage == "" {
		rec.Stage = r.state.Stage
		rec.Visit = r.state.Visit
	}
	// A record must be written even when the run was cancelled.
	if err := r.Journal.Append(context.WithoutCancel(ctx), rec); err != nil {
		return &StageError{Name: ErrJournal, Message: err.Error(), Err: err}
	}
	return nil
}

func (r *run) observe(e Event) {
	if r.Observe != nil {
		e.Run, e.Path, e.Usage = r.shared.id, r.path, r.shared.usage
		if e.Stage == "" {
			e.Stage = r.state.Stage
		}
		r.Observe(e)
	}
}
