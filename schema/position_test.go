package schema

import (
	"strings"
	"testing"
)

// placeTests put the scalar under the key "a". In want, every rune of its text stands where it stands in the file; what
// belongs to quotes, escapes and indentation is "·". A line end that is a rune of the text is "_" behind its line (in a
// folded block, the space that it becomes stands at the beginning of the next line).
var placeTests = []struct{ name, yaml, want string }{
	{"plain", "a: hello\n", "···hello\n"},
	{"plain wide", "a: 名前 x\n", "···名前 x\n"},
	{"plain, folded", "a: one two  \n  three\n", "···one two_\n··three\n"},
	{"plain, empty line", "a: one\n\n  two\n", "···one_\n\n··two\n"},
	{"plain, two empty lines", "a: one\n\n\n  two\n", "···one_\n\n_\n··two\n"},
	{"single", "a: 'it''s x'\n", "····it'·s x·\n"},
	{"single, folded", "a: 'one\n  two'\n", "····one_\n··two·\n"},
	{"double", `a: "x\ty \u0041z \x41 \U0001F600!"` + "\n", `····x\·y \·····z \··· \·········!·` + "\n"},
	{"double, folded", "a: \"one\n  two\"\n", "····one_\n··two·\n"},
	{"double, escaped line end", "a: \"one\\\n  two\"\n", "····one·\n··two·\n"},
	{"literal", "a: |\n  one\n   two\n\n  three\n", "····\n··one_\n·· two_\n_\n··three_\n"},
	{"literal, indicator", "a: |2\n   one\n  two\n", "·····\n·· one_\n··two_\n"},
	{"literal, stripped", "a: |-\n    one\n    two\n", "·····\n····one_\n····two\n"},
	{"folded", "a: >-\n  one\n  two\n", "·····\n··one\n··two\n"},
	{"CRLF", "a: one\r\n  two\r\n", "···one_\n··two\n"},
	{"BOM", "\ufeffa: one\n", "···one\n"},
}

func TestPosAt(t *testing.T) {
	for _, c := range placeTests {
		n, ds := Parse("f", []byte(c.yaml))
		if len(ds) > 0 {
			t.Errorf("%s: %v", c.name, ds)
			continue
		}
		a := n.Field("a")
		placed(t, a.source, a)
		if got := picture(a); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// picture draws where the runes of a scalar stand.
func picture(n *Node) string {
	rows := make([][]rune, len(n.source.lines))
	for i, l := range n.source.lines {
		rows[i] = []rune(strings.Repeat("·", l.content))
	}
	for i, r := range []rune(n.Text) {
		p := n.PosAt(i)
		row := &rows[p.Line-1]
		if p.Col-1 >= len(*row) {
			*row = append(*row, '_')
			continue
		}
		if got := n.source.line(p.Line).at(p.Col - 1); got != r {
			r = got
		}
		(*row)[p.Col-1] = r
	}
	var out []string
	for _, r := range rows {
		out = append(out, string(r))
	}
	return strings.Join(out, "\n")
}
