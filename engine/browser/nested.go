package browser

import (
	"context"
	"fmt"
	"math"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// pointerVerbs are the verbs that go to a point on the screen.
var pointerVerbs = map[string]bool{"click": true, "dblclick": true, "hover": true, "check": true, "uncheck": true, "drag": true}

// adjust corrects the point to click in a child frame. Playwright places a frame that lives in another process at the
// outer edge of its iframe element and so misses by that element's border and padding (as of 1.64); the difference
// between its idea and the real place goes into the position. An element of the main frame, or of a frame that is
// placed right, is left alone.
func (x *action) adjust(ctx context.Context, el *target, f playwright.Frame) *engine.ActionError {
	if f.ParentFrame() == nil || !pointerVerbs[x.a.Verb] {
		return nil
	}
	var inner [4]float64 // left, top, and the centre from the edge of the padding
	var inset [2]float64 // border and padding of the iframe
	var seen, outer *playwright.Rect
	err := x.try(ctx, func() error {
		owner, err := f.FrameElement()
		if err != nil {
			return err
		}
		defer func() { go func() { _ = owner.Dispose() }() }()
		if err := x.s.numbers(owner, "inset", inset[:]); err != nil {
			return err
		}
		if err := x.s.numbers(el, "centre", inner[:]); err != nil {
			return err
		}
		if outer, err = owner.BoundingBox(); err != nil {
			return err
		}
		seen, err = el.BoundingBox()
		return err
	})
	if err != nil {
		return x.outcome(ctx, err, never)
	}
	if seen == nil || outer == nil {
		return fail(engine.ErrTargetGone, false, "%s is gone: its frame is no longer visible", x.what())
	}
	dx := outer.X + inset[0] + inner[0] - seen.X
	dy := outer.Y + inset[1] + inner[1] - seen.Y
	if math.Abs(dx) < 1 && math.Abs(dy) < 1 {
		return nil
	}
	at := playwright.Position{X: inner[2], Y: inner[3]}
	if el.at != nil {
		at = *el.at
	}
	el.at = &playwright.Position{X: at.X + dx, Y: at.Y + dy}
	return nil
}

// numbers calls one of the script's functions with an element and reads the numbers that it answers.
func (s *Session) numbers(el playwright.ElementHandle, name string, out []float64) error {
	v, err := el.Evaluate(s.b.script.call(name))
	if err != nil {
		return err
	}
	to := make([]any, len(out))
	for i := range out {
		to[i] = &out[i]
	}
	_, err = fmt.Sscan(fmt.Sprint(v), to...)
	return err
}
