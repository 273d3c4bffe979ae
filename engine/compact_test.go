package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The golden file shows what is told of ever longer stages. Rewrite it with NTH_UPDATE=1.
func TestCompact(t *testing.T) {
	steps := func(n int, label string) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf(label, i+1))
		}
		return out
	}
	var got strings.Builder
	for _, tt := range []struct {
		name string
		p    progress
	}{
		{"short", progress{where: "Search (/search)", done: steps(2, "Enter city %d")}},
		{"binaries", progress{where: "Photo (/p)", failed: "Upload: bad_value", news: []string{"+ <img src=data:image/png;base64," + strings.Repeat("iVBORw0KGgo", 40) + " />"}, done: steps(1, "Upload %d")}},
		{"old steps", progress{where: "Form (/form)", done: steps(14, "Fill field number %d")}},
		{"long outputs", progress{where: "Form (/form)", failed: "Fill Notes: ensures_failed", news: []string{"+ " + strings.Repeat("a long line ", 20)}, done: steps(6, "Fill field %d with "+strings.Repeat("many words ", 5))}},
		{"all but a count", progress{where: strings.Repeat("A very long title ", 10) + "(/a)", failed: strings.Repeat("Something long: ", 10), news: []string{strings.Repeat("n", 40), strings.Repeat("m", 40)}, done: steps(40, "Fill field %d with "+strings.Repeat("many words ", 5))}},
		{"kinds", progress{where: "Order (/order)", fails: 2, done: append(append(append(steps(30, "Fill line %d with "+strings.Repeat("many words ", 5)), steps(6, "Click the button with a very long name that is called Add row %d")...),
			"Set Gift to true", "Choose 2027-03-14 as a date of delivery for all of it", "会社名を入力する長い手順の説明文がここにあります"), steps(3, "Click the button with a very long name that is called Save %d")...)}},
		{"nothing", progress{}},
	} {
		text := tt.p.compact(maxPageText)
		if n := len([]rune(text)); n > maxPageText {
			t.Errorf("%s: %d runes", tt.name, n)
		}
		fmt.Fprintf(&got, "%s (%d runes)\n  %s\n", tt.name, len([]rune(text)), text)
	}
	const golden = "testdata/compact.golden"
	if os.Getenv("NTH_UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
}
