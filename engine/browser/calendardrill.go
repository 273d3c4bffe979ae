package browser

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// far is from how many months on a calendar is moved by its title, where it has one that can be pressed: the title of
// the days leads to the months or the years, and what is pressed there back to the days.
const (
	far       = 15
	maxDrills = 40
)

// cell is a short text in a calendar's popup.
type cell struct {
	N    int
	Text string
	Off  bool
	Box  engine.Box
}

func (c cell) year() int {
	if n, err := strconv.Atoi(strings.TrimRight(c.Text, "年년")); err == nil && n > 1000 && n < 3000 {
		return n
	}
	return 0
}

func (c cell) month() int {
	if n, ok := strings.CutSuffix(strings.TrimSuffix(c.Text, "월"), "月"); ok || n != c.Text {
		m, _ := strconv.Atoi(n)
		return m
	}
	return datetext.MonthName(c.Text)
}

// cells are the short texts in an element, in reading order.
func (d *dating) cells(ctx context.Context, root int, was string) ([]cell, *engine.ActionError) {
	p := d.p
	p.n = root
	kind, message, err := d.query(ctx, p.frame, "cells", d.question(p, "", "", map[string]any{"was": was, "ms": min(turnTime, int(*d.left()))}))
	if err != nil || kind != "cells" {
		if err == nil {
			err = errUnknown
		}
		return nil, d.outcome(ctx, err, always)
	}
	var out []cell
	if err := json.Unmarshal([]byte(message), &out); err != nil {
		return nil, fail(engine.ErrUnsupported, true, "the calendar cannot be read: %v", err)
	}
	return out, nil
}

func said(cells []cell) string {
	var texts []string
	for _, c := range cells {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "|")
}

var fourDigits = regexp.MustCompile(`\d{4}`)

// drill goes to the wanted month by way of the calendar's title. It gives nil where the calendar has no such way.
func (t *turner) drill(ctx context.Context, c *calendar, shown, want datetext.Month) (*calendar, *engine.ActionError) {
	title := t.title(c, shown)
	if title == nil {
		return nil, nil
	}
	root := c.Grids[0].Root
	key := title.key(c)
	t.deltas[key] = 0
	before, e := t.cells(ctx, root, "")
	if e != nil {
		return nil, e
	}
	if e := t.press(ctx, title.N); e != nil {
		return nil, nil
	}
	text := said(before)
	for range maxDrills {
		now, e := t.cells(ctx, root, text)
		if e != nil {
			return nil, e
		}
		if said(now) == text {
			return nil, nil // the title is only a title
		}
		text = said(now)
		days, e := t.watch(ctx, 0, nil)
		if e != nil {
			return nil, e
		}
		if m := days.months(); len(m) > 0 {
			return days, nil
		}
		next := nextCell(now, want)
		if next == nil {
			return nil, fail(engine.ErrDisabled, true, "the calendar of %s does not lead to %04d-%02d", t.what(), want.Year, want.Month)
		}
		if next.Off {
			return nil, fail(engine.ErrDisabled, true, "the calendar of %s does not offer %s", t.what(), next.Text)
		}
		if e := t.press(ctx, next.N); e != nil {
			return nil, e
		}
	}
	return nil, fail(engine.ErrDisabled, true, "the calendar of %s does not lead to %04d-%02d", t.what(), want.Year, want.Month)
}

// title is the control that says the year that is shown, above the days.
func (t *turner) title(c *calendar, shown datetext.Month) *control {
	for i := range c.Controls {
		b := &c.Controls[i]
		says := b.Text
		if says == "" {
			says = b.Name
		}
		if _, tried := t.deltas[b.key(c)]; tried || b.Off || b.Tag == "select" || b.Tag == "input" || b.Box.Y+b.Box.H/2 > c.Grids[0].Box.Y || len(says) > 60 {
			continue
		}
		if strings.Contains(says, strconv.Itoa(shown.Year)) {
			return b
		}
	}
	return nil
}

// nextCell is what to press in a view of years or months: the wanted year, the wanted month once its year is shown, or
// else what leads to the years, or to earlier or later ones.
func nextCell(cells []cell, want datetext.Month) *cell {
	var years, months []*cell
	var heading *cell
	for i := range cells {
		c := &cells[i]
		switch {
		case c.year() > 0:
			years = append(years, c)
		case c.month() > 0:
			months = append(months, c)
		case fourDigits.MatchString(c.Text) && heading == nil:
			heading = c
		}
	}
	switch {
	case len(months) >= 10 && len(years) <= 2:
		shown := 0
		if len(years) > 0 {
			shown, heading = years[0].year(), years[0]
		} else if heading != nil {
			shown, _ = strconv.Atoi(fourDigits.FindString(heading.Text))
		}
		if shown == want.Year || shown == 0 {
			for _, m := range months {
				if m.month() == want.Month {
					return m
				}
			}
			return nil
		}
		if d := shown - want.Year; d < 3 && d > -3 {
			if b := step(cells, d < 0); b != nil {
				return b
			}
		}
		if heading != nil {
			return heading
		}
		return step(cells, shown < want.Year)
	case len(years) >= 4:
		low, high := years[0].year(), years[0].year()
		for _, y := range years {
			if y.year() == want.Year {
				return y
			}
			low, high = min(low, y.year()), max(high, y.year())
		}
		return step(cells, want.Year > high)
	}
	return nil
}

// step is the arrow that leads on, or back.
func step(cells []cell, on bool) *cell {
	re, not := backward, forward
	if on {
		re, not = forward, backward
	}
	for i := range cells {
		if c := &cells[i]; re.MatchString(c.Text) && !not.MatchString(c.Text) && !c.Off && c.year() == 0 && c.month() == 0 {
			return c
		}
	}
	// Arrows that say nothing stand at both ends of the first line.
	var plain []*cell
	for i := range cells {
		if cells[i].Text == "" {
			plain = append(plain, &cells[i])
		}
	}
	if len(plain) < 2 {
		return nil
	}
	if on {
		return plain[len(plain)-1]
	}
	return plain[0]
}
