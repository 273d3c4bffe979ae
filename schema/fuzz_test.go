package schema

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// inside makes sure that a range lies in its file, forwards.
func inside(t *testing.T, src *Source, r Range, what string) {
	t.Helper()
	for _, p := range []Pos{r.Start, r.End} {
		if p.Line < 1 || p.Line > len(src.lines) || p.Col < 1 || p.Col > src.line(p.Line).size+1 {
			t.Fatalf("%s: %v to %v lies outside the file", what, r, r.End)
		}
	}
	if later(r.Start, r.End) != r.End && r.Start != r.End {
		t.Fatalf("%s: %v ends before it starts, at %v", what, r, r.End)
	}
}

// placed makes sure that all places of a tree lie in the file, and children in their parents.
func placed(t *testing.T, src *Source, n *Node) {
	t.Helper()
	inside(t, src, n.Range, "node "+n.Text)
	last := n.Range.Start
	text := []rune(n.Text)
	for i := range len(text) + 2 {
		p := n.PosAt(i)
		if i < len(text) && n.Kind == Scalar {
			got := src.line(p.Line).at(p.Col - 1)
			if got != text[i] && !(n.Style == DoubleQuoted && got == '\\') && text[i] != ' ' && text[i] != '\n' {
				t.Fatalf("rune %d of %q is at %v, where %q stands", i, n.Text, p, got)
			}
		}
		inside(t, src, Range{Start: p, End: p}, "PosAt of "+n.Text)
		if later(p, last) != p {
			t.Fatalf("%q: rune %d lies at %v, before the one before it, at %v", n.Text, i, p, last)
		}
		last = p
		if i > 200 {
			break // places are quick together, not one by one
		}
	}
	child := func(c *Node) {
		if later(c.Range.Start, n.Range.Start) != c.Range.Start || later(c.Range.End, n.Range.End) != n.Range.End {
			t.Fatalf("%v to %v does not lie in its parent %v to %v", c.Range, c.Range.End, n.Range, n.Range.End)
		}
		placed(t, src, c)
	}
	for _, f := range n.Fields {
		child(f.Key)
		child(f.Value)
	}
	for _, i := range n.Items {
		child(i)
	}
}

// FuzzParse: no input panics or hangs Parse, the decoders, Print or the JSON of a tree, and every place lies in the file.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"../testdata/lint/*/*.yaml", "testdata/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	for _, c := range refusals {
		f.Add([]byte(c.yaml))
	}
	for _, c := range placeTests {
		f.Add([]byte(c.yaml))
	}
	f.Fuzz(func(t *testing.T, data []byte) { survives(t, data) })
}

// tokens are what YAML is made of, for inputs that get further than random bytes do.
var tokens = []string{
	"a", "b", "kind", "stages", "名", "é", "😀", " ", "  ", "    ", "\n", "\n  ", "\n    ", "\r\n", "\n\n", "\t", ": ", ":", "- ", "-", "? ", ",", "[", "]", "{", "}", "'", "''", "\"", "\\", "\\n", "\\x41", "\\u00e9",
	"|\n", ">\n", "|-\n  ", ">+\n  ", "|2\n", "#", " # c", "&x ", "*x", "!t ", "!!str ", "! ", "<<: ", "---\n", "...\n", "%Y", "@", "`", "=", "==", "true", "null", "~", "02134", "1e3", "flow/v1", "{{", "\ufeff",
}

func soup(data []byte) []byte {
	var out []byte
	for _, b := range data {
		out = append(out, tokens[int(b)%len(tokens)]...)
	}
	return out
}

// FuzzParseTokens is FuzzParse on a soup of tokens.
func FuzzParseTokens(f *testing.F) {
	f.Add([]byte{0, 16, 1, 10, 2, 16, 22, 0, 21, 1, 23})
	f.Fuzz(func(t *testing.T, data []byte) { survives(t, soup(data)) })
}

// TestParseSoup runs some of what FuzzParseTokens would find, in every test run.
func TestParseSoup(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, *seed))
	trees := 0
	for range *soups {
		data := make([]byte, 1+rnd.IntN(24))
		for i := range data {
			data[i] = byte(rnd.IntN(256))
		}
		if survives(t, soup(data)) {
			trees++
		}
	}
	t.Logf("%d of %d soups were YAML", trees, *soups)
}

var (
	soups = flag.Int("soups", 20000, "TestParseSoup: number of inputs")
	seed  = flag.Uint64("seed", 2, "TestParseSoup: seed of the inputs")
)

// survives does to an input all that can be done to one, and reports whether it made a tree without findings.
func survives(t *testing.T, data []byte) (clean bool) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("input: %q", data)
		}
	}()
	{
		src := NewSource("f", data)
		n, ds := Parse("f", data)
		clean = n != nil && !ds.HasErrors()
		if n == nil && len(ds) == 0 {
			t.Fatal("no tree and no finding")
		}
		if n != nil {
			if !ds.HasErrors() {
				placed(t, src, n)
			}
			n.JSON()
			n.SchemaJSON()
			_, flow := DecodeFlow(n)
			_, pack := DecodePack(n)
			_, skills := DecodeSkills(n)
			_, project := DecodeProject(n)
			for _, more := range []Diagnostics{flow, pack, skills, project} {
				ds = append(ds, more...)
			}
		}
		for _, d := range ds {
			inside(t, src, d.Range, d.Summary)
			for _, r := range d.Related {
				inside(t, src, r.Range, r.Message)
			}
		}
		ds.Print(io.Discard, map[string][]byte{"f": data}, true)
	}
	return clean
}
