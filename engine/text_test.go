package engine

import "testing"

func TestFormatMarksWhatIsNew(t *testing.T) {
	button := func(ref, name string) Element {
		return Element{Ref: Ref(ref), Role: "button", Name: name, Visible: true, Enabled: true, Interactive: true}
	}
	before := &Snapshot{Title: "Shop", URL: "https://shop.test/", Document: "d", Elements: []Element{button("1", "Buy"), button("2", "Help")}}
	after := &Snapshot{Title: "Shop", URL: "https://shop.test/", Document: "d", Elements: []Element{button("3", "Undo"), button("1", "Buy")}}
	const page = "title: Shop\nurl: https://shop.test/\n"
	for _, c := range []struct{ name, got, want string }{
		{"first look", after.Format(nil), page + "[1]<button>Undo />\n[2]<button>Buy />\n"},
		{"second look", after.Format(before), page + "*[1]<button>Undo />\n[2]<button>Buy />\n"},
		{"what changed", after.Changes(before), "*[1]<button>Undo />\n- <button>Help />\n"},
		{"nothing changed", after.Changes(after), ""},
		{"another document", after.Changes(&Snapshot{Document: "other"}), after.Format(nil)},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%swant:\n%s", c.name, c.got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"Pay  €10\n now":          "Pay €10 now",
		"Pay \u202e01€\u202c now": "Pay 01€ now",
		"a\u0085b\u2028c\u00a0d":  "a b c d",
		"Buy\U000e0041\U000e0042": "Buy",
		"\x1b[31mred":             "[31mred",
		"👩\u200d🚀 می\u200cخواهم":  "👩\u200d🚀 می\u200cخواهم",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := WithoutMarker("#ab#abcdcd", "#abcd"); got != "" {
		t.Errorf("a marker is left: %q", got)
	}
}

func TestWithoutMarker(t *testing.T) {
	for text, want := range map[string]string{
		"no marker here, #3fa9c at most": "no marker here, #3fa9c at most",
		"a #3fa9c1 b":                    "a  b",
		"a #3f\u200da9\u200cc1 b":        "a  b", // joiners
		"a ＃3fа9с1 b":                    "a  b", // full width, Cyrillic
		"a #３ｆ𝖺𝟡ｃ𝟏 b":                    "a  b",
		"a #3FA9C1 b":                    "a  b",
		"a #3fa9cl b":                    "a  b", // the letter l
		"a #3\u0301fa9c1 b":              "a  b", // a mark over the 3
		"a #3f#3fa9c1a9c1 b":             "a  b",
		"Größe: Ünïcode, 価格 № 3 ﬁ é":     "Größe: Ünïcode, 価格 № 3 ﬁ é",
		"Ilo Ool с а е о are letters as long as they fit": "Ilo Ool с а е о are letters as long as they fit",
	} {
		if got := WithoutMarker(text, "#3fa9c1"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := WithoutMarker("#hello #he11o", "#hello"); got != " " {
		t.Errorf("%q", got)
	}
}
