package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
)

// view is a snapshot prepared for matching. It is used by one goroutine.
type view struct {
	*Snapshot
	byRole map[string][]int // indices by role, reading order
	lower  [][3]string      // per element: lower-case name, label, placeholder; filled on first use
	folded []bool
	css    map[string]int // selector → index in Probes.CSS
}

func newView(s *Snapshot, p *compile.Probes) *view {
	v := &view{
		Snapshot: s,
		byRole:   make(map[string][]int, 16),
		lower:    make([][3]string, len(s.Elements)),
		folded:   make([]bool, len(s.Elements)),
		css:      make(map[string]int, len(p.CSS)),
	}
	for i := range s.Elements {
		role := s.Elements[i].roleKey()
		v.byRole[role] = append(v.byRole[role], i)
		if role == "button" && s.Elements[i].Attrs["aria-haspopup"] == "listbox" { // as a list was written before comboboxes could be buttons
			v.byRole["combobox"] = append(v.byRole["combobox"], i)
		}
	}
	for i, sel := range p.CSS {
		v.css[sel] = i
	}
	return v
}

// roleKey is the role as targets name it: generic stands for what can be clicked and does not say what it is.
func (e *Element) roleKey() string {
	if e.Role == "" && e.Interactive {
		return "generic"
	}
	return e.Role
}

func (v *view) lowerOf(i int) *[3]string {
	if !v.folded[i] {
		e := &v.Elements[i]
		v.lower[i] = [3]string{strings.ToLower(e.Name), strings.ToLower(e.Label), strings.ToLower(e.Placeholder)}
		v.folded[i] = true
	}
	return &v.lower[i]
}

// find returns the element with that ref, or -1.
func (v *view) find(ref Ref) int {
	return slices.IndexFunc(v.Elements, func(e Element) bool { return e.Ref == ref })
}

// inside reports whether element i lies inside element anc (or is it).
func (v *view) inside(i, anc int) bool {
	for ; i >= 0; i = v.Elements[i].Parent {
		if i == anc {
			return true
		}
	}
	return false
}

// page is what expressions see as "page".
func (v *view) page() compile.Page {
	count := func(sel string) (int, error) {
		n, ok := v.Count[sel]
		if !ok || n < 0 {
			return 0, fmt.Errorf("the browser does not accept the selector %q", sel)
		}
		return n, nil
	}
	p := compile.Page{
		URL: v.URL, Title: v.Title, Text: v.Text, Headings: v.Headings, Modal: v.Modal, Busy: v.Busy, Below: v.Below,
		Count: count,
		Has: func(sel string) (bool, error) {
			n, err := count(sel)
			return n > 0, err
		},
	}
	for _, d := range v.Dialogs {
		p.Dialogs = append(p.Dialogs, compile.PageDialog(d))
	}
	for _, d := range v.Downloads {
		p.Downloads = append(p.Downloads, compile.PageDownload{Name: d.Name, Path: d.Path, Size: int(d.Size), SHA256: d.SHA256, Error: d.Error})
	}
	return p
}

// shown is what a person sees of the page, without focus and boxes. How far it is scrolled counts where that is what was
// done, and not where it may only have brought an element into view.
func shown(v *view, scrolled bool) string {
	var b strings.Builder
	fmt.Fprintln(&b, v.URL, v.Document, v.Title, v.Modal, v.Tabs, len(v.Dialogs), len(v.Downloads), v.Text)
	if scrolled {
		fmt.Fprintln(&b, v.Above, v.Below)
	}
	for i := range v.Elements {
		e := &v.Elements[i]
		fmt.Fprintln(&b, e.Role, e.Name, e.Value, e.Checked, e.Selected, e.Expanded, e.Enabled, e.Invalid, e.Sort, e.Text)
		if scrolled {
			fmt.Fprintln(&b, e.Above, e.Below)
		}
	}
	return b.String()
}

// element is what expressions see as "target".
func (v *view) element(i int) compile.Element {
	if i < 0 {
		return compile.Element{}
	}
	e := &v.Elements[i]
	return compile.Element{
		Exists: true, Role: e.Role, Name: e.Name, Label: e.Label, Text: e.Text, Value: e.Value, Type: e.Type, Options: e.Options,
		Checked: e.Checked == "true", Selected: e.Selected == "true", Expanded: e.Expanded == "true", Popup: popupOf(e), Sort: e.Sort, Context: e.Context,
		Enabled: e.Enabled, Focused: e.Focused, Invalid: e.Invalid, Error: e.Error, ReadOnly: e.ReadOnly,
	}
}

// identity describes an element by what a person sees of it, so that it survives a re-render.
func (e *Element) identity() string {
	return strings.Join([]string{e.Role, e.Name, e.Label, e.Context}, "\x1f")
}

// describe names an element in messages: button "Search".
func (e *Element) describe() string {
	name := e.Name
	if name == "" {
		name = e.Label
	}
	if name == "" {
		name = e.Placeholder
	}
	role := e.Role
	if role == "" {
		role = e.Tag
	}
	return fmt.Sprintf("%s %q", role, cut(name, 60))
}

// cut shortens a text to n runes, with an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

func quoteShort(s string) string { return fmt.Sprintf("%q", cut(s, 120)) }

// popupOf is the kind of what an element says that it opens.
func popupOf(e *Element) string {
	switch p := e.Attrs["aria-haspopup"]; p {
	case "true":
		return "menu"
	case "false":
		return ""
	default:
		return p
	}
}
