package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
)

// query is a target with its texts bound to values.
type query struct {
	t                              *compile.Target
	name, text, label, placeholder []compile.Matcher
	testID                         string
	within, near, has              *query
}

func bindTarget(t *compile.Target, env map[string]any) (*query, error) {
	if t == nil {
		return nil, nil
	}
	q := &query{t: t}
	var err error
	bind := func(ps []*compile.Pattern) []compile.Matcher {
		var out []compile.Matcher
		for _, p := range ps {
			m, e := p.Bind(env, t.Exact)
			if e != nil {
				err = cmp.Or(err, e)
				continue
			}
			out = append(out, m)
		}
		return out
	}
	q.name, q.text, q.label, q.placeholder = bind(t.Name), bind(t.Text), bind(t.Label), bind(t.Placeholder)
	if t.TestID != nil {
		var e error
		if q.testID, e = t.TestID.Text(env); e != nil {
			err = cmp.Or(err, e)
		}
	}
	for _, sub := range []struct {
		dst **query
		src *compile.Target
	}{{&q.within, t.Within}, {&q.near, t.Near}, {&q.has, t.Has}} {
		var e error
		if *sub.dst, e = bindTarget(sub.src, env); e != nil {
			err = cmp.Or(err, e)
		}
	}
	return q, err
}

// hit is an element that matches, how well, and by which alternative.
type hit struct {
	index   int
	quality int
	alt     int
}

// matchAll returns the elements that match, whether they can be acted on or not, in reading order.
// root ≥ 0 limits the search to the inside of that element.
func (v *view) matchAll(q *query, root int) []hit {
	var hits []hit
	try := func(i int) {
		if root >= 0 && (i == root || !v.inside(i, root)) {
			return
		}
		if h, ok := v.matches(q, i); ok {
			hits = append(hits, h)
		}
	}
	if len(q.t.Role) > 0 {
		for _, role := range q.t.Role {
			for _, i := range v.byRole[role] {
				try(i)
			}
		}
		if len(q.t.Role) > 1 {
			slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(a.index, b.index) })
			hits = slices.CompactFunc(hits, func(a, b hit) bool { return a.index == b.index })
		}
	} else {
		for i := range v.Elements {
			try(i)
		}
	}
	if len(hits) > 0 && q.within != nil {
		outer := v.matchAll(q.within, -1)
		hits = slices.DeleteFunc(hits, func(h hit) bool {
			return !slices.ContainsFunc(outer, func(o hit) bool { return o.index != h.index && v.inside(h.index, o.index) })
		})
	}
	if len(hits) > 0 && q.has != nil {
		inner := v.matchAll(q.has, -1)
		hits = slices.DeleteFunc(hits, func(h hit) bool {
			return !slices.ContainsFunc(inner, func(o hit) bool { return o.index != h.index && v.inside(o.index, h.index) })
		})
	}
	return hits
}

func (v *view) matches(q *query, i int) (hit, bool) {
	e := &v.Elements[i]
	h := hit{index: i, quality: compile.Whole}
	if q.t.Covering && !e.Covering {
		return h, false
	}
	if q.t.CSS != "" && !slices.Contains(e.CSS, v.css[q.t.CSS]) {
		return h, false
	}
	if q.testID != "" && e.TestID != q.testID {
		return h, false
	}
	if q.t.Frame != "" {
		f := v.Frames[e.Frame]
		if !strings.Contains(f.URL, q.t.Frame) && f.Name != q.t.Frame {
			return h, false
		}
	}
	low := v.lowerOf(i)
	part := func(ms []compile.Matcher, s, lower string) bool {
		if len(ms) == 0 {
			return true
		}
		best, alt := 0, 0
		for k := range ms {
			if got := ms[k].Match(s, lower); got > best {
				best, alt = got, k
			}
		}
		if best == 0 {
			return false
		}
		h.quality = min(h.quality, best)
		h.alt = h.alt*16 + alt
		return true
	}
	// A field that has no accessible name goes by the text that stands beside it.
	name, lowerName := e.Name, low[0]
	if name == "" && e.Label != "" {
		name, lowerName = e.Label, low[1]
	}
	if !part(q.name, name, lowerName) || len(q.text) > 0 && !part(q.text, e.Text, strings.ToLower(e.Text)) || !part(q.placeholder, e.Placeholder, low[2]) {
		return h, false
	}
	if len(q.label) > 0 {
		got, alt := e.matchLabel(q.label, low)
		if got == 0 {
			return h, false
		}
		h.quality, h.alt = min(h.quality, got), h.alt*16+alt
	}
	return h, true
}

// matchLabel tries everything that a person might call a field. Whole matches of any of them win over parts. The name of
// what does not say what it is, is only the text in it, such as the label of another field.
func (e *Element) matchLabel(ms []compile.Matcher, low *[3]string) (quality, alt int) {
	for k := range ms {
		m := &ms[k]
		got := max(m.Match(e.Label, low[1]), m.Match(e.Placeholder, low[2]))
		if e.roleKey() != "generic" {
			got = max(got, m.Match(e.Name, low[0]))
		}
		for _, s := range []string{e.TestID, e.Attrs["autocomplete"], e.Attrs["name"], e.Attrs["id"]} {
			if s != "" && m.Match(s, strings.ToLower(s)) == compile.Whole {
				got = compile.Whole
			}
		}
		if got > quality {
			quality, alt = got, k
		}
	}
	return quality, alt
}

// blocked says why an element cannot be acted on now; nil when it can.
func (e *Element) blocked() *StageError {
	switch {
	case !e.Visible:
		return failf(ErrNotFound, "%s is not visible", e.describe())
	case !e.Enabled:
		return failf(ErrDisabled, "%s is disabled", e.describe())
	case e.Cover != "":
		return failf(ErrCovered, "%s is covered by %s", e.describe(), e.Cover)
	}
	return nil
}

// resolve returns the elements that a target means and that can be acted on: the best matches, in the order to
// offer them. When there is none, why says what stands in the way: ErrNotFound, ErrDisabled or ErrCovered.
func (v *view) resolve(q *query, root int) (hits []hit, why *StageError) {
	all := v.matchAll(q, root)
	if len(all) == 0 {
		why = failf(ErrNotFound, "no element matches %s", q)
		if v.Truncated {
			why.Message += " (the page has more elements than a snapshot holds)"
		}
		return nil, why
	}
	for _, h := range all {
		if b := v.Elements[h.index].blocked(); b == nil {
			hits = append(hits, h)
		} else if why == nil || b.Name == ErrCovered {
			why = b
		}
	}
	if len(hits) == 0 {
		return nil, why
	}
	if q.near != nil {
		hits = v.nearest(hits, v.matchAll(q.near, -1))
		if len(hits) == 0 {
			return nil, failf(ErrNotFound, "nothing matches near %s", q.near)
		}
	}
	if !q.t.Each {
		best := slices.MaxFunc(hits, func(a, b hit) int { return cmp.Compare(a.quality, b.quality) }).quality
		hits = slices.DeleteFunc(hits, func(h hit) bool { return h.quality < best })
		if best < compile.Whole && v.Elements[hits[0].index].Editable && slices.ContainsFunc(v.Frames, func(f Frame) bool { return f.Loading }) {
			return nil, failf(ErrNotFound, "only a part of %s matches %s, and a frame is still loading", v.Elements[hits[0].index].describe(), q)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.alt, b.alt) })
	if n := q.t.Index; n > 0 {
		if n > len(hits) {
			return nil, failf(ErrNotFound, "only %d elements match %s, index %d is wanted", len(hits), q, n)
		}
		hits = hits[n-1 : n]
	}
	if q.t.Each && len(hits) > q.t.Limit {
		hits = hits[:q.t.Limit]
	}
	return hits, nil
}

// nearest keeps the hits that are closest to any of the anchors.
func (v *view) nearest(hits, anchors []hit) []hit {
	const none = 1 << 30
	best, out := none, []hit{}
	for _, h := range hits {
		d := none
		for _, a := range anchors {
			if a.index != h.index {
				d = min(d, distance(v.Elements[h.index].Box, v.Elements[a.index].Box))
			}
		}
		switch {
		case d == none || d > best:
		case d < best:
			best, out = d, []hit{h}
		default:
			out = append(out, h)
		}
	}
	return out
}

// distance is the gap between two boxes, in pixels (horizontal plus vertical).
func distance(a, b Box) int {
	dx := max(0, b.X-(a.X+a.W), a.X-(b.X+b.W))
	dy := max(0, b.Y-(a.Y+a.H), a.Y-(b.Y+b.H))
	return dx + dy
}

func (q *query) String() string {
	var parts []string
	if len(q.t.Role) > 0 {
		parts = append(parts, "role "+strings.Join(q.t.Role, "|"))
	}
	add := func(key string, ms []compile.Matcher) {
		if len(ms) == 0 {
			return
		}
		texts := make([]string, len(ms))
		for i := range ms {
			texts[i] = ms[i].String()
		}
		parts = append(parts, key+" "+strings.Join(texts, "|"))
	}
	add("name", q.name)
	add("text", q.text)
	add("label", q.label)
	add("placeholder", q.placeholder)
	if q.testID != "" {
		parts = append(parts, fmt.Sprintf("test_id %q", q.testID))
	}
	if q.t.CSS != "" {
		parts = append(parts, fmt.Sprintf("css %q", q.t.CSS))
	}
	if q.t.Covering {
		parts = append(parts, "what covers the page")
	}
	if q.within != nil {
		parts = append(parts, "within "+q.within.String())
	}
	return strings.Join(parts, ", ")
}
