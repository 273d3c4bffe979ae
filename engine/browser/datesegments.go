package browser

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// segment is one part of a date: a spin button, a small input or a list.
type segment struct {
	N                int
	Kind, Tag, Value string // kind: year, month or day
	Choices          []string
}

// number is the part as a number; 0 when it holds none.
func (s segment) number() int {
	if n, err := strconv.Atoi(s.Value); err == nil {
		return n
	}
	return datetext.MonthName(s.Value)
}

// setSegments sets the parts of a date, the year first, so that 29 February is possible when its turn comes.
func (d *dating) setSegments(ctx context.Context) *engine.ActionError {
	want := d.want[0]
	parts := map[string]int{"year": want.Year, "month": want.Month, "day": want.Day}
	for _, kind := range []string{"year", "month", "day"} {
		for _, s := range d.field.Segments {
			if s.Kind != kind {
				continue
			}
			if e := d.setSegment(ctx, s, parts[kind]); e != nil {
				e.Touched = true
				return e
			}
		}
	}
	// Inputs may take what was typed only when they are left.
	if s := d.field.Segments; s[len(s)-1].Tag == "input" {
		_ = d.try(ctx, func() error { return d.t.page.Keyboard().Press("Tab") })
	}
	if e := d.describe(ctx); e != nil {
		return e
	}
	if d.field.Invalid {
		return fail(engine.ErrBadValue, true, "%s marks %s as wrong: %s", d.what(), want, d.field.Error)
	}
	for _, s := range d.field.Segments {
		if s.number() != parts[s.Kind] && !(s.Kind == "year" && s.number() == want.Year%100) {
			return fail(engine.ErrBadValue, true, "the %s of %s is %q after %d was entered", s.Kind, d.what(), s.Value, parts[s.Kind])
		}
	}
	return nil
}

func (d *dating) setSegment(ctx context.Context, s segment, n int) *engine.ActionError {
	switch {
	case s.number() == n:
		return nil
	case s.Tag == "select":
		for _, c := range s.Choices {
			if (segment{Value: c}).number() == n {
				return d.on("select", c, s.N).choose(ctx)
			}
		}
		return fail(engine.ErrBadValue, true, "the list for the %s of %s has no %d", s.Kind, d.what(), n)
	case s.Tag == "input":
		text := fmt.Sprintf("%02d", n)
		return d.on("fill", text, s.N).fill(ctx)
	}
	// A spin button takes digits, and goes on to the next by itself when it has enough of them.
	y := d.on("press", "", s.N)
	el, e := y.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	text := fmt.Sprintf("%02d", n)
	return d.outcome(ctx, d.try(ctx, func() error {
		if err := el.Focus(); err != nil {
			return err
		}
		return d.t.page.Keyboard().Type(text, playwright.KeyboardTypeOptions{})
	}), always)
}
