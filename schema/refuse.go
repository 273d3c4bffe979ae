package schema

import (
	"strings"
	"unicode/utf8"
)

// Limits on input files.
const (
	MaxBytes = 1 << 20
	MaxDepth = 64
)

// maxBrackets bounds the brackets that are open at once, and the "- " and "? " at the beginning of one line, before
// yaml.v3 sees them: it goes one call deeper for each. Brackets inside of texts count too, which is why this limit is
// far above MaxDepth; the exact depth is checked on the tree.
const maxBrackets = 1000

// refuse reports what a text file must not hold, and what would cost yaml.v3 too much. It returns false when there
// is no use in reading on.
func refuse(src *Source, data []byte, ds *Diagnostics) bool {
	before := len(*ds)
	if !utf8.Valid(data) {
		for i, l := range src.lines {
			if !utf8.ValidString(l.text) {
				bad := utf8.RuneCountInString(l.text[:firstInvalid(l.text)])
				ds.Errorf(src.span(i+1, bad, bad+1), "not-utf8", "save the file as UTF-8", "line %d is not UTF-8 text", i+1)
				return false
			}
		}
	}
	for i, l := range src.lines {
		if col := strings.IndexFunc(l.text, strange); col >= 0 {
			col = utf8.RuneCountInString(l.text[:col])
			refuseRune(src.span(i+1, col, col+1), l.at(col), ds)
			return false
		}
		if strings.HasPrefix(l.text, "%") && i == 0 {
			ds.Errorf(src.at(1), "yaml-directive", "remove the line", "directives (%s) are not allowed", l.text)
		}
	}
	refuseDepth(src, ds)
	return len(*ds) == before
}

func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(s)
}

// strange are the characters that YAML does not know, and those that yaml.v3 counts as the end of a line where no editor
// does, so that every line number after them would be wrong.
func strange(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x7f, r == '\t':
		return false
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return true
	}
	return r < 0xa0
}

func refuseRune(at Range, r rune, ds *Diagnostics) {
	const fix = "remove it, or write it as an escape in double quotes"
	switch r {
	case 0:
		ds.Errorf(at, "not-text", "", "the file holds a zero byte: it is not a text file")
	case '\r':
		ds.Errorf(at, "not-text", "save the file with line ends of Unix or Windows", "a carriage return (CR) stands where no line ends")
	case 0x85, 0x2028, 0x2029:
		ds.Errorf(at, "not-text", fix, "U+%04X is a hidden line break", r)
	case 0xfeff:
		ds.Errorf(at, "not-text", "remove it; it may stand only at the very beginning of a file", "a byte order mark (U+FEFF) is hidden here")
	default:
		ds.Errorf(at, "not-text", fix, "U+%04X is a control character", r)
	}
}

// refuseDepth finds nesting that yaml.v3 should not be asked to follow.
func refuseDepth(src *Source, ds *Diagnostics) {
	open := 0
	for i, l := range src.lines {
		if lead := leading(l.text); lead > maxBrackets {
			ds.Errorf(src.at(i+1), "too-deep", "", "nested more than %d deep", MaxDepth)
			return
		}
		if !strings.ContainsAny(l.text, "[]{}") {
			continue
		}
		for col := range l.size {
			switch l.at(col) {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if open > maxBrackets {
				ds.Errorf(src.span(i+1, col, col+1), "too-deep", "", "nested more than %d deep", MaxDepth)
				return
			}
		}
	}
}

// leading counts the "- " and "? " that a line begins with.
func leading(l string) int {
	n := 0
	for {
		l = strings.TrimLeft(l, " ")
		if !strings.HasPrefix(l, "- ") && !strings.HasPrefix(l, "? ") && !strings.HasPrefix(l, ": ") {
			return n
		}
		l = l[2:]
		n++
	}
}

// tabbed returns the first of the lines from … to that is indented with a tab, and the number of the tab in it.
func tabbed(src *Source, from, to int) (ln, col int, ok bool) {
	for i := max(1, from); i <= to; i++ {
		l := src.line(i)
		if col := strings.IndexByte(l.text[:l.indent()], '\t'); col >= 0 && l.content > 0 {
			return i, col, true
		}
	}
	return 0, 0, false
}

func tabFinding(src *Source, ln, col int) Diagnostic {
	return Diagnostic{Severity: Error, Rule: "yaml-tab", Range: src.span(ln, col, col+1), Summary: "this line is indented with a tab", Fix: "indent with spaces"}
}
