package engine

import (
	"context"
	"errors"
	"time"
)

// Status is how a run ended.
type Status string

// Result is what came of a run.
type Result struct {
	Run     string         `json:"run"`
	Flow    string         `json:"flow"`
	Status  Status         `json:"status"`
	Error   string         `json:"error,omitempty"` // error name
	Message string         `json:"message,omitempty"`
	Stage   string         `json:"stage,omitempty"` // where it ended, if not done
	Outputs map[string]any `json:"outputs"`
	Rows    []RowResult    `json:"rows,omitempty"`
	// Downloads are the files that the pages handed over.
	Downloads []Download    `json:"downloads,omitempty"`
	Steps     int           `json:"steps"`
	Usage     Usage         `json:"usage"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	// Speculation is nil when nothing was asked ahead of its time.
	Speculation *Speculation `json:"speculation,omitempty"`
	// Err is the error behind Error and Message, for errors.Is; nil when the run is done.
	Err error `json:"-"`
}

// RowResult is what came of one row of a flow's for_each.
type RowResult struct {
	Row     int    `json:"row"` // 1-based
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Message string `json:"message,omitempty"`
	Stage   string `json:"stage,omitempty"`
}

// finish sets the status from the error that ended the run.
func (res *Result) finish(ctx context.Context, err error) {
	var re *RunError
	var se *StageError
	if errors.As(err, &re) {
		res.Stage = re.Stage
	}
	res.Err = err
	switch {
	case err == nil:
		res.Status = Done
	case errors.As(err, &se) && (ctx.Err() == nil || se.Name != ErrBrowserLost): // Ctrl-C in a terminal ends the browser too
		res.Error, res.Message = se.Name, se.Error()
		res.Status = statusOf(se)
	case ctx.Err() != nil && errors.As(context.Cause(ctx), &se) && se.Name == ErrBudget:
		res.Status, res.Error, res.Message = Failed, se.Name, se.Message
	case ctx.Err() != nil:
		res.Status, res.Error, res.Message = Interrupted, "interrupted", "the run was stopped"
	default:
		res.Status, res.Error, res.Message = Failed, "internal", err.Error()
	}
}

func statusOf(se *StageError) Status {
	switch se.Name {
	case ErrInDoubt:
		return InDoubt
	case ErrDenied:
		return Denied
	}
	return Failed
}
