package browser

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// shared is the browser of all tests; each test opens its own session.
var shared *Browser

func TestMain(m *testing.M) {
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	b, err := Launch(ctx, Options{})
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "these tests need a browser:", err)
		os.Exit(1)
	}
	shared = b
	code := m.Run()
	_ = b.Close()
	os.Exit(code)
}

const sites = "../../testdata/sites/"

// server serves testdata/sites, and what routes add to it.
func server(t testing.TB, routes map[string]http.HandlerFunc) *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(sites)))
	for path, h := range routes {
		mux.HandleFunc(path, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// page serves one document.
func page(html string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}
}

func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// probe is a session on one page, with the steps that tests are made of.
type probe struct {
	*Session
	t   testing.TB
	ctx context.Context
	p   *compile.Probes
}

func open(t testing.TB, url string) *probe {
	t.Helper()
	ctx := testContext(t)
	s, err := shared.NewSession(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Do(ctx, engine.Action{Verb: "goto", Value: url, Timeout: 25 * time.Second}); err != nil {
		t.Fatal(err)
	}
	return &probe{Session: s, t: t, ctx: ctx, p: &compile.Probes{}}
}

// openHTML opens a document given as text.
func openHTML(t testing.TB, html string) *probe {
	t.Helper()
	return open(t, server(t, map[string]http.HandlerFunc{"/page": page(html)}).URL+"/page")
}

func (p *probe) look() *engine.Snapshot {
	p.t.Helper()
	s, err := p.Snapshot(p.ctx, p.p)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// find gives the only element of that role (or tag) and name; either may be "".
func (p *probe) find(role, name string) engine.Element {
	p.t.Helper()
	s := p.look()
	var hits []engine.Element
	for _, e := range s.Elements {
		if (role == "" || e.Role == role || e.Role == "" && e.Tag == role) && (name == "" || e.Name == name || e.Name == "" && e.Label == name) {
			hits = append(hits, e)
		}
	}
	if len(hits) != 1 {
		p.t.Fatalf("%d elements are %s %q:\n%s", len(hits), role, name, strings.Join(lines(s), "\n"))
	}
	return hits[0]
}

func on(verb string, e engine.Element, value string) engine.Action {
	return engine.Action{Verb: verb, Ref: e.Ref, Role: e.Role, Name: e.Name, Value: value}
}

func (p *probe) do(a engine.Action) {
	p.t.Helper()
	if err := p.Do(p.ctx, a); err != nil {
		p.t.Fatalf("%s: %v", a.Verb, err)
	}
}

// refused does an action that must fail in a certain way.
func (p *probe) refused(a engine.Action, kind string, touched bool) *engine.ActionError {
	p.t.Helper()
	err := p.Do(p.ctx, a)
	ae, ok := err.(*engine.ActionError)
	if !ok {
		p.t.Fatalf("%s: got %v, want %s", a.Verb, err, kind)
	}
	if ae.Kind != kind || ae.Touched != touched {
		p.t.Fatalf("%s: got %v (touched %v), want %s (touched %v)", a.Verb, err, ae.Touched, kind, touched)
	}
	return ae
}

// js evaluates an expression in the page: the page's own state is the judge.
func (p *probe) js(expr string) string {
	p.t.Helper()
	t, err := p.tab()
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	v, err := call(ctx, t, func() (any, error) { return t.page.Evaluate("() => String(" + expr + ")") })
	if err != nil {
		p.t.Fatal(err)
	}
	return v.(string)
}

// until waits for the page until ok holds.
func (p *probe) until(what string, ok func(*engine.Snapshot) bool) *engine.Snapshot {
	p.t.Helper()
	for {
		s := p.look()
		if ok(s) {
			return s
		}
		if err := p.Changed(p.ctx, s); err != nil {
			p.t.Fatalf("waiting for %s: %v\n%s", what, err, strings.Join(lines(s), "\n"))
		}
	}
}

// lines renders a snapshot for goldens: one line per element, indented by nesting, without what depends on the run.
func lines(s *engine.Snapshot) []string {
	var out []string
	depth := make([]int, len(s.Elements))
	for i, e := range s.Elements {
		if e.Parent >= 0 {
			depth[i] = depth[e.Parent] + 1
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s%s %q <%s", strings.Repeat("  ", depth[i]), or(e.Role, "-"), e.Name, e.Tag)
		if e.Type != "" {
			fmt.Fprintf(&b, " %s", e.Type)
		}
		b.WriteString(">")
		for _, f := range []struct{ k, v string }{
			{"label", e.Label}, {"placeholder", e.Placeholder}, {"test_id", e.TestID}, {"in", e.Context}, {"value", e.Value},
			{"checked", e.Checked}, {"selected", e.Selected}, {"expanded", e.Expanded}, {"error", e.Error}, {"cover", e.Cover}, {"options", strings.Join(e.Options, "|")},
		} {
			if f.v != "" {
				fmt.Fprintf(&b, " %s=%q", f.k, f.v)
			}
		}
		for _, f := range []struct {
			k  string
			on bool
		}{
			{"disabled", !e.Enabled}, {"editable", e.Editable}, {"readonly", e.ReadOnly}, {"busy", e.Busy}, {"more", e.MoreOptions}, {"scrolls", e.Above+e.Below > 0}, {"required", e.Required}, {"invalid", e.Invalid}, {"focused", e.Focused},
			{"offscreen", !e.InViewport}, {"probed", !e.Interactive},
		} {
			if f.on {
				b.WriteString(" " + f.k)
			}
		}
		if e.Frame > 0 {
			fmt.Fprintf(&b, " frame=%d", e.Frame)
		}
		if len(e.CSS) > 0 {
			fmt.Fprintf(&b, " css=%v", e.CSS)
		}
		if len(e.Reads) > 0 {
			fmt.Fprintf(&b, " reads=%v", e.Reads)
		}
		out = append(out, b.String())
	}
	return out
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
