package model

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

func TestWrite(t *testing.T) {
	req := engine.WriteRequest{
		Instructions: "Book a room", State: "#ab Hotel (/book) #ab", Action: "Fill Wishes\nwith ?",
		Fields:  []engine.Field{{Name: "value", Prompt: "A polite note asking for a late checkout", Schema: map[string]any{"type": "string", "maxLength": 80}}},
		Problem: "value is missing",
	}
	const want = "Goal: Book a room\n#ab Hotel (/book) #ab\nFor: Fill Wishes with ?\nWrite:\n" +
		"\"value\": A polite note asking for a late checkout Schema: {\"maxLength\":80,\"type\":\"string\"}\nOne JSON object.\n" +
		"Your last answer could not be used: value is missing."
	var got string
	reply := ""
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		got = r.Prompt()
		return modeltest.Text(reply)
	})
	p, err := New("openai:stub", Config{BaseURL: s.URL(), Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reply string
		want  map[string]any // nil: unreadable
	}{
		{`{"value": "Could we leave at 13:00, please?"}`, map[string]any{"value": "Could we leave at 13:00, please?"}},
		{"Sure:\n```json\n{\"value\": \"a {b} c\",}\n```", map[string]any{"value": "a {b} c"}},
		{`{"value": "a, }"}`, map[string]any{"value": "a, }"}},
		{"<think>{\"value\": 1}</think>{\"value\": 2}", map[string]any{"value": 2.0}},
		{`{"value": "a"} or {"value": "b"}`, nil},
		{`{"value": "a`, nil},
		{`a note`, nil},
		{`["value"]`, nil},
	} {
		reply = tt.reply
		w, err := p.(engine.Writer).Write(t.Context(), req)
		var unreadable *engine.UnreadableError
		switch {
		case tt.want == nil && (!errors.As(err, &unreadable) || unreadable.Usage.Calls != 1):
			t.Errorf("%s: %v, %v; want it unreadable", tt.reply, w, err)
		case tt.want != nil && (err != nil || !reflect.DeepEqual(w.Values, tt.want) || w.Usage.Calls != 1 || w.Usage.PromptTokens == 0):
			t.Errorf("%s: %+v, %v; want %v", tt.reply, w, err, tt.want)
		}
	}
	if got != want {
		t.Errorf("prompt:\n%s\nwant:\n%s", got, want)
	}
}

func TestReason(t *testing.T) {
	for reply, want := range map[string][2]string{
		"It is the cheapest of the 3.\n2": {"It is the cheapest of the 3.", "2"},
		"2":                               {"", "2"},
		"Two stops are slower\n\n**2**\n": {"Two stops are slower", "2"},
	} {
		s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply { return modeltest.Text(reply) })
		p, err := New("openai:stub", Config{BaseURL: s.URL(), Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		q := five(false)
		q.Reason = true
		a, err := p.Pick(t.Context(), engine.Request{Questions: []engine.Question{q}})
		if err != nil || a[0].Reason != want[0] || a[0].Keys[0] != want[1] {
			t.Errorf("%q: %+v, %v", reply, a, err)
		}
	}
}

func TestValuesWithThePick(t *testing.T) {
	q := five(true)
	q.Asks = map[string][]engine.Field{"2": {{Name: "message", Prompt: "A polite note", Schema: map[string]any{"type": "string"}}}}
	note := map[string]map[string]any{"2": {"message": "Thank you, number 4"}}
	var got string
	reply := ""
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		got = r.Prompt()
		return modeltest.Text(reply)
	})
	p, err := New("openai:stub", Config{BaseURL: s.URL(), Key: "k"})
	if err != nil || !p.Caps().Values {
		t.Fatal(err, p.Caps())
	}
	for _, tt := range []struct {
		reply  string
		keys   []string // nil: unreadable
		values map[string]map[string]any
	}{
		{`{"pick": [1, 2], "values": {"2": {"message": "Thank you, number 4"}}}`, []string{"1", "2"}, note},
		{"```json\n{\"pick\": 2, \"values\": {\"2\": {\"message\": \"Thank you, number 4\"}},}\n```", []string{"2"}, note},
		{`{"pick": [2], "values": {"message": "Thank you, number 4"}}`, []string{"2"}, note},
		{`{"pick": [3], "values": {}}`, []string{"3"}, map[string]map[string]any{}},
		{`2`, []string{"2"}, nil},
		{`{"pick": [2], "values": {"4": {"message": "for another"}}}`, []string{"2"}, map[string]map[string]any{}},
		{`{"pick": [2], "values": {"2": {"message": "cut off`, nil, nil},
	} {
		reply = tt.reply
		a, err := p.Pick(t.Context(), engine.Request{Questions: []engine.Question{q}})
		var unreadable *engine.UnreadableError
		switch {
		case tt.keys == nil && !errors.As(err, &unreadable):
			t.Errorf("%s: %+v, %v; want it unreadable", tt.reply, a, err)
		case tt.keys != nil && (err != nil || !reflect.DeepEqual(a[0].Keys, tt.keys) || !reflect.DeepEqual(a[0].Values, tt.values)):
			t.Errorf("%s: %+v, %v; want %v and %v", tt.reply, a, err, tt.keys, tt.values)
		}
	}
	if want := "\nValues, for those you pick:\n2 \"message\": A polite note Schema: {\"type\":\"string\"}"; !strings.HasSuffix(got, want) {
		t.Errorf("prompt:\n%s\nwant the end %q", got, want)
	}
}
