package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/engine/pack"
)

// Each page in testdata/sites is one difficulty. NAME.html gives NAME.golden: the lines that nth sees, the headings,
// the text. Where NAME.yaml stands beside it, that flow is run on the page, and the page is the judge: it sets
// window.result to "ok" when what should have been done to it has been done, and to what is wrong otherwise. A flow
// that must not succeed begins with "# ends: failed ERROR".
//
// A page that is not ready when it has loaded sets window.ready to false until it is. NAME.PART.html are parts of a
// page (frames, popups). localhost and 127.0.0.1 are two sites on the same server, so a frame of another origin is
// location.href with the one put for the other. The server also has the routes of siteRoutes.

// siteRoutes is what the pages need besides files.
func siteRoutes() map[string]http.HandlerFunc {
	files := http.FileServer(http.Dir(sites))
	under := func(prefix string, f http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.StripPrefix(prefix, f).ServeHTTP(w, r) }
	}
	return map[string]http.HandlerFunc{
		// /slow/FILE?ms=500 answers after that time.
		"/slow/": under("/slow", func(w http.ResponseWriter, r *http.Request) {
			ms, _ := strconv.Atoi(r.URL.Query().Get("ms"))
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
				files.ServeHTTP(w, r)
			case <-r.Context().Done():
			}
		}),
		// /csp/FILE forbids all that a content security policy can forbid a script that is injected.
		"/csp/": under("/csp", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self' 'nonce-site'; style-src 'self' 'nonce-site'; require-trusted-types-for 'script'; trusted-types 'none'")
			files.ServeHTTP(w, r)
		}),
		// /never does not answer.
		"/never": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		// /upload answers with the names and sizes of the files that it got: "a.txt 5, b.txt 7".
		"/upload": func(w http.ResponseWriter, r *http.Request) {
			if err := r.ParseMultipartForm(1 << 20); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			var names []string
			for _, list := range r.MultipartForm.File {
				for _, f := range list {
					names = append(names, fmt.Sprintf("%s %d", f.Filename, f.Size))
				}
			}
			_, _ = io.WriteString(w, strings.Join(names, ", "))
		},
		// /download/NAME is a file to keep.
		"/download/": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", filepath.Base(r.URL.Path)))
			_, _ = io.WriteString(w, "hello")
		},
	}
}

func TestSites(t *testing.T) {
	all, err := filepath.Glob(sites + "*.html")
	if err != nil || len(all) == 0 {
		t.Fatal("no pages", err)
	}
	srv := server(t, siteRoutes())
	for _, path := range all {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		if strings.Contains(name, ".") {
			continue
		}
		url := srv.URL + "/" + name + ".html"
		t.Run(name+"/look", func(t *testing.T) {
			p := open(t, url)
			for i := 0; p.js("document.readyState === 'complete' && window.ready !== false") != "true"; i++ {
				if i > 2000 {
					t.Fatal("the page never got ready")
				}
				time.Sleep(5 * time.Millisecond)
			}
			s := p.look()
			text := strings.Join(lines(s), "\n") + "\n"
			for _, f := range s.Frames[1:] {
				if f.Error != "" {
					text += "frame " + f.Error + "\n"
				}
			}
			if s.Modal != "" {
				text += "modal " + s.Modal + "\n"
			}
			text += "\n" + strings.Join(s.Headings, " | ") + "\n" + cutText(s.Text, 2000) + "\n"
			golden(t, name, strings.ReplaceAll(text, srv.URL, ""))
		})
		flow := strings.TrimSuffix(path, ".html") + ".yaml"
		if _, err := os.Stat(flow); err != nil {
			continue
		}
		t.Run(name+"/act", func(t *testing.T) {
			repeat(t, func(s *Session) { runSite(t, s, flow, url) })
		})
	}
}

// repeat makes a run once, or as often as NTH_REPEAT says, and then in two tests at a time. The runs of a test share a
// session for as long as they leave it with one tab and nothing downloaded: to open one takes longer than most runs do.
func repeat(t *testing.T, run func(s *Session)) {
	n, err := strconv.Atoi(os.Getenv("NTH_REPEAT"))
	if err == nil {
		t.Parallel()
	} else {
		n = 1
	}
	var s *Session
	for range n {
		if s != nil {
			s.forget()
		}
		if s == nil || !s.asNew() {
			if s, err = shared.NewSession(testContext(t)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
		}
		run(s)
	}
}

// forget takes out what a run has left in its tab.
func (s *Session) forget() {
	if t, err := s.tab(); err == nil {
		_, _ = t.page.Evaluate("sessionStorage.clear(), localStorage.clear()") // some documents have none
	}
}

// asNew reports whether a run can begin in the session as in a new one.
func (s *Session) asNew() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tabs) == 1 && !s.tabs[0].crash && len(s.downloads) == 0 && len(s.dialogs) == 0 && s.answer == nil
}

// runSite runs a flow on its page, and asks the page how it went.
func runSite(t *testing.T, s *Session, flow, url string) {
	t.Helper()
	source, err := os.ReadFile(flow)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	given := map[string]any{"url": url}
	if strings.Contains(string(source), "inputs.file") {
		given["file"], _ = filepath.Abs(sites + "receipt.txt")
	}
	p, res, steps := runFlow(t, ctx, s, flow, given)
	ends := "done"
	if rest, ok := strings.CutPrefix(string(source), "# ends: "); ok {
		ends, _, _ = strings.Cut(rest, "\n")
	}
	if got := strings.TrimSpace(fmt.Sprintf("%s %s", res.Status, res.Error)); got != ends {
		t.Errorf("it ended %q (%s), want %q", got, res.Message, ends)
	}
	defer func() {
		if t.Failed() {
			t.Logf("%s\n%s", steps, strings.Join(lines(p.look()), "\n"))
		}
	}()
	if got := p.settled("window.result", "ok", 2*time.Second); got != "ok" {
		t.Errorf("the page says %q", got)
	}
}

// runFlow runs a flow with the picker first, and gives how it ended and its records.
func runFlow(t *testing.T, ctx context.Context, s *Session, flow string, given map[string]any) (*probe, *engine.Result, []byte) {
	t.Helper()
	in, err := (&pack.Loader{AllowEval: true}).Load(flow)
	if err != nil {
		t.Fatal(err)
	}
	prog, diags := compile.Compile(in)
	for _, d := range diags {
		t.Log(d)
	}
	if prog == nil {
		t.Fatalf("%s does not compile", flow)
	}
	dir := t.TempDir()
	journal, err := engine.CreateJSONL(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	inputs, err := engine.Inputs(prog, given)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&engine.Runner{Driver: s, Picker: model.First{}, Journal: journal, Secret: secret, Approver: person{}}).Run(ctx, prog, inputs)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := os.ReadFile(filepath.Join(dir, "steps.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return &probe{Session: s, t: t, ctx: ctx, p: &compile.Probes{}}, res, steps
}

// person approves of everything, and has been sent a code.
type person struct{}

func (person) Approve(context.Context, engine.Approval) (engine.Decision, error) {
	return engine.Decision{OK: true, By: "test"}, nil
}
func (person) Ask(context.Context, string) (string, error) { return "402317", nil }

// secret gives the secrets of the flows that are tested here.
func secret(s compile.Secret) (string, error) {
	known := map[string]string{"code": "402317", "password": "correct horse", "card": "4242424242424242", "name": "Ada Lindqvist", "street": "Dlouhá 4", "flat": "2nd floor",
		"state": "Moravia", "email": "ada@example.com", "phone": "+420 601 555 010", "holder": "A LINDQVIST", "expiry": "03/29"}
	text, ok := known[s.Name]
	if !ok {
		return "", fmt.Errorf("there is no %s", s.Name)
	}
	return text, nil
}

// settled is the value of an expression in the page, once it is what it should be or the time is up: what was done may
// reach the page's own state a little later.
func (p *probe) settled(expr, want string, limit time.Duration) string {
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		got := p.js(expr)
		if got == want || time.Now().After(end) {
			return got
		}
	}
}
