package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// Driver is a fake engine.Driver: its pages are text, and rules say what an action leads to. What an action does by
// nature (fill sets the value, check ticks the box) it does by itself.
type Driver struct {
	Pages map[string]*Page // by name; goto opens the page whose URL it is
	Rules []Rule
	Done  []string // the actions that were carried out, `click button "Search"`

	current  string
	document int
	version  int64
	used     map[int]bool
}

// Rule says what comes of an action. Each rule is used once, in order, but for the last of an action, which stays.
type Rule struct {
	Action  string // `click button "Search"`, `fill textbox "Name"`, `goto https://…`, or `changed` (the page changes by itself)
	Page    string // the page that is shown then; "" stays
	Error   string // error name: the action fails
	Touched bool   // … after it touched the page
}

// ParseRules reads rules, one per line: `click button "Search" -> results`, `click button "Pay" -> error timeout touched`.
func ParseRules(text string) ([]Rule, error) {
	var out []Rule
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		action, to, ok := strings.Cut(line, " -> ")
		if !ok {
			return nil, fmt.Errorf("rule %d: write ACTION -> PAGE", n+1)
		}
		r := Rule{Action: strings.TrimSpace(action)}
		words := strings.Fields(to)
		if words[0] == "error" && len(words) > 1 {
			r.Error, r.Touched = words[1], slices.Contains(words, "touched")
			if i := slices.Index(words, "then"); i > 0 && i+1 < len(words) {
				r.Page = words[i+1]
			}
		} else {
			r.Page = words[0]
		}
		out = append(out, r)
	}
	return out, nil
}

// Show shows a page, as a navigation does.
func (d *Driver) Show(name string) error {
	if d.Pages[name] == nil {
		return fmt.Errorf("there is no page %q", name)
	}
	if d.current == "" || d.Pages[name].Snapshot.URL != d.Pages[d.current].Snapshot.URL {
		d.document++
	}
	d.current = name
	d.version++
	return nil
}

// Snapshot implements engine.Driver.
func (d *Driver) Snapshot(ctx context.Context, p *compile.Probes) (*engine.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.current == "" {
		return &engine.Snapshot{URL: "about:blank", Document: "0", Frames: []engine.Frame{{}}, Count: map[string]int{}, Reads: map[string]string{}}, nil
	}
	pg := d.Pages[d.current]
	data, err := json.Marshal(pg.Snapshot)
	if err != nil {
		return nil, err
	}
	s := &engine.Snapshot{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	s.Document, s.Version = fmt.Sprint(d.document), d.version
	s.Reads = map[string]string{}
	if !p.Blocks {
		s.Blocks = nil
	}
	for i := range s.Elements {
		e := &s.Elements[i]
		for k, sel := range p.CSS {
			if slices.Contains(pg.selector[e.Ref], sel) {
				e.CSS = append(e.CSS, k)
			}
		}
		for _, r := range p.Reads {
			if text, ok := pg.reads[e.Ref][r.CSS]; ok && !r.Page && (r.Role == "" || r.Role == e.Role) {
				if e.Reads == nil {
					e.Reads = map[string]string{}
				}
				e.Reads[r.Key] = text
			}
		}
	}
	for _, r := range p.Reads {
		if text, ok := pg.page[r.CSS]; ok && r.Page {
			s.Reads[r.Key] = text
		}
	}
	for _, sel := range p.Count {
		if _, ok := s.Count[sel]; !ok {
			s.Count[sel] = 0
		}
	}
	return s, nil
}

// Do implements engine.Driver.
func (d *Driver) Do(ctx context.Context, a engine.Action) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := a.Verb
	var e *engine.Element
	if a.Ref != "" {
		els := d.Pages[d.current].Snapshot.Elements
		i := slices.IndexFunc(els, func(e engine.Element) bool { return e.Ref == a.Ref })
		if i < 0 {
			return &engine.ActionError{Kind: engine.ErrTargetGone, Message: "the element is gone"}
		}
		e = &els[i]
		name = fmt.Sprintf("%s %s %q", a.Verb, e.Role, e.Name)
	} else if a.Value != "" {
		name += " " + a.Value
	}
	r := d.rule(name)
	if r != nil && r.Error != "" {
		if r.Page != "" {
			if err := d.Show(r.Page); err != nil {
				return err
			}
		}
		return &engine.ActionError{Kind: r.Error, Touched: r.Touched, Message: "by the rules"}
	}
	d.Done = append(d.Done, name)
	if e != nil {
		d.nature(e, a)
	}
	d.version++
	switch {
	case r != nil:
		return d.Show(r.Page)
	case a.Verb == "goto":
		for page, p := range d.Pages {
			if p.Snapshot.URL == a.Value {
				return d.Show(page)
			}
		}
		return &engine.ActionError{Kind: engine.ErrNavigation, Touched: true, Message: "no page has the URL " + a.Value}
	}
	return nil
}

// nature is what an action does whatever the rules say.
func (d *Driver) nature(e *engine.Element, a engine.Action) {
	switch a.Verb {
	case "fill", "select", "set_date":
		e.Value = a.Value
	case "type":
		e.Value += a.Value
	case "clear":
		e.Value = ""
	case "check":
		e.Checked = "true"
	case "uncheck":
		e.Checked = "false"
	}
}

func (d *Driver) rule(action string) *Rule {
	if d.used == nil {
		d.used = map[int]bool{}
	}
	var found *Rule
	for i := range d.Rules {
		if d.Rules[i].Action != action {
			continue
		}
		found = &d.Rules[i]
		if !d.used[i] {
			d.used[i] = true
			break
		}
	}
	return found
}

// Changed implements engine.Driver: a rule `changed` is what happens by itself; without one the page stays as it is
// until ctx ends.
func (d *Driver) Changed(ctx context.Context, s *engine.Snapshot) error {
	if s.Version != d.version || s.Document != fmt.Sprint(d.document) {
		return nil
	}
	for i := range d.Rules {
		if d.Rules[i].Action == "changed" && !d.used[i] {
			d.rule("changed")
			return d.Show(d.Rules[i].Page)
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// Screenshot implements engine.Driver.
func (*Driver) Screenshot(context.Context) ([]byte, error) { return nil, nil }

// Close implements engine.Driver.
func (*Driver) Close() error { return nil }

var _ engine.Driver = (*Driver)(nil)
