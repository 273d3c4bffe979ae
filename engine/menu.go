package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/nth-dev/nth/engine/compile"
)

const (
	maxMenu  = 15  // candidates on one page of the menu
	maxLabel = 140 // runes of one menu line
)

// Menu is a numbered list of candidates. The same snapshot and state give the same menu, to the byte.
type Menu struct {
	Candidates []*Candidate
	Page       int // 0-based page, when there are more than fit
	all        []*Candidate
}

// buildMenu orders the candidates: by the stage's order expression, then relevance position, then the alternative
// of the target's text that matched, then reading order.
func (r *run) buildMenu(v *view, st *compile.Stage, cands []*Candidate, page int) (*Menu, error) {
	if st.Order != nil {
		env := r.env(v)
		for _, c := range cands {
			// The order speaks of what matched; what has no such field comes last.
			if len(c.Match) == 0 && st.Order.Uses("match") {
				continue
			}
			env["match"], env["target"] = c.Match, v.element(c.element)
			x, err := st.Order.Eval(env)
			if err != nil {
				return nil, &StageError{Name: ErrInput, Message: fmt.Sprintf("order: %v", err)}
			}
			c.order = x
		}
	}
	slices.SortStableFunc(cands, func(a, b *Candidate) int {
		return cmp.Or(compareOrder(a.order, b.order), cmp.Compare(a.group, b.group), cmp.Compare(a.alt, b.alt), cmp.Compare(a.element, b.element))
	})
	distinctLabels(v, cands)
	m := &Menu{all: cands, Page: page}
	from := min(page*maxMenu, len(cands))
	m.Candidates = cands[from:min(from+maxMenu, len(cands))]
	return m, nil
}

// compareOrder orders numbers before texts before everything else; nil is last.
func compareOrder(a, b any) int {
	rank := func(x any) int {
		switch x.(type) {
		case int, float64:
			return 0
		case string:
			return 1
		case bool:
			return 2
		}
		return 3
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case int, float64:
		return cmp.Compare(toFloat(x), toFloat(b))
	case string:
		return cmp.Compare(x, b.(string))
	case bool:
		return cmp.Compare(strconv.FormatBool(x), strconv.FormatBool(b.(bool)))
	}
	return 0
}

func toFloat(x any) float64 {
	if n, ok := x.(int); ok {
		return float64(n)
	}
	f, _ := x.(float64)
	return f
}

// distinctLabels tells equal lines apart: by their element's context, then name, then by counting.
func distinctLabels(v *view, cands []*Candidate) {
	groups := map[string][]*Candidate{}
	for _, c := range cands {
		groups[c.Label] = append(groups[c.Label], c)
	}
	for _, c := range cands {
		same := groups[c.Label]
		if len(same) < 2 {
			continue
		}
		delete(groups, c.Label)
		label := c.Label
		for i, d := range same {
			detail := ""
			if d.element >= 0 {
				e := &v.Elements[d.element]
				detail = e.Context
				if detail == "" || sameContext(v, same) {
					detail = e.describe()
				}
			}
			d.Label = cut(fmt.Sprintf("%s (%d: %s)", label, i+1, oneLine(detail)), maxLabel)
		}
	}
}

func sameContext(v *view, cands []*Candidate) bool {
	for _, c := range cands {
		if c.element < 0 || v.Elements[c.element].Context != v.Elements[cands[0].element].Context {
			return false
		}
	}
	return true
}

// More is how many candidates stand on later pages.
func (m *Menu) More() int { return max(0, len(m.all)-m.Page*maxMenu-len(m.Candidates)) }

// Options are the menu's numbered lines, with the entry for more, if any, last.
func (m *Menu) Options() []Option {
	var out []Option
	for i, c := range m.Candidates {
		out = append(out, Option{Key: strconv.Itoa(i + 1), Label: c.Label})
	}
	if n := m.More(); n > 0 {
		out = append(out, Option{Key: strconv.Itoa(len(out) + 1), Label: fmt.Sprintf("Show %d more", n)})
	}
	return out
}

// Lines are the menu as text, "1 Enter Prague as departure city".
func (m *Menu) Lines() []string {
	var out []string
	for _, o := range m.Options() {
		out = append(out, o.Key+" "+o.Label)
	}
	return out
}

// digest identifies the menu of a stage for replay and caches.
func (m *Menu) digest(stage string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", stage)
	for _, l := range m.Lines() {
		fmt.Fprintf(h, "%s\n", l)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// byKey finds a candidate again on another look.
func byKey(cands []*Candidate, key string) *Candidate {
	i := slices.IndexFunc(cands, func(c *Candidate) bool { return c.Key == key })
	if i < 0 {
		return nil
	}
	return cands[i]
}
