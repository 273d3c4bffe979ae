package browser

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// How long a list may take, in milliseconds: to open or to bring its options, and to show more of them when it is
// scrolled. Both end at once when the option is there, and the first when there are others that can be looked through.
const (
	listTime   = 2000
	scrollTime = 150
	// quietTime is how long a list that has followed what was typed keeps still when it is complete, fetchTime how long
	// one may be that says that it is not, and closedTime how long none may come before the text is typed key by key.
	quietTime  = 800
	fetchTime  = 6000
	closedTime = 800
	maxScrolls = 60
	// maxReplaced is how often an option may be replaced between being found and being clicked.
	maxReplaced = 5
)

// chooser is one choice in a list that is not native.
type chooser struct {
	*action
	p       place
	touched bool    // the list has been opened or typed into
	field   *action // on what was typed into
	filled  bool    // a list has come to text that was set
	keys    bool    // it has not, so that text is typed key by key
}

// chooseInList chooses an option, by its text, in a list that is not native: it opens the list and looks for the option;
// where the list can be filtered by typing it does that next, and else it scrolls. The option is clicked, and the element
// must then show it. Where there is no such option, what was typed is taken back.
func (x *action) chooseInList(ctx context.Context, p place) (e *engine.ActionError) {
	c := &chooser{action: x, p: p}
	_, before, err := x.query(ctx, p.frame, "listState", x.question(p, "", "", map[string]any{"note": true}))
	if err != nil {
		return x.outcome(ctx, err, never)
	}
	defer func() {
		if e != nil && c.touched {
			e.Touched = true
		}
	}()
	kind, message, e := c.look(ctx, 0, true)
	if e == nil && kind == "closed" {
		c.touched = true
		if e := x.click(ctx); e != nil {
			c.touched = e.Touched
			return e
		}
		kind, message, e = c.look(ctx, listTime, true)
	}
	if e == nil && (kind == "closed" || kind == "none") {
		kind, message, e = c.filter(ctx, kind, message)
	}
	if e == nil && kind == "none" {
		kind, message, e = c.scrollTo(ctx)
	}
	for replaced := 0; e == nil && kind == "option"; replaced++ {
		e := x.take(ctx, p, message, before)
		if e == nil || e.Touched {
			return e
		}
		if e.Kind != engine.ErrTargetGone || replaced == maxReplaced {
			c.takeBack(ctx, before)
			return e
		}
		// a virtual list draws its options anew when one of them is scrolled to
		if kind, message, e = c.look(ctx, listTime, false); e != nil {
			return e
		}
	}
	if e != nil {
		return e
	}
	c.takeBack(ctx, before)
	if kind == "closed" {
		return fail(engine.ErrUnsupported, c.touched, "%s opened no list", x.what())
	}
	if x.a.Secret {
		message = "no such option"
	}
	return x.refuse("bad_value", message)
}

// look asks for the option in the list as it is now, and waits for it. A brief look ends when there are other options.
func (c *chooser) look(ctx context.Context, ms int, brief bool) (kind, message string, e *engine.ActionError) {
	return c.ask2(ctx, map[string]any{"value": c.a.Value, "ms": min(ms, int(*c.left())), "brief": brief})
}

func (c *chooser) ask2(ctx context.Context, more map[string]any) (kind, message string, e *engine.ActionError) {
	kind, message, err := c.query(ctx, c.p.frame, "listed", c.question(c.p, "", "", more))
	if err != nil {
		return "", "", c.outcome(ctx, err, func(error) bool { return c.touched })
	}
	return kind, message, nil
}

// filter types the option into what takes text, whole and then its first word; was is what the list said before. It is
// typed in small letters: an option of the list has letters of its own, and one that offers to add what was typed has not.
func (c *chooser) filter(ctx context.Context, was, said string) (kind, message string, e *engine.ActionError) {
	kind, message = was, said
	for _, t := range typings(c.a.Value) {
		if t.probe && kind != "closed" {
			continue
		}
		where, number, err := c.query(ctx, c.p.frame, "typing", c.question(c.p, "", "", nil))
		if err != nil || where != "own" && where != "other" {
			return kind, message, nil
		}
		y := c.action
		if where == "other" {
			n, _ := strconv.Atoi(number)
			y = c.part(c.p, "fill", c.a.Value, n)
		}
		c.touched, c.field = true, y
		if kind, message, e = c.enter(ctx, y, t, c.a.Value); e != nil || kind == "option" || kind == "bad_value" {
			return kind, message, e
		}
		if kind != "doubtful" {
			continue
		}
		echo, e := c.echoes(ctx, y, t, message)
		if e != nil {
			return "", "", e
		}
		if !echo {
			if kind, message, e = c.enter(ctx, y, t, c.a.Value); kind == "doubtful" {
				kind = "option"
			}
			return kind, message, e
		}
		kind, message = "none", "no such option; the list only offers to add it"
	}
	return kind, message, nil
}

// typing is a text that a list is filtered by, and how long it is waited for where the list does not follow.
type typing struct {
	text  string
	still int
	probe bool // only shows whether there is a list at all
}

// typings are the texts that a list is filtered by for an option, one after the other.
func typings(option string) []typing {
	small := strings.ToLower(option)
	all := []typing{{text: small, still: listTime}}
	if small != option {
		all = append(all, typing{text: option, still: closedTime}) // for a list that minds the difference
	}
	if first, _, more := strings.Cut(small, " "); more {
		all = append(all, typing{text: first, still: listTime})
	}
	if r := []rune(small); len(r) > 2 {
		all = append(all, typing{text: string(r[:2]), still: closedTime, probe: true}, typing{text: string(r[:1]), still: closedTime, probe: true})
	}
	return all
}

// enter types a text into what filters the list, and looks for an option. Where no list comes it may listen for keys only.
func (c *chooser) enter(ctx context.Context, y *action, t typing, option string) (kind, message string, e *engine.ActionError) {
	more := func(closed int) map[string]any {
		return map[string]any{"value": option, "ms": min(fetchTime, int(*c.left())), "typed": t.text, "quiet": quietTime, "still": t.still, "closed": closed}
	}
	if !c.keys {
		if e := y.setText(ctx, t.text); e != nil {
			return "", "", e
		}
		kind, message, e = c.ask2(ctx, more(closedTime))
		if kind != "closed" {
			c.filled = true
		}
		if e != nil || c.filled {
			return kind, message, e
		}
		c.keys = true
	}
	if e := y.retype(ctx, t.text); e != nil {
		return "", "", e
	}
	return c.ask2(ctx, more(t.still))
}

// echoes tells whether an option, "number role name", that holds the text that was typed is one that offers to add it:
// another text, which no list has, gives the same with that text in it.
func (c *chooser) echoes(ctx context.Context, y *action, t typing, option string) (bool, *engine.ActionError) {
	part := strings.SplitN(option, " ", 3)
	if len(part) < 3 {
		return false, nil
	}
	other := typing{text: t.text + "qx", still: closedTime}
	name := strings.Replace(part[2], t.text, other.text, 1)
	if name == part[2] { // the field has changed it
		name = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(t.text)).ReplaceAllLiteralString(part[2], other.text)
	}
	kind, _, e := c.enter(ctx, y, other, name)
	return kind == "option" || kind == "doubtful", e
}

// scrollTo looks through a list that shows only a part of its options, from where it stands to its end.
func (c *chooser) scrollTo(ctx context.Context) (kind, message string, e *engine.ActionError) {
	for i := range maxScrolls {
		more := map[string]any{"value": c.a.Value, "ms": min(scrollTime, int(*c.left())), "scroll": i + 1}
		if kind, message, e = c.ask2(ctx, more); e != nil || kind != "scrolled" {
			return kind, message, e
		}
		c.touched = true
	}
	return kind, message, e
}

// takeBack leaves a list in which nothing was chosen as it was found.
func (c *chooser) takeBack(ctx context.Context, before string) {
	if c.field != nil {
		text, _, _ := strings.Cut(before, "\t")
		_ = c.field.setText(ctx, text)
	}
	if c.touched {
		_ = c.try(ctx, func() error { return c.t.page.Keyboard().Press(c.closing(ctx)) })
	}
}

// closing is the key that closes what a field has opened: Escape, but in a dialog, which it might close as well, Tab.
func (x *action) closing(ctx context.Context) string {
	if kind, _, e := x.ask(ctx, "state", map[string]any{"what": "dialog"}); e != nil || kind != "none" {
		return "Tab"
	}
	return "Escape"
}

// end presses the button that ends the choice, where the list stands in a dialog that has one.
func (x *action) end(ctx context.Context, p place, option int) *engine.ActionError {
	_, buttons, err := x.query(ctx, p.frame, "ending", x.question(p, "", "", map[string]any{"option": option}))
	if err != nil {
		return nil // the page has gone on
	}
	for button := range strings.Lines(buttons) {
		number, name, _ := strings.Cut(strings.TrimSpace(button), " ")
		n, err := strconv.Atoi(number)
		if err != nil || !confirming.MatchString(name) {
			continue
		}
		if e := x.part(p, "click", "", n).click(ctx); e != nil && e.Touched {
			return e
		}
		return nil // where it could not be clicked the dialog goes by itself, and the field is read back
	}
	return nil
}

// take clicks an option, "number role name", and sees that it was taken.
func (x *action) take(ctx context.Context, p place, option, before string) *engine.ActionError {
	part := strings.SplitN(option, " ", 3)
	n, err := strconv.Atoi(part[0])
	if err != nil || len(part) < 3 {
		return x.refuse(strings.TrimSpace(missing), "")
	}
	_, last, err := x.query(ctx, p.frame, "listState", x.question(p, "", "", nil))
	if err == nil {
		before = last
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
	if e := x.end(ctx, p, n); e != nil {
		return e
	}
	more := map[string]any{"option": n, "name": part[2], "before": before, "ms": min(*x.left(), readBackTime)}
	kind, _, err := x.query(ctx, p.frame, "listState", x.question(p, "", "", more))
	if err == nil && kind == "lost" {
		return fail(engine.ErrBadValue, true, "%s did not keep the option", x.what())
	}
	return nil // or the page has gone on, which is for the skill to judge
}
