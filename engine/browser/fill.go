package browser

import (
	"context"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// fill sets a field's text and reads it back. Where the page did not take it at once, it is typed key by key; where
// that does not help, the error tells both values.
func (x *action) fill(ctx context.Context) *engine.ActionError {
	want := x.a.Value
	if x.a.Role == "group" {
		_, e := x.fillParts(ctx)
		return e
	}
	if x.a.Role == "slider" {
		return x.slide(ctx)
	}
	if e := x.setText(ctx, want); e != nil {
		if e.Kind == engine.ErrDisabled || e.Kind == engine.ErrUnsupported {
			if done, parts := x.fillParts(ctx); done {
				return parts
			}
		}
		return e
	}
	got, ok, e := x.readBack(ctx)
	if e != nil || !ok || compile.SameText(got, want) {
		return e
	}
	if len([]rune(got)) == 1 {
		if done, e := x.fillParts(ctx); done {
			return e
		}
	}
	if !strings.ContainsAny(want, "\n\t") {
		if e := x.retype(ctx, want); e != nil {
			return e
		}
		if got, ok, e = x.readBack(ctx); e != nil || !ok || compile.SameText(got, want) {
			return e
		}
	}
	if x.a.Secret {
		return fail(engine.ErrBadValue, true, "%s did not take the text as it is", x.what())
	}
	return fail(engine.ErrBadValue, true, "%s holds %q after %q was entered", x.what(), clip(got), clip(want))
}

// setText replaces a field's text in one go, as pasting does.
func (x *action) setText(ctx context.Context, text string) *engine.ActionError {
	if done, e := x.inserted(ctx, text); done {
		return e
	}
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	return x.outcome(ctx, x.try(ctx, func() error {
		return el.Fill(text, playwright.ElementHandleFillOptions{Timeout: x.left()})
	}), inputTouched)
}

// retype empties a field and enters the text as a person would.
func (x *action) retype(ctx context.Context, text string) *engine.ActionError {
	el, e := x.element(ctx)
	if e != nil {
		e.Touched = true
		return e
	}
	defer el.release()
	err := x.try(ctx, func() error {
		if err := el.Fill("", playwright.ElementHandleFillOptions{Timeout: x.left()}); err != nil {
			return err
		}
		return el.Type(text, playwright.ElementHandleTypeOptions{Timeout: x.left()})
	})
	return x.outcome(ctx, err, always)
}

// readBack is the field's value now; ok is false when the field is gone, as when filling it has replaced it.
func (x *action) readBack(ctx context.Context) (value string, ok bool, e *engine.ActionError) {
	kind, value, e := x.ask(ctx, "state", map[string]any{"what": "value"})
	if e != nil {
		e.Touched = true
		if e.Kind == engine.ErrTargetGone {
			return "", false, nil
		}
		return "", false, e
	}
	return value, kind == "value", nil
}

// typeText enters text key by key, after what the field holds.
func (x *action) typeText(ctx context.Context) *engine.ActionError {
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	if _, _, e := x.ask(ctx, "state", map[string]any{"what": "caret"}); e != nil {
		e.Touched = true
		return e
	}
	return x.outcome(ctx, x.try(ctx, func() error {
		return el.Type(x.a.Value, playwright.ElementHandleTypeOptions{Timeout: x.left()})
	}), always)
}

func (x *action) clear(ctx context.Context) *engine.ActionError {
	if e := x.setText(ctx, ""); e != nil {
		return e
	}
	if got, ok, e := x.readBack(ctx); e != nil || ok && strings.TrimSpace(got) != "" {
		if e == nil {
			e = fail(engine.ErrBadValue, true, "%s is not empty after it was cleared", x.what())
		}
		return e
	}
	return nil
}

// clip shortens a value for a message.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}
