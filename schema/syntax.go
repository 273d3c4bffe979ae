package schema

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var yamlLine = regexp.MustCompile(`line (\d+): `)

// syntaxError words an error of yaml.v3 for people, and places it as well as can be. yaml.v3 gives no column; its line
// is that of the enclosing mapping or list, is one too small for some errors, and is wrong again in the first line.
func syntaxError(src *Source, data []byte, err error) Diagnostic {
	msg := message(err)
	ln := around(data, err)
	d := Diagnostic{Severity: Error, Rule: "yaml-syntax", Range: src.at(ln)}
	if tabBreaks.MatchString(msg) { // the usual culprit, and yaml.v3 names some other line
		if at, col, ok := tabbed(src, ln-1, culprit(data, msg, ln)); ok {
			return tabFinding(src, at, col)
		}
	}
	switch {
	case strings.Contains(msg, "mapping values are not allowed"):
		colon(src, culprit(data, msg, ln), &d)
	case strings.Contains(msg, "expected key"), strings.Contains(msg, "'-' indicator"):
		indentation(src, culprit(data, msg, ln), &d)
	case strings.Contains(msg, "could not find expected ':'"):
		noColon(src, culprit(data, msg, ln), &d)
	case strings.Contains(msg, "expected ',' or"):
		unclosed(src, ln, msg, &d)
	case strings.Contains(msg, "quoted scalar"), strings.Contains(msg, "unexpected end of stream"), strings.Contains(msg, "unexpected document indicator"):
		unquoted(src, ln, &d)
	case strings.Contains(msg, "cannot start any token"):
		d.Summary = "a text must not begin with @, ` or %"
		d.Fix = "put the text into quotes"
		pin(src, ln, noStart, &d)
	case strings.Contains(msg, "unknown anchor"):
		d.Summary, d.Rule = "aliases (*name) are not allowed", "yaml-alias"
		d.Fix = `put a text that begins with "*" into quotes`
		unknownAlias(src, msg, &d)
	case strings.Contains(msg, "escape"):
		d.Summary = `a \ in double quotes begins an escape, and this one does not exist`
		d.Fix = `write \\ for a backslash, or use single quotes`
		pin(src, ln, badEscape, &d)
	case strings.Contains(msg, "block sequence entries are not allowed"):
		d.Summary = `a list must not begin in the line of its key`
		d.Fix = `start the list in a line of its own, or write [a, b]`
		pin(src, ln, dashRE, &d)
	case strings.Contains(msg, "node content"), strings.Contains(msg, "document start"):
		bracketOut(src, culprit(data, msg, ln), &d)
	default:
		d.Summary = "this is not YAML: " + msg
	}
	return d
}

var (
	noStart    = regexp.MustCompile("(?:^|[\\s:,\\[{-])([@`%])")
	badEscape  = regexp.MustCompile(`(\\(?:[^0abtnvfre "/\\N_LPxuU\t]|x|u|U))`)
	dashRE     = regexp.MustCompile(`:\s+(-)(?:\s|$)`)
	missingGap = regexp.MustCompile(`^[\s-]*([A-Za-z_][A-Za-z0-9_]*:)[^\s:/]`)
	straySign  = regexp.MustCompile(`([,\]}])`)
	secondPair = regexp.MustCompile(`^[^:]*?:\s.*?(:)(?:\s|$)`)
	firstPair  = regexp.MustCompile(`(:)(?:\s|$)`)
)

func message(err error) string {
	return yamlLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
}

// around is the line that yaml.v3 means: of the text, bracket or quote where it began to read what it could not. With
// one more line in front, line 0 (which yaml.v3 takes for "no line") does not occur; and errors of its parser, unlike
// those of its scanner, count lines from 0, which that further line makes up for.
func around(data []byte, err error) int {
	if again := parseErr(append([]byte("#\n"), data...)); again != nil {
		err = again
	}
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return 1
	}
	n, _ := strconv.Atoi(m[1])
	if msg := message(err); !parserMessage.MatchString(msg) {
		n--
	}
	return max(1, n)
}

var parserMessage = regexp.MustCompile(`did not find expected (key|'-'|',' or|node content|<)`)

// tabBreaks are the errors that a tab brings about.
var tabBreaks = regexp.MustCompile(`expected (key|'-')|cannot start any token|tab character|mapping values|find expected ':'`)

func parseErr(data []byte) error {
	_, err := decodeNode(yaml.NewDecoder(bytes.NewReader(data)))
	return err
}

// bisectBytes is how long a file may be for culprit to try its beginnings.
const bisectBytes = 64 << 10

// culprit is the first line that brings the error about: the shortest beginning of the file that has it ends there.
// from is what yaml.v3 says, and the answer where nothing better is found.
func culprit(data []byte, msg string, from int) int {
	if len(data) > bisectBytes {
		return from
	}
	ends := []int{0} // ends[k] is the length of the first k lines
	for i, b := range data {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	if ends[len(ends)-1] != len(data) {
		ends = append(ends, len(data))
	}
	has := func(k int) bool {
		err := parseErr(data[:ends[k]])
		return err != nil && message(err) == msg
	}
	lo, hi := 0, len(ends)-1
	if !has(hi) {
		return from
	}
	for lo+1 < hi {
		if mid := (lo + hi) / 2; has(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// pin narrows a finding to the first group of a pattern in line ln.
func pin(src *Source, ln int, re *regexp.Regexp, d *Diagnostic) {
	text := src.Line(ln)
	if m := re.FindStringSubmatchIndex(text); m != nil {
		from := len([]rune(text[:m[2]]))
		d.Range = src.span(ln, from, from+len([]rune(text[m[2]:m[3]])))
	} else {
		d.Range = src.at(ln)
	}
}

// gap reports a colon with nothing behind it in the line or in the one above.
func gap(src *Source, ln int, d *Diagnostic) bool {
	for _, at := range []int{ln, ln - 1} {
		if m := missingGap.FindStringSubmatch(src.Line(at)); m != nil {
			d.Summary = fmt.Sprintf("a space is missing after %q", m[1])
			d.Fix = "write a space after the colon of a key"
			pin(src, at, missingGap, d)
			return true
		}
	}
	return false
}

func colon(src *Source, ln int, d *Diagnostic) {
	if gap(src, ln, d) {
		return
	}
	d.Summary = `this ":" is read as the end of a key, and no key can stand here`
	d.Fix = `put a text that holds ": " into quotes; otherwise check the indentation of this line and the one above`
	if secondPair.MatchString(src.Line(ln)) {
		pin(src, ln, secondPair, d)
	} else {
		pin(src, ln, firstPair, d)
	}
}

func indentation(src *Source, ln int, d *Diagnostic) {
	d.Range = src.at(ln)
	text := strings.TrimSpace(src.Line(ln))
	switch {
	case strings.HasPrefix(text, ": "), text == ":":
		d.Summary, d.Rule = `there is no key before this ":"`, "yaml-key"
		d.Fix = "write a word before the colon"
		pin(src, ln, firstPair, d)
	case trailing.MatchString(text):
		d.Summary = "something stands behind the closing quote or bracket"
		d.Fix = "put the whole text into quotes; a comment needs a space before its #"
		pin(src, ln, trailing, d)
	default:
		d.Summary = "the indentation of this line does not fit the lines above"
		d.Fix = "keys of one mapping, and items of one list, start in the same column"
		if first := firstSibling(src, ln); first > 0 {
			d.Related = []Related{{Range: src.at(first), Message: "this line starts in another column"}}
		}
	}
}

// firstSibling is the line that began the mapping or list to which a line seems to belong: the first behind the nearest
// line above that is indented less, or that one. 0: there is none.
func firstSibling(src *Source, ln int) int {
	indent, first := src.line(ln).indent(), 0
	for l := ln - 1; l > 0; l-- {
		text := strings.TrimSpace(src.Line(l))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if src.line(l).indent() < indent {
			if first == 0 {
				return l // or the line itself is too far to the right
			}
			return first
		}
		first = l
	}
	return first
}

var trailing = regexp.MustCompile(`^\s*(?:- )*(?:[^\s"'\[{]+: +)?(?:"[^"]*"|'[^']*'|\[[^\]]*\]|\{[^}]*\})\s*([^\s,#:].*?)\s*$`)

func noColon(src *Source, ln int, d *Diagnostic) {
	if gap(src, ln, d) {
		return
	}
	// The line named is the one behind the key; the key is the nearest line before it that says something.
	for at := ln; at >= 1 && at > ln-3; at-- {
		text := strings.TrimSpace(src.Line(at))
		if text == "" || strings.HasPrefix(text, "#") || firstPair.MatchString(text) {
			continue
		}
		ln = at
		break
	}
	d.Range = src.at(ln)
	text := strings.TrimSpace(src.Line(ln))
	if strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "- ") {
		d.Summary, d.Fix = `a space is missing after "-"`, `write "- " before an item of a list`
		return
	}
	d.Summary = `a ":" is missing after a key`
	d.Fix = `write "key: value"`
}

// unclosed points at the last bracket that is open at the end of line ln.
func unclosed(src *Source, ln int, msg string, d *Diagnostic) {
	bracket := "["
	if strings.Contains(msg, "'}'") {
		bracket = "{"
	}
	d.Summary = fmt.Sprintf("this %s is not closed, or a comma is missing in it", bracket)
	d.Fix = "close it; inside { } and [ ], put texts that hold , : ? # [ ] { } into quotes"
	l := src.line(ln)
	var open []int
	for i := range l.size {
		switch l.at(i) {
		case '[', '{':
			open = append(open, i)
		case ']', '}':
			open = open[:max(0, len(open)-1)]
		}
	}
	for i := len(open) - 1; i >= 0; i-- {
		if string(l.at(open[i])) == bracket {
			d.Range = src.span(ln, open[i], open[i]+1)
			return
		}
	}
	if i := strings.LastIndex(l.text, bracket); i >= 0 {
		from := len([]rune(l.text[:i]))
		d.Range = src.span(ln, from, from+1)
	}
}

// unquoted points at the quote that is open at the end of line ln.
func unquoted(src *Source, ln int, d *Diagnostic) {
	d.Summary = "this quote is opened and never closed"
	d.Fix = "close it in the same line; in single quotes, write '' for a quote"
	l := src.line(ln)
	var quote rune
	from := -1
	for i := 0; i < l.size; i++ {
		switch r := l.at(i); {
		case quote == 0 && (r == '"' || r == '\''):
			quote, from = r, i
		case quote == '"' && r == '\\':
			i++
		case quote == '\'' && r == quote && l.at(i+1) == quote:
			i++
		case quote != 0 && r == quote:
			quote = 0
		}
	}
	if quote != 0 {
		d.Range = src.span(ln, from, from+1)
		return
	}
	d.Summary = "a quote or bracket is opened and never closed"
}

// unknownAlias finds the alias, of which yaml.v3 gives the name and no line.
func unknownAlias(src *Source, msg string, d *Diagnostic) {
	name := anchorName.FindString(msg)
	alias := regexp.MustCompile(`(?:^|[\s:,\[{-])(\*` + regexp.QuoteMeta(strings.Trim(name, "'")) + `)`)
	for i, l := range src.lines {
		if alias.MatchString(l.text) {
			pin(src, i+1, alias, d)
			return
		}
	}
}

var anchorName = regexp.MustCompile(`'.*'`)

func bracketOut(src *Source, ln int, d *Diagnostic) {
	d.Summary = "a bracket or comma stands where a value should"
	d.Fix = "remove it, or put the text into quotes"
	pin(src, ln, straySign, d)
}
