package schema

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The strict check and the JSON Schema of a kind come from one shape. These tests hold them to the same verdict on
// every fixture and on thousands of mutations of the good ones.
//
// The JSON Schema is fed what an editor sees: plain scalars resolved by YAML 1.2 core (editorJSON), so 02134 is a number
// and true a boolean, where nth reads text. Files that Parse refuses (duplicate keys, aliases, …) never reach it.

// beyondSchema lists what JSON Schema cannot express, by the rule and words of the finding. Where the check finds only
// such things, the JSON Schema may accept.
var beyondSchema = []struct {
	rule, words *regexp.Regexp
}{
	// {{ }} in a value at any depth; in conditions the JSON Schema refuses it too.
	{regexp.MustCompile(`^template$`), regexp.MustCompile(`: "`)},
	// A duration of nothing, or longer than a day: it would need arithmetic on text.
	{regexp.MustCompile(`^wrong-value$`), regexp.MustCompile(`must be more than nothing`)},
	// Numbers spelled as 5.0, 1e2, 0x10, +5 or 010: to an editor they are numbers like any other.
	{regexp.MustCompile(`^wrong-type$`), regexp.MustCompile(`must be a (?:whole )?number.*, not "(\+\d+|0\d+|0[xo][0-9a-fA-F]+|\d+\.0*|\d+[eE]\d+)"$`)},
}

func beyond(ds Diagnostics) bool {
	for _, d := range ds {
		known := false
		for _, b := range beyondSchema {
			known = known || b.rule.MatchString(d.Rule) && b.words.MatchString(d.Summary)
		}
		if !known {
			return false
		}
	}
	return true
}

var (
	core12Int   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	core12Hex   = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	core12Oct   = regexp.MustCompile(`^0o[0-7]+$`)
	core12Float = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// editorJSON is the tree as an editor sees it: YAML 1.2 core schema.
func editorJSON(n *Node) any {
	return n.each(func(s *Node) any {
		if s.Style != Plain {
			return s.Text
		}
		switch {
		case isNull(s.Text):
			return nil
		case s.isTruth():
			return s.resolveAny()
		case core12Int.MatchString(s.Text), core12Float.MatchString(s.Text):
			if f, err := strconv.ParseFloat(s.Text, 64); err == nil {
				return f
			}
		case core12Hex.MatchString(s.Text), core12Oct.MatchString(s.Text):
			if i, err := strconv.ParseInt(s.Text, 0, 64); err == nil {
				return float64(i)
			}
		}
		return s.Text
	})
}

// validators compiles the embedded JSON Schemas; nothing is ever opened.
func validators(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, k := range Kinds() {
		data, err := JSONSchema(k)
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s must not be opened", url) }
		if err := c.AddResource("mem:///"+k, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		if out[k], err = c.Compile("mem:///" + k); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// agree compares the two verdicts on a tree; the kind is that of the file before it was mutated.
func agree(t *testing.T, schemas map[string]*jsonschema.Schema, kind, what string, n *Node) (refused bool) {
	t.Helper()
	ds := check(n, kind)
	err := schemas[kind].Validate(editorJSON(n))
	switch {
	case err == nil && ds.HasErrors() && !beyond(ds):
		t.Errorf("%s: the check refuses what the JSON Schema accepts:\n%v", what, ds)
	case err != nil && !ds.HasErrors():
		t.Errorf("%s: the JSON Schema refuses what the check accepts: %#v", what, err)
	}
	return err != nil
}

func fixtures(t testing.TB, dirs ...string) map[string]*Node {
	t.Helper()
	out := map[string]*Node{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no fixtures in %s: %v", dir, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if n, ds := Parse(f, data); n != nil && !ds.HasErrors() && kindOf(Kind(n)) != nil {
				out[f] = n
			}
		}
	}
	return out
}

func TestAgreeFixtures(t *testing.T) {
	schemas := validators(t)
	for f, n := range fixtures(t, "../testdata/lint/ok", "../testdata/lint/err", "testdata") {
		agree(t, schemas, Kind(n), f, n)
	}
}

// everyMutation runs all of them (more than 40,000, some minutes), and not only one in 5 of the fixtures that hold every
// key and one in 29 of the others.
var everyMutation = flag.Bool("every-mutation", false, "TestAgreeMutations: run all mutations")

// TestAgreeMutations mutates the good fixtures at every place.
func TestAgreeMutations(t *testing.T) {
	schemas := validators(t)
	var total, refused atomic.Int64
	t.Run("files", func(t *testing.T) {
		for f, n := range fixtures(t, "../testdata/lint/ok", "testdata") {
			t.Run(filepath.Base(f), func(t *testing.T) {
				t.Parallel()
				made, step := 0, 29
				if nodes(n) > 1000 { // each mutation is checked with all the rest of its file
					step = 2999
				}
				if strings.Contains(f, "every_") {
					step = 5
				}
				mutate(n, func(what string, m *Node) {
					if made++; made%step != 0 && !*everyMutation {
						return
					}
					total.Add(1)
					if agree(t, schemas, Kind(n), what, m) {
						refused.Add(1)
					}
				})
			})
		}
	})
	t.Logf("%d mutations, %d of them refused by both", total.Load(), refused.Load())
	if all, no := total.Load(), refused.Load(); all < 500 || no < all/4 || no == all {
		t.Errorf("%d mutations, %d refused: that proves little", all, no)
	}
}

// nodes counts those of a tree.
func nodes(n *Node) int {
	count := 1
	for _, f := range n.Fields {
		count += 1 + nodes(f.Value)
	}
	for _, item := range n.Items {
		count += nodes(item)
	}
	return count
}

// collectionScalars are what a mapping or list is replaced with, scalars what a scalar is.
var collectionScalars = []*Node{{}, {Text: "true"}, {Text: "7"}, {Text: "word"}, {Text: "target"}, {Text: "click"}, {Text: "a.b"}}

var scalars = []*Node{
	{}, {Text: "null"}, {Text: "~"}, {Text: "true"}, {Text: "FALSE"}, {Text: "0"}, {Text: "7"}, {Text: "02134"}, {Text: "-3"}, {Text: "1.5"}, {Text: "5.0"}, {Text: "1e2"}, {Text: "0x10"}, {Text: "+5"},
	{Text: "1000000000"}, {Text: "4k"}, {Text: "0k"}, {Text: "10s"}, {Text: "0s"}, {Text: "48h"}, {Text: "2026-05-01"}, {Text: "word"}, {Text: "a.b"}, {Text: "target"}, {Text: "end"}, {Text: "click"},
	{Text: "Two Words"}, {Text: "=inputs.x"}, {Text: "==x"}, {Text: "{{ x }}", Style: SingleQuoted}, {Text: "true", Style: SingleQuoted}, {Text: "7", Style: DoubleQuoted}, {Text: "4k", Style: DoubleQuoted},
	{Text: "", Style: DoubleQuoted}, {Text: "  ", Style: DoubleQuoted}, {Text: "null", Style: SingleQuoted}, {Text: "ok"}, {Text: "https://a.example"}, {Text: "1.2.3"},
}

// mutate calls f with each single change of a tree.
func mutate(root *Node, f func(what string, m *Node)) {
	var visit func(path string, n *Node, put func(*Node) *Node)
	visit = func(path string, n *Node, put func(*Node) *Node) {
		list := scalars
		if n.Kind != Scalar {
			list = collectionScalars
		}
		for _, s := range list {
			if n.Kind != Scalar || s.Text != n.Text {
				f(fmt.Sprintf("%s becomes %q", path, s.Text), put(s))
			}
		}
		f(path+" becomes {}", put(&Node{Kind: Mapping}))
		f(path+" becomes []", put(&Node{Kind: Sequence}))
		f(path+" is put into a list", put(&Node{Kind: Sequence, Items: []*Node{n}}))
		f(path+" is put into a mapping", put(&Node{Kind: Mapping, Fields: []Field{{Key: &Node{Text: "word"}, Value: n}}}))
		for i, fd := range n.Fields {
			with := func(fields ...Field) *Node {
				m := *n
				m.Fields = append(append(append([]Field{}, n.Fields[:i]...), fields...), n.Fields[i+1:]...)
				return put(&m)
			}
			p := path + "/" + fd.Key.Text
			f(p+" is dropped", with())
			for _, key := range []string{fd.Key.Text + "x", strings.ToUpper(fd.Key.Text), "end", "a.b"} {
				if n.Field(key) == nil {
					f(p+" is renamed to "+key, with(Field{&Node{Text: key}, fd.Value}))
				}
			}
			for _, key := range []string{"extra", "reason", "target", "to", "timeout", "end", "do", "click", "fill", "when"} {
				if n.Field(key) == nil {
					f(p+" gets beside it "+key, with(fd, Field{&Node{Text: key}, &Node{Text: "target"}}))
				}
			}
			visit(p, fd.Value, func(v *Node) *Node { return with(Field{fd.Key, v}) })
		}
		for i, item := range n.Items {
			with := func(items ...*Node) *Node {
				m := *n
				m.Items = append(append(append([]*Node{}, n.Items[:i]...), items...), n.Items[i+1:]...)
				return put(&m)
			}
			p := path + "/" + strconv.Itoa(i)
			f(p+" is dropped", with())
			f(p+" is there twice", with(item, item))
			visit(p, item, func(v *Node) *Node { return with(v) })
		}
	}
	visit("", root, func(n *Node) *Node { return n })
}

// Every key of every kind stands in a good fixture, so that the mutations reach it.
func TestEveryKeyHasAFixture(t *testing.T) {
	written := map[string]bool{}
	var note func(*Node)
	note = func(n *Node) {
		for _, f := range n.Fields {
			written[f.Key.Text] = true
			note(f.Value)
		}
		for _, i := range n.Items {
			note(i)
		}
	}
	for _, n := range fixtures(t, "../testdata/lint/ok", "testdata") {
		if ds := check(n, Kind(n)); len(ds) > 0 {
			t.Errorf("%s: %v", n.Range.File, ds)
		}
		note(n)
	}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				look(x)
			}
		case map[string]any:
			if props, ok := v["properties"].(map[string]any); ok {
				for key, sub := range props {
					if !written[key] {
						t.Errorf("no fixture has the key %q", key)
					}
					if s, ok := sub.(map[string]any); ok && s["description"] == nil {
						t.Errorf("the key %q has no description", key)
					}
				}
			}
			for name, x := range v {
				if name != "jsonSchema" { // its words are engine/compile's to check
					look(x)
				}
			}
		}
	}
	for _, k := range Kinds() {
		data, err := JSONSchema(k)
		if err != nil {
			t.Fatal(err)
		}
		look(parseJSON(t, string(data)))
	}
}
