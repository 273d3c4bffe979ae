package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostile are files of the largest size that are cheap to write and might be dear to read.
func hostile() map[string]string {
	const size = MaxBytes - 1000
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-20; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	staircase := func() string {
		var b strings.Builder
		for i := 0; b.Len() < size-2000; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	return map[string]string{
		"open brackets":          repeat("["),
		"open brackets in text":  "a: '" + repeat("[") + "'",
		"open braces":            repeat("{a: "),
		"open pairs":             repeat("[{a: "),
		"open brackets in lines": repeat("[\n"),
		"compact lists":          repeat("- "),
		"compact keys":           repeat("? "),
		"complex keys":           repeat("? ["),
		"staircase":              staircase(),
		"comments":               repeat("#\n"),
		"comments behind a key":  "a: 1\n" + repeat("# c\n"),
		"comments in a list":     repeat("- a\n# b\n"),
		"comments in brackets":   "[" + repeat("#\n"),
		"line ends":              repeat("\n"),
		"blanks":                 "a: b" + repeat(" "),
		"keys":                   numbered("k%d: v\n"),
		"keys in one line":       "{" + numbered("k%d: v, ") + "}",
		"duplicate keys":         repeat("a: 1\n"),
		"items in one line":      "x: [" + repeat("a,") + "]",
		"texts in one line":      "x: [" + repeat(`"a", `) + "]",
		"wide texts in one line": "x: [" + repeat(`"名", `) + "]",
		"empty mappings":         "x: [" + repeat("{},") + "]",
		"anchors":                repeat("&a "),
		"anchored items":         "x: [" + numbered("&a%d b,") + "]",
		"aliases":                "a: &a b\nx: [" + repeat("*a,") + "]",
		"tags":                   repeat("!"),
		"tagged items":           "x: [" + repeat("!a b,") + "]",
		"escapes":                `a: "` + repeat(`\u0041`) + `"`,
		"escaped quotes":         `a: "` + repeat(`\"`) + `"`,
		"escaped line ends":      `a: "` + repeat("\\\n") + `"`,
		"folded lines":           "a: " + repeat("b\n  "),
		"blank lines in a text":  `a: "b` + repeat("\n") + `"`,
		"literal lines":          "a: |\n" + repeat("  x\n"),
		"folded block":           "a: >\n" + repeat("  x\n"),
		"long line":              "a: " + repeat("x y "),
		"open quote":             `a: "` + repeat("b\n"),
		"expressions":            "a: [" + repeat("=b.c,") + "]",
		"documents":              repeat("---\n"),
		"many documents":         repeat("--- a\n"),
		"syntax error at end":    repeat("a: [1]\n") + "b: c: d\n",
	}
}

// Every hostile file is read or refused in seconds (most in well under one; the limit allows for -race and a busy machine).
func TestParseHostile(t *testing.T) {
	for name, text := range hostile() {
		done := make(chan Diagnostics, 1)
		start := time.Now()
		go func() {
			n, ds := Parse("f", []byte(text))
			if n != nil {
				_, more := DecodeFlow(n)
				ds = append(ds, more...)
			}
			done <- ds
		}()
		select {
		case ds := <-done:
			t.Logf("%-24s %6d ms, %d findings", name, time.Since(start).Milliseconds(), len(ds))
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: not read in 30 s", name)
		}
	}
}
