package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// calendar is what the page's script sees of the calendars on screen.
type calendar struct {
	Sig      string // changes when they show something else
	Ready    bool   // what was waited for has come
	Value    string // of the field
	Expanded string
	Focused  bool
	Fields   []string // values of the text fields of the page
	Grids    []dayGrid
	Controls []control
	// Mutations is how often the page has changed itself.
	Mutations int
}

// dayGrid is one month.
type dayGrid struct {
	N, Root, Col int
	Scrolls      bool     // it stands in a list of months
	Heads        []string // texts above it, the nearest first
	Box          engine.Box
	Days         []gridDay
	month        datetext.Month // zero: cannot be told
}

type gridDay struct {
	N, Inner int
	Off      bool
	Labels   []string
}

// control is something around a calendar that can be pressed or set.
type control struct {
	N                           int
	Tag, Role, Type, Name, Text string
	Off                         bool
	Box                         engine.Box
	Choices                     []string
}

// How long a calendar may take to open, in milliseconds: where something says that there is one, where nothing does, and
// where the page does nothing at all; and to show another month, or to pass a day on to its field.
const (
	openTime  = 2000
	guessTime = 700
	stillTime = 200
	turnTime  = 1500
	takeTime  = 600
)

// maxOpeners is how many things are pressed for a calendar to open.
const maxOpeners = 3

// watch waits for the calendars to be as more says, and reads them.
func (d *dating) watch(ctx context.Context, ms int, more map[string]any) (*calendar, *engine.ActionError) {
	if more == nil {
		more = map[string]any{}
	}
	more["ms"] = min(ms, int(*d.left()))
	kind, message, err := d.query(ctx, d.p.frame, "calendar", d.question(d.p, "", "", more))
	if err != nil || kind != "calendar" {
		if err == nil {
			err = errUnknown
		}
		return nil, d.outcome(ctx, err, always)
	}
	c := &calendar{}
	if err := json.Unmarshal([]byte(message), c); err != nil {
		return nil, fail(engine.ErrUnsupported, true, "the calendar cannot be read: %v", err)
	}
	for i := range c.Grids {
		g := &c.Grids[i]
		if g.month = g.read(); g.month.Year == 0 && i > 0 {
			g.month = g.after(&c.Grids[i-1])
		}
	}
	if _, again := more["again"]; len(c.Grids) > 0 && len(c.months()) == 0 && more["was"] != nil && !again {
		// Its title is between two months, as when one fades into the other.
		return d.watch(ctx, turnTime, map[string]any{"was": c.Sig, "open": true, "again": true})
	}
	return c, nil
}

// read finds out which month the grid shows: from the dates that its days carry, or else from the texts above it. Its
// length must be that of the month.
func (g *dayGrid) read() datetext.Month {
	votes := map[datetext.Month]int{}
	for i, day := range g.Days {
		seen := map[datetext.Month]bool{}
		for _, label := range day.Labels {
			for _, found := range datetext.Find(label) {
				for _, date := range found {
					if m := (datetext.Month{Year: date.Year, Month: date.Month}); date.Day == i+1 && date.Year > 0 && !seen[m] {
						seen[m] = true
						votes[m]++
					}
				}
			}
		}
	}
	for m, n := range votes {
		if n == len(g.Days) && n == datetext.DaysIn(m.Year, m.Month) {
			return m
		}
	}
	for i := range g.Heads {
		texts := append([]string{}, g.Heads[:i+1]...)
		for l, r := 0, len(texts)-1; l < r; l, r = l+1, r-1 {
			texts[l], texts[r] = texts[r], texts[l]
		}
		var fits []datetext.Month
		for _, m := range datetext.Months(strings.Join(texts, " ")) {
			if datetext.DaysIn(m.Year, m.Month) == len(g.Days) {
				fits = append(fits, m)
			}
		}
		if len(fits) == 1 {
			return fits[0]
		}
	}
	return datetext.Month{}
}

// after is the month of a grid that names it without a year, when it goes on where the one before it ends.
func (g *dayGrid) after(before *dayGrid) datetext.Month {
	if before.month.Year == 0 || g.Col != (before.Col+len(before.Days))%7 {
		return datetext.Month{}
	}
	next := before.month.Next()
	names := func(head string) bool { return datetext.MonthName(head) == next.Month }
	if len(g.Days) == datetext.DaysIn(next.Year, next.Month) && slices.ContainsFunc(g.Heads, names) {
		return next
	}
	return datetext.Month{}
}

// months gives the grids whose month is known, in order.
func (c *calendar) months() []*dayGrid {
	var out []*dayGrid
	for i := range c.Grids {
		if c.Grids[i].month.Year > 0 {
			out = append(out, &c.Grids[i])
		}
	}
	return out
}

// only leaves the grids that are not among the given ones; all of them where that would leave none.
func (c *calendar) only(old string) {
	var fresh []dayGrid
	for _, g := range c.Grids {
		if !strings.Contains(" "+old+" ", fmt.Sprintf(" %d ", g.N)) {
			fresh = append(fresh, g)
		}
	}
	if len(fresh) > 0 {
		c.Grids = fresh
	}
}

func (c *calendar) ids() string {
	var out []string
	for _, g := range c.Grids {
		out = append(out, fmt.Sprint(g.N))
	}
	return strings.Join(out, " ")
}

// openCalendar gets the field's calendar on screen; nil when none comes. opened tells that it was not there before.
func (d *dating) openCalendar(ctx context.Context) (c *calendar, opened bool, e *engine.ActionError) {
	before, e := d.watch(ctx, 0, nil)
	if e != nil {
		return nil, false, e
	}
	if len(before.months()) > 0 && (before.Focused || before.Expanded == "true") {
		return before, true, nil
	}
	ms := guessTime
	if d.field.Popup || !d.field.Editable {
		ms = openTime
	}
	press := append([]int{d.p.n}, d.field.Openers...)
	if len(d.field.Segments) > 0 && len(d.field.Openers) > 0 {
		press = d.field.Openers
	}
	for _, n := range press[:min(len(press), maxOpeners)] {
		y := d.on("click", "", n)
		if n == d.p.n {
			y.a.Role, y.a.Name = d.a.Role, d.a.Name
			if len(press) > 1 {
				ms = guessTime
			}
		} else {
			ms = openTime
		}
		if e := y.click(ctx); e != nil {
			if n == d.p.n {
				return nil, false, e
			}
			continue
		}
		wait := map[string]any{"fresh": true, "old": before.ids()}
		if ms == guessTime {
			wait["quiet"], wait["since"] = stillTime, before.Mutations
		}
		c, e := d.watch(ctx, ms, wait)
		if e != nil {
			return nil, false, e
		}
		if c.Ready && len(c.Grids) > 0 {
			c.only(before.ids())
			return c, true, nil
		}
	}
	if len(before.months()) > 0 {
		c, e := d.watch(ctx, 0, nil)
		return c, false, e
	}
	return nil, false, nil
}
