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
