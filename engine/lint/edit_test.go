package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

func TestApply(t *testing.T) {
	edit := func(line, from, to int, text string) schema.Edit {
		return schema.Edit{Range: schema.Range{Start: schema.Pos{Line: line, Col: from}, End: schema.Pos{Line: line, Col: to}}, Text: text}
	}
	for _, c := range []struct {
		in    string
		edits []schema.Edit
		want  string
		n     int
	}{
		{"abc\ndef\n", []schema.Edit{edit(2, 1, 2, "X"), edit(1, 2, 3, "")}, "ac\nXef\n", 2},
		{"\ufeffabc\r\nöü\r\n", []schema.Edit{edit(1, 1, 2, "X"), edit(2, 2, 3, "ä")}, "\ufeffXbc\r\nöä\r\n", 2},
		{"abc", []schema.Edit{edit(1, 1, 3, "X"), edit(1, 2, 4, "Y")}, "Xc", 1},
		{"abc", []schema.Edit{edit(1, 4, 4, "!")}, "abc!", 1},
		{"abc\n", []schema.Edit{edit(3, 1, 1, "x"), edit(1, 9, 9, "x")}, "abc\n", 0},
	} {
		got, n := lint.Apply([]byte(c.in), c.edits)
		if string(got) != c.want || n != c.n {
			t.Errorf("%q: got %q and %d, want %q and %d", c.in, got, n, c.want, c.n)
		}
	}
}

// Every fix that a fixture offers takes its finding away, and brings no other; but where a word was misspelt, what was
// meant may have findings of its own.
func TestFixes(t *testing.T) {
	fixed := 0
	for _, file := range glob(t, "err") {
		before := findings(t, file)
		name := filepath.Base(file)
		var edits []schema.Edit
		open := map[string]int{}
		respelt := map[schema.Pos]string{} // rules by the place of the word
		for _, d := range before.Findings {
			edits = append(edits, d.Edits...)
			if len(d.Edits) > 0 && strings.HasPrefix(d.Fix, "did you mean") {
				respelt[d.Range.Start] = d.Rule
			}
			if len(d.Edits) == 0 {
				open[d.Rule]++
			}
		}
		if len(edits) == 0 {
			continue
		}
		data, n := lint.Apply(before.Sources[name], edits)
		if n != len(edits) {
			t.Errorf("%s: %d of %d edits", file, n, len(edits))
		}
		fixed += n
		l := &pack.Loader{Read: func(f string) ([]byte, error) {
			if f == name {
				return data, nil
			}
			return os.ReadFile(filepath.Join(filepath.Dir(file), f))
		}}
		after, err := (&lint.Checker{Loader: l}).File(name)
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]int{}
		for _, d := range after.Findings {
			left[d.Rule]++
			if len(respelt) > 0 {
				if respelt[d.Range.Start] == d.Rule {
					t.Errorf("%s: still there after the fix: %s\n%s", file, d, data)
				}
				continue
			}
			if len(d.Edits) > 0 {
				t.Errorf("%s: still there after the fix: %s\n%s", file, d, data)
			}
			if left[d.Rule] > open[d.Rule] {
				t.Errorf("%s: the fix brings %s\n%s", file, d, data)
			}
		}
	}
	if fixed < 8 {
		t.Errorf("only %d fixes in all fixtures", fixed)
	}
}

func TestConfigure(t *testing.T) {
	project := func(text string) *schema.Project {
		node, ds := schema.Parse("nth.yaml", []byte(text))
		p, more := schema.DecodeProject(node)
		if ds = append(ds, more...); len(ds) > 0 {
			t.Fatal(ds)
		}
		return p
	}
	at := func(file, rule string, s schema.Severity) schema.Diagnostic {
		return schema.Diagnostic{Rule: rule, Severity: s, Range: schema.Range{File: file}}
	}
	p := project(`kind: project/v1
lint:
  - rules: {unused: error}
  - {files: "old/**", rules: {unused: off, bad-css: warning}}
  - {files: "x*.yaml", rules: {unused: warning}}
`)
	got := lint.Configure(schema.Diagnostics{
		at("/p/a.yaml", "unused", schema.Warning), at("/p/old/deep/a.yaml", "unused", schema.Warning), at("/p/old/xa.yaml", "unused", schema.Warning),
		at("/p/old/a.yaml", "bad-css", schema.Error), at("/p/b.yaml", "bad-css", schema.Error), at("/p/old/a.yaml", "yaml-syntax", schema.Error),
	}, p, "/p")
	want := schema.Diagnostics{
		at("/p/a.yaml", "unused", schema.Error), at("/p/old/xa.yaml", "unused", schema.Warning),
		at("/p/old/a.yaml", "bad-css", schema.Warning), at("/p/b.yaml", "bad-css", schema.Error), at("/p/old/a.yaml", "yaml-syntax", schema.Error),
	}
	if got.Error() != want.Error() {
		t.Errorf("got:\n%v\nwant:\n%v", got, want)
	}
}
