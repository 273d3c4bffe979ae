package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// Find looks for a passage of the page's text.
type Find struct {
	Terms   []Term // ranked
	Parents int
	Tokens  int
	Propose bool
	Read    []FindField
}

// Term is a text to look for, or a list of them that is known when the flow runs.
type Term struct {
	pattern *Pattern
	list    *Value
}

// Value is the term as the file gives it.
func (t Term) Value() *Value {
	if t.list != nil {
		return t.list
	}
	return t.pattern.value
}

// FindField is a value inside a passage.
type FindField struct {
	Name  string
	Match *regexp.Regexp // nil: the whole passage
	As    string
}

// DefaultFindTokens bounds the passages of one question.
const DefaultFindTokens = 1200

// findStage compiles a find stage.
func (c *flowCompiler) findStage(src *schema.Find) *Find {
	f := &Find{Parents: src.Parents.Value, Tokens: src.Tokens.Value, Propose: !src.NoPropose, Read: c.findFields(src, true)}
	if f.Tokens == 0 {
		f.Tokens = DefaultFindTokens
	}
	for _, t := range src.Terms {
		if e, ok := t.Node.IsExpr(); ok {
			v := c.env.value(t, nil)
			if v == nil {
				continue
			}
			if v.IsSecret() {
				c.diags.Errorf(v.Range, "secret-flow", "", "a secret must not be looked for in a page")
				continue
			}
			k, known := natureKind(v.expr.nat)
			if !known || k == "array" {
				f.Terms = append(f.Terms, Term{list: v})
				continue
			}
			if k == "object" || k == "boolean" {
				c.diags.Errorf(v.Range, "value-type", "", "a text or a list of texts is wanted here, but %q is %s", e.Text, article(k))
				continue
			}
		}
		for _, p := range c.env.patterns([]schema.Value{t}, false) {
			f.Terms = append(f.Terms, Term{pattern: p})
		}
	}
	return f
}

// BindTerms gives the terms in an environment, in their order.
func (f *Find) BindTerms(env map[string]any) ([]Matcher, error) {
	var out []Matcher
	for _, t := range f.Terms {
		if t.list == nil {
			m, err := t.pattern.Bind(env, false)
			if err != nil {
				return nil, err
			}
			out = append(out, m)
			continue
		}
		x, err := t.list.Eval(env)
		if err != nil {
			return nil, err
		}
		list, ok := x.([]any)
		if !ok {
			list = []any{x}
		}
		for _, item := range list {
			if _, secret := item.(SecretValue); secret {
				return nil, fmt.Errorf("%s: a secret must not be looked for in a page", t.list.Range)
			}
			text, err := FormatText(item)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", t.list.Range, t.list.Source, err)
			}
			if m := NewMatcher(text, false); m.Text != "" {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// found are the fields that every find stage leaves beside those that it reads.
var found = []string{"passage", "heading", "term", "url"}

func (c *flowCompiler) findFields(src *schema.Find, report bool) []FindField {
	var out []FindField
	for _, r := range src.Read {
		f := FindField{Name: r.Name.Value, As: r.As.Value}
		if slices.Contains(found, f.Name) && report {
			c.diags.Errorf(r.Name.Range, "shadowed-name", "choose another name", "%q is what every find stage gives: %s", f.Name, strings.Join(found, ", "))
		}
		if r.Match.Set() {
			parts := reLiteral.FindStringSubmatch(r.Match.Value)
			if parts == nil {
				if report {
					c.diags.Errorf(r.Match.Range, "regex", `write match: /\d+/`, "match: %q is not a regular expression between slashes", r.Match.Value)
				}
				continue
			}
			re, err := compileRE(parts)
			if err != nil {
				if report {
					c.diags.Errorf(r.Match.Range, "regex", "regular expressions are those of RE2: no look-ahead, no back-references", "%s: %s", r.Match.Value, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
				}
				continue
			}
			f.Match = re
		}
		out = append(out, f)
	}
	return out
}

// findSchema is the type of what a find stage leaves in stages.<name>.
func (c *flowCompiler) findSchema(src *schema.Find) *Schema {
	props := map[string]any{}
	required := []any{}
	for _, name := range found {
		props[name] = map[string]any{"type": "string"}
		required = append(required, name)
	}
	for _, f := range c.findFields(src, false) {
		p := map[string]any{"type": jsonType(f.As)}
		switch {
		case f.As == "date":
			p["format"], p["pattern"] = "date", `^\d{4}-\d{2}-\d{2}$`
		case f.As == "text" && f.Match != nil && f.Match.NumSubexp() == 0:
			p["pattern"] = "^(" + f.Match.String() + ")$"
		}
		props[f.Name] = p
		required = append(required, f.Name)
	}
	return c.schemas.derive(map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}, 0)
}

func jsonType(as string) string {
	if as == "text" || as == "date" || as == "" {
		return "string"
	}
	return as
}
