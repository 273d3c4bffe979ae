package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/enginetest/npm"
)

// Each page in testdata/widgets is built around a widget library from npm, at the version and digest that its
// package-lock.json states. The page keeps what the application got in window.S: that, and not what a field shows, is
// what a case is judged by.
const widgetData = "../../testdata/widgets"

// bundled is the folder that the pages are built into, once for all tests.
var bundled = sync.OnceValues(func() (string, error) {
	if err := npm.Install(widgetData); err != nil {
		return "", err
	}
	dir := filepath.Join(widgetData, "node_modules", ".pages")
	build := exec.Command("node", "build.mjs", filepath.Join("node_modules", ".pages"))
	build.Dir = widgetData
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("node build.mjs in %s: %w\n%s", widgetData, err, out)
	}
	return dir, nil
})

// widgetServer serves the pages.
func widgetServer(t testing.TB) *httptest.Server {
	t.Helper()
	dir, err := bundled()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// widgetCase is one thing to do on a page: do is a line of a relevance list; several stand with a semicolon between.
type widgetCase struct {
	page, do string
	state    string // the key of window.S that is asked for
	want     string // what it must be
	fails    string // the error that it must end with instead; what was there before then stays
	says     string // part of the message of that error
}

// TestWidgets runs one case in eight, so that CI ends; NTH_WIDGETS=all runs all of them, and NTH_REPEAT=20 each twenty times.
func TestWidgets(t *testing.T) {
	srv := widgetServer(t)
	for i, c := range widgetCases() {
		if i%8 != 0 && os.Getenv("NTH_WIDGETS") != "all" {
			continue
		}
		name := strings.NewReplacer("/?", "_", "std.", "", "dates.", "", "{", "", "}", "", ":", "", ",", "", `"`, "", " ", "_", "field_", "", "option_", "").Replace(c.page + "/" + c.do)
		t.Run(name, func(t *testing.T) {
			repeat(t, func(s *Session) { runWidget(t, s, srv.URL+"/"+c.page, c) })
		})
	}
}

// runWidget runs a flow that does what the case says, and asks the page what it got.
func runWidget(t *testing.T, s *Session, url string, c widgetCase) {
	t.Helper()
	flow := filepath.Join(t.TempDir(), "flow.yaml")
	text := fmt.Sprintf(`kind: flow/v1
name: widget
packs: {std: std@^1, dates: std/dates@^1}
stages:
  open: {do: [{goto: %q}]}
`, url)
	for i, do := range strings.Split(c.do, "; ") {
		text += fmt.Sprintf("  act%d:\n    relevance: [{%s}]\n    fallback: []\n    budget: {picks: 1}\n", i, do)
	}
	if err := os.WriteFile(flow, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	p, res, steps := runFlow(t, testContext(t), s, flow, map[string]any{})
	var last engine.Record // of the step that did, or did not do it
	for line := range strings.Lines(string(steps)) {
		var r engine.Record
		if json.Unmarshal([]byte(line), &r) == nil && r.Type == "step" {
			last = r
		}
	}
	defer func() {
		if t.Failed() {
			t.Logf("menu %q; target %s\n%s", last.Menu, last.Target, cutText(strings.Join(lines(p.look()), "\n"), 2000))
		}
	}()
	if last.Error != c.fails || c.says != "" && !strings.Contains(last.Message, c.says) {
		t.Errorf("it ended %q (%s), want %q (%s)", last.Error, last.Message, c.fails, c.says)
	}
	if len(last.Menu) > 1 {
		t.Errorf("the menu has %d entries: %q", len(last.Menu), last.Menu)
	}
	t.Logf("%s after %s", res.Status, time.Since(start).Round(time.Millisecond))
	if got := p.settled(fmt.Sprintf("window.S[%q] ?? ''", c.state), c.want, time.Second); got != c.want {
		t.Errorf("the page has %s %q, want %q", c.state, got, c.want)
	}
}
