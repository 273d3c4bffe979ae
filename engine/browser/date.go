package browser

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/datetext"
)

// setDate sets a field of any kind to a date, YYYY-MM-DD, or to a range of two, FROM/TO. A native field is filled; one
// that is made of parts gets them one by one; where a calendar opens the days are clicked in it; and else the date is
// typed in the field's own format. What the field then holds must be read as that date, or it is an error.

// dateField is what the page's script says of a field.
type dateField struct {
	Type, Value, Lang, Pattern, Min, Max, Error string
	Readonly, Editable, Popup, Invalid          bool
	Samples                                     []string
	Openers                                     []int
	Segments                                    []segment
	Mate                                        int // the second field of a range that has two
}

// dating is one set_date: the dates that are wanted, and the field.
type dating struct {
	*action
	p     place
	want  []datetext.Date
	field dateField
}

func (x *action) setDate(ctx context.Context) *engine.ActionError {
	p, ok := x.s.locate(x.a.Ref, x.t)
	if !ok {
		_, e := x.element(ctx) // says why
		return e
	}
	d := &dating{action: x, p: p}
	if e := d.describe(ctx); e != nil {
		return e
	}
	if nativeDates[d.field.Type] != "" {
		return d.setNative(ctx)
	}
	for text := range strings.SplitSeq(x.a.Value, "/") {
		day, ok := datetext.ISO(text)
		if !ok || len(d.want) == 2 {
			return fail(engine.ErrBadValue, false, "%q is not a date: want YYYY-MM-DD, or two of them with a slash between", x.a.Value)
		}
		d.want = append(d.want, day)
	}
	if len(d.want) == 2 && d.want[1].String() < d.want[0].String() {
		return fail(engine.ErrBadValue, false, "the range ends (%s) before it begins (%s)", d.want[1], d.want[0])
	}
	// Parts take days that the calendar beside them would not offer, so that the calendar is asked first.
	if len(d.field.Segments) > 0 && len(d.field.Openers) == 0 && len(d.want) == 1 {
		return d.setSegments(ctx)
	}
	cal, opened, e := d.openCalendar(ctx)
	switch {
	case e != nil:
		return e
	case cal != nil:
		e := d.pickDays(ctx, cal, opened)
		if e != nil && e.Kind == engine.ErrUnsupported && len(d.field.Segments) > 0 && len(d.want) == 1 {
			return d.setSegments(ctx) // the calendar could not be read to the end
		}
		return e
	case len(d.field.Segments) > 0 && len(d.want) == 1:
		return d.setSegments(ctx)
	case d.field.Editable && d.field.Mate > 0 && len(d.want) == 2:
		return d.typePair(ctx)
	case d.field.Editable:
		return d.typeDate(ctx)
	}
	return fail(engine.ErrUnsupported, true, "%s takes no text, and opened no calendar that can be read", x.what())
}

// describe asks what the field is, and holds, now.
func (d *dating) describe(ctx context.Context) *engine.ActionError {
	kind, message, err := d.query(ctx, d.p.frame, "dateField", d.question(d.p, "", "", nil))
	switch {
	case err != nil:
		return d.outcome(ctx, err, never)
	case kind != "field":
		return d.refuse("gone", message)
	}
	d.field = dateField{}
	if err := json.Unmarshal([]byte(message), &d.field); err != nil {
		return fail(engine.ErrUnsupported, false, "%s cannot be read: %v", d.what(), err)
	}
	return nil
}

// on is the same action with another verb, on another element of the same document.
func (d *dating) on(verb, value string, n int) *action {
	return d.part(d.p, verb, value, n)
}

// nativeDates are the input types of the browser's own, and how much of YYYY-MM-DDTHH:MM each takes.
var nativeDates = map[string]string{"date": "2006-01-02", "datetime-local": "2006-01-02T15:04", "month": "2006-01", "week": "2006-W01", "time": "15:04"}

func (d *dating) setNative(ctx context.Context) *engine.ActionError {
	want := d.a.Value
	if _, ok := datetext.ISO(want); ok && d.field.Type == "month" {
		want = want[:len("2006-01")]
	}
	if len(want) == len(nativeDates[d.field.Type]) && (d.field.Min != "" && want < d.field.Min || d.field.Max != "" && want > d.field.Max) {
		return fail(engine.ErrBadValue, false, "%s takes no %s: it must be %s", d.what(), want, bounds(d.field.Min, d.field.Max))
	}
	if e := d.setText(ctx, want); e != nil {
		return e
	}
	got, ok, e := d.readBack(ctx)
	if e != nil || !ok {
		return e
	}
	if got != want && !(strings.HasPrefix(got, want) && strings.Trim(got[len(want):], ":0.") == "") {
		return fail(engine.ErrBadValue, true, "%s holds %q after %q was entered", d.what(), got, want)
	}
	return nil
}

func bounds(low, high string) string {
	switch {
	case low == "":
		return "at most " + high
	case high == "":
		return "at least " + low
	}
	return "from " + low + " to " + high
}

// typePair types a range that has a field for each of its days.
func (d *dating) typePair(ctx context.Context) *engine.ActionError {
	first, second := *d, *d
	first.want, second.want = d.want[:1], d.want[1:]
	if e := first.typeDate(ctx); e != nil {
		return e
	}
	second.action, second.p.n = d.on("set_date", d.want[1].String(), d.field.Mate), d.field.Mate
	if e := second.describe(ctx); e != nil {
		e.Touched = true
		return e
	}
	e := second.typeDate(ctx)
	if e != nil {
		e.Touched = true
	}
	return e
}

// typeDate types the date in the format that the field wants. Where that is a guess, as on a page in English that does not
// say of which country, and the field marks it as wrong, it is typed in the other orders, of which each can be read in one
// way only.
func (d *dating) typeDate(ctx context.Context) *engine.ActionError {
	f := d.field
	hints := datetext.Hints{Samples: f.Samples, Pattern: f.Pattern, Value: f.Value, Lang: f.Lang}
	format, ok := datetext.Detect(hints, d.want[0])
	if !ok {
		return fail(engine.ErrBadValue, false, "%s does not say whether the day or the month comes first, and %s can be read both ways", d.what(), d.want[0])
	}
	e := d.typeAs(ctx, format)
	if _, sure := datetext.Detect(hints, datetext.Date{Year: 2027, Month: 3, Day: 4}); sure || e == nil || e.Kind != engine.ErrBadValue {
		return e
	}
	for _, mask := range []string{"dd/mm/yyyy", "yyyy-mm-dd"} {
		if other, ok := datetext.Detect(datetext.Hints{Samples: []string{mask}}, d.want[0]); ok && d.typeAs(ctx, other) == nil {
			return nil
		}
	}
	_ = d.setText(ctx, f.Value)
	return e
}

// typeAs types the date in a format, and sees that the field takes it.
func (d *dating) typeAs(ctx context.Context, format datetext.Format) *engine.ActionError {
	text := format.Write(d.want[0])
	if len(d.want) == 2 {
		text += " - " + format.Write(d.want[1])
	}
	holds := func(got string) bool {
		if len(d.want) == 2 {
			return datetext.SameRange(got, d.want[0].String(), d.want[1].String())
		}
		return format.Holds(got, d.want[0])
	}
	enter := d.setText
	for try := 0; ; try++ {
		if e := enter(ctx, text); e != nil {
			return e
		}
		// A field takes what was typed when it is left.
		if e := d.outcome(ctx, d.try(ctx, func() error { return d.t.page.Keyboard().Press("Tab") }), always); e != nil {
			return e
		}
		if e := d.describe(ctx); e != nil {
			if e.Kind == engine.ErrTargetGone {
				return nil // replaced by what it is now, which is for the skill to judge
			}
			return e
		}
		ok := holds(d.field.Value)
		if ok && !d.field.Invalid {
			return nil
		}
		if ok || try > 0 {
			why := "it is marked as wrong"
			if d.field.Error != "" {
				why = d.field.Error
			}
			if !ok {
				why = "it then holds " + strconv.Quote(clip(d.field.Value))
			}
			return fail(engine.ErrBadValue, true, "%s did not take %q (the format is that of %s): %s", d.what(), text, format.From(), why)
		}
		enter = d.retype
	}
}
