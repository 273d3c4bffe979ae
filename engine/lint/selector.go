package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nth-dev/nth/schema"
)

// badSelector is why a browser refuses a selector, and what to write instead.
type badSelector struct{ what, fix string }

// checkSelector reads a selector list as Selectors Level 4 defines it, as far as querySelectorAll takes it.
func checkSelector(s string) (badSelector, bool) {
	r := &selectorReader{in: []rune(s)}
	r.list(false, 0)
	if r.bad == nil && r.i < len(r.in) {
		r.fail("", "%q stands where none is expected", string(r.in[r.i]))
	}
	if r.bad != nil {
		return *r.bad, false
	}
	return badSelector{}, true
}

type selectorReader struct {
	in  []rune
	i   int
	bad *badSelector // the first
}

func (r *selectorReader) fail(fix, format string, args ...any) {
	if r.bad == nil {
		r.bad = &badSelector{what: fmt.Sprintf(format, args...), fix: fix}
	}
}

func (r *selectorReader) peek() rune {
	if r.i < len(r.in) {
		return r.in[r.i]
	}
	return 0
}

func (r *selectorReader) blanks() bool {
	from := r.i
	for r.i < len(r.in) && unicode.IsSpace(r.in[r.i]) {
		r.i++
	}
	return r.i > from
}

// maxSelectorDepth bounds :not(:is(:has(…))).
const maxSelectorDepth = 16

// list reads selectors with commas between them, up to the end or a ")". In :has() they may begin with a combinator.
func (r *selectorReader) list(relative bool, depth int) {
	if depth > maxSelectorDepth {
		r.fail("", "it is nested more than %d deep", maxSelectorDepth)
		return
	}
	for r.bad == nil {
		r.complex(relative, depth)
		if r.peek() != ',' {
			return
		}
		r.i++
	}
}

func (r *selectorReader) complex(relative bool, depth int) {
	r.blanks()
	if r.peek() == '/' || r.peek() == '(' {
		r.fail("nth takes CSS selectors, not XPath", "it is an XPath")
		return
	}
	if isCombinator(r.peek()) {
		if !relative {
			r.fail("", "it begins with %q", string(r.peek()))
			return
		}
		r.i++
		r.blanks()
	}
	for r.bad == nil {
		if !r.compound(depth) {
			switch c := r.peek(); {
			case c == 0 || c == ',' || c == ')':
				r.fail("", "an element is missing%s", r.where())
			case unicode.IsDigit(c):
				r.fail("", "an element's name cannot begin with the digit %q", string(c))
			default:
				r.fail("", "%q stands where none is expected", string(c))
			}
			return
		}
		gap := r.blanks()
		switch c := r.peek(); {
		case c == 0 || c == ',' || c == ')':
			return
		case isCombinator(c):
			r.i++
			r.blanks()
		case !gap:
			r.fail("", "%q stands where none is expected", string(c))
			return
		}
	}
}

func (r *selectorReader) where() string {
	if r.i == 0 {
		return " at the beginning"
	}
	return " after " + fmt.Sprintf("%q", strings.TrimSpace(string(r.in[max(0, r.i-12):r.i])))
}

func isCombinator(c rune) bool { return c == '>' || c == '+' || c == '~' }

// compound reads "tag#id.class[attr]:pseudo"; false when there is none.
func (r *selectorReader) compound(depth int) bool {
	from := r.i
	if r.peek() == '*' {
		r.i++
	} else {
		r.ident()
	}
	for r.bad == nil {
		switch r.peek() {
		case '#', '.':
			kind := map[rune]string{'#': "id", '.': "class"}[r.peek()]
			r.i++
			if !r.ident() {
				if unicode.IsDigit(r.peek()) {
					r.fail(fmt.Sprintf(`write [%s="…"]`, kind), "%s %s cannot begin with a digit", article(kind), kind)
				} else {
					r.fail("", "the name of %s %s is missing", article(kind), kind)
				}
			}
		case '[':
			r.i++
			r.attribute()
		case ':':
			r.i++
			r.pseudo(depth)
		case '|': // namespaces, which querySelectorAll cannot resolve
			r.fail("", "namespaces (|) are not known to pages")
		default:
			return r.i > from
		}
	}
	return true
}

func article(word string) string {
	if word == "id" {
		return "an"
	}
	return "a"
}

// ident reads a CSS identifier, with escapes.
func (r *selectorReader) ident() bool {
	from := r.i
	if r.peek() == '-' {
		r.i++
	}
	if c := r.peek(); c != '-' && c != '_' && c != '\\' && c < 0x80 && !unicode.IsLetter(c) {
		r.i = from
		return false
	}
	for {
		switch c := r.peek(); {
		case c == '\\' && r.i+1 < len(r.in):
			r.i += 2
		case c == '-' || c == '_' || c >= 0x80 || c != 0 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			r.i++
		default:
			return r.i > from
		}
	}
}

func (r *selectorReader) attribute() {
	r.blanks()
	if !r.ident() {
		r.fail("", "the name of an attribute is missing after [")
		return
	}
	r.blanks()
	if r.peek() == ']' {
		r.i++
		return
	}
	if c := r.peek(); strings.ContainsRune("~|^$*", c) {
		r.i++
	}
	if r.peek() != '=' {
		r.fail("", "= or ] is missing in an attribute selector")
		return
	}
	r.i++
	r.blanks()
	from := r.i
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		r.quoted(c)
	case !r.ident():
		for r.peek() != 0 && r.peek() != ']' {
			r.i++
		}
		value := string(r.in[from:r.i])
		r.fail(fmt.Sprintf(`write "%s" with quotes`, value), "the value %q of an attribute needs quotes", value)
		return
	}
	r.blanks()
	if c := unicode.ToLower(r.peek()); c == 'i' || c == 's' {
		r.i++
		r.blanks()
	}
	if r.peek() != ']' {
		r.fail("put the value into quotes", "] is missing after the value of an attribute")
		return
	}
	r.i++
}

func (r *selectorReader) quoted(quote rune) {
	for r.i++; r.i < len(r.in); r.i++ {
		switch r.in[r.i] {
		case '\\':
			r.i++
		case quote:
			r.i++
			return
		}
	}
	r.fail("", "a quote is opened and never closed")
}

// selectorPseudos take a selector list; plainPseudos take nothing or an argument that is not looked at.
var (
	selectorPseudos = []string{"is", "where", "not", "has", "matches", "any", "-webkit-any", "host", "host-context"}
	plainPseudos    = []string{
		"active", "any-link", "autofill", "buffering", "checked", "default", "defined", "dir", "disabled", "empty", "enabled",
		"first-child", "first-of-type", "focus", "focus-visible", "focus-within", "fullscreen", "hover", "in-range", "indeterminate",
		"invalid", "lang", "last-child", "last-of-type", "link", "modal", "muted", "nth-child", "nth-last-child", "nth-last-of-type",
		"nth-of-type", "only-child", "only-of-type", "open", "optional", "out-of-range", "paused", "picture-in-picture",
		"placeholder-shown", "playing", "popover-open", "read-only", "read-write", "required", "root", "scope", "seeking", "stalled",
		"state", "target", "user-invalid", "user-valid", "valid", "visited", "volume-locked", "-webkit-autofill",
	}
	foreignPseudos = map[string]string{
		"contains": "write text: beside the selector", "has-text": "write text: beside the selector", "text": "write text: beside the selector",
		"text-is": "write text: beside the selector", "text-matches": "write text: beside the selector", "visible": "leave it out: only what is visible is acted on",
		"hidden": "leave it out: only what is visible is acted on", "first": "write index: 1", "last": "write :last-child, or index:", "eq": "write index:",
		"nth": "write index:", "nth-match": "write index:", "button": "write button, input[type=button]", "input": "write input, select, textarea",
		"password": `write [type="password"]`, "submit": `write [type="submit"]`, "checkbox": `write [type="checkbox"]`, "selected": "write :checked",
		"near": "write near: beside the selector", "right-of": "write near: beside the selector", "left-of": "write near: beside the selector",
	}
)

func (r *selectorReader) pseudo(depth int) {
	element := r.peek() == ':'
	if element {
		r.i++
	}
	from := r.i
	if !r.ident() {
		r.fail("", "the name of a pseudo-class is missing after :")
		return
	}
	name := strings.ToLower(string(r.in[from:r.i]))
	switch {
	case element:
		r.fail("select the element itself", "::%s is no element that can be acted on or read", name)
		return
	case slices.Contains(selectorPseudos, name) && r.peek() == '(':
		r.i++
		r.list(name == "has", depth+1)
		if r.bad == nil && r.peek() != ')' {
			r.fail("", ") is missing after :%s(", name)
		}
		r.i++
		return
	case slices.Contains(plainPseudos, name) || slices.Contains(selectorPseudos, name):
		if r.peek() == '(' {
			r.argument(name)
		}
		return
	}
	fix := foreignPseudos[name]
	if s := schema.Suggest(name, append(slices.Clone(plainPseudos), selectorPseudos...)); fix == "" && s != "" {
		fix = fmt.Sprintf("did you mean :%s?", s)
	}
	r.fail(fix, "browsers know no pseudo-class :%s", name)
}

// argument skips to the closing bracket.
func (r *selectorReader) argument(name string) {
	open := 0
	for ; r.i < len(r.in); r.i++ {
		switch r.in[r.i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				r.i++
				return
			}
		}
	}
	r.fail("", ") is missing after :%s(", name)
}
