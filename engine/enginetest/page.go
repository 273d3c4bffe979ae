package enginetest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// Page is a page of the fake driver.
type Page struct {
	Snapshot engine.Snapshot
	selector map[engine.Ref][]string          // which CSS selectors an element matches
	reads    map[engine.Ref]map[string]string // by selector: text inside the element
	page     map[string]string                // by selector: text of the page

	levels    []int    // of the headings that the next block stands under
	path      []string // and their texts
	group     int
	groupName string
}

// ParsePage reads a page. Header lines come first:
//
//	url: https://air.example.test/results
//	title: Results
//	text: Visible text of the page
//	modal: Cookies
//	count: [data-results] = 3
//	read: [data-reference] = FB1001
//
// Text for what reads it block by block: h1: to h6: headings, p: a paragraph, list: and table: begin one of that name
// (or of none, "-"), li: an item, th: and tr: rows with cells between |, dt: a name = a value.
//
// then one element per line: its role, its quoted name, and attributes. Indentation makes an element the child of
// the one above it:
//
//	listitem "Norvik NV1" css=".flight" read:.price="€145"
//	  button "Select" disabled
//
// Attributes: value, label, text, placeholder, context, cover, test_id, tag, type, options (separated by |), css
// (repeatable), read:SELECTOR, checked, selected, expanded, and the words disabled, hidden and covering.
func ParsePage(text string) (*Page, error) {
	p := &Page{selector: map[engine.Ref][]string{}, reads: map[engine.Ref]map[string]string{}, page: map[string]string{}}
	s := &p.Snapshot
	s.Count = map[string]int{}
	s.Frames = []engine.Frame{{}}
	s.Tabs = 1
	type open struct{ indent, index int }
	var stack []open
	for n, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "//") {
			continue
		}
		if key, val, ok := strings.Cut(trimmed, ": "); ok && len(s.Elements) == 0 && !strings.Contains(key, " ") {
			if err := p.header(key, strings.TrimSpace(val)); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		e, err := p.element(trimmed, len(s.Elements))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if len(stack) > 0 {
			e.Parent = stack[len(stack)-1].index
		}
		stack = append(stack, open{indent, len(s.Elements)})
		s.Elements = append(s.Elements, e)
	}
	s.Frames[0].URL = s.URL
	return p, nil
}

func (p *Page) header(key, val string) error {
	s := &p.Snapshot
	switch key {
	case "url":
		s.URL = val
	case "title":
		s.Title = val
	case "text":
		s.Text = val
	case "modal":
		s.Modal = val
	case "heading":
		s.Headings = append(s.Headings, val)
	case "below":
		s.Below, _ = strconv.Atoi(val)
	case "count", "read":
		i := strings.LastIndex(val, " = ")
		if i < 0 {
			return fmt.Errorf("%s: write SELECTOR = VALUE", key)
		}
		if key == "read" {
			p.page[val[:i]] = val[i+3:]
			return nil
		}
		n, err := strconv.Atoi(val[i+3:])
		if err != nil {
			return err
		}
		s.Count[val[:i]] = n
	default:
		if !p.block(key, val) {
			return fmt.Errorf("unknown header %q", key)
		}
	}
	return nil
}

func (p *Page) element(line string, index int) (engine.Element, error) {
	words, err := split(line)
	if err != nil {
		return engine.Element{}, err
	}
	e := engine.Element{
		Ref: engine.Ref(fmt.Sprintf("e%d", index)), Parent: -1, Role: words[0], Tag: "div", Visible: true, Enabled: true,
		InViewport: true, Interactive: true, Box: engine.Box{X: 10, Y: 20 * index, W: 100, H: 18},
	}
	for _, w := range words[1:] {
		key, val, hasVal := strings.Cut(w, "=")
		if strings.HasPrefix(w, `"`) {
			key, val, hasVal = "name", w, true
		}
		if hasVal && strings.HasPrefix(val, `"`) {
			if val, err = strconv.Unquote(val); err != nil {
				return e, fmt.Errorf("%s: %w", w, err)
			}
		}
		if sel, ok := strings.CutPrefix(key, "read:"); ok {
			if p.reads[e.Ref] == nil {
				p.reads[e.Ref] = map[string]string{}
			}
			p.reads[e.Ref][sel] = val
			continue
		}
		switch key {
		case "name":
			e.Name = val
		case "ref":
			e.Ref = engine.Ref(val)
		case "value":
			e.Value = val
		case "label":
			e.Label = val
		case "text":
			e.Text = val
		case "placeholder":
			e.Placeholder = val
		case "context":
			e.Context = val
		case "cover":
			e.Cover = val
		case "test_id":
			e.TestID = val
		case "tag":
			e.Tag = val
		case "type":
			e.Type = val
		case "options":
			e.Options = strings.Split(val, "|")
		case "css":
			p.selector[e.Ref] = append(p.selector[e.Ref], val)
		case "checked":
			e.Checked = val
		case "selected":
			e.Selected = val
		case "sort":
			e.Sort = val
		case "expanded":
			e.Expanded = val
		case "disabled":
			e.Enabled = false
		case "covering":
			e.Covering = true
		case "hidden":
			e.Visible = false
		default:
			return e, fmt.Errorf("unknown attribute %q", key)
		}
	}
	return e, nil
}

// split cuts a line at spaces outside quotes.
func split(line string) ([]string, error) {
	var out []string
	var b strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quoted && i+1 < len(line):
			b.WriteByte(c)
			i++
			c = line[i]
		case c == '"':
			quoted = !quoted
		case c == ' ' && !quoted:
			if b.Len() > 0 {
				out = append(out, b.String())
				b.Reset()
			}
			continue
		}
		b.WriteByte(c)
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed: %s", line)
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out, nil
}
