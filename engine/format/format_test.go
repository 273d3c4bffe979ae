package format_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine/format"
	"github.com/nth-dev/nth/schema"
)

func TestSource(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"keys, with the comments above and beside them", `# at the top
name: x  # beside
# above kind
kind: flow/v1
stages:
  a:
    done: page.busy   # why
    # the goal
    goal: G
    relevance: [std.next_page]
# at the end
`, `# at the top
# above kind
kind: flow/v1
name: x  # beside
stages:
  a:
    # the goal
    goal: G
    relevance: [std.next_page]
    done: page.busy   # why
# at the end
`},
		{"what an author names keeps its order", `kind: flow/v1
name: x
inputs: {b: {type: string}, a: {maxLength: 3, type: string}}
stages: {z: {end: ok}, y: {end: ok}}
`, ""},
		{"brackets", `kind: flow/v1
name: x
stages:
  a: {relevance: [{when: page.busy, use: std.click, with: {z: 1, name: b}}], goal: "G, # no comment"}
  b: {reason: r,
    end: failed}
`, `kind: flow/v1
name: x
stages:
  a: {goal: "G, # no comment", relevance: [{use: std.click, with: {z: 1, name: b}, when: page.busy}]}
  b: {end: failed,
    reason: r}
`},
		{"a comment in brackets stays where it is", `kind: flow/v1
name: x
stages:
  b: {reason: r, # why
    end: failed}
`, ""},
		{"items that begin on the line of their dash", `kind: flow/v1
name: x
stages:
  a:
    relevance:
      # first
      - when: page.busy
        # the skill
        use: std.click
      # second
      - with: {name: b}
        use: std.click
`, `kind: flow/v1
name: x
stages:
  a:
    relevance:
      # first
      - # the skill
        use: std.click
        when: page.busy
      # second
      - use: std.click
        with: {name: b}
`},
		{"indentation", `kind: flow/v1
name: x
stages:
    a:
        goal: >
            Two lines
              of text
        relevance:
        - std.click:
            name: b
          # about nothing
        -   use: std.click
            with: {name: c,
              d: e}
    # about b
    b:
        end: ok
`, `kind: flow/v1
name: x
stages:
  a:
    goal: >
        Two lines
          of text
    relevance:
      - std.click:
          name: b
        # about nothing
      - use: std.click
        with: {name: c,
          d: e}
  # about b
  b:
    end: ok
`},
		{"empty lines and blanks", "\n\nkind: flow/v1   \n\n\n\nname: x\nstages:\n  a:\n    goal: |\n      one  \n\n\n      two\n\n\n    end: ok\n\n\n",
			"kind: flow/v1\n\nname: x\nstages:\n  a:\n    goal: |\n      one  \n\n\n      two\n\n    end: ok\n"},
		{"the empty lines that a text keeps", "kind: flow/v1\nname: x\nstages:\n  a:\n    end: ok\n    goal: |+\n      one\n\n\n  b: {end: ok}\n",
			"kind: flow/v1\nname: x\nstages:\n  a:\n    goal: |+\n      one\n\n\n    end: ok\n  b: {end: ok}\n"},
		{"Windows line ends", "name: x\r\nkind: flow/v1\r\nstages: {a: {end: ok}}\r\n", "kind: flow/v1\r\nname: x\r\nstages: {a: {end: ok}}\r\n"},
		{"no line end", "name: x\nstages: {a: {end: ok}}\nkind: flow/v1", "kind: flow/v1\nname: x\nstages: {a: {end: ok}}\n"},
		{"an unknown key stays behind its neighbour", "kind: flow/v1\nstages: {a: {end: ok}}\nfoo: 1\nname: x\n", "kind: flow/v1\nname: x\nstages: {a: {end: ok}}\nfoo: 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			got, ds, err := format.Source("x.yaml", []byte(c.in))
			if err != nil || len(ds) > 0 {
				t.Fatal(err, ds)
			}
			if string(got) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			again, _, err := format.Source("x.yaml", got)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("formatted again:\n%s\n%v", again, err)
			}
		})
	}
}

func TestSourceRefuses(t *testing.T) {
	for _, in := range []string{"", "a: [", "kind: flow/v1\nkind: flow/v1\n", "a: &x 1\n"} {
		if out, ds, err := format.Source("x.yaml", []byte(in)); err != nil || !ds.HasErrors() || out != nil {
			t.Errorf("%q: %q %v %v", in, out, ds, err)
		}
	}
}

// All files of the repository can be formatted, those with mistakes too if they can be read.
func TestRepository(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if formats(t, name, data) {
			n++
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Fatal(n, err)
	}
}

// formats checks what must hold for every file, and reports whether it was formatted.
func formats(t *testing.T, name string, data []byte) bool {
	t.Helper()
	out, ds, err := format.Source(name, data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if ds != nil || err != nil {
		return false
	}
	again, _, err := format.Source(name, out)
	if err != nil || !bytes.Equal(out, again) {
		t.Errorf("%s: formatted once:\n%s\ntwice (%v):\n%s", name, out, err, again)
	}
	if a, b := said(t, name, data), said(t, name, out); a != b {
		t.Errorf("%s: said\n%s\nnow says\n%s", name, a, b)
	}
	if a, b := bytes.Count(data, []byte("#")), bytes.Count(out, []byte("#")); a != b {
		t.Errorf("%s: %d # before, %d after:\n%s", name, a, b, out)
	}
	return true
}

// said is what a file says, without the order of its keys.
func said(t *testing.T, name string, data []byte) string {
	n, ds := schema.Parse(name, data)
	if n == nil || ds.HasErrors() {
		t.Fatalf("%s: %v", name, ds)
	}
	j, err := n.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(j)
}

// No text makes Source panic, and what it gives means the same and is left alone the second time.
func FuzzSource(f *testing.F) {
	files, err := filepath.Glob("../../testdata/lint/*/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range append(files, "../../flows/flights/flow.yaml", "../../flows/flights/pack/pack.yaml", "../../stdlib-skills/std/pack.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, ds, err := format.Source("fuzz.yaml", data)
		if err != nil || ds != nil {
			return
		}
		again, _, err := format.Source("fuzz.yaml", out)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("once: %q\ntwice: %q (%v)", out, again, err)
		}
		if a, b := said(t, "fuzz.yaml", data), said(t, "fuzz.yaml", out); a != b {
			t.Fatalf("said %s\nnow says %s", a, b)
		}
		if strings.Count(string(data), "#") != strings.Count(string(out), "#") {
			t.Fatalf("comments of %q are not those of %q", data, out)
		}
	})
}

// Large texts, and hostile ones, are formatted in time.
func TestLargeTexts(t *testing.T) {
	head := "name: x\nkind: flow/v1\n"
	stage := "  a: {reason: r, end: failed}\n"
	var inputs, stages, unknown strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&inputs, "a%d: {type: string, x: é}, ", i)
		fmt.Fprintf(&unknown, "    k%d: v\n", i)
		fmt.Fprintf(&stages, "  a%d: {reason: r, end: failed} # %d\n", i, i)
	}
	for name, text := range map[string]string{
		"one long line":     head + "inputs: {" + inputs.String() + "}\nstages:\n" + stage,
		"many comments":     head + strings.Repeat("# comment\n", 50_000) + "stages:\n" + strings.Repeat("  # comment\n", 20_000) + stage,
		"many stages":       head + "stages:\n" + stages.String(),
		"many unknown keys": head + "stages:\n  a:\n" + unknown.String(),
		"a long text":       head + "stages:\n  a:\n    reason: |\n" + strings.Repeat("      é text\n\n", 30_000) + "    end: failed\n",
		"empty lines":       head + strings.Repeat("\n", 500_000) + "stages:\n" + stage,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if !formats(t, name, []byte(text)) {
				t.Error("it was not formatted")
			}
			if took := time.Since(start); took > 60*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}
