package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// line is the text form of an element, without its number: <button expanded=false>Add passenger />. It holds what a
// person would see change, and nothing that moves by itself (no boxes, no refs), so that the diff of two pages is
// a diff of lines.
func (e *Element) line() string {
	var b strings.Builder
	b.WriteByte('<')
	if e.Role != "" {
		b.WriteString(e.Role)
	} else {
		b.WriteString(e.Tag)
	}
	attr := func(k, v string) {
		if v != "" {
			b.WriteByte(' ')
			b.WriteString(k)
			b.WriteByte('=')
			if strings.ContainsAny(v, " \t\"<>=/") {
				v = strconv.Quote(v)
			}
			b.WriteString(v)
		}
	}
	flag := func(k string, on bool) {
		if on {
			b.WriteByte(' ')
			b.WriteString(k)
		}
	}
	if e.Tag == "input" && e.Type != "text" {
		attr("type", e.Type)
	}
	attr("value", cut(oneLine(e.Value), 80))
	attr("checked", e.Checked)
	attr("selected", e.Selected)
	attr("expanded", e.Expanded)
	flag("disabled", !e.Enabled)
	flag("required", e.Required)
	flag("readonly", e.ReadOnly)
	flag("busy", e.Busy)
	flag("invalid", e.Invalid)
	attr("error", cut(oneLine(e.Error), 80))
	flag("focused", e.Focused)
	flag("hidden", !e.Visible)
	attr("label", cut(oneLine(e.Label), 60))
	if e.Name == "" || e.Name != e.Placeholder {
		attr("placeholder", cut(oneLine(e.Placeholder), 60))
	}
	attr("in", cut(oneLine(e.Context), 60))
	attr("covered-by", e.Cover)
	if e.Above+e.Below > 0 {
		attr("scroll", fmt.Sprintf("%d above, %d below", e.Above, e.Below))
	}
	if n := len(e.Options); n > 0 {
		count := strconv.Itoa(n)
		if e.MoreOptions {
			count += "+"
		}
		attr("options", count)
	}
	b.WriteByte('>')
	name := e.Name
	if name == "" && !e.Interactive && e.Above+e.Below == 0 {
		name = e.Text
	}
	b.WriteString(cut(oneLine(name), 120))
	b.WriteString(" />")
	return b.String()
}

// Lines are the page's elements as text, one line each, without numbers.
func (s *Snapshot) Lines() []string {
	out := make([]string, len(s.Elements))
	for i := range s.Elements {
		out[i] = s.Elements[i].line()
	}
	return out
}

// Changes is what a person reads who has read before: the lines that came, with their numbers and a star, and those that
// went. Of another document it is the whole page.
func (s *Snapshot) Changes(before *Snapshot) string {
	if before.Document != s.Document {
		return s.Format(nil)
	}
	var b strings.Builder
	if before.URL != s.URL {
		fmt.Fprintf(&b, "url: %s\n", s.URL)
	}
	if before.Modal != s.Modal {
		fmt.Fprintf(&b, "modal: %s\n", oneLine(s.Modal))
	}
	came, went := changes(before.Lines(), s.Lines())
	for _, i := range came {
		fmt.Fprintf(&b, "*[%d]%s\n", i+1, s.Elements[i].line())
	}
	for _, l := range went {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	return b.String()
}

// Format is the page as a person reads it: a header, then one numbered line per element. Elements that an earlier look
// at the same document, before, did not have are marked with a star; before may be nil.
func (s *Snapshot) Format(before *Snapshot) string {
	was := map[Ref]bool{}
	if before != nil && before.Document == s.Document {
		for i := range before.Elements {
			was[before.Elements[i].Ref] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\nurl: %s\n", oneLine(s.Title), s.URL)
	if s.Modal != "" {
		fmt.Fprintf(&b, "modal: %s\n", oneLine(s.Modal))
	}
	for _, d := range s.Dialogs {
		fmt.Fprintf(&b, "dialog: %s %q accepted=%t\n", d.Type, d.Message, d.Accepted)
	}
	for i, f := range s.Frames {
		if i > 0 || f.Error != "" {
			fmt.Fprintf(&b, "frame %d: %s", i, f.URL)
			if f.Error != "" {
				fmt.Fprintf(&b, " (not readable: %s)", f.Error)
			}
			b.WriteByte('\n')
		}
	}
	if s.Above > 0 {
		fmt.Fprintf(&b, "… %d px above\n", s.Above)
	}
	for i := range s.Elements {
		if len(was) > 0 && !was[s.Elements[i].Ref] {
			b.WriteByte('*')
		}
		fmt.Fprintf(&b, "[%d]%s\n", i+1, s.Elements[i].line())
	}
	if s.Truncated {
		b.WriteString("… and more elements than a snapshot holds\n")
	}
	if s.Below > 0 {
		fmt.Fprintf(&b, "… %d px below\n", s.Below)
	}
	return b.String()
}
