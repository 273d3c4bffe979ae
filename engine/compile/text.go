package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// Pattern matches a text of the page, by Playwright's convention: a literal is a case-insensitive substring,
// /re/flags a regular expression. What an expression gives is always a literal, never a regular expression.
type Pattern struct {
	value *Value
	fixed *Matcher // for literals
}

// Value is the text as the file gives it.
func (p *Pattern) Value() *Value { return p.value }

// Matcher is a Pattern with its value known.
type Matcher struct {
	Text  string
	lower string
	re    *regexp.Regexp
	exact bool
}

// Quality of a match: better ones win over worse ones.
const (
	NoMatch   = 0
	Substring = 1 // contained, or a regular expression that matches
	Whole     = 2 // equal but for case
)

// NewMatcher makes a matcher of a literal text.
func NewMatcher(text string, exact bool) Matcher {
	text = strings.Join(strings.Fields(text), " ")
	return Matcher{Text: text, lower: strings.ToLower(text), exact: exact}
}

// Match tells how well s (and its lower-case form) match.
func (m *Matcher) Match(s, lower string) int {
	switch {
	case m.re != nil:
		if m.re.MatchString(s) {
			return Substring
		}
	case m.exact:
		if s == m.Text {
			return Whole
		}
	case lower == m.lower:
		return Whole
	case m.lower != "" && strings.Contains(lower, m.lower):
		return Substring
	}
	return NoMatch
}

// Find gives where the first match stands in s, in bytes; lower is s in lower case. ok is false without one.
func (m *Matcher) Find(s, lower string) (from, to int, ok bool) {
	if m.re != nil {
		if at := m.re.FindStringIndex(s); at != nil {
			return at[0], at[1], true
		}
		return 0, 0, false
	}
	i := strings.Index(lower, m.lower)
	if i < 0 || m.lower == "" {
		return 0, 0, false
	}
	if len(lower) != len(s) { // folding changed the length: say where it begins, about
		i = min(i, len(s))
		return i, i, true
	}
	return i, i + len(m.lower), true
}

// Literal is the text that is looked for, "" for a regular expression.
func (m *Matcher) Literal() string {
	if m.re != nil {
		return ""
	}
	return m.Text
}

func (m *Matcher) String() string {
	if m.re != nil {
		return "/" + m.Text + "/"
	}
	return fmt.Sprintf("%q", m.Text)
}

var reLiteral = regexp.MustCompile(`(?s)^/(.+)/([imsu]*)$`)

// compileRE compiles what reLiteral has taken apart.
func compileRE(parts []string) (*regexp.Regexp, error) {
	expr := parts[1]
	if flags := strings.ReplaceAll(parts[2], "u", ""); flags != "" {
		expr = "(?" + flags + ")" + expr
	}
	return regexp.Compile(expr)
}

// patterns compiles the alternatives of one target key.
func (x *exprEnv) patterns(list []schema.Value, exact bool) []*Pattern {
	var out []*Pattern
	for _, src := range list {
		v := x.value(src, &Schema{Kind: "string"})
		if v == nil {
			continue
		}
		p := &Pattern{value: v}
		if c, ok := v.Const(); ok {
			text, _ := c.(string)
			m := NewMatcher(text, exact)
			if parts := reLiteral.FindStringSubmatch(text); parts != nil {
				re, err := compileRE(parts)
				if err != nil {
					x.diags.Errorf(src.Node.Range, "regex", "regular expressions are those of RE2: no look-ahead, no back-references", "%s: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
					continue
				}
				m.re, m.Text = re, parts[1]
			} else if m.Text == "" {
				x.diags.Errorf(src.Node.Range, "target-empty", "leave the key out to match anything", "an empty text matches everything")
				continue
			}
			p.fixed = &m
		} else if k, ok := natureKind(v.expr.nat); v.expr != nil && ok && k != "string" && k != "integer" && k != "number" {
			x.diags.Errorf(v.Range, "value-type", "", "a text is wanted here, but %q is %s", v.Source, article(k))
		}
		out = append(out, p)
	}
	return out
}

// Bind gives the matcher in an environment.
func (p *Pattern) Bind(env map[string]any, exact bool) (Matcher, error) {
	if p.fixed != nil {
		return *p.fixed, nil
	}
	text, err := p.value.Text(env)
	if err != nil {
		return Matcher{}, err
	}
	if p.value.IsSecret() {
		return Matcher{}, fmt.Errorf("%s: a secret cannot name an element", p.value.Range)
	}
	m := NewMatcher(text, exact)
	if m.Text == "" {
		return Matcher{}, fmt.Errorf("%s: %q is empty, which would match every element", p.value.Range, p.value.Source)
	}
	return m, nil
}

// Template is a skill's summary: text with {param} and {match.field} in it.
type Template struct {
	Source string
	parts  []templatePart
}

type templatePart struct {
	text  string // literal, or
	root  string // "params" or "match", with
	field string
}

// Render fills the placeholders. Missing values become "?"; secrets print as dots.
func (t Template) Render(params, match map[string]any) string {
	if len(t.parts) == 1 && t.parts[0].root == "" {
		return t.parts[0].text
	}
	var b strings.Builder
	for _, p := range t.parts {
		switch p.root {
		case "":
			b.WriteString(p.text)
		case envMatch:
			b.WriteString(display(match[p.field]))
		default:
			b.WriteString(display(params[p.field]))
		}
	}
	return b.String()
}

func display(v any) string {
	if v == nil {
		return "?"
	}
	if s, ok := v.(SecretValue); ok {
		return s.String()
	}
	if s, err := FormatText(v); err == nil {
		return strings.Join(strings.Fields(s), " ")
	}
	return fmt.Sprint(v)
}

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// template compiles a summary.
func (x *exprEnv) template(s schema.String, params []*Param, read []*ReadField) Template {
	t := Template{Source: s.Value}
	last := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(s.Value, -1) {
		name := s.Value[m[2]:m[3]]
		if m[0] > last {
			t.parts = append(t.parts, templatePart{text: s.Value[last:m[0]]})
		}
		last = m[1]
		root, field := envParams, name
		if f, ok := strings.CutPrefix(name, "match."); ok {
			root, field = envMatch, f
		}
		var known []string
		if root == envMatch {
			for _, r := range read {
				known = append(known, r.Name)
			}
		} else {
			for _, p := range params {
				known = append(known, p.Name)
			}
		}
		if !slices.Contains(known, field) {
			fix := suggestFix(field, known, "params")
			if root == envMatch {
				fix = suggestFix(field, known, "fields under read")
			}
			x.diags.Errorf(s.Range, "summary-placeholder", fix, "summary: {%s} is neither a param nor a field that the target reads", name)
		}
		t.parts = append(t.parts, templatePart{root: root, field: field})
	}
	if last < len(s.Value) || len(t.parts) == 0 {
		t.parts = append(t.parts, templatePart{text: s.Value[last:]})
	}
	return t
}
