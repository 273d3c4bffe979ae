package lint_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

var update = flag.Bool("update", false, "rewrite testdata/lint/err/*.out")

const lintDir = "../../testdata/lint"

// findings checks one file of any kind, as nth validate does.
func findings(t *testing.T, file string) *lint.Result {
	t.Helper()
	l := &pack.Loader{Read: func(f string) ([]byte, error) { return os.ReadFile(filepath.Join(filepath.Dir(file), f)) }}
	res, err := (&lint.Checker{Loader: l}).File(filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestLintOK(t *testing.T) {
	for _, file := range glob(t, "ok") {
		if ds := findings(t, file).Findings; len(ds) > 0 {
			t.Errorf("%s: want no findings, got:\n%v", file, ds)
		}
	}
}

// Every err/*.yaml has a .out with all its findings, printed as people see them.
func TestLintErr(t *testing.T) {
	for _, file := range glob(t, "err") {
		res := findings(t, file)
		ds := res.Findings
		var b strings.Builder
		ds.Print(&b, res.Sources, false)
		out := strings.TrimSuffix(file, ".yaml") + ".out"
		if *update {
			if err := os.WriteFile(out, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if len(ds) == 0 {
			t.Errorf("%s: want findings", file)
		}
		if b.String() != string(want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", file, b.String(), want)
		}
		for _, d := range ds {
			checkRange(t, d.Range, res.Sources)
			for _, r := range d.Related {
				checkRange(t, r.Range, res.Sources)
			}
		}
	}
}

// Every rule has a fixture in which it is found and one beside it in which nothing is.
func TestEveryRuleHasFixtures(t *testing.T) {
	for _, r := range lint.Rules() {
		found := false
		for _, file := range glob(t, "err") {
			if name := filepath.Base(file); name == r.ID+".yaml" || strings.HasPrefix(name, r.ID+"_") {
				out, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".out")
				found = found || err == nil && strings.Contains(string(out), "["+r.ID+"]")
			}
		}
		if !found {
			t.Errorf("no testdata/lint/err/%s.yaml in which it is found", r.ID)
		}
		if ok, _ := filepath.Glob(filepath.Join(lintDir, "ok", r.ID+"*.yaml")); len(ok) == 0 {
			t.Errorf("no testdata/lint/ok/%s.yaml", r.ID)
		}
		if r.Summary == "" || len(r.Doc) < 80 || r.Severity == "" {
			t.Errorf("%s: a rule needs a summary, a severity, and a doc that explains it", r.ID)
		}
	}
}

// checkRange makes sure that a range lies inside its file.
func checkRange(t *testing.T, r schema.Range, sources map[string][]byte) {
	t.Helper()
	lines := strings.Split(strings.ReplaceAll(string(sources[r.File]), "\r\n", "\n"), "\n")
	for _, p := range []schema.Pos{r.Start, r.End} {
		if p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len([]rune(lines[p.Line-1]))+1 {
			t.Errorf("%v-%v lies outside the file", r, r.End)
		}
	}
}

func glob(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(lintDir, dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	return files
}
