package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// nonBlank is what a text must hold. An editor reads 02134 as a number and yes as a text where nth reads text, so the
// JSON Schemas of texts take scalarTypes; a plain null or nothing is no text for either.
var (
	nonBlank    = regexp.MustCompile(`\S`)
	scalarTypes = []any{"string", "number", "boolean"}
)

// missing reports a scalar that says nothing: nothing at all, null or ~.
func missing(n *Node, what string, ds *Diagnostics) bool {
	if n.Style != Plain || !isNull(n.Text) {
		return false
	}
	fix := "write a value, or leave the key out"
	if n.Text != "" {
		fix += "; put the word into quotes if it is meant"
	}
	ds.Errorf(n.Range, "wrong-value", fix, "%s is empty", what)
	return true
}

// text is a scalar that stays as it is written. re is what it must look like, why says so in words.
type text struct {
	re   *regexp.Regexp
	why  string
	enum []string
}

func (t text) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind != Scalar:
		wrongKind(n, what, "a text", ds)
	case missing(n, what, ds):
	case t.enum != nil && !slices.Contains(t.enum, n.Text):
		fix := "allowed: " + strings.Join(t.enum, ", ")
		if s := Suggest(n.Text, t.enum); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		ds.Errorf(n.Range, "wrong-value", fix, "%s: %q is not one of %s", what, n.Text, shortList(t.enum)).Edits = Respell(n.Range, n.Text, t.enum, nil)
	case t.re != nil && !t.re.MatchString(n.Text):
		ds.Errorf(n.Range, "wrong-value", t.why, "%s: %q is not allowed here", what, n.Text)
	case t.re != nil && n.isTruth():
		ds.Errorf(n.Range, "wrong-value", "choose another word", "%s: %q is not allowed here, because it reads as a condition", what, n.Text)
	case t.re == nil && t.enum == nil && !nonBlank.MatchString(n.Text):
		ds.Errorf(n.Range, "wrong-value", "write a value, or leave the key out", "%s is empty", what)
	}
}

func (t text) schema(map[string]any) map[string]any {
	switch {
	case t.enum != nil:
		list := []any{}
		for _, e := range t.enum {
			list = append(list, e)
		}
		return map[string]any{"enum": list}
	case t.re != nil:
		return map[string]any{"type": "string", "pattern": t.re.String()}
	}
	return map[string]any{"type": scalarTypes, "pattern": nonBlank.String()}
}

// isTruth reports whether a scalar reads as true or false where nothing is known.
func (n *Node) isTruth() bool {
	_, ok := n.resolveAny().(bool)
	return ok
}

// truth is true or false; with yes, only true.
type truth struct{ yes bool }

func (t truth) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind != Scalar || !n.isTruth():
		wrongKind(n, what, t.want(), ds)
	case t.yes && !boolean(n):
		ds.Errorf(n.Range, "wrong-value", "remove it", "%s must be true, not %s", what, n.Text)
	}
}

func (t truth) want() string {
	if t.yes {
		return "true"
	}
	return "true or false"
}

func (t truth) schema(map[string]any) map[string]any {
	if t.yes {
		return map[string]any{"const": true}
	}
	return map[string]any{"type": "boolean"}
}

// count is a whole number from min up; with kilo, "60k" is 60000.
type count struct {
	min  int
	kilo bool
}

var (
	countRE = regexp.MustCompile(`^[0-9]{1,9}$`)
	kiloRE  = regexp.MustCompile(`^[0-9]{1,6}k$`)
)

func parseCount(s string) (int, bool) {
	factor := 1
	if kiloRE.MatchString(s) {
		s, factor = strings.TrimSuffix(s, "k"), 1000
	}
	if !countRE.MatchString(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n * factor, err == nil
}

func (c count) check(n *Node, what string, ds *Diagnostics) {
	v, ok := parseCount(n.Text)
	if n.Kind != Scalar || !ok || n.Style != Plain && !strings.HasSuffix(n.Text, "k") || !c.kilo && strings.HasSuffix(n.Text, "k") || strings.HasPrefix(n.Text, "0") && n.Text != "0" {
		want := "a whole number"
		if c.kilo {
			want += ", such as 4000 or 4k"
		}
		wrongKind(n, what, want, ds)
		return
	}
	if v < c.min {
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s is too small, the least is %d", what, n.Text, c.min)
	}
}

func (c count) schema(map[string]any) map[string]any {
	whole := map[string]any{"type": "integer", "minimum": c.min, "maximum": 999999999}
	if !c.kilo {
		return whole
	}
	// "0k" is below any minimum but 0.
	pattern := `^[1-9][0-9]{0,5}k$`
	return map[string]any{"anyOf": []any{whole, map[string]any{"type": "string", "pattern": pattern}}}
}

// amount is a number above 0, of money or of a share, with at most six decimals; most is the largest, 0: a billion.
type amount struct{ most float64 }

var amountRE = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$`)

func (a amount) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Scalar || n.Style != Plain || !amountRE.MatchString(n.Text) {
		wrongKind(n, what, "a number, such as 0.5", ds)
		return
	}
	switch v, _ := strconv.ParseFloat(n.Text, 64); {
	case v <= 0:
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s must be more than 0", what, n.Text)
	case a.most > 0 && v > a.most:
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s is too large, the most is %v", what, n.Text, a.most)
	}
}

func (a amount) schema(map[string]any) map[string]any {
	most := a.most
	if most == 0 {
		most = 999999999
	}
	return map[string]any{"type": "number", "exclusiveMinimum": 0, "maximum": most}
}

// span is a duration: "45s", "10m", "1h30m", "500ms".
type span struct{}

var spanRE = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

func (span) check(n *Node, what string, ds *Diagnostics) {
	if n.Kind != Scalar || !spanRE.MatchString(n.Text) {
		wrongKind(n, what, `a duration, such as 500ms, 45s, 10m or 1h30m`, ds)
		return
	}
	if d, err := time.ParseDuration(n.Text); err != nil || d <= 0 || d > 24*time.Hour {
		ds.Errorf(n.Range, "wrong-value", "", "%s: %s must be more than nothing and at most 24h", what, n.Text)
	}
}

func (span) schema(map[string]any) map[string]any {
	return map[string]any{"type": "string", "pattern": spanRE.String()}
}

// condition is a bare expression.
type condition struct{}

func (condition) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case n.Kind == Mapping && len(n.Fields) > 0:
		ds.Errorf(n.Range, "wrong-type", `put the condition into quotes: YAML reads ": " as a key`, "%s must be a condition, not a mapping", what)
	case n.Kind != Scalar:
		ds.Errorf(n.Range, "wrong-type", `put the condition into quotes if it begins with "["`, "%s must be a condition, not %s", what, kindName(n))
	case strings.Contains(n.Text, "{{"):
		ds.Errorf(n.Range, "template", "write the expression itself, without braces", "%s: there are no {{ templates }} in nth", what)
	case missing(n, what, ds):
	case !nonBlank.MatchString(n.Text):
		ds.Errorf(n.Range, "wrong-value", "write a condition, or leave the key out", "%s is empty", what)
	}
}

func (condition) schema(map[string]any) map[string]any {
	return map[string]any{"type": scalarTypes, "pattern": nonBlank.String(), "not": map[string]any{"type": "string", "pattern": `\{\{`}}
}

// value is a literal, or an expression after "=", at any depth; with scalar, one that says something.
type value struct{ scalar bool }

func (v value) check(n *Node, what string, ds *Diagnostics) {
	if v.scalar && n.Kind != Scalar {
		wrongKind(n, what, "a text", ds)
		return
	}
	if v.scalar && missing(n, what, ds) {
		return
	}
	n.eachScalar(func(s *Node) {
		if strings.Contains(s.Text, "{{") && s.Style != Block {
			ds.Errorf(s.Range, "template", `write an expression after "=": =inputs.name`, "%s: %q: there are no {{ templates }} in nth", what, s.Text)
		}
	})
}

func (v value) schema(map[string]any) map[string]any {
	if v.scalar {
		return map[string]any{"type": scalarTypes}
	}
	return map[string]any{}
}

func (n *Node) eachScalar(f func(*Node)) {
	if n.Kind == Scalar {
		f(n)
	}
	for _, x := range n.Fields {
		x.Value.eachScalar(f)
	}
	for _, x := range n.Items {
		x.eachScalar(f)
	}
}
