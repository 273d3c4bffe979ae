package browser

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// defaultTimeout is how long an action may take when it does not say.
const defaultTimeout = 5 * time.Second

// slack is how much longer than its timeout a call may take to come back before it is given up.
const slack = time.Second

// action is one Do.
type action struct {
	s       *Session
	t       *tab
	a       engine.Action
	timeout time.Duration
	until   time.Time
}

// Do carries out one action. Before the page is touched, the element is found again by its ref and must be the one
// that was offered: connected, of the same role and name (except where the name holds the value), visible, enabled
// and not covered. Then Playwright's own checks apply: still, and receiving the event where it is clicked. All errors
// are *engine.ActionError; when ctx ends, Err is ctx.Err().
func (s *Session) Do(ctx context.Context, a engine.Action) error {
	run, ok := verbs[a.Verb]
	if !ok {
		return fail(engine.ErrUnsupported, false, "the browser cannot %q", a.Verb)
	}
	if ctx.Err() != nil {
		return cancelled(ctx, false)
	}
	t, err := s.tab()
	if err != nil {
		return err
	}
	x := &action{s: s, t: t, a: a, timeout: a.Timeout}
	if x.timeout <= 0 {
		x.timeout = defaultTimeout
	}
	x.until = time.Now().Add(x.timeout)
	s.mu.Lock()
	s.spend(a.Verb)
	s.follow, s.followed, s.acted = nil, nil, nil
	if !quietVerbs[a.Verb] {
		s.follow = t
	}
	s.mu.Unlock()
	if p, ok := s.locate(a.Ref, t); ok {
		s.mu.Lock()
		s.acted = p.frame
		s.mu.Unlock()
	}
	if e := run(x, ctx); e != nil {
		return e
	}
	return nil
}

// left is what remains of the action's time, in Playwright's milliseconds; never 0, which would mean for ever.
func (x *action) left() *float64 {
	ms := max(1, float64(time.Until(x.until).Milliseconds()))
	return &ms
}

// try runs one call to the browser within the action's time.
func (x *action) try(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithDeadline(ctx, x.until.Add(slack))
	defer cancel()
	return do(ctx, x.t, f)
}

// outcome turns a failed call into an error. touched reads from Playwright's error whether the page may have been
// touched; where the call was given up, it may have been.
func (x *action) outcome(ctx context.Context, err error, touched func(error) bool) *engine.ActionError {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return cancelled(ctx, touched(errUnknown))
	case errors.Is(err, context.DeadlineExceeded):
		return fail(engine.ErrTimeout, touched(errUnknown), "%s did not end within %s", x.a.Verb, x.timeout)
	case isLost(err):
		if performing.MatchString(callLog(err)) && x.closedItself() {
			return nil
		}
		return x.s.lostError(touched(err), x.a.Verb)
	}
	return actionError(x.a.Verb, err, touched(err), x.timeout)
}

// closedItself reports whether the tab that was lost while it was acted on has left another one to go on in: what was
// clicked has closed its own tab then, as a window does that somebody signs in with.
func (x *action) closedItself() bool {
	_, err := x.s.tab()
	return err == nil
}

// errUnknown stands for a call that was given up: nobody can say how far it came.
var errUnknown = errors.New("unknown")

// never is for calls that only read.
func never(error) bool { return false }

// always is for calls that may have reached the page as soon as they were made.
func always(error) bool { return true }

// target is the element of an action, checked and ready.
type target struct {
	playwright.ElementHandle
	at *playwright.Position // where to click; nil = its centre
}

// element finds the action's element and checks that it is the one that was offered and can be acted on.
func (x *action) element(ctx context.Context) (*target, *engine.ActionError) {
	return x.resolve(ctx, x.a.Ref, x.a.Role, x.a.Name)
}

func (x *action) resolve(ctx context.Context, ref engine.Ref, role, name string) (*target, *engine.ActionError) {
	if ref == "" {
		return nil, fail(engine.ErrNotFound, false, "%s needs an element", x.a.Verb)
	}
	p, ok := x.s.locate(ref, x.t)
	if !ok {
		return nil, fail(engine.ErrTargetGone, false, "%s is gone: its frame has left the page", x.what())
	}
	out := &target{}
	for try := 0; try < 2; try++ {
		arg := x.question(p, role, name, map[string]any{"at": out.at != nil})
		var h playwright.JSHandle
		err := x.try(ctx, func() (err error) {
			h, err = p.frame.EvaluateHandle(x.s.b.script.call("check"), arg)
			return err
		})
		if err != nil {
			if contextGone(err) {
				return nil, fail(engine.ErrTargetGone, false, "%s is gone: the page was replaced", x.what())
			}
			return nil, x.outcome(ctx, err, never)
		}
		if el := h.AsElement(); el != nil {
			out.ElementHandle = el
			if e := x.adjust(ctx, out, p.frame); e != nil {
				out.release()
				return nil, e
			}
			return out, nil
		}
		kind, message, _ := strings.Cut(h.String(), "\n")
		if kind == "at" {
			xs, ys, _ := strings.Cut(message, " ")
			px, _ := strconv.ParseFloat(xs, 64)
			py, _ := strconv.ParseFloat(ys, 64)
			out.at = &playwright.Position{X: px, Y: py}
			continue
		}
		return nil, x.refuse(kind, message)
	}
	return nil, fail(engine.ErrTargetGone, false, "%s keeps moving", x.what())
}

// question is what the script's check and its likes are asked.
func (x *action) question(p place, role, name string, more map[string]any) string {
	arg := map[string]any{"document": p.document, "n": p.n, "role": role, "name": name, "verb": x.a.Verb}
	maps.Copy(arg, more)
	text, _ := json.Marshal(arg)
	return string(text)
}

// refuse turns the answer of the page's check into an error; the page has not been touched.
func (x *action) refuse(kind, message string) *engine.ActionError {
	switch kind {
	case "gone", strings.TrimSpace(missing):
		if message == "" {
			message = "its document was replaced"
		}
		return fail(engine.ErrTargetGone, false, "%s is gone: %s", x.what(), message)
	case "covered":
		e := fail(engine.ErrCovered, false, "%s is covered by %s", x.what(), message)
		e.Cover = message
		return e
	case "disabled":
		if message == "" {
			message = "it is disabled"
		}
		return fail(engine.ErrDisabled, false, "%s takes no input: %s", x.what(), message)
	case "bad_value":
		return fail(engine.ErrBadValue, false, "%s: %s", x.what(), message)
	}
	return fail(engine.ErrUnsupported, false, "%s cannot be done to %s: %s", x.a.Verb, x.what(), message)
}

// what names the element in messages.
func (x *action) what() string {
	role := x.a.Role
	if role == "" {
		role = "the element"
	}
	if x.a.Name == "" {
		return role
	}
	name := []rune(x.a.Name)
	if len(name) > 60 {
		name = append(name[:59], '…')
	}
	return role + " " + strconv.Quote(string(name))
}

// ask calls a reading function of the page's script on the action's element.
func (x *action) ask(ctx context.Context, name string, more map[string]any) (kind, message string, e *engine.ActionError) {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		return "", "", fail(engine.ErrTargetGone, false, "%s is gone: its frame has left the page", x.what())
	}
	kind, message, err := x.query(ctx, p.frame, name, x.question(p, "", "", more))
	if err != nil {
		return "", "", x.outcome(ctx, err, never)
	}
	return kind, message, nil
}

// query calls a function of the page's script in one frame. Where the script is not there, kind is "slow".
func (x *action) query(ctx context.Context, f playwright.Frame, name, arg string) (kind, message string, err error) {
	var answer string
	err = x.try(ctx, func() error {
		v, err := f.Evaluate(x.s.b.script.call(name), arg)
		answer, _ = v.(string)
		return err
	})
	kind, message, _ = strings.Cut(answer, "\n")
	if kind == strings.TrimSpace(missing) {
		kind = "slow"
	}
	return kind, message, err
}
