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
	if got := without("#ab#abcdcd", "#abcd"); got != "" {
		t.Errorf("a marker is left: %q", got)
	}
}
