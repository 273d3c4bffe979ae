package browser

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// turner moves a calendar to a month. deltas are by how many months each control has moved it, as far as it was tried; idle
// counts those that did nothing, and stuck the presses in a row of one that had moved it before.
type turner struct {
	*dating
	deltas   map[string]int
	idle     int
	stuck    int
	scrolled bool
}

// reach brings the month of a day on screen.
func (t *turner) reach(ctx context.Context, c *calendar, day datetext.Date) (*dayGrid, *calendar, *engine.ActionError) {
	want := datetext.Month{Year: day.Year, Month: day.Month}
	reopened, passed := false, map[int]int{} // by the month that was shown
	for range maxTurns {
		grids := c.months()
		if len(grids) == 0 && !reopened { // it has closed on the way
			again, _, e := t.openCalendar(ctx)
			if e != nil {
				return nil, nil, e
			}
			if again != nil {
				c, grids = again, again.months()
			}
			reopened = true
		}
		if len(grids) == 0 {
			return nil, nil, fail(engine.ErrUnsupported, true, "no calendar that can be read is open for %s", t.what())
		}
		for _, g := range grids {
			if g.month == want {
				return g, c, nil
			}
		}
		first, last := grids[0].month.Index(), grids[0].month.Index()
		for _, g := range grids { // a list that scrolls may use its rows again, in any order
			first, last = min(first, g.month.Index()), max(last, g.month.Index())
		}
		by := want.Index() - first
		if by > 0 {
			by = want.Index() - last
		}
		if passed[first]++; passed[first] > maxPassed {
			break
		}
		next, e := t.turn(ctx, c, want, by)
		if e != nil {
			return nil, nil, e
		}
		c = next
	}
	return nil, nil, fail(engine.ErrUnsupported, true, "the calendar of %s did not come to %04d-%02d", t.what(), want.Year, want.Month)
}

// turn does one thing that should bring the calendar nearer to the wanted month, which is by months away.
func (t *turner) turn(ctx context.Context, c *calendar, want datetext.Month, by int) (*calendar, *engine.ActionError) {
	shown := c.months()[0].month
	if by > 2 || by < -2 {
		if next, e := t.jump(ctx, c, shown, want); next != nil || e != nil {
			return next, e
		}
	}
	if by > far || by < -far {
		if next, e := t.drill(ctx, c, shown, want); next != nil || e != nil {
			return next, e
		}
	}
	if c.Grids[0].Scrolls {
		if next, e := t.scroll(ctx, c, by); next != nil || e != nil {
			return next, e
		}
	}
	b := t.best(c, by)
	if b == nil {
		return nil, fail(engine.ErrDisabled, true, "the calendar of %s does not go from %04d-%02d to %04d-%02d", t.what(), shown.Year, shown.Month, want.Year, want.Month)
	}
	key := b.key(c)
	if e := t.press(ctx, b.N); e != nil {
		if e.Kind == engine.ErrTargetGone && !e.Touched || e.Kind == engine.ErrTimeout && time.Now().Before(t.until) { // drawn anew since it was looked at, or while it was pressed
			again, f := t.watch(ctx, 0, nil)
			if f == nil {
				f = t.waste(want)
			}
			return again, f
		}
		if e.Kind == engine.ErrCovered || e.Kind == engine.ErrDisabled {
			t.deltas[key] = 0
			return c, t.waste(want)
		}
		return nil, e
	}
	next, e := t.watch(ctx, turnTime, map[string]any{"was": c.Sig, "open": true})
	if e != nil {
		return nil, e
	}
	if len(next.months()) == 0 {
		t.deltas[key] = 0
		return next, t.waste(want)
	}
	moved := next.months()[0].month.Index() - shown.Index()
	if moved == 0 && t.deltas[key] != 0 {
		if t.stuck++; t.stuck < 2 { // a press on a calendar that is still moving may be lost
			return next, nil
		}
		return nil, fail(engine.ErrDisabled, true, "the calendar of %s ends at %04d-%02d", t.what(), shown.Year, shown.Month)
	}
	t.deltas[key], t.stuck = moved, 0
	if moved == 0 {
		return next, t.waste(want)
	}
	return next, nil
}

// scroll moves a calendar whose months stand in a list that scrolls. It gives nil where that shows no others.
func (t *turner) scroll(ctx context.Context, c *calendar, by int) (*calendar, *engine.ActionError) {
	way := "down"
	if by < 0 {
		way = "up"
	}
	if e := t.on("scroll", way, c.Grids[0].N).scroll(ctx); e != nil {
		return nil, nil
	}
	next, e := t.watch(ctx, turnTime, map[string]any{"was": c.Sig, "open": true})
	if e != nil || !next.Ready {
		return nil, e
	}
	t.scrolled = true
	return next, nil
}

func (t *turner) waste(want datetext.Month) *engine.ActionError {
	if t.idle++; t.idle > maxIdle {
		return fail(engine.ErrDisabled, true, "the calendar of %s cannot be moved to %04d-%02d", t.what(), want.Year, want.Month)
	}
	return nil
}

// key names a control across redraws: by what it says and where it stands.
func (b *control) key(c *calendar) string {
	g := c.Grids[0].Box
	return fmt.Sprintf("%s %s %d %d", b.Tag, datelessName(b.Name), (b.Box.X-g.X)/24, (b.Box.Y-g.Y)/24)
}

// datelessName leaves out what a name says of months: "Next month, April 2027" is "next month" a month later, too.
func datelessName(name string) string { return notPlain.ReplaceAllString(strings.ToLower(name), "") }

var (
	notPlain = regexp.MustCompile(`[\d,.]+`)
	forward  = regexp.MustCompile(`(?i)next|forward|later|weiter|nächst|vor\b|suivant|siguiente|próxim|prossim|successiv|volgend|następn|dalš|další|след|sonraki|seuraava|næste|neste|nästa|következő|ileri|chevron.?right|arrow.?right|right|次|翌|下|后|後|다음|التالي|הבא|[›»→>▶❯⟩]`)
	backward = regexp.MustCompile(`(?i)prev|back|earlier|zurück|vorig|vorherig|précédent|anterior|precedent|vorige|poprzedn|předch|пред|önceki|edellinen|forrige|föregående|előző|geri|chevron.?left|arrow.?left|left|前|上|이전|السابق|הקודם|[‹«←<◀❮⟨]`)
	yearly   = regexp.MustCompile(`(?i)year|jahr|ann[ée]e|año|\bano\b|anno|jaar|\bår\b|rok|год|yıl|vuosi|\bév\b|年|년|[«»]|<<|>>`)
	letters  = regexp.MustCompile(`\pL{2}`)
	number   = regexp.MustCompile(`^\W*\p{Nd}[\p{Nd}\W]*$`)
)

// best is the control that should move the calendar by so many months, as far as is known: one that was tried and moved
// it that way, or else the most likely of those that were not; nil when there is none.
func (t *turner) best(c *calendar, by int) *control {
	var found *control
	high := 0
	left, right := c.Grids[0].Box.X, 0
	for _, g := range c.Grids {
		left, right = min(left, g.Box.X), max(right, g.Box.X+g.Box.W)
	}
	for i := range c.Controls {
		b := &c.Controls[i]
		if b.Off || b.Tag == "select" || b.Tag == "input" && b.Type != "button" || b.Type == "submit" && b.Tag == "input" {
			continue
		}
		score := 0
		if delta, tried := t.deltas[b.key(c)]; tried {
			switch {
			case delta == 0 || (delta > 0) != (by > 0):
				continue
			case delta*delta <= by*by:
				score = 1000 + delta*delta // the largest step that does not go too far
			default:
				score = 1 // goes too far: only when there is nothing else
			}
		} else {
			score = b.likely(by, left, right, c.Grids[0].Box.Y)
		}
		if score > high {
			high, found = score, b
		}
	}
	return found
}

// likely judges a control that was not tried yet: what it says, and where it stands.
func (b *control) likely(by, left, right, top int) int {
	says := b.Name + " " + b.Text
	fore, back := forward.MatchString(says), backward.MatchString(says)
	if by < 0 {
		fore, back = back, fore
	}
	score := 0
	switch {
	case fore && !back:
		score += 40
	case back && !fore:
		return 0
	case letters.MatchString(b.Text), number.MatchString(b.Text):
		return 0 // says something else: a number is a day or a year that would be chosen
	}
	centre := b.Box.X + b.Box.W/2
	if (centre > (left+right)/2) == (by > 0) {
		score += 20
	} else if score == 0 {
		return 0
	}
	if b.Box.Y+b.Box.H/2 < top {
		score += 10
	}
	if yearly.MatchString(says) {
		if by > 11 || by < -11 {
			score += 5
		} else {
			score -= 25
		}
	}
	if b.Box.W > 120 {
		score -= 15
	}
	return score
}

// jump sets the lists or the number of a calendar that has them: month and year at once. It gives nil where there are
// none, or they are right already.
func (t *turner) jump(ctx context.Context, c *calendar, shown, want datetext.Month) (*calendar, *engine.ActionError) {
	for i := range c.Controls {
		b := &c.Controls[i]
		switch {
		case b.Off:
			continue
		case b.Tag == "select":
			choice := b.choice(shown, want)
			if choice == "" || choice == b.Text {
				continue
			}
			y := t.on("select", choice, b.N)
			p := place{frame: t.p.frame, document: t.p.document, n: b.N}
			kind, _, err := y.query(ctx, p.frame, "pick", y.question(p, "", "", map[string]any{"value": choice, "ms": 0, "keep": true}))
			if err != nil {
				return nil, y.outcome(ctx, err, always)
			}
			if kind != "picked" {
				continue
			}
		case b.Tag == "input" && want.Year != shown.Year && b.Text == fmt.Sprint(shown.Year):
			y := t.on("fill", fmt.Sprint(want.Year), b.N)
			y.until = time.Now().Add(min(jumpTime, time.Until(t.until)))
			if e := y.fill(ctx); e != nil {
				continue // there are other ways
			}
			if err := t.try(ctx, func() error { return t.t.page.Keyboard().Press("Enter") }); err != nil {
				return nil, t.outcome(ctx, err, always)
			}
		default:
			continue
		}
		next, e := t.watch(ctx, turnTime, map[string]any{"was": c.Sig, "open": true})
		if e != nil {
			return nil, e
		}
		if next.Ready {
			return next, nil
		}
	}
	return nil, nil
}

// choice is the option of a list of years or months that leads to the wanted month: the year first.
func (b *control) choice(shown, want datetext.Month) string {
	for _, text := range b.Choices {
		n := (segment{Value: strings.TrimSpace(text)}).number()
		if want.Year != shown.Year {
			if n == want.Year {
				return text
			}
		} else if n == want.Month && (datetext.MonthName(text) != 0 || len(b.Choices) == 12) {
			return text
		}
	}
	return ""
}
