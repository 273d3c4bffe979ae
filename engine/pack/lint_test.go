package pack_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

var update = flag.Bool("update", false, "rewrite testdata/lint/err/*.out")

const lintDir = "../../testdata/lint"

// findings checks one file of any kind, as nth validate does.
func findings(t *testing.T, file string) (schema.Diagnostics, map[string][]byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	sources := map[string][]byte{name: data}
	node, ds := schema.Parse(name, data)
	if node == nil {
		return ds, sources
	}
	switch schema.Kind(node) {
	case "pack/v1":
		_, ds := compile.CompilePack(compile.PackFiles{Alias: "p", Pack: compile.File{Name: name, Data: data}}, false)
		return ds, sources
	case "skills/v1":
		_, more := schema.DecodeSkills(node)
		return append(ds, more...), sources
	case "project/v1":
		_, more := schema.DecodeProject(node)
		return append(ds, more...), sources
	}
	l := &pack.Loader{Read: func(f string) ([]byte, error) { return os.ReadFile(filepath.Join(filepath.Dir(file), f)) }}
	in, err := l.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	_, ds = compile.Compile(in)
	return ds, in.Sources()
}

func TestLintOK(t *testing.T) {
	for _, file := range glob(t, "ok") {
		if ds, _ := findings(t, file); len(ds) > 0 {
			t.Errorf("%s: want no findings, got:\n%v", file, ds)
		}
	}
}

// Every err/*.yaml has a .out with all its findings, printed as people see them.
func TestLintErr(t *testing.T) {
	for _, file := range glob(t, "err") {
		ds, sources := findings(t, file)
		var b strings.Builder
		ds.Print(&b, sources, false)
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
		if !ds.HasErrors() {
			t.Errorf("%s: want an error", file)
		}
		if b.String() != string(want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", file, b.String(), want)
		}
		for _, d := range ds {
			checkRange(t, d.Range, sources)
		}
	}
}

// checkRange makes sure that a range lies inside its file.
func checkRange(t *testing.T, r schema.Range, sources map[string][]byte) {
	t.Helper()
	lines := strings.Split(strings.ReplaceAll(string(sources[r.File]), "\r\n", "\n"), "\n")
	for _, p := range []schema.Pos{r.Start, r.End} {
		if p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len([]rune(lines[p.Line-1]))+2 {
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
