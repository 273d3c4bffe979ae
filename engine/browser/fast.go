package browser

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// The fast path. Playwright's click waits for two frames of stillness and asks the page five times: 35-45 ms. Where
// the page's script can tell in one turn that the element is the one that was offered, stands still, is enabled and
// would receive the event (aim, in page/9_api.js), the mouse goes there at once, and a guard in the page stops the
// click if by then something else would get it. Everything else goes through Playwright.

// aimed does a mouse action at the point that the page's script gives. done is false when nothing was done and
// Playwright has to do it.
func (x *action) aimed(ctx context.Context, act func(m playwright.Mouse, px, py float64) error) (done bool, e *engine.ActionError) {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		return false, nil
	}
	kind, message, err := x.query(ctx, p.frame, "aim", x.question(p, x.a.Role, x.a.Name, nil))
	switch {
	case err != nil || kind == "slow":
		return false, nil // it will fail there again, with a reason
	case kind != "point":
		return true, x.refuse(kind, message)
	}
	px, py := point(message)
	var outer []playwright.Frame
	for f := p.frame; f.ParentFrame() != nil; f = f.ParentFrame() {
		arg, _ := json.Marshal(map[string]any{"n": x.s.owner(f), "x": px, "y": py, "hover": x.a.Verb == "hover"})
		kind, message, err := x.query(ctx, f.ParentFrame(), "through", string(arg))
		if err != nil || kind != "point" {
			return false, nil
		}
		px, py = point(message)
		outer = append(outer, f.ParentFrame())
	}
	err = x.try(ctx, func() error { return act(x.t.page.Mouse(), px, py) })
	switch {
	case err == nil:
	case ctx.Err() == nil && isLost(err) && x.closedItself():
		return true, nil
	default:
		return true, x.outcome(ctx, err, always)
	}
	if x.a.Verb == "hover" {
		return true, nil
	}
	kind, _, err = x.query(ctx, p.frame, "verdict", "")
	for i := 0; i < len(outer) && err == nil && kind == ""; i++ { // something over the frame may have got it
		if kind, _, err = x.query(ctx, outer[i], "verdict", ""); kind != "blocked" {
			kind = ""
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return true, cancelled(ctx, true)
	case err != nil:
		return true, nil // it was clicked, and the page went away or is busy with it
	case kind == "blocked":
		return false, nil // the guard let nothing through
	case kind == "":
		return true, fail(engine.ErrTimeout, true, "%s was clicked, and no event of it reached the page", x.what())
	}
	return true, nil
}

// point reads "x y".
func point(s string) (px, py float64) {
	xs, ys, _ := strings.Cut(s, " ")
	px, _ = strconv.ParseFloat(xs, 64)
	py, _ = strconv.ParseFloat(ys, 64)
	return px, py
}

// inserted replaces the text of a plain field; done as in aimed.
func (x *action) inserted(ctx context.Context, text string) (done bool, e *engine.ActionError) {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		return false, nil
	}
	kind, message, err := x.query(ctx, p.frame, "ready", x.question(p, x.a.Role, x.a.Name, map[string]any{"text": text}))
	switch {
	case kind == "set":
		return true, nil
	case err != nil || kind == "slow":
		return false, nil
	case kind != "ready":
		return true, x.refuse(kind, message)
	}
	keyboard := x.t.page.Keyboard()
	return true, x.outcome(ctx, x.try(ctx, func() error {
		if text == "" {
			return keyboard.Press("Delete")
		}
		return keyboard.InsertText(text)
	}), always)
}
