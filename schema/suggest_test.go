package schema

import "testing"

func TestSuggest(t *testing.T) {
	known := []string{"relevance", "role", "goal", "go", "on_error", "名前"}
	for word, want := range map[string]string{
		"relevence": "relevance", "revelance": "relevance", "roel": "role", "gaol": "goal", "g": "go", "onerror": "on_error", "名": "名前",
		"relevance": "", "xyz": "", "": "", "completely": "",
	} {
		if got := Suggest(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestRespell(t *testing.T) {
	at := func(word string) Range { return Range{"f", Pos{2, 3}, Pos{2, 3 + len(word)}} }
	for _, c := range []struct {
		word  string
		at    Range
		known []string
		taken string
		want  string
	}{
		{"relevence", at("relevence"), []string{"relevance", "do", "end"}, "", "relevance"},
		{"don", at("don"), []string{"do", "done", "end"}, "", ""}, // either
		{"doen", at("doen"), []string{"done", "next"}, "done", ""},
		{"doen", at("'doen'"), []string{"done", "next"}, "", ""}, // in quotes
		{"zzz", at("zzz"), []string{"done", "next"}, "", ""},
		{"doen", Range{}, []string{"done"}, "", ""},
		{"doen", at("doen"), []string{"done", "done"}, "", "done"},
	} {
		got := ""
		for _, e := range Respell(c.at, c.word, c.known, func(s string) bool { return s == c.taken }) {
			got += e.Text
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}
