package schema

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// refusals are inputs that Parse must not take. What it says of them stands in testdata/refusals.golden.
var refusals = []struct{ name, yaml string }{
	{"empty", ""},
	{"blanks", "  \n\n"},
	{"only a comment", "# a\n"},
	{"empty document, then another", "---\n---\nkind: x\n"},
	{"second document", "a: 1\n---\nb: 2\n"},
	{"directive", "%YAML 1.1\n---\na: 1\n"},
	{"not UTF-8", "a: 1\nb: 名 \xff\n"},
	{"zero byte", "a: 1\nb: \x00\n"},
	{"control character", "a: \x01b\n"},
	{"carriage return alone", "a: 1\rb: 2\r"},
	{"hidden line break", "a: x\u2028b\n"},
	{"BOM inside", "a: 1\n\ufeffb: 2\n"},
	{"too deep", strings.Repeat("[", 65) + strings.Repeat("]", 65)},
	{"far too deep", strings.Repeat("[", 100000)},
	{"alias", "a: &x 1\nb: *x\n"},
	{"unknown alias", "a: b\nc: *x\n"},
	{"merge key", "a: {<<: {b: 1}}\n"},
	{"tag", "a: !x y\nb: !!str 1\n"},
	{"condition that begins with !", "done: !facts.x\n"},
	{"condition that begins with ! and a blank", "done: ! facts.x\n"},
	{"! before a quote, a list and nothing", "a: ! 'b'\nb: ! [c]\nc: !\n"},
	{"! in brackets and as a key", "a: [! b, {! c: d}]\n"},
	{"duplicate key", "a: 1\nb: 2\na: 3\n"},
	{"duplicate key, other quotes", "x: {a: 1, 'a': 2}\n"},
	{"list as key", "? [a]\n: b\n"},
	{"mapping as key", "{a: b}: c\n"},
	{"null as key", "~: x\nnull: y\n"},
	{"no key", "a: 1\n: x\n"},
	{"tab", "a:\n\tb: 1\n"},
	{"tab after spaces", "a:\n  b: 1\n  \tc: 2\n"},
	{"tab before a list item, which YAML takes for text", "- a\n\t- b\n"},
	{"tab in a block", "a: |\n\tx\n"},
	{"indentation, key under a value", "kind: flow/v1\nname: a\n  b: c\n"},
	{"indentation, between levels", "a:\n  - b\n c: d\n"},
	{"indentation, far below", "a:\n  b: 1\n  c: 2\n\n  # x\n  d: 3\n e: 4\n"},
	{"colon in a text", "a: b: c\n"},
	{"colon in an expression", "a: 1\nb: =x ? 1 : 2\n"},
	{"no colon", "a: 1\nname\nb: 2\n"},
	{"no space after a colon", "name:contact\nkind: flow/v1\n"},
	{"no space after a colon, below", "a: 1\nname:contact\nb: 2\n"},
	{"no space after a dash", "a:\n- b\n-c\n"},
	{"list in the line of its key", "a: - b\n"},
	{"open bracket", "a: [1, 2\nb: c\n"},
	{"open brace", "x: 1\na: {b: c, d: [1]\ne: f\n"},
	{"bracket too many", "x: [a, b]]\n"},
	{"only a closing bracket", "x: 1\na: }\n"},
	{"two commas", "x: 1\nb: [a,,c]\n"},
	{"open double quote", "a: \"x\nb: c\n"},
	{"open single quote", "x: 'b'\na: 'it''s\n"},
	{"text behind a quote", "x: 1\na: \"b\" c\n"},
	{"unknown escape", "x: 1\na: \"C:\\qux\"\n"},
	{"text that begins with @", "x: 1\na: @b\n"},
	{"text that begins with `", "a: [`b`]\n"},
	{"text that begins with %", "a: %b\n"},
	{"several at once", "a: &x 1\na: !t 2\nb: *x\n~: {<<: 1}\n"},
}

func TestParseRefuses(t *testing.T) {
	var b strings.Builder
	for _, c := range refusals {
		n, ds := Parse("f", []byte(c.yaml))
		if !ds.HasErrors() {
			t.Errorf("%s: not refused: %v", c.name, n.JSON())
		}
		fmt.Fprintf(&b, "=== %s\n", c.name)
		if len(c.yaml) < 1000 {
			ds.Print(&b, map[string][]byte{"f": []byte(c.yaml)}, false)
		} else {
			fmt.Fprintln(&b, ds)
		}
	}
	golden(t, "testdata/refusals.golden", []byte(b.String()))
}

func TestParseTooLarge(t *testing.T) {
	if n, ds := Parse("f", make([]byte, 10<<20)); n != nil || len(ds) != 1 || ds[0].Rule != "file-too-large" {
		t.Errorf("got %v, %v", n, ds)
	}
}

// A byte order mark and Windows line ends change neither the tree nor the places of findings.
func TestParseBOMAndCRLF(t *testing.T) {
	unix, err := os.ReadFile("testdata/design_pack.yaml")
	if err != nil {
		t.Fatal(err)
	}
	unix = append(unix, "extra: 名 # unknown\n"...)
	windows := "\ufeff" + strings.ReplaceAll(string(unix), "\n", "\r\n")
	a, ads := Parse("f", unix)
	b, bds := Parse("f", []byte(windows))
	_, more := DecodePack(a)
	ads = append(ads, more...)
	_, more = DecodePack(b)
	bds = append(bds, more...)
	if len(ads) != 1 || ads.Error() != bds.Error() {
		t.Errorf("got %v and %v", ads, bds)
	}
	if fmt.Sprint(a.JSON()) != fmt.Sprint(b.JSON()) {
		t.Error("the trees differ")
	}
}

// Duplicates are found on both sides of the size where mappings get an index.
func TestDuplicateKeysInLargeMappings(t *testing.T) {
	for _, size := range []int{1, smallMapping - 1, smallMapping, smallMapping + 1, smallMapping + 2, 3 * smallMapping} {
		var b strings.Builder
		for i := range 2 * size {
			fmt.Fprintf(&b, "k%d: 1\n", i%size)
		}
		n, ds := Parse("f", []byte(b.String()))
		if len(ds) != size || len(n.Fields) != size || ds[size-1].Related[0].Range.Start.Line != size {
			t.Errorf("%d keys twice: %d findings, %d keys", size, len(ds), len(n.Fields))
		}
	}
}
