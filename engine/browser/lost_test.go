package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// blank is a session on about:blank.
func blank(t *testing.T, b *Browser) *probe {
	t.Helper()
	ctx := testContext(t)
	s, err := b.NewSession(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &probe{Session: s, t: t, ctx: ctx, p: &compile.Probes{}}
}

func TestSitesThatFail(t *testing.T) {
	down, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = down.Close()
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	srv := server(t, map[string]http.HandlerFunc{
		"/500":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", 500) },
		"/loop":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) },
		"/silent": hang,
		"/halfway": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<p>Half")
			w.(http.Flusher).Flush()
			hang(w, r)
		},
		"/cut":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"/fine": page(`<title>Fine</title>`),
	})
	p := blank(t, shared)
	for _, c := range []struct{ url, kind, says string }{
		{"http://" + down.Addr().String(), engine.ErrNavigation, "refuses connections"},
		{"http://nowhere.invalid/", engine.ErrNavigation, "no such host"},
		{srv.URL + "/500", engine.ErrNavigation, "HTTP 500"},
		{srv.URL + "/no-such-page", engine.ErrNavigation, "HTTP 404"},
		{srv.URL + "/loop", engine.ErrNavigation, "redirects in a loop"},
		{srv.URL + "/cut", engine.ErrNavigation, ""},
		{srv.URL + "/silent", engine.ErrTimeout, "did not load within 700ms"},
		{srv.URL + "/halfway", engine.ErrTimeout, "did not load within 700ms"},
	} {
		t.Run(strings.TrimPrefix(c.url, srv.URL), func(t *testing.T) {
			timeout := 10 * time.Second
			if c.kind == engine.ErrTimeout {
				timeout = 700 * time.Millisecond
			}
			err := p.Do(p.ctx, engine.Action{Verb: "goto", Value: c.url, Timeout: timeout})
			var ae *engine.ActionError
			if !errors.As(err, &ae) || ae.Kind != c.kind || !strings.Contains(ae.Message, c.says) || strings.Contains(ae.Message, "\n") {
				t.Errorf("got %v", err)
			}
		})
	}
	p.refused(engine.Action{Verb: "goto", Value: "no url"}, engine.ErrBadValue, false)
	p.do(engine.Action{Verb: "goto", Value: srv.URL + "/fine"}) // the session has survived it all
	if s := p.look(); s.Title != "Fine" {
		t.Errorf("title %q", s.Title)
	}
	p.refused(engine.Action{Verb: "reload", Timeout: time.Nanosecond}, engine.ErrTimeout, true)
}

// lost checks that nothing works any more, and that everything says why.
func (p *probe) lost(says string) {
	p.t.Helper()
	_, err := p.Snapshot(p.ctx, p.p)
	for what, err := range map[string]error{
		"snapshot": err, "do": p.Do(p.ctx, engine.Action{Verb: "press", Value: "a"}), "changed": p.Changed(p.ctx, &engine.Snapshot{}),
	} {
		var ae *engine.ActionError
		if !errors.As(err, &ae) || ae.Kind != engine.ErrBrowserLost || ae.Touched || !strings.Contains(ae.Message, says) {
			p.t.Errorf("%s: got %v", what, err)
		}
	}
	if err := p.Close(); err != nil {
		p.t.Errorf("close: %v", err)
	}
}

// A page may close its own tab as long as it has no history, as a popup's. Here it is the only one left.
func TestTabClosesItself(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{
		"/opener": page(`<title>Opener</title><button onclick="window.open('/child')">Open</button>`),
		"/child":  page(`<title>Child</title><button onclick="window.close()">Close</button>`),
	})
	p := open(t, srv.URL+"/opener")
	opener, _ := p.tab()
	p.do(on("click", p.find("button", "Open"), ""))
	p.until("the popup", func(s *engine.Snapshot) bool { return s.Title == "Child" })
	e := p.find("button", "Close")
	if err := opener.page.Close(); err != nil {
		t.Fatal(err)
	}
	<-opener.lost
	last, _ := p.tab()
	err := p.Do(p.ctx, on("click", e, ""))
	var ae *engine.ActionError
	if err != nil && (!errors.As(err, &ae) || ae.Kind != engine.ErrBrowserLost || !ae.Touched) {
		t.Errorf("got %v", err)
	}
	<-last.lost
	p.lost("the tab was closed")
}

func TestTabClosedDuringAction(t *testing.T) {
	p := openHTML(t, counter)
	s, last := p.look(), must(p.tab())
	waiting := make(chan error, 1)
	go func() { waiting <- p.Changed(p.ctx, s) }()
	go func() { _ = last.page.Close() }()
	var ae *engine.ActionError
	if err := <-waiting; !errors.As(err, &ae) || ae.Kind != engine.ErrBrowserLost {
		t.Errorf("changed: %v", err)
	}
	p.lost("the tab was closed")
}

func must(t *tab, err error) *tab {
	if err != nil {
		panic(err)
	}
	return t
}

func TestRendererCrash(t *testing.T) {
	p := openHTML(t, counter)
	s, e := p.look(), p.find("button", "Pay")
	waiting := make(chan error, 1)
	s = p.look()
	go func() { waiting <- p.Changed(p.ctx, s) }()
	tab, _ := p.tab()
	go func() { _, _ = tab.page.Goto("chrome://crash") }()
	if err := <-waiting; err == nil {
		<-tab.lost // it was told of the navigation first
	}
	err := p.Do(p.ctx, on("click", e, ""))
	var ae *engine.ActionError
	if !errors.As(err, &ae) || ae.Kind != engine.ErrBrowserLost || ae.Touched {
		t.Errorf("got %v", err)
	}
	p.lost("crashed")
}

func TestBrowserKilledDuringStep(t *testing.T) {
	b, err := Launch(testContext(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	srv := server(t, map[string]http.HandlerFunc{"/page": page(counter)})
	p := blank(t, b)
	p.do(engine.Action{Verb: "goto", Value: srv.URL + "/page"})
	pid := browserPID(t, p)
	stuck := make(chan error, 1)
	go func() {
		stuck <- p.Do(p.ctx, engine.Action{Verb: "eval", Value: "new Promise(() => {})", Timeout: 20 * time.Second})
	}()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	var ae *engine.ActionError
	if err := <-stuck; !errors.As(err, &ae) || ae.Kind != engine.ErrBrowserLost {
		t.Errorf("got %v", err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %s to be told", took)
	}
	<-b.gone
	p.lost("the browser ended")
	if _, err := b.NewSession(testContext(t)); err == nil {
		t.Error("a session of a dead browser")
	}
	if err := b.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// browserPID finds the browser's process: it is told by the browser itself.
func browserPID(t *testing.T, p *probe) int {
	t.Helper()
	c, err := p.b.browser.NewBrowserCDPSession()
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Send("SystemInfo.getProcessInfo", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range v.(map[string]any)["processInfo"].([]any) {
		if m := info.(map[string]any); m["type"] == "browser" {
			pid, err := strconv.Atoi(fmt.Sprint(m["id"]))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("no browser process")
	return 0
}

func TestCancel(t *testing.T) {
	p := openHTML(t, counter)
	soon := func() (context.Context, context.CancelFunc) { return context.WithTimeout(p.ctx, 100*time.Millisecond) }
	within := func(what string, f func(context.Context) error) {
		t.Helper()
		ctx, cancel := soon()
		defer cancel()
		begin := time.Now()
		err := f(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", what, err)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("%s: took %s", what, took)
		}
	}
	s := p.look()
	within("changed", func(ctx context.Context) error { return p.Changed(ctx, s) })
	within("eval", func(ctx context.Context) error {
		return p.Do(ctx, engine.Action{Verb: "eval", Value: "new Promise(() => {})", Timeout: 20 * time.Second})
	})
	srv := server(t, map[string]http.HandlerFunc{"/silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }})
	within("goto", func(ctx context.Context) error {
		return p.Do(ctx, engine.Action{Verb: "goto", Value: srv.URL + "/silent", Timeout: 20 * time.Second})
	})
	done, cancel := context.WithCancel(p.ctx)
	cancel()
	var ae *engine.ActionError
	if err := p.Do(done, on("click", s.Elements[0], "")); !errors.As(err, &ae) || ae.Touched {
		t.Errorf("done before it began: %v", err)
	}
	if _, err := shared.NewSession(done); !errors.Is(err, context.Canceled) {
		t.Errorf("new session: %v", err)
	}
	if _, err := Launch(done, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("launch: %v", err)
	}
}

func TestBusyPage(t *testing.T) {
	p := openHTML(t, `<p>Busy</p>`)
	p.js("setTimeout(() => { for (;;); }, 20)")
	ctx, cancel := context.WithTimeout(p.ctx, 500*time.Millisecond)
	defer cancel()
	var err error
	for err == nil { // until the page is stuck
		_, err = p.Snapshot(ctx, p.p)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	begin := time.Now()
	if err := p.Close(); err != nil || time.Since(begin) > 8*time.Second {
		t.Errorf("close: %v after %s", err, time.Since(begin))
	}
}

func TestChanged(t *testing.T) {
	srv := server(t, nil)
	p := open(t, srv.URL+"/frames.html")
	p.until("the frame", func(s *engine.Snapshot) bool { return strings.Contains(s.Text, "Inner text") })
	for what, change := range map[string]string{
		"text":           `document.querySelector('button').firstChild.data += '!'`,
		"attribute":      `document.body.className += 'x'`,
		"child frame":    `frames[0].document.querySelector('p').textContent += '!'`,
		"field":          `frames[0].document.querySelector('input').dispatchEvent(new Event('input', {bubbles: true}))`,
		"frame goes":     `document.querySelector('#other').remove()`,
		"navigation":     `location.hash += 'x'`,
		"other document": `location.reload()`,
	} {
		s := p.look()
		quiet, cancel := context.WithTimeout(p.ctx, 50*time.Millisecond)
		for quiet.Err() == nil { // what an earlier change has left may come in
			if p.Changed(quiet, s) == nil {
				s = p.look()
			}
		}
		cancel()
		// While the wait is under way, and before it began.
		waiting := make(chan error, 1)
		go func() { waiting <- p.Changed(p.ctx, s) }()
		p.js(change + ", 0")
		if err := <-waiting; err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := p.Changed(p.ctx, s); err != nil {
			t.Errorf("%s, after the fact: %v", what, err)
		}
		if again := p.look(); again.Version == s.Version && again.Document == s.Document && what != "navigation" {
			t.Errorf("%s: the version is the same", what)
		}
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	run := func() {
		p := blank(t, shared)
		p.do(engine.Action{Verb: "goto", Value: "data:text/html,<p>x"})
		for range 5 {
			ctx, cancel := context.WithTimeout(p.ctx, 5*time.Millisecond)
			_ = p.Changed(ctx, p.look())
			cancel()
		}
		if n := p.js("1"); n != "1" {
			t.Error(n)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	run()
	before := settled()
	for range 4 {
		run()
	}
	if after := settled(); after > before+2 {
		t.Errorf("%d goroutines more", after-before)
	}
}

// settled is the number of goroutines once it has stopped to fall.
func settled() int {
	n := runtime.NumGoroutine()
	for range 200 {
		runtime.Gosched()
		tick := time.NewTimer(5 * time.Millisecond)
		<-tick.C
		n = min(n, runtime.NumGoroutine())
	}
	return n
}

func TestScreenshot(t *testing.T) {
	p := openHTML(t, counter)
	png, err := p.Screenshot(p.ctx)
	if err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("%d bytes, %v", len(png), err)
	}
}

func TestOptions(t *testing.T) {
	b, err := Launch(testContext(t), Options{Executable: shared.Executable(), Width: 400, Height: 300, Locale: "de-DE", Timezone: "Asia/Tokyo"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p := blank(t, b)
	if got := p.js("[innerWidth, innerHeight, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]"); got != "400,300,de-DE,Asia/Tokyo" {
		t.Error(got)
	}
	if out, err := exec.Command(os.Args[0], "-test.run=^$").CombinedOutput(); err != nil { // and a whole process comes and goes
		t.Errorf("%v: %s", err, out)
	}
}

// A server that does not answer a link leaves the page as it was, and the flow with it.
func TestNavigationNeverAnswered(t *testing.T) {
	was := mainTime
	mainTime = 2 * time.Second
	defer func() { mainTime = was }()
	srv := server(t, siteRoutes())
	p := open(t, srv.URL+"/nav_never.link.html")
	p.do(on("click", p.find("link", "Download terms"), ""))
	p.do(on("click", p.find("button", "Accept terms"), ""))
	if got := p.js("window.result"); got != "ok" {
		t.Fatal(got)
	}
}
