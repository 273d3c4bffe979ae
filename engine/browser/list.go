package browser

import (
	"context"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// How long a list may take, in milliseconds: to open or to bring its options, and to show more of them when it is
// scrolled. Both end at once when the option is there.
const (
	listTime   = 2000
	scrollTime = 150
	maxScrolls = 60
	// maxReplaced is how often an option may be replaced between being found and being clicked.
	maxReplaced = 5
)

// chooseInList chooses an option, by its text, in a list that is not native: it opens the list, waits for the option,
// scrolls to it, and where the list can be filtered by typing it does that last. The option is clicked, and the
// element must then show it.
func (x *action) chooseInList(ctx context.Context, p place) (e *engine.ActionError) {
	_, before, err := x.query(ctx, p.frame, "listState", x.question(p, "", "", nil))
	if err != nil {
		return x.outcome(ctx, err, never)
	}
	opened, typed, touched := false, false, false
	defer func() {
		if e != nil && touched { // the list has been opened or typed into, whatever failed after that
			e.Touched = true
		}
	}()
	ms, replaced := 0, 0
	for scrolls := 0; ; {
		more := map[string]any{"value": x.a.Value, "ms": min(ms, int(*x.left())), "scroll": scrolls < maxScrolls}
		kind, message, err := x.query(ctx, p.frame, "listed", x.question(p, "", "", more))
		switch {
		case err != nil:
			return x.outcome(ctx, err, never)
		case kind == "option":
			e := x.take(ctx, p, message, before)
			if e != nil && e.Kind == engine.ErrTargetGone && !e.Touched && replaced < maxReplaced {
				replaced++ // a virtual list draws its options anew when one of them is scrolled to
				continue
			}
			return e
		case kind == "scrolled":
			scrolls, ms = scrolls+1, scrollTime
			continue
		case kind == "closed" && !opened:
			if e := x.click(ctx); e != nil {
				return e
			}
			opened, touched, ms = true, true, listTime
			continue
		case kind == "closed", kind == "none":
			if !typed && x.typable(ctx) {
				if e := x.setText(ctx, x.a.Value); e != nil {
					return e
				}
				typed, touched, ms, scrolls = true, true, listTime, 0
				continue
			}
			if kind == "closed" {
				return fail(engine.ErrUnsupported, false, "%s opened no list", x.what())
			}
			kind = "bad_value"
		}
		if x.a.Secret {
			message = "no such option"
		}
		return x.refuse(kind, message)
	}
}

// typable reports whether the element takes text.
func (x *action) typable(ctx context.Context) bool {
	kind, _, e := x.ask(ctx, "state", map[string]any{"what": "editable"})
	return e == nil && kind == "editable"
}

// take clicks an option, "number role name", and sees that it was taken.
func (x *action) take(ctx context.Context, p place, option, before string) *engine.ActionError {
	part := strings.SplitN(option, " ", 3)
	n, err := strconv.Atoi(part[0])
	if err != nil || len(part) < 3 {
		return x.refuse(strings.TrimSpace(missing), "")
	}
	y := *x
	y.a.Verb, y.a.Role, y.a.Name = "click", part[1], ""
	y.a.Ref = ref(x.s.number(p.frame), p.document, n)
	if e := y.click(ctx); e != nil {
		e.Message = "option " + strconv.Quote(part[2]) + ": " + e.Message
		if x.a.Secret {
			e.Message = "the option cannot be clicked"
		}
		return e
	}
	more := map[string]any{"option": n, "name": part[2], "before": before, "ms": min(*x.left(), readBackTime)}
	kind, _, err := x.query(ctx, p.frame, "listState", x.question(p, "", "", more))
	if err == nil && kind == "lost" {
		return fail(engine.ErrBadValue, true, "%s did not keep the option", x.what())
	}
	return nil // or the page has gone on, which is for the skill to judge
}
