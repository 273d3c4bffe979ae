package browser

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

const (
	// maxSlides is how many keys may be pressed to bring a slider to where it is wanted.
	maxSlides = 1000
	// slideTime is how long many keys may take to show together, in milliseconds; they need not lead to where they should.
	slideTime = 300
	// rounded is how far the numbers that sliders tell assistive technology may be from what they hold.
	rounded = 0.1
)

// slider is what a slider says. said is its number as its own text ends.
type slider struct {
	now      float64
	said     string
	min, max float64
}

// slide moves a slider that is no input with the arrow keys until it says the number that is wanted. How far one key
// leads it learns from the first; then it presses as many as there should be, and the last ones singly again.
func (x *action) slide(ctx context.Context) *engine.ActionError {
	want, err := strconv.ParseFloat(strings.TrimSpace(x.a.Value), 64)
	if err != nil || math.IsNaN(want) || math.IsInf(want, 0) {
		return fail(engine.ErrBadValue, false, "%s takes a number, not %q", x.what(), clip(x.a.Value))
	}
	kind, message, e := x.ask(ctx, "slide", nil)
	switch {
	case e != nil:
		return e
	case kind == "native":
		return x.setText(ctx, strconv.FormatFloat(want, 'f', -1, 64))
	}
	at, ok := sliderOf(message)
	if !ok {
		return fail(engine.ErrUnsupported, false, "%s does not say its number", x.what())
	}
	if want < at.min-rounded || want > at.max+rounded {
		return fail(engine.ErrBadValue, false, "%s cannot be %v: it goes from %v to %v", x.what(), want, at.min, at.max)
	}
	y := *x
	y.a.Verb = "press" // what takes no text can be pressed on
	el, e := y.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	if err := x.try(ctx, func() error { return el.Focus() }); err != nil {
		return x.outcome(ctx, err, always)
	}
	return x.slideTo(ctx, at, want)
}

func (x *action) slideTo(ctx context.Context, at slider, want float64) *engine.ActionError {
	more, less := "ArrowRight", "ArrowLeft"
	step, single := 0.0, false // how far a key leads; keys are pressed singly from now on
	for pressed := 0; at.now != want; {
		key, n := more, 1
		if want < at.now {
			key = less
		}
		if step > 0 && !single {
			n = max(1, int(math.Abs(want-at.now)/step+0.01))
		}
		if pressed += n; pressed > maxSlides {
			return fail(engine.ErrBadValue, true, "%s is %v after %d keys, and %v is wanted", x.what(), at.now, pressed-n, want)
		}
		next, e := x.pressSlider(ctx, at, key, n, want)
		if e != nil {
			e.Touched = true
			return e
		}
		moved, missing := next.now-at.now, want-at.now
		switch {
		case moved == 0:
			return fail(engine.ErrBadValue, true, "%s stays at %v, and %v is wanted", x.what(), at.now, want)
		case moved*missing < 0 && pressed == 1: // where one reads from right to left
			more, less = less, more
		case math.Abs(moved) > math.Abs(missing) && n == 1:
			return fail(engine.ErrBadValue, true, "%s cannot be %v: its steps lead past it, from %v to %v", x.what(), want, at.now, next.now)
		case math.Abs(moved) > math.Abs(missing):
			single = true // its steps are not all alike
		}
		step, at = math.Abs(moved)/float64(n), next
	}
	return nil
}

// pressSlider presses a key n times and gives what the slider then says.
func (x *action) pressSlider(ctx context.Context, at slider, key string, n int, want float64) (slider, *engine.ActionError) {
	for range n {
		if err := x.try(ctx, func() error { return x.t.page.Keyboard().Press(key) }); err != nil {
			return at, x.outcome(ctx, err, always)
		}
	}
	wait := map[string]any{"was": at.said, "ms": min(*x.left(), readBackTime)}
	if n > 1 {
		wait["want"], wait["ms"] = want, min(*x.left(), slideTime)
	}
	_, message, e := x.ask(ctx, "slide", wait)
	if e != nil {
		return at, e
	}
	next, ok := sliderOf(message)
	if !ok {
		return at, fail(engine.ErrBadValue, true, "%s does not say its number any more", x.what())
	}
	return next, nil
}

// sliderOf reads "NOW MIN MAX TEXT". The text may have the number that the others are rounded from.
func sliderOf(message string) (slider, bool) {
	part := strings.SplitN(message, "\t", 4)
	if len(part) < 4 {
		return slider{}, false
	}
	now, err := strconv.ParseFloat(part[0], 64)
	if err != nil {
		return slider{}, false
	}
	s := slider{now: now, said: part[0], min: math.Inf(-1), max: math.Inf(1)}
	if n, err := strconv.ParseFloat(part[1], 64); err == nil {
		s.min = n
	}
	if n, err := strconv.ParseFloat(part[2], 64); err == nil {
		s.max = n
	}
	if n, err := compile.ReadNumber(part[3]); err == nil && math.Abs(n-now) <= rounded {
		s.now = n
	}
	return s, true
}
