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
