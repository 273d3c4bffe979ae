package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// largeFlow is a good flow of about so many lines, beside the flights pack.
func largeFlow(lines int) string {
	var b strings.Builder
	b.WriteString("kind: flow/v1\nname: large\nsummary: Many searches.\npacks: {flights: ./pack, std: std@^1}\ninputs:\n  from: {$ref: \"flights#/types/city\", default: Prague}\nstages:\n")
	for i := 0; strings.Count(b.String(), "\n") < lines; i++ {
		fmt.Fprintf(&b, `  search_%d:
    goal: Fill the search form and show the flights of day %d
    relevance:
      - flights.set_city: {city: =inputs.from, end: departure}
      - flights.set_date: {depart: 2027-03-14}
      - std.fill:
          field: Name
          value: =inputs.from + " of day %d"
    budget: {picks: 12, tokens: 4k, wall: 1m}
    done: facts.results_ready or page.text contains inputs.from

`, i, i, i)
	}
	b.WriteString("  last: {end: ok}\n")
	return b.String()
}

// Answers about a flow of 2,000 lines, right after it was changed: nothing is known from before but the packs.
func BenchmarkAnswers(b *testing.B) {
	dir, err := filepath.Abs("../../flows/flights")
	if err != nil {
		b.Fatal(err)
	}
	text := largeFlow(2000)
	marks := map[string]string{
		"textDocument/hover": "- flights.set_da", "textDocument/completion": "std.fi", "textDocument/definition": "done: facts.results_re",
		"textDocument/references": "search_9", "textDocument/rename": "search_9", "textDocument/documentSymbol": "search_9", "textDocument/formatting": "search_9", "textDocument/codeAction": "search_9",
	}
	methods := make([]string, 0, len(marks))
	for m := range marks {
		methods = append(methods, m)
	}
	slices.Sort(methods)
	for _, method := range methods {
		b.Run(strings.TrimPrefix(method, "textDocument/"), func(b *testing.B) {
			s := testServer(b)
			d := s.openText("file://"+filepath.ToSlash(dir)+"/large.yaml", text)
			mark := marks[method]
			at := d.text.position(strings.Index(text, mark) + len(mark))
			params := map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": at, "newName": "other", "range": span{at, at}}
			ask(b, s, method, params) // the packs are read
			for b.Loop() {
				s.openText(d.uri, text)
				if ask(b, s, method, params) == nil {
					b.Fatal("no answer")
				}
			}
		})
	}
	b.Run("check", func(b *testing.B) {
		s := testServer(b)
		d := s.openText("file://"+filepath.ToSlash(dir)+"/large.yaml", text)
		for b.Loop() {
			d = s.openText(d.uri, text)
			if c := s.checks.check(s.files, d); c.found.HasErrors() {
				b.Fatal(c.found)
			}
		}
	})
}
