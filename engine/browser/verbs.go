package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// verbs are the actions that the driver can do.
var verbs map[string]func(*action, context.Context) *engine.ActionError

func init() {
	verbs = map[string]func(*action, context.Context) *engine.ActionError{
		"goto":           (*action).open,
		"back":           (*action).back,
		"forward":        (*action).forward,
		"reload":         (*action).reload,
		"click":          (*action).click,
		"dblclick":       (*action).dblclick,
		"hover":          (*action).hover,
		"fill":           (*action).fill,
		"type":           (*action).typeText,
		"press":          (*action).press,
		"clear":          (*action).clear,
		"select":         (*action).choose,
		"set_date":       (*action).setDate,
		"check":          (*action).check,
		"uncheck":        (*action).check,
		"upload":         (*action).upload,
		"drag":           (*action).drag,
		"scroll":         (*action).scroll,
		"switch_tab":     (*action).switchTab,
		"accept_dialog":  (*action).armDialog,
		"dismiss_dialog": (*action).armDialog,
		"eval":           (*action).eval,
	}
}

// readBackTime is how long a control may take to show what has been done to it, in milliseconds.
const readBackTime = 1000

// lateOptions is how long the options of a native list may take to come once it has the focus, in milliseconds.
const lateOptions = 1500

// pointer resolves the element and does something to it with the mouse.
func (x *action) pointer(ctx context.Context, f func(*target) error) *engine.ActionError {
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	return x.pointed(ctx, x.try(ctx, func() error { return f(el) }))
}

// pointed is the outcome of a mouse action. One that was done, and then waited in vain for the navigation that it
// began, was done.
func (x *action) pointed(ctx context.Context, err error) *engine.ActionError {
	if errors.Is(err, playwright.ErrTimeout) && actionDone.MatchString(callLog(err)) {
		return nil
	}
	return x.outcome(ctx, err, pointerTouched)
}

// release frees the handle in the browser, which nobody has to wait for.
func (t *target) release() {
	if t != nil && t.ElementHandle != nil {
		go func() { _ = t.Dispose() }()
	}
}

func (x *action) click(ctx context.Context) *engine.ActionError {
	click := func(m playwright.Mouse, px, py float64) error { return m.Click(px, py) }
	if done, e := x.aimed(ctx, click); done {
		return e
	}
	return x.pointer(ctx, func(el *target) error {
		return el.Click(playwright.ElementHandleClickOptions{Timeout: x.left(), Position: el.at})
	})
}

func (x *action) dblclick(ctx context.Context) *engine.ActionError {
	dblclick := func(m playwright.Mouse, px, py float64) error { return m.Dblclick(px, py) }
	if done, e := x.aimed(ctx, dblclick); done {
		return e
	}
	return x.pointer(ctx, func(el *target) error {
		return el.Dblclick(playwright.ElementHandleDblclickOptions{Timeout: x.left(), Position: el.at})
	})
}

func (x *action) hover(ctx context.Context) *engine.ActionError {
	move := func(m playwright.Mouse, px, py float64) error { return m.Move(px, py) }
	if done, e := x.aimed(ctx, move); done {
		return e
	}
	return x.pointer(ctx, func(el *target) error {
		return el.Hover(playwright.ElementHandleHoverOptions{Timeout: x.left(), Position: el.at})
	})
}

// check sets a checkbox, radio button, switch or toggle button; it does nothing when it is set already.
func (x *action) check(ctx context.Context) *engine.ActionError {
	want := strconv.FormatBool(x.a.Verb == "check")
	kind, now, e := x.ask(ctx, "state", map[string]any{"what": "checked"})
	switch {
	case e != nil:
		return e
	case kind == "gone":
		_, e := x.element(ctx) // says why
		return e
	case now == want:
		return nil
	case (kind == "radio" || kind == "mark") && want == "false":
		return fail(engine.ErrUnsupported, false, "%s is a radio button, which only another choice unchecks", x.what())
	case now == "":
		return fail(engine.ErrUnsupported, false, "%s is not something to check", x.what())
	}
	if e := x.click(ctx); e != nil {
		return e
	}
	if kind == "mark" { // under the mouse it may only show what a click would do
		_ = x.try(ctx, func() error { return x.t.page.Mouse().Move(0, 0) })
	}
	soon := map[string]any{"what": "checked", "want": want, "ms": min(*x.left(), readBackTime)}
	if _, now, e = x.ask(ctx, "state", soon); e == nil && now != want {
		return fail(engine.ErrBadValue, true, "%s was clicked, and did not change its state", x.what())
	}
	return nil
}

// choose selects an option of a list by its text.
func (x *action) choose(ctx context.Context) *engine.ActionError {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		_, e := x.element(ctx) // says why
		return e
	}
	kind, message, err := x.query(ctx, p.frame, "pick", x.question(p, x.a.Role, x.a.Name, map[string]any{"value": x.a.Value, "ms": min(*x.left(), lateOptions)}))
	switch {
	case err != nil:
		return x.outcome(ctx, err, always)
	case kind == "list":
		return x.chooseInList(ctx, p)
	case kind == "picked":
		return nil
	case kind == "lost":
		return fail(engine.ErrBadValue, true, "%s did not keep the option", x.what())
	case kind != "slow":
		if x.a.Secret && kind == "bad_value" {
			message = "no such option"
		}
		return x.refuse(kind, message)
	}
	index, err := strconv.Atoi(message) // of an element that is out of sight
	if err != nil {
		return x.refuse(strings.TrimSpace(missing), "")
	}
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	err = x.try(ctx, func() error {
		_, err := el.SelectOption(playwright.SelectOptionValues{Indexes: &[]int{index}}, playwright.ElementHandleSelectOptionOptions{Timeout: x.left()})
		return err
	})
	if err != nil {
		return x.outcome(ctx, err, inputTouched)
	}
	if _, now, e := x.ask(ctx, "state", map[string]any{"what": "option"}); e == nil && now != message && now != "-1" {
		return fail(engine.ErrBadValue, true, "%s did not keep the option", x.what())
	}
	return nil
}

// press sends a key or a combination (Enter, Control+A) to the element, or to whatever has the focus.
func (x *action) press(ctx context.Context) *engine.ActionError {
	if x.a.Ref == "" {
		return x.outcome(ctx, x.try(ctx, func() error { return x.t.page.Keyboard().Press(x.a.Value) }), always)
	}
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	return x.outcome(ctx, x.try(ctx, func() error {
		return el.Press(x.a.Value, playwright.ElementHandlePressOptions{Timeout: x.left(), NoWaitAfter: playwright.Bool(true)})
	}), always)
}

// upload gives files, one path a line, to a file input, or to the file chooser that the element opens.
func (x *action) upload(ctx context.Context) *engine.ActionError {
	files := strings.Split(x.a.Value, "\n")
	for _, f := range files {
		if st, err := os.Stat(f); err != nil || st.IsDir() {
			return fail(engine.ErrBadValue, false, "%q is not a file that can be read", f)
		}
	}
	el, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer el.release()
	way, wrong, e := x.ask(ctx, "state", map[string]any{"what": "file"})
	switch {
	case e != nil:
		return e
	case way == "input":
		err := x.try(ctx, func() error {
			return el.SetInputFiles(files, playwright.ElementHandleSetInputFilesOptions{Timeout: x.left()})
		})
		if err != nil {
			return x.outcome(ctx, err, always)
		}
		return x.kept(ctx, wrong)
	case way == "drop":
		if e := x.drop(ctx, el, files); e != nil {
			return e
		}
		return x.kept(ctx, wrong)
	}
	x.s.expectChooser(true)
	defer x.s.expectChooser(false)
	e = x.outcome(ctx, x.try(ctx, func() error {
		chooser, err := x.t.page.ExpectFileChooser(func() error {
			return el.Click(playwright.ElementHandleClickOptions{Timeout: x.left(), Position: el.at})
		}, playwright.PageExpectFileChooserOptions{Timeout: x.left()})
		if err != nil {
			return err
		}
		return chooser.SetFiles(files, playwright.FileChooserSetFilesOptions{Timeout: x.left()})
	}), always)
	if e != nil {
		return e
	}
	return x.kept(ctx, wrong)
}

// kept sees whether the page has taken the files. One that empties its input may have taken them; one that has something
// against them says so beside the element, as it did not before.
func (x *action) kept(ctx context.Context, before string) *engine.ActionError {
	_, wrong, e := x.ask(ctx, "state", map[string]any{"what": "file"})
	if e == nil && wrong != "" && wrong != before {
		return fail(engine.ErrBadValue, true, "the page refuses the file: %s", wrong)
	}
	return nil
}

// drop drags files from outside the browser onto an element and lets them go there.
func (x *action) drop(ctx context.Context, on *target, files []string) *engine.ActionError {
	return x.outcome(ctx, x.try(ctx, func() error {
		px, py, err := x.middle(on)
		if err != nil {
			return err
		}
		cdp, err := x.s.ctx.NewCDPSession(x.t.page)
		if err != nil {
			return err
		}
		defer func() { _ = cdp.Detach() }()
		for _, step := range []string{"dragEnter", "dragOver", "drop"} {
			_, err := cdp.Send("Input.dispatchDragEvent", map[string]any{"type": step, "x": px, "y": py,
				"data": map[string]any{"items": []any{}, "files": files, "dragOperationsMask": 1}})
			if err != nil {
				return err
			}
		}
		return nil
	}), always)
}

// middle brings an element into view and gives the point of it where the mouse acts, in the main viewport.
func (x *action) middle(el *target) (px, py float64, err error) {
	if err := el.ScrollIntoViewIfNeeded(playwright.ElementHandleScrollIntoViewIfNeededOptions{Timeout: x.left()}); err != nil {
		return 0, 0, err
	}
	box, err := el.BoundingBox()
	if err != nil || box == nil {
		return 0, 0, errors.Join(err, errors.New("element is not attached to the DOM"))
	}
	if el.at != nil {
		return box.X + el.at.X, box.Y + el.at.Y, nil
	}
	return box.X + box.Width/2, box.Y + box.Height/2, nil
}

// drag presses the mouse on the element, moves it over the other one and lets go.
func (x *action) drag(ctx context.Context) *engine.ActionError {
	from, e := x.element(ctx)
	if e != nil {
		return e
	}
	defer from.release()
	to, e := x.resolve(ctx, x.a.To, "", "")
	if e != nil {
		return e
	}
	defer to.release()
	err := x.try(ctx, func() error {
		return from.Hover(playwright.ElementHandleHoverOptions{Timeout: x.left(), Position: from.at})
	})
	if err != nil {
		return x.outcome(ctx, err, pointerTouched)
	}
	mouse := x.t.page.Mouse()
	return x.outcome(ctx, x.try(ctx, func() error {
		if err := mouse.Down(); err != nil {
			return err
		}
		drop := func() error {
			px, py, err := x.middle(to)
			if err != nil {
				return err
			}
			return mouse.Move(px, py, playwright.MouseMoveOptions{Steps: playwright.Int(5)})
		}
		return errors.Join(drop(), mouse.Up())
	}), always)
}

// scroll moves the page (or the element's scroller) up, down, to the top or bottom; without a direction it brings
// the element into view.
func (x *action) scroll(ctx context.Context) *engine.ActionError {
	dir := x.a.Value
	switch dir {
	case "", "up", "down", "top", "bottom":
	default:
		return fail(engine.ErrBadValue, false, "scroll %q: want up, down, top or bottom", dir)
	}
	if x.a.Ref != "" {
		el, e := x.element(ctx)
		if e != nil {
			return e
		}
		defer el.release()
		if dir == "" {
			return x.outcome(ctx, x.try(ctx, func() error {
				return el.ScrollIntoViewIfNeeded(playwright.ElementHandleScrollIntoViewIfNeededOptions{Timeout: x.left()})
			}), never)
		}
		_, _, e = x.ask(ctx, "scroll", map[string]any{"to": dir})
		return e
	}
	if dir == "" {
		dir = "down"
	}
	return x.outcome(ctx, x.try(ctx, func() error {
		_, err := x.t.page.MainFrame().Evaluate(x.s.b.script.call("scroll"), fmt.Sprintf(`{"to":%q}`, dir))
		return err
	}), never)
}

func (x *action) armDialog(context.Context) *engine.ActionError {
	x.s.arm(x.a.Verb == "accept_dialog", x.a.Value)
	return nil
}

func (x *action) eval(ctx context.Context) *engine.ActionError {
	err := x.try(ctx, func() error {
		_, err := x.t.page.Evaluate(x.a.Value)
		return err
	})
	if err != nil && ctx.Err() == nil && !isLost(err) && !contextGone(err) && !errors.Is(err, context.DeadlineExceeded) {
		return fail(engine.ErrBadValue, true, "the script failed: %s", headline(err))
	}
	if err != nil && contextGone(err) {
		return nil // it has navigated
	}
	return x.outcome(ctx, err, always)
}
