package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
)

// What a site has stored is there again in the next session, and in no other.
func TestStateIsKept(t *testing.T) {
	url := server(t, map[string]http.HandlerFunc{"/state": func(w http.ResponseWriter, r *http.Request) {
		who := "nobody"
		if c, err := r.Cookie("session"); err == nil {
			who = c.Value
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "ada", HttpOnly: true, MaxAge: 3600})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%s</title><p id=p></p><script>p.textContent = localStorage.seen || "first"; localStorage.seen = "again"</script>`, who)
	}}).URL + "/state"
	p := open(t, url)
	if s := p.look(); s.Title != "nobody" || s.Text != "first" {
		t.Fatal(s.Title, s.Text)
	}
	file := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(file, []byte(`{}`), 0o644); err != nil { // an old one that all could read
		t.Fatal(err)
	}
	if err := p.SaveState(p.ctx, file); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for name, want := range map[string]string{file: "ada again", filepath.Join(t.TempDir(), "none"): "nobody first"} {
		s, err := p.b.NewSessionFrom(p.ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Do(p.ctx, engine.Action{Verb: "goto", Value: url}); err != nil {
			t.Fatal(err)
		}
		got, err := s.Snapshot(p.ctx, p.p)
		if err != nil || got.Title+" "+got.Text != want {
			t.Errorf("%s: got %q %q, %v, want %q", filepath.Base(name), got.Title, got.Text, err, want)
		}
	}
	if err := os.WriteFile(file, []byte("no JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.b.NewSessionFrom(p.ctx, file); err == nil || !strings.Contains(err.Error(), "not a storage state") {
		t.Errorf("got %v", err)
	}
}
