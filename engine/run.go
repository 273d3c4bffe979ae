package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Runner runs programs. Driver, Picker and Journal must be set; a Runner may be used for one run at a time.
type Runner struct {
	Driver   Driver
	Picker   Picker
	Journal  Journal
	Approver Approver                             // nil: what needs approval is denied
	Observe  func(Event)                          // called from the run's goroutine; may be nil
	Now      func() time.Time                     // nil: time.Now
	Secret   func(compile.Secret) (string, error) // nil: there are none
	Marker   func() string                        // fence marker of prompts; nil: random
	ID       string                               // of the run; "": made up
	Rows     []any                                // of the program's for_each, instead of its own; nil: its own
	ReadFile func(name string) ([]byte, error)    // for rows from files; nil: there are none
	Ladder   Ladder                               // who is asked when the picker's answer will not do
	Prices   map[string]Price                     // by picker's name
	Cache    PickCache                            // nil: every menu is put to the picker
	// Speculate lets questions be put to the picker while the browser acts. The picker must allow a call while
	// nothing else of the run calls it, from another goroutine.
	Speculate bool
}

const (
	Done        Status = "done"
	Failed      Status = "failed"
	InDoubt     Status = "in_doubt" // a commit may or may not have happened
	Denied      Status = "denied"   // a person said no, or nobody answered
	Interrupted Status = "interrupted"
)

// Run runs a program to its end. inputs are those that Inputs returned. The error is only set when the run could
// not start or its journal could not be written; how the run went is in the Result.
func (rn *Runner) Run(ctx context.Context, p *compile.Program, inputs map[string]any) (*Result, error) {
	if rn.Driver == nil || rn.Picker == nil || rn.Journal == nil {
		return nil, errors.New("a Runner needs a Driver, a Picker and a Journal")
	}
	if rn.Now == nil {
		rn.Now = time.Now
	}
	r := &run{Runner: rn, prog: p, inputs: inputs, path: p.Name, state: newState(p)}
	r.shared = &shared{id: rn.ID, now: rn.Now(), started: time.Now(), limits: p.Limits, commits: map[string]bool{}}
	if r.shared.id == "" {
		r.shared.id = NewRunID(r.shared.now)
	}
	if err := r.openSecrets(); err != nil {
		return nil, err
	}
	if p.Limits.Wall > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Limits.Wall, wallCause(p.Limits.Wall))
		defer cancel()
	}
	head := &Record{Type: "run", OK: true, Flow: p.File, Digest: p.Digest, Inputs: r.redactValue(inputs).(map[string]any), Now: &r.shared.now}
	if err := r.append(ctx, head); err != nil {
		return nil, err
	}
	res := &Result{Run: r.shared.id, Flow: p.Name}
	var err error
	if p.ForEach != nil {
		res.Rows, err = r.rows(ctx, p.ForEach, func(row any, no int) error {
			c := r.child(row, no, p.ForEach.As)
			err := c.stages(ctx)
			r.teach(ctx, c.path, err)
			return err
		})
	} else {
		err = r.stages(ctx)
	}
	r.teach(ctx, r.path, err)
	r.dropGuesses()
	res.finish(ctx, err)
	res.Outputs, _ = r.redactValue(r.state.Outputs).(map[string]any)
	res.Steps, res.Usage, res.Elapsed = r.shared.steps, r.shared.usage, time.Since(r.shared.started)
	res.Downloads = r.shared.downloads
	if s := r.shared.guesses.Speculation; s.Asked > 0 {
		res.Speculation = &s
	}
	res.Message = r.redact(res.Message)
	end := &Record{Type: "end", Status: res.Status, OK: res.Status == Done, Error: res.Error, Message: res.Message, Outputs: res.Outputs, Downloads: res.Downloads, Usage: &res.Usage, Speculation: res.Speculation}
	if jerr := r.append(ctx, end); jerr != nil {
		return res, jerr
	}
	r.observe(Event{Kind: "end", Record: end})
	return res, nil
}

// NewRunID makes an id that sorts by time: "20261130-142233-3f9a2c".
func NewRunID(now time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:])
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// child is the pass for one row: its own state, but the same outputs.
func (r *run) child(row any, no int, as string) *run {
	c := *r
	c.row, c.rowName, c.rowNo = row, as, no
	c.path = fmt.Sprintf("%s[%d]", r.path, no)
	c.state = newState(r.prog)
	c.state.Outputs = r.state.Outputs
	return &c
}

// rows runs one pass per row of a for_each.
func (r *run) rows(ctx context.Context, f *compile.ForEach, pass func(row any, no int) error) ([]RowResult, error) {
	list, err := r.rowList(f)
	if err != nil {
		return nil, err
	}
	var out []RowResult
	var first error
	for i, row := range list {
		if f.Item != nil {
			if err := f.Item.Validate(row); err != nil {
				return out, failf(ErrInput, "for_each: row %d does not fit: %v", i+1, err)
			}
		}
		err := pass(row, i+1)
		if err != nil && ctx.Err() != nil {
			return out, err
		}
		rr := RowResult{Row: i + 1, Status: Done}
		var se *StageError
		var re *RunError
		if errors.As(err, &re) {
			rr.Stage = re.Stage
		}
		if errors.As(err, &se) {
			rr.Status, rr.Error, rr.Message = statusOf(se), se.Name, r.redact(se.Error())
		}
		out = append(out, rr)
		if err == nil {
			continue
		}
		// A row in doubt outranks a failed one; a lost browser or journal ends the whole run.
		var firstSE *StageError
		if first == nil || se != nil && se.Name == ErrInDoubt && errors.As(first, &firstSE) && firstSE.Name != ErrInDoubt {
			first = err
		}
		if !f.Collect || se == nil || se.Name == ErrBrowserLost || se.Name == ErrJournal {
			return out, first
		}
	}
	return out, first
}
