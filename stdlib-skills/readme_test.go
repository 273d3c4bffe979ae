package stdlib_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

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
			fmt.Fprintf(&b, "| `%s.%s%s` | %s | %s |\n", path.Base(p.Name.Value), s.Name.Value, example(s), strings.ReplaceAll(does, "|", "\\|"), s.Effect.Value)
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

// example binds the params that must be bound: ": {field: Name, value: Ada}".
func example(s *schema.Skill) string {
	optional := map[string]bool{}
	for _, o := range s.Optional {
		optional[o.Value] = true
	}
	var bound []string
	for _, p := range s.Params {
		if p.Schema.Field("examples") == nil && (optional[p.Name.Value] || p.Schema.Field("default") != nil) {
			continue
		}
		bound = append(bound, p.Name.Value+": "+sample(s, p))
	}
	if bound == nil {
		return ""
	}
	return ": {" + strings.Join(bound, ", ") + "}"
}

func sample(s *schema.Skill, p schema.Param) string {
	if f := p.Schema.Field("examples"); f != nil && len(f.Items) > 0 {
		return flow(f.Items[0])
	}
	if f := p.Schema.Field("x-secret"); f != nil && f.Text == "true" {
		if p.Name.Value == "value" {
			return "=secrets." + s.Name.Value
		}
		return "=secrets." + p.Name.Value
	}
	if f := p.Schema.Field("enum"); f != nil && len(f.Items) > 0 {
		return flow(f.Items[0])
	}
	kind := "string"
	if f := p.Schema.Field("type"); f != nil {
		kind = f.Text
	}
	switch kind {
	case "integer", "number":
		return "2"
	case "boolean":
		return "true"
	case "array":
		return "[…]"
	case "object":
		return "{…}"
	}
	return "…"
}

// flow writes a node on one line.
func flow(n *schema.Node) string {
	var parts []string
	switch n.Kind {
	case schema.Mapping:
		for _, f := range n.Fields {
			parts = append(parts, f.Key.Text+": "+flow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.Sequence:
		for _, i := range n.Items {
			parts = append(parts, flow(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if strings.ContainsAny(n.Text, ",:{}[]#\"") {
		return fmt.Sprintf("%q", n.Text)
	}
	return n.Text
}
