package lint_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// No file makes the check panic or hang, and every range that it gives lies inside a file that it read. The file is
// checked by its own kind; a flow finds the packs of the fixtures.
func FuzzValidate(f *testing.F) {
	for _, dir := range []string{"ok", "err"} {
		files, err := filepath.Glob(filepath.Join(lintDir, dir, "*.yaml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add(read(f, "../../flows/flights/flow.yaml"))
	f.Add(read(f, "../../flows/contact/flow.yaml"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkAnything(t, data)
	})
}

// The same for a pack that a flow is made of: what is wrong in it shows in both.
func FuzzPackOfFlow(f *testing.F) {
	flow := read(f, "../../flows/flights/flow.yaml")
	f.Add(read(f, "../../flows/flights/pack/pack.yaml"))
	f.Add(read(f, "../../stdlib-skills/std/pack.yaml"))
	f.Add(read(f, lintDir+"/packs/shop/pack.yaml"))
	f.Add(read(f, lintDir+"/err/schema-values.yaml"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkProject(t, "fuzz.yaml", map[string][]byte{"fuzz.yaml": flow, "pack/pack.yaml": data})
		checkProject(t, "pack/pack.yaml", map[string][]byte{"pack/pack.yaml": data})
	})
}

// The fixes that --fix carries out make a file that can be checked again, and leave none of themselves to be done.
func FuzzFix(f *testing.F) {
	for _, name := range []string{"ambiguous-text", "unused-ignore", "commit-unapproved", "values", "expressions"} {
		f.Add(read(f, lintDir+"/err/"+name+".yaml"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for range 8 {
			res := checkAnything(t, data)
			var edits []schema.Edit
			for _, d := range res.Findings {
				for _, e := range d.Edits {
					if e.Range.File == "fuzz.yaml" {
						edits = append(edits, e)
					}
				}
			}
			if len(edits) == 0 {
				return
			}
			fixed, n := lint.Apply(data, edits)
			if n == 0 || bytes.Equal(fixed, data) {
				t.Fatalf("%d edits change nothing: %v", len(edits), edits)
			}
			data = fixed
		}
		t.Error("after 8 rounds there is still something to fix")
	})
}

func read(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func checkAnything(t *testing.T, data []byte) *lint.Result {
	return checkProject(t, "fuzz.yaml", map[string][]byte{"fuzz.yaml": data})
}

func checkProject(t *testing.T, name string, files map[string][]byte) *lint.Result {
	t.Helper()
	l := &pack.Loader{Read: func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		if !filepath.IsLocal(filepath.Join("ok", name)) {
			return nil, errors.New("outside")
		}
		return os.ReadFile(filepath.Join(lintDir, "ok", name))
	}}
	start := time.Now()
	res, err := (&lint.Checker{Loader: l}).File(name)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	for _, d := range res.Findings {
		checkRange(t, d.Range, res.Sources)
		for _, r := range d.Related {
			checkRange(t, r.Range, res.Sources)
		}
		for _, e := range d.Edits {
			checkRange(t, e.Range, res.Sources)
		}
		if _, n := lint.Apply(res.Sources[d.Range.File], d.Edits); n != len(d.Edits) {
			t.Errorf("%s: %d of %d edits can be carried out", d, n, len(d.Edits))
		}
	}
	res.Findings.Print(io.Discard, res.Sources, true)
	return res
}

// Schemas that refer to themselves, in more than one place, are no trap.
func TestRecursiveTypes(t *testing.T) {
	for _, types := range []string{
		`{tree: {type: object, additionalProperties: false, properties: {left: {$ref: "#/types/tree"}, right: {$ref: "#/types/tree"}}}}`,
		`{a: {type: object, additionalProperties: false, properties: {x: {$ref: "#/types/b"}, y: {$ref: "#/types/b"}, z: {$ref: "#/types/b"}}}, b: {type: object, additionalProperties: false, properties: {x: {$ref: "#/types/a"}, y: {$ref: "#/types/a"}, z: {$ref: "#/types/a"}}}}`,
		`{tree: {$ref: "#/types/tree"}}`,
		`{tree: {type: array, items: {$ref: "#/types/tree"}}}`,
	} {
		checkAnything(t, []byte("kind: flow/v1\nname: r\nsummary: r\ntypes: "+types+"\ninputs: {t: {$ref: \"#/types/tree\"}, a: {$ref: \"#/types/a\"}}\nstages: {s: {end: ok}}\n"))
		checkAnything(t, []byte("kind: pack/v1\nname: r\nversion: 1.0.0\nsummary: r\ntypes: "+types+"\n"))
	}
}

var everyLine = flag.Bool("every-line", false, "TestCutLines: cut every line, not every fifth")

// A fixture with a line missing, or cut off behind a line, is checked to the end like any other file.
func TestCutLines(t *testing.T) {
	step := 5
	if *everyLine {
		step = 1
	}
	n := 0
	for _, dir := range []string{"ok", "err"} {
		for _, file := range glob(t, dir) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(data, []byte("\n"))
			if len(lines) > 300 { // a fixture about size
				continue
			}
			for i := range lines {
				if n++; n%step == 0 {
					checkAnything(t, slices.Concat(bytes.Join(lines[:i], nil), bytes.Join(lines[i+1:], nil)))
					checkAnything(t, bytes.Join(lines[:i], nil))
				}
			}
		}
	}
}
