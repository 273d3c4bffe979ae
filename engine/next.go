package engine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// next gives the stage that follows; "" is the end of the flow. It is a function of the stage, of what the
// expressions see, and of the stage's error alone. When no edge handles the error, it is returned.
func next(st *compile.Stage, env map[string]any, failure error) (string, error) {
	if failure != nil {
		var se *StageError
		if !errors.As(failure, &se) || se.Name == ErrInDoubt || se.Name == ErrBrowserLost || se.Name == ErrJournal {
			return "", failure // no stage may paper over these
		}
		i := slices.IndexFunc(st.OnError, func(b compile.ErrorBranch) bool { return b.Is == se.Name || b.Is == "any" })
		if i < 0 {
			return "", failure
		}
		return st.OnError[i].Go, nil
	}
	for _, b := range st.Next {
		if b.When == nil {
			return b.Go, nil
		}
		ok, err := b.When.Bool(env)
		if err != nil {
			return "", failf(ErrInput, "next: %v", err)
		}
		if ok {
			return b.Go, nil
		}
	}
	return "", nil
}

// stageDone evaluates the stage's done condition; without one, the stage is done when every entry that is not
// optional has succeeded.
func (r *run) stageDone(st *compile.Stage, v *view) (bool, error) {
	if st.Done != nil {
		ok, err := st.Done.Bool(r.env(v))
		if err != nil {
			return false, failf(ErrInput, "done: %v", err)
		}
		return ok, nil
	}
	return r.unfinished(st) == nil, nil
}

// unfinished is the first entry that has to succeed and has not; nil when all have.
func (r *run) unfinished(st *compile.Stage) *compile.Entry {
	for _, e := range st.Entries {
		if !e.Optional && !r.hist.entry[e.Index] {
			return e
		}
	}
	return nil
}

// asserts checks the stage's assert conditions.
func (r *run) asserts(st *compile.Stage, v *view) error {
	env := r.env(v)
	for _, a := range st.Assert {
		ok, err := a.Bool(env)
		if err != nil {
			return failf(ErrAssert, "%v", err)
		}
		if !ok {
			return failf(ErrAssert, "%s is false", a.Source)
		}
	}
	return nil
}

// withinBudget checks the stage's budget before a step.
func (r *run) withinBudget(st *compile.Stage) error {
	b := st.Budget
	switch {
	case r.picks >= b.Picks:
		return failf(ErrBudget, "%s: %d picks are used up", st.Name, b.Picks)
	case b.Tokens > 0 && r.spent.Tokens() >= b.Tokens:
		return failf(ErrBudget, "%s: %d of %d tokens are used up", st.Name, r.spent.Tokens(), b.Tokens)
	case time.Since(r.since) > b.Wall:
		return failf(ErrBudget, "%s: took longer than %s", st.Name, b.Wall)
	}
	return nil
}

// collect puts a finished stage's values into the outputs.
func (r *run) collect(st *compile.Stage, env map[string]any) error {
	for _, b := range st.Collect {
		x, err := b.Value.Eval(env)
		if err != nil {
			return failf(ErrInput, "collect %s: %v", b.Name, err)
		}
		if b.Many {
			list, _ := r.state.Outputs[b.Name].([]any)
			x = append(slices.Clone(list), x)
		}
		for _, p := range r.prog.Outputs {
			if p.Name == b.Name {
				if err := p.Schema.Validate(x); err != nil {
					return failf(ErrInput, "collect %s: %s does not fit: %v", b.Name, show(r.redactValue(x)), err)
				}
				x = p.Schema.Normalize(x)
			}
		}
		r.state.Outputs[b.Name] = x
	}
	return nil
}

// wallCause is the cause of a context that ends because of the run's wall limit.
func wallCause(d time.Duration) error {
	return failf(ErrBudget, "the run's limit of %s is reached", d)
}

// at adds to a stage's failure where it happened.
func at(path, stage string, err error) error {
	var se *StageError
	if errors.As(err, &se) {
		return &RunError{Path: path, Stage: stage, Err: se}
	}
	return err
}

// RunError is a StageError with its place in the run.
type RunError struct {
	Path, Stage string
	Err         *StageError
}

func (e *RunError) Error() string { return fmt.Sprintf("%s: stage %s: %s", e.Path, e.Stage, e.Err) }
func (e *RunError) Unwrap() error { return e.Err }
