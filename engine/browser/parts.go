package browser

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/nth-dev/nth/engine"
)

// maxPresses is how far a number may be from the one that is wanted, in presses of a button.
const maxPresses = 100

// fillParts fills what is one control to a person and several on the page: a number between a button that takes one
// away and one that adds one, or a code with a box for each character. done is false when it is neither.
func (x *action) fillParts(ctx context.Context) (done bool, e *engine.ActionError) {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		_, e := x.element(ctx) // says why
		return true, e
	}
	kind, message, e := x.ask(ctx, "parts", nil)
	switch {
	case e != nil:
		return true, e
	case kind == "stepper":
		return true, x.step(ctx, p, message)
	case kind == "code":
		boxes, _, _ := strings.Cut(message, "\n")
		return true, x.fillBoxes(ctx, p, strings.Fields(boxes))
	}
	return false, fail(engine.ErrUnsupported, false, "%s takes no text, and is neither a number between two buttons nor a code in boxes", x.what())
}

// part is an action on another element of the same document.
func (x *action) part(p place, verb, value string, n int) *action {
	y := *x
	y.a.Verb, y.a.Value, y.a.Role, y.a.Name = verb, value, "", ""
	y.a.Ref = ref(x.s.number(p.frame), p.document, n)
	return &y
}

// step presses the buttons until the number is there, and looks at it after each.
func (x *action) step(ctx context.Context, p place, message string) *engine.ActionError {
	want, err := strconv.Atoi(strings.TrimSpace(x.a.Value))
	if err != nil {
		return fail(engine.ErrBadValue, false, "%s takes a whole number, not %q", x.what(), clip(x.a.Value))
	}
	way := 0
	for presses := 0; ; presses++ {
		var now, minus, plus int
		if _, err := fmt.Sscan(message, &now, &minus, &plus); err != nil {
			return fail(engine.ErrBadValue, true, "%s shows no number any more", x.what())
		}
		button, side, limit := plus, 1, "at most"
		if now > want {
			button, side, limit = minus, -1, "at least"
		}
		switch {
		case now == want:
			return nil
		case way != 0 && side != way:
			return fail(engine.ErrBadValue, true, "%s cannot be %d: the buttons lead past it, to %d", x.what(), want, now)
		case button == 0:
			return fail(engine.ErrBadValue, presses > 0, "%s cannot be %d: it is %s %d", x.what(), want, limit, now)
		case presses == maxPresses:
			return fail(engine.ErrBadValue, true, "%s is %d after %d presses, and %d is wanted", x.what(), now, presses, want)
		}
		way = side
		if e := x.part(p, "click", "", button).click(ctx); e != nil {
			e.Touched = e.Touched || presses > 0
			return e
		}
		kind, next, e := x.ask(ctx, "parts", map[string]any{"was": strconv.Itoa(now), "ms": min(*x.left(), readBackTime)})
		if e != nil {
			e.Touched = true
			return e
		}
		if kind != "stepper" || strings.HasPrefix(next, strconv.Itoa(now)+" ") {
			return fail(engine.ErrBadValue, true, "%s stays %d, and %d is wanted", x.what(), now, want)
		}
		message = next
	}
}

// fillBoxes types a code, a character in each box, as a person does: pages go on to the next box by themselves, and may
// send the code after the last.
func (x *action) fillBoxes(ctx context.Context, p place, boxes []string) *engine.ActionError {
	code := []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' {
			return -1
		}
		return r
	}, x.a.Value))
	if len(code) != len(boxes) {
		return fail(engine.ErrBadValue, false, "%s has %d boxes, and the code %d characters", x.what(), len(boxes), len(code))
	}
	for i, n := range boxes {
		at := p
		at.n, _ = strconv.Atoi(n)
		box := x.part(p, "fill", string(code[i]), at.n)
		kind, message, err := box.query(ctx, p.frame, "ready", box.question(at, "", "", nil))
		e := x.outcome(ctx, err, always)
		switch {
		case e != nil:
		case kind == "slow":
			e = box.setText(ctx, box.a.Value)
		case kind != "ready":
			e = x.refuse(kind, message)
		default:
			e = x.outcome(ctx, x.try(ctx, func() error { return x.t.page.Keyboard().Type(box.a.Value) }), always)
		}
		if e != nil {
			e.Touched = e.Touched || i > 0
			return e
		}
	}
	_, message, e := x.ask(ctx, "parts", nil)
	if e != nil {
		if e.Kind == engine.ErrTargetGone {
			return nil // sent
		}
		e.Touched = true
		return e
	}
	if _, got, ok := strings.Cut(message, "\n"); ok && got != string(code) && got != "" {
		return fail(engine.ErrBadValue, true, "%s did not take the code as it is", x.what())
	}
	return nil
}
