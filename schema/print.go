package schema

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
)

// width counts the columns that a text takes on a terminal; East Asian wide characters take two.
var width = &runewidth.Condition{StrictEmojiNeutral: true}

// Print writes the findings for people: place, summary, the line with a caret under what is meant, the fix, and related
// places. sources holds the files by the names that the findings use; a finding whose file is not there is printed
// without its line.
func (ds Diagnostics) Print(w io.Writer, sources map[string][]byte, color bool) {
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	files := map[string]*Source{}
	source := func(name string) *Source {
		if s, ok := files[name]; ok {
			return s
		}
		var s *Source
		if data, ok := sources[name]; ok {
			s = NewSource(name, data)
		}
		files[name] = s
		return s
	}
	for i, d := range ds {
		if i > 0 {
			fmt.Fprintln(w)
		}
		sev := paint("1;31", "error")
		if d.Severity == Warning {
			sev = paint("1;33", "warning")
		}
		fmt.Fprintf(w, "%s: %s: %s [%s]\n", paint("1", d.Range.String()), sev, d.Summary, d.Rule)
		excerpt(w, source(d.Range.File), d.Range, func(s string) string { return paint("1;31", s) })
		for _, r := range d.Related {
			fmt.Fprintf(w, "  %s: %s\n", r.Range, r.Message)
			excerpt(w, source(r.Range.File), r.Range, func(s string) string { return paint("2", s) })
		}
		if d.Fix != "" {
			fmt.Fprintf(w, "  %s %s\n", paint("1;32", "fix:"), d.Fix)
		}
	}
}

// excerpt prints the first line of a range with carets under it.
func excerpt(w io.Writer, src *Source, r Range, paint func(string) string) {
	if src == nil || r.Start.Line < 1 || r.Start.Line > len(src.lines) {
		return
	}
	line := src.line(r.Start.Line)
	from := min(max(r.Start.Col-1, 0), line.size)
	to := max(line.content, from)
	if r.End.Line == r.Start.Line {
		to = min(max(r.End.Col-1, from), line.size)
	}
	// Long lines are cut around what is meant.
	const around = 100
	cutLeft := max(0, from-around)
	cutRight := min(line.size, max(to, from)+around)
	if to-from > around {
		cutRight = min(line.size, from+around)
		to = min(to, cutRight)
	}
	num := strconv.Itoa(r.Start.Line)
	gap := strings.Repeat(" ", len(num))
	fmt.Fprintf(w, "%s | %s\n", num, printable(line.cut(cutLeft, cutRight)))
	under := max(1, width.StringWidth(printable(line.cut(from, to))))
	caret := "^" + strings.Repeat("~", under-1)
	fmt.Fprintf(w, "%s | %s%s\n", gap, strings.Repeat(" ", width.StringWidth(printable(line.cut(cutLeft, from)))), paint(caret))
}

// printable replaces what would disturb a terminal; a tab is one space.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' {
			return ' '
		}
		if c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0x2028 || c == 0x2029 || c == 0xfeff {
			return '�'
		}
		return c
	}, s)
}
