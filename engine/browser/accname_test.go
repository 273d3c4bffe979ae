package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

const accnameData = "../../testdata/accname"

type nameCase struct {
	Title    string `json:"title"`
	Expected string `json:"expectedName"`
	HTML     string `json:"htmlInput"`
}

func nameCases(t *testing.T) []nameCase {
	t.Helper()
	module := filepath.Join(accnameData, "node_modules/accname/dist/testing/wpt_testdata.js")
	if _, err := os.Stat(module); err != nil {
		npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
		npm.Dir = accnameData
		if out, err := npm.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in %s, which fetches the cases: %v\n%s", accnameData, err, out)
		}
	}
	node := exec.Command("node", "-e", `process.stdout.write(JSON.stringify(require('./node_modules/accname/dist/testing/wpt_testdata.js').WPT_TEST_CASES))`)
	node.Dir = accnameData
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var cases []nameCase
	if err := json.Unmarshal(out, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// inspector is a page with nth's role and name functions laid open, and Chromium's accessibility tree beside them.
type inspector struct {
	t    *testing.T
	page playwright.Page
	cdp  playwright.CDPSession
}

func inspect(t *testing.T) *inspector {
	t.Helper()
	p := openHTML(t, "<!doctype html><title>Names</title>")
	tab, err := p.tab()
	if err != nil {
		t.Fatal(err)
	}
	source := newScript().source
	end := strings.LastIndex(source, "})(")
	source = source[:end] + `globalThis.nth = { name: el => { forget(); return accName(el, false); }, role: el => { forget(); return roleOf(el, localName(el)); } };` + source[end:]
	if _, err := tab.page.Evaluate(source); err != nil {
		t.Fatal(err)
	}
	cdp, err := p.ctx2().NewCDPSession(tab.page)
	if err != nil {
		t.Fatal(err)
	}
	in := &inspector{t, tab.page, cdp}
	in.send("Accessibility.enable", nil)
	return in
}

func (p *probe) ctx2() playwright.BrowserContext { return p.Session.ctx }

func (in *inspector) send(method string, params map[string]any) map[string]any {
	in.t.Helper()
	v, err := in.cdp.Send(method, params)
	if err != nil {
		in.t.Fatalf("%s: %v", method, err)
	}
	m, _ := v.(map[string]any)
	return m
}

// tree gives Chromium's role and name of the element with that id.
func (in *inspector) chromium(id string) (role, name string) {
	in.t.Helper()
	obj := in.send("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("document.getElementById(%q)", id)})
	nodes := in.send("Accessibility.getPartialAXTree", map[string]any{
		"objectId": obj["result"].(map[string]any)["objectId"], "fetchRelatives": false,
	})["nodes"].([]any)
	n := nodes[0].(map[string]any)
	get := func(k string) string {
		if m, ok := n[k].(map[string]any); ok {
			s, _ := m["value"].(string)
			return s
		}
		return ""
	}
	if n["ignored"] == true {
		return "ignored/" + get("role"), get("name")
	}
	return get("role"), get("name")
}

func TestAccNameExplore(t *testing.T) {
	in := inspect(t)
	pass, total, dis := 0, 0, 0
	for _, c := range nameCases(t) {
		v, err := in.page.Evaluate(`html => { document.body.innerHTML = html; return nth.name(document.getElementById('test')); }`, c.HTML)
		if err != nil {
			t.Fatal(c.Title, err)
		}
		_, cr := in.chromium("test")
		norm := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		got, want := v.(string), norm(c.Expected)
		if norm(cr) != want {
			dis++
			t.Logf("CHROMIUM %s: chromium %q, want %q, nth %q\n%s", c.Title, cr, want, got, c.HTML)
			continue
		}
		total++
		if got == want {
			pass++
		} else {
			t.Logf("FAIL %s: got %q, want %q\n%s", c.Title, got, want, c.HTML)
		}
	}
	t.Logf("%d of %d, %d chromium disagrees", pass, total, dis)
}
