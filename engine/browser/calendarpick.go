package browser

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// maxTurns is how often a calendar is moved on for one day, maxIdle how many controls are tried in vain, and maxPassed how
// often it may show the same month on the way.
const (
	maxTurns   = 260
	maxIdle    = 4
	maxPassed  = maxIdle + 2
	scrollRest = 400 // milliseconds
	pressTime  = 4 * time.Second
	jumpTime   = 3 * time.Second // for the number of the year, before another way is taken
)

// pickDays clicks the wanted days in a calendar, and sees that the field holds them.
func (d *dating) pickDays(ctx context.Context, c *calendar, opened bool) *engine.ActionError {
	held := c.Value
	for i, day := range d.want {
		at, e := d.pickDay(ctx, c, day)
		if e != nil {
			e.Touched = true
			d.leave(ctx, opened)
			d.restore(ctx)
			return e
		}
		if i == len(d.want)-1 {
			return d.confirm(ctx, at, held, opened)
		}
		if c, e = d.watch(ctx, takeTime, map[string]any{"value": at.Value}); e != nil {
			return e
		}
		if len(c.months()) == 0 { // some close after each day
			if c, opened, e = d.openCalendar(ctx); e != nil {
				return e
			}
			if c == nil || len(c.months()) == 0 {
				return fail(engine.ErrUnsupported, true, "the calendar of %s closed after the first day of the range", d.what())
			}
		}
	}
	return nil
}

// pickDay clicks one day, and gives the calendar as it was before. A day that was drawn anew, or went with a calendar
// that has closed, is looked for again.
func (d *dating) pickDay(ctx context.Context, c *calendar, day datetext.Date) (*calendar, *engine.ActionError) {
	t := &turner{dating: d, deltas: map[string]int{}}
	for try := 0; ; {
		g, at, e := t.reach(ctx, c, day)
		if e != nil {
			return nil, e
		}
		if t.scrolled { // a list that was scrolled a moment ago takes no click
			t.scrolled = false
			if c, e = d.watch(ctx, scrollRest, map[string]any{"value": at.Value}); e != nil {
				return nil, e
			}
			continue
		}
		cell := g.Days[day.Day-1]
		if cell.Off {
			return nil, fail(engine.ErrDisabled, true, "%s cannot be chosen: the calendar of %s does not offer that day", day, d.what())
		}
		if e = d.press(ctx, cell.N); e == nil {
			return at, nil
		}
		if try++; e.Touched || try > maxReplaced {
			return nil, e
		}
		if c, e = d.watch(ctx, 0, nil); e != nil {
			return nil, e
		}
	}
}

// press clicks something in a calendar. What cannot be clicked soon has gone, and is no reason to wait.
func (d *dating) press(ctx context.Context, n int) *engine.ActionError {
	y := d.on("click", "", n)
	y.timeout = min(pressTime, time.Until(d.until))
	y.until = time.Now().Add(y.timeout)
	return y.click(ctx)
}

// confirming are the names of buttons that end a choice.
var confirming = regexp.MustCompile(`(?i)^\W*(select|auswählen|sélectionner|seleccionar|seleziona|selecteren|vybrat|wybierz|выбрать|选择|選択|선택)\W*$|^\W*(ok|okay|apply|done|set|confirm|choose|save|übernehmen|fertig|anwenden|bestätigen|ok|appliquer|valider|terminé|confirmer|aplicar|aceptar|listo|hecho|confirmar|applica|conferma|fatto|toepassen|gereed|klaar|bevestigen|zastosuj|gotowe|zatwierdź|použít|hotovo|potvrdit|применить|готово|ок|tamam|uygula|valmis|vælg|velg|välj|klar|bekræft|bekreft|bekräfta|alkalmaz|kész)(\W|$)|确定|確定|确认|確認|完成|適用|完了|決定|완료|확인|적용|تطبيق|موافق|אישור`)

// confirm waits for the field to hold what was chosen, presses the button that ends the choice where there is one, and
// leaves the calendar.
func (d *dating) confirm(ctx context.Context, last *calendar, held string, opened bool) *engine.ActionError {
	c, e := d.watch(ctx, takeTime, map[string]any{"value": last.Value})
	if e != nil {
		return e
	}
	if len(c.Grids) > 0 && opened {
		for _, b := range c.Controls {
			if !b.Off && (b.Role == "button" || b.Tag == "button" || b.Tag == "a" || b.Tag == "div" || b.Tag == "span") && (confirming.MatchString(b.Name) || confirming.MatchString(b.Text)) {
				if e := d.press(ctx, b.N); e != nil && e.Touched {
					return e
				} else if e != nil {
					break // it goes by itself
				}
				more := map[string]any{}
				if !d.holds(c.Value, c.Fields) {
					more["value"] = c.Value
				} else {
					more["was"] = c.Sig
				}
				if c, e = d.watch(ctx, takeTime, more); e != nil {
					return e
				}
				break
			}
		}
	}
	if !d.holds(c.Value, c.Fields) {
		if c, e = d.watch(ctx, takeTime, map[string]any{"value": c.Value}); e != nil {
			return e
		}
	}
	if len(c.Grids) > 0 && opened {
		d.leave(ctx, opened)
		if c, e = d.watch(ctx, 0, nil); e != nil {
			return e
		}
	}
	switch {
	case d.holds(c.Value, c.Fields):
		return nil
	case c.Value == held:
		return fail(engine.ErrDisabled, true, "%s cannot be chosen: %s still holds %q after the day was clicked", join(d.want), d.what(), clip(held))
	}
	return fail(engine.ErrBadValue, true, "%s holds %q after %s was clicked", d.what(), clip(c.Value), join(d.want))
}

func join(days []datetext.Date) string {
	texts := make([]string, len(days))
	for i, d := range days {
		texts[i] = d.String()
	}
	return strings.Join(texts, " to ")
}

// holds tells whether the field, or for a range it and another field, reads as the dates that were clicked. The calendar
// has said which month it was, so that a text without a year, or that can be read in two ways, serves.
func (d *dating) holds(value string, fields []string) bool {
	can := func(text string, day datetext.Date) bool {
		for _, r := range datetext.Find(text) {
			if r.Can(day) || r.Can(datetext.Date{Month: day.Month, Day: day.Day}) {
				return true
			}
		}
		return false
	}
	if !can(value, d.want[0]) {
		return false
	}
	if len(d.want) == 1 || can(value, d.want[1]) {
		return true
	}
	for _, f := range fields {
		if f != value && can(f, d.want[1]) {
			return true
		}
	}
	return false
}

// restore gives a field that takes text what it held before its calendar was opened: some calendars choose the day of
// today by themselves, or keep the first day of a range.
func (d *dating) restore(ctx context.Context) {
	held := d.field.Value
	if !d.field.Editable || d.describe(ctx) != nil || d.field.Value == held {
		return
	}
	if d.setText(ctx, held) == nil {
		_ = d.try(ctx, func() error { return d.t.page.Keyboard().Press("Tab") })
		d.leave(ctx, true)
	}
}

// leave closes a calendar that is still open: by going on to what follows, as a person with a keyboard does.
func (d *dating) leave(ctx context.Context, opened bool) {
	if !opened {
		return
	}
	c, e := d.watch(ctx, 0, nil)
	for _, key := range []string{d.closing(ctx), "Tab"} {
		if e != nil || len(c.Grids) == 0 {
			return
		}
		_ = d.try(ctx, func() error { return d.t.page.Keyboard().Press(key) })
		c, e = d.watch(ctx, 400, map[string]any{"was": c.Sig})
	}
}
