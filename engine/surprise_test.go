package engine

import "testing"

func TestSurprise(t *testing.T) {
	page := func(change func(*Snapshot)) *Snapshot {
		s := &Snapshot{Document: "1", Elements: []Element{
			{Role: "textbox", Name: "City", Visible: true},
			{Role: "textbox", Name: "State", Visible: false},
			{Role: "button", Name: "Send", Visible: true},
		}}
		if change != nil {
			change(s)
		}
		return s
	}
	for _, tt := range []struct {
		name   string
		before *Snapshot
		change func(*Snapshot)
		want   bool
	}{
		{"nothing", page(nil), nil, false},
		{"a value, a name, a button", page(nil), func(s *Snapshot) {
			s.Elements[0].Value, s.Elements[0].Name = "Boston", "City: Boston"
			s.Elements = append(s.Elements, Element{Role: "button", Name: "Clear", Visible: true}, Element{Role: "option", Name: "Boston", Visible: true})
		}, false},
		{"navigation", page(nil), func(s *Snapshot) { s.Document = "2" }, true},
		{"new dialog", page(nil), func(s *Snapshot) { s.Modal = "Cookies" }, true},
		{"the dialog went", page(func(s *Snapshot) { s.Modal = "Cookies" }), nil, false},
		{"a field shows up", page(nil), func(s *Snapshot) { s.Elements[1].Visible = true }, true},
		{"a field goes", page(func(s *Snapshot) { s.Elements[1].Visible = true }), nil, false},
		{"a field is wrong now", page(nil), func(s *Snapshot) { s.Elements[0].Invalid = true }, true},
		{"a field is right now", page(func(s *Snapshot) { s.Elements[0].Invalid = true }), nil, false},
	} {
		if got := surprise(tt.before, page(tt.change)); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
