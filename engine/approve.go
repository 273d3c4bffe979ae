package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Approver asks a person. ctx ends when the stage's wait is over.
type Approver interface {
	Approve(ctx context.Context, a Approval) (Decision, error)
}

// Asker is an Approver that can also ask for a text.
type Asker interface {
	// Ask returns what the person has written. ctx ends when the time for it is over.
	Ask(ctx context.Context, question string) (string, error)
}

// askTime is how long a person may take to answer, unless the verb or its skill says otherwise.
const askTime = 5 * time.Minute

// askPerson gets a text from a person. What they write is kept like a secret.
func (r *run) askPerson(ctx context.Context, question string, wait time.Duration) (string, error) {
	p, ok := r.Approver.(Asker)
	if !ok {
		return "", failf(ErrDenied, "a person must be asked %q, and there is nobody to ask", question)
	}
	ctx2, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	r.observe(Event{Kind: "approval", Label: question})
	text, err := p.Ask(ctx2, r.redact(question))
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case ctx2.Err() != nil:
		return "", failf(ErrDenied, "nobody answered %q within %s", question, wait)
	case err != nil:
		return "", &StageError{Name: ErrDenied, Message: err.Error(), Err: err}
	case text == "":
		return "", failf(ErrDenied, "the answer to %q was empty", question)
	}
	r.keepSecret(text)
	return text, nil
}

// Approval is a question to a person.
type Approval struct {
	Stage string
	Ask   string
	Show  []Shown
	Wait  time.Duration // 0: no limit
}

// Shown is a value that a person should see before deciding.
type Shown struct{ Label, Value string }

// Decision is a person's answer.
type Decision struct {
	OK  bool
	By  string // who, or what, decided
	Why string
}

// gateStage asks for approval and checks the asserts, before the stage does anything. v may be nil.
func (r *run) gateStage(ctx context.Context, st *compile.Stage, v *view) error {
	if v == nil && (st.Approve != nil || len(st.Assert) > 0) {
		var err error
		if v, err = r.look(ctx, st.Probes); err != nil {
			return err
		}
	}
	if err := r.asserts(st, v); err != nil {
		return err
	}
	if st.Approve == nil {
		return nil
	}
	a := Approval{Stage: st.Name, Wait: st.Approve.Wait, Ask: "Go on with " + st.Name + "?"}
	env := r.env(v)
	if st.Approve.Ask != nil {
		text, err := st.Approve.Ask.Text(env)
		if err != nil {
			return failf(ErrInput, "approve: %v", err)
		}
		a.Ask = r.redact(text)
	}
	for i, s := range st.Approve.Show {
		x, err := s.Eval(env)
		if err != nil {
			return failf(ErrInput, "approve: %v", err)
		}
		a.Show = append(a.Show, Shown{Label: st.Approve.ShowText[i], Value: r.redact(shownValue(x))})
	}
	if r.Approver == nil {
		return failf(ErrDenied, "%s needs a person's approval, and there is nobody to ask", st.Name)
	}
	waitCtx, cancel := ctx, context.CancelFunc(func() {})
	if a.Wait > 0 {
		waitCtx, cancel = context.WithTimeout(ctx, a.Wait)
	}
	defer cancel()
	r.observe(Event{Kind: "approval", Label: a.Ask})
	d, err := r.Approver.Approve(waitCtx, a)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if waitCtx.Err() != nil && !d.OK {
		d = Decision{OK: st.Approve.AllowOnTimeout, By: "timeout", Why: fmt.Sprintf("nobody answered within %s", a.Wait)}
		err = nil
	}
	if err != nil {
		return &StageError{Name: ErrDenied, Message: err.Error(), Err: err}
	}
	rec := &Record{Type: "approval", OK: d.OK, Label: a.Ask, Message: cmp.Or(d.Why, "by "+d.By)}
	if err := r.append(ctx, rec); err != nil {
		return err
	}
	if !d.OK {
		return failf(ErrDenied, "%s: %s", st.Name, cmp.Or(d.Why, d.By+" said no"))
	}
	return nil
}

// shownValue is a value as a person is shown it: text as it is, everything else as JSON.
func shownValue(x any) string {
	if s, ok := x.(string); ok {
		return oneLine(s)
	}
	data, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return string(data)
}
