package stdlib_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
	stdlib "github.com/nth-dev/nth/stdlib-skills"
)

var update = flag.Bool("update", false, "rewrite README.md")

// README.md lists every skill of every pack with an example, as the YAML has them.
func TestReadme(t *testing.T) {
	files, err := fs.Glob(stdlib.FS, "*/pack.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no packs", err)
	}
	var b strings.Builder
	b.WriteString("# Standard skills\n\n" +
		"<!-- Written by `go test ./stdlib-skills -update` from the packs; do not edit. -->\n\n" +
		"A flow names the packs that it uses, `packs: {std: std@^1, tables: std/tables@^1}`, and lists their skills in `relevance`. What may be left out\n" +
		"of an example has a default or is optional. *write* changes the page, *commit* cannot be undone and is done at most once.\n")
	for _, file := range files {
		p := decode(t, file)
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| example | does | effect |\n|---|---|---|\n", p.Name.Value, p.Summary.Value)
		for _, s := range p.Skills {
			if s.Deprecated.Set() {
				continue
			}
			does := s.Summary.Value
			fmt.Fprintf(&b, "| `%s.%s%s` | %s | %s |\n", path.Base(p.Name.Value), s.Name.Value, editor.Example(s, p.Types), strings.ReplaceAll(does, "|", "\\|"), s.Effect.Value)
		}
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("README.md is not what the packs say; run: go test ./stdlib-skills -update")
	}
}

func decode(t *testing.T, file string) *schema.Pack {
	t.Helper()
	data, err := fs.ReadFile(stdlib.FS, file)
	if err != nil {
		t.Fatal(err)
	}
	n, ds := schema.Parse(file, data)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	p, ds := schema.DecodePack(n)
	if p == nil || ds.HasErrors() {
		t.Fatal(ds)
	}
	return p
}

// Every skill is used on a page: by a flow that the tests run in a browser.
func TestEverySkillIsUsed(t *testing.T) {
	var flows strings.Builder
	for _, pattern := range []string{"../testdata/sites/*.yaml", "../testdata/forms/*.yaml", "../flows/*/*.yaml", "../engine/browser/widgets*cases_test.go", "../engine/browser/widgets_more_test.go", "../cmd/nth/pay_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no flows", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			flows.Write(data)
		}
	}
	files, _ := fs.Glob(stdlib.FS, "*/pack.yaml")
	for _, file := range files {
		p := decode(t, file)
		for _, s := range p.Skills {
			name := path.Base(p.Name.Value) + "." + s.Name.Value
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(flows.String()) {
				t.Errorf("no flow uses %s", name)
			}
		}
	}
}
