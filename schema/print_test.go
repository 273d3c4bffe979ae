package schema

import (
	"bytes"
	"strings"
	"testing"
)

// TestPrint shows all that Print does: carets by display width, tabs, long lines, ranges over several lines and empty
// ones, related places, a file that is not there, and colours.
func TestPrint(t *testing.T) {
	long := "x: [" + strings.Repeat("abcdefghi ", 30) + "HERE " + strings.Repeat("jklmnopqr ", 30) + "]"
	text := strings.Join([]string{
		"kind: flow/v1", "name: 名前はここ # c", "a:\tb\tc", "é: e\u0301x y", "😀: z", long, "", "\u202eevil\x1b[31m", "last",
	}, "\n")
	at := func(l1, c1, l2, c2 int) Range {
		return Range{File: "f.yaml", Start: Pos{l1, c1}, End: Pos{l2, c2}}
	}
	here := strings.Index(long, "HERE") + 1
	ds := Diagnostics{
		{Severity: Error, Rule: "ascii", Summary: "plain", Range: at(1, 7, 1, 14), Fix: "do this"},
		{Severity: Warning, Rule: "wide", Summary: "two columns each", Range: at(2, 9, 2, 12)},
		{Severity: Error, Rule: "tab", Summary: "a tab is one space", Range: at(3, 6, 3, 7)},
		{Severity: Error, Rule: "combining", Summary: "no column of its own", Range: at(4, 8, 4, 9)},
		{Severity: Error, Rule: "emoji", Summary: "two columns", Range: at(5, 4, 5, 5)},
		{Severity: Error, Rule: "long", Summary: "cut on both sides", Range: at(6, here, 6, here+4)},
		{Severity: Error, Rule: "very-long", Summary: "cut inside", Range: at(6, 5, 6, len(long))},
		{Severity: Error, Rule: "empty-line", Summary: "nothing there", Range: at(7, 1, 7, 1)},
		{Severity: Error, Rule: "terminal", Summary: "nothing reaches the terminal", Range: at(8, 2, 8, 6)},
		{Severity: Error, Rule: "lines", Summary: "over several lines: the first", Range: at(1, 1, 3, 2)},
		{Severity: Error, Rule: "end", Summary: "behind the last line", Range: at(9, 5, 9, 5)},
		{Severity: Error, Rule: "related", Summary: "twice", Range: at(9, 1, 9, 5), Fix: "remove one", Related: []Related{{at(1, 1, 1, 5), "the first one is here"}, {Range{File: "g.yaml", Start: Pos{3, 1}}, "and one there"}}},
		{Severity: Error, Rule: "no-file", Summary: "not there", Range: Range{File: "g.yaml", Start: Pos{1, 1}, End: Pos{1, 2}}},
		{Severity: Error, Rule: "no-place", Summary: "of the file as a whole", Range: Range{File: "f.yaml"}},
		{Severity: Error, Rule: "outside", Summary: "line 99", Range: at(99, 1, 99, 2)},
	}
	sources := map[string][]byte{"f.yaml": []byte(text)}
	var b bytes.Buffer
	ds.Print(&b, sources, false)
	b.WriteString("=== colour\n")
	ds[:2].Print(&b, sources, true)
	golden(t, "testdata/print.golden", b.Bytes())
}
