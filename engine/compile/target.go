package compile

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/expr-lang/expr/types"

	"github.com/nth-dev/nth/schema"
)

// Target is a compiled element query. Every part that is given must hold; within one part the alternatives
// are "any of".
type Target struct {
	Role        []string
	Name        []*Pattern
	Text        []*Pattern
	Label       []*Pattern // what a person calls the field: name, label, placeholder, or (whole) test id, autocomplete, name, id
	Placeholder []*Pattern
	TestID      *Value
	CSS         string
	Frame       string
	Within      *Target
	WithinSkill bool // within the skill's own target ("within: target", and the default for each)
	Near        *Target
	Has         *Target
	Index       int // 1-based; 0: not given
	Exact       bool
	Covering    bool
	Each        bool
	Limit       int
	Read        []*ReadField
	Range       schema.Range
}

// ReadField reads one value out of a target's subtree, or out of the page.
type ReadField struct {
	Name string
	CSS  string
	Attr string
	As   string   // "text", "number", "integer", "boolean", "date"
	Keys []string // of the Reads that may answer it
}

const defaultEachLimit = 40

// roles that a target may name: the list of WAI-ARIA 1.2, without abstract roles and those that say nothing. generic
// stands for what can be clicked and has no role.
var roles = []string{
	"alert", "alertdialog", "application", "article", "banner", "blockquote", "button", "caption", "cell", "checkbox", "code",
	"columnheader", "combobox", "complementary", "contentinfo", "definition", "deletion", "dialog", "document",
	"emphasis", "feed", "figure", "form", "generic", "grid", "gridcell", "group", "heading", "img", "insertion", "link", "list",
	"listbox", "listitem", "log", "main", "mark", "marquee", "math", "menu", "menubar", "menuitem", "menuitemcheckbox",
	"menuitemradio", "meter", "navigation", "note", "option", "paragraph", "progressbar", "radio",
	"radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar", "search", "searchbox", "separator", "slider",
	"spinbutton", "status", "strong", "subscript", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term",
	"textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem",
}

// target compiles an element query. nil for nil.
func (x *exprEnv) target(src *schema.Target) *Target {
	if src == nil {
		return nil
	}
	t := &Target{
		CSS: src.CSS.Value, Frame: src.Frame.Value, Index: src.Index.Value,
		Exact: src.Exact, Covering: src.Covering, Each: src.Each, Limit: src.Limit.Value, Range: src.Node.Range,
	}
	if t.Limit == 0 {
		t.Limit = defaultEachLimit
	}
	for _, r := range src.Role {
		v := x.value(r, &Schema{Kind: "string"})
		c, ok := v.constText()
		if !ok {
			x.diags.Errorf(r.Node.Range, "target-role", "write the role itself: what a skill acts on must be known before it runs", "role must be a literal")
			continue
		}
		if !slices.Contains(roles, c) {
			x.diags.Errorf(r.Node.Range, "target-role", suggestFix(c, slices.Clone(roles), ""), "%q is not an ARIA role", c).Edits = schema.Respell(r.Node.Range, c, roles, nil)
			continue
		}
		t.Role = append(t.Role, c)
	}
	t.Name = x.patterns(src.Name, src.Exact)
	t.Text = x.patterns(src.Text, src.Exact)
	t.Label = x.patterns(src.Label, src.Exact)
	t.Placeholder = x.patterns(src.Placeholder, src.Exact)
	if src.TestID != nil {
		t.TestID = x.value(*src.TestID, &Schema{Kind: "string"})
	}
	if t.CSS != "" {
		x.checkCSS(src.CSS)
	}
	t.Within, t.Near, t.Has = x.target(src.Within), x.target(src.Near), x.target(src.Has)
	t.WithinSkill = src.WithinSkill
	for _, f := range src.Read {
		x.checkCSS(f.CSS)
		t.Read = append(t.Read, t.readField(f))
	}
	if len(t.Role)+len(t.Name)+len(t.Text)+len(t.Label)+len(t.Placeholder) == 0 && t.TestID == nil && t.CSS == "" && t.Has == nil &&
		len(src.Role)+len(src.Name)+len(src.Text)+len(src.Label)+len(src.Placeholder) == 0 {
		x.diags.Errorf(src.Node.Range, "target-empty", "add a role, name, text, label, placeholder, test_id or css", "this target describes no element")
	}
	return t
}

func (v *Value) constText() (string, bool) {
	if v == nil {
		return "", false
	}
	c, ok := v.Const()
	s, isText := c.(string)
	return s, ok && isText
}

// checkCSS catches what no browser would accept; the browser reports the rest.
func (x *exprEnv) checkCSS(s schema.String) {
	var stack []rune
	closing := map[rune]rune{')': '(', ']': '['}
	quote := rune(0)
	for _, r := range s.Value {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '(' || r == '[':
			stack = append(stack, r)
		case closing[r] != 0:
			if len(stack) == 0 || stack[len(stack)-1] != closing[r] {
				x.diags.Errorf(s.Range, "css", "", "CSS selector %q: unexpected %q", s.Value, string(r))
				return
			}
			stack = stack[:len(stack)-1]
		}
	}
	if quote != 0 || len(stack) > 0 {
		x.diags.Errorf(s.Range, "css", "", "CSS selector %q is not closed", s.Value)
	}
}

func (t *Target) readField(f schema.ReadField) *ReadField {
	r := &ReadField{Name: f.Name.Value, CSS: f.CSS.Value, Attr: f.Attr.Value, As: f.As.Value}
	for _, p := range t.reads(r) {
		r.Keys = append(r.Keys, p.Key)
	}
	return r
}

// reads are the Reads that answer a field: one per role of the target.
func (t *Target) reads(f *ReadField) []Read {
	roles := t.Role
	if len(roles) == 0 {
		roles = []string{""}
	}
	var out []Read
	for _, role := range roles {
		r := Read{Role: role, Of: t.CSS, CSS: f.CSS, Attr: f.Attr}
		r.Key = readKey(r)
		out = append(out, r)
	}
	return out
}

func pageRead(f *ReadField) Read {
	r := Read{Page: true, CSS: f.CSS, Attr: f.Attr}
	r.Key = readKey(r)
	return r
}

func readKey(r Read) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%t\x00%s\x00%s\x00%s\x00%s", r.Page, r.Role, r.Of, r.CSS, r.Attr)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// matchType is the type of "match" for a target's fields.
func matchType(fields []*ReadField) types.Map {
	m := types.Map{}
	for _, f := range fields {
		m[f.Name] = asType(f.As)
	}
	return m
}

func asType(as string) types.Type {
	switch as {
	case "number":
		return types.Float64
	case "integer":
		return types.Int
	case "boolean":
		return types.Bool
	}
	return types.String
}
