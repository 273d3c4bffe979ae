package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/engine/pack"
)

// The figures of this file are ratios of two things done in turns in one run, so that a busy machine slows both.

// against times f and its rival in turns, warmed up, and reports the rival's time and the ratio of the two.
func against(b *testing.B, f, rival func()) {
	for range 60 {
		f()
		rival()
	}
	var own, other time.Duration
	for b.Loop() {
		t := time.Now()
		f()
		own += time.Since(t)
		t = time.Now()
		rival()
		other += time.Since(t)
	}
	n := float64(b.N)
	b.ReportMetric(float64(own.Microseconds())/n/1000, "ms/nth")
	b.ReportMetric(float64(other.Microseconds())/n/1000, "ms/playwright")
	b.ReportMetric(float64(own)/float64(other), "ratio")
}

// Goal: at most 0.3 of Playwright's own snapshot for models. That has no boxes by default, nor does it know of covers;
// ours has both.
func BenchmarkSnapshotRatio(b *testing.B) {
	srv := server(b, map[string]http.HandlerFunc{"/form": form200()})
	for _, boxes := range []bool{false, true} {
		b.Run(fmt.Sprintf("boxes=%t", boxes), func(b *testing.B) {
			p := open(b, srv.URL+"/form")
			t, err := p.tab()
			if err != nil {
				b.Fatal(err)
			}
			rival := func() {
				if _, err := t.page.AriaSnapshot(playwright.PageAriaSnapshotOptions{Mode: playwright.AriaSnapshotModeAi, Boxes: playwright.Bool(boxes)}); err != nil {
					b.Fatal(err)
				}
			}
			against(b, func() { p.look() }, rival)
		})
	}
}

// Goal: at most 15 ms, and no slower than Playwright's own click (about 45 ms).
func BenchmarkClickRatio(b *testing.B) {
	srv := server(b, map[string]http.HandlerFunc{"/form": form200()})
	p := open(b, srv.URL+"/form")
	e := p.find("button", "Go 0")
	t, err := p.tab()
	if err != nil {
		b.Fatal(err)
	}
	button := t.page.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Go 0", Exact: playwright.Bool(true)})
	against(b, func() { p.do(on("click", e, "")) }, func() {
		if err := button.Click(); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkSnapshotSize shows that the cost grows with the page and no faster. Goal: 20,000 elements within 500 ms.
func BenchmarkSnapshotSize(b *testing.B) {
	for _, n := range []int{1000, 5000, 20000} {
		var html strings.Builder
		html.WriteString("<!doctype html><title>Table</title><table>")
		for i := 0; i*5 < n; i++ {
			fmt.Fprintf(&html, "<tr><td>Order %d</td><td>€%d</td><td><button>Open %d</button></td></tr>", i, i, i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			srv := server(b, map[string]http.HandlerFunc{"/table": page(html.String())})
			p := open(b, srv.URL+"/table")
			p.look()
			start := time.Now()
			for b.Loop() {
				p.look()
			}
			b.ReportMetric(float64(time.Since(start).Microseconds())/float64(b.N)/float64(n), "us/element")
		})
	}
}

// compiled gives the program of a flow that is written out here.
func compiled(b *testing.B, flow string) *compile.Program {
	b.Helper()
	path := filepath.Join(b.TempDir(), "flow.yaml")
	if err := os.WriteFile(path, []byte(flow), 0o600); err != nil {
		b.Fatal(err)
	}
	in, err := (&pack.Loader{}).Load(path)
	if err != nil {
		b.Fatal(err)
	}
	prog, diags := compile.Compile(in)
	if prog == nil {
		b.Fatal(diags)
	}
	return prog
}

// run runs a program on the page that is open.
func (p *probe) run(prog *compile.Program) {
	p.t.Helper()
	journal, err := engine.CreateJSONL(p.t.TempDir())
	if err != nil {
		p.t.Fatal(err)
	}
	defer journal.Close()
	res, err := (&engine.Runner{Driver: p.Session, Picker: model.First{}, Journal: journal}).Run(p.ctx, prog, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if res.Status != engine.Done {
		p.t.Fatal(res.Status, res.Message)
	}
}

// BenchmarkStepRatio is a whole step (look, menu, check, act, verify) on a page of 200 controls, and Playwright's plain
// action on the same: boxes to tick. Goal: no slower.
func BenchmarkStepRatio(b *testing.B) {
	const boxes = 5
	srv := server(b, map[string]http.HandlerFunc{"/form": form200()})
	flow := "kind: flow/v1\nname: tick\npacks: {std: std@^1}\nstages:\n  tick:\n    relevance:\n"
	for i := range boxes {
		flow += fmt.Sprintf("      - std.check: {field: Agree %d}\n", i)
	}
	prog := compiled(b, flow)
	p := open(b, srv.URL+"/form")
	t, err := p.tab()
	if err != nil {
		b.Fatal(err)
	}
	fresh := func() {
		if _, err := t.page.Reload(); err != nil {
			b.Fatal(err)
		}
		p.look()
	}
	var own, other time.Duration
	for b.Loop() {
		fresh()
		start := time.Now()
		p.run(prog)
		own += time.Since(start)
		fresh()
		start = time.Now()
		for i := range boxes {
			if err := t.page.GetByLabel(fmt.Sprintf("Agree %d", i), playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Check(); err != nil {
				b.Fatal(err)
			}
		}
		other += time.Since(start)
	}
	n := float64(b.N * boxes)
	b.ReportMetric(float64(own.Microseconds())/n/1000, "ms/nth")
	b.ReportMetric(float64(other.Microseconds())/n/1000, "ms/playwright")
	b.ReportMetric(float64(own)/float64(other), "ratio")
}

// BenchmarkReadyToAct is the time from when a button can be clicked, on a page that enables it after a while, to when
// the page gets the click: by the page's own clock.
func BenchmarkReadyToAct(b *testing.B) {
	srv := server(b, map[string]http.HandlerFunc{"/late": page(`<!doctype html><title>Late</title><button disabled>Pay</button><p></p><script>
		const pay = document.querySelector('button')
		let ready
		pay.onclick = () => { window.delay = performance.now() - ready; document.querySelector('p').textContent = 'Paid' }
		setTimeout(() => { pay.disabled = false; ready = performance.now() }, 300 + 100 * Math.random())</script>`)})
	prog := compiled(b, `kind: flow/v1
name: pay
packs: {std: std@^1}
stages:
  pay: {relevance: [{std.submit: {button: Pay, expect: Paid}}]}
`)
	p := open(b, srv.URL+"/late")
	t, err := p.tab()
	if err != nil {
		b.Fatal(err)
	}
	delay := func(act func()) float64 {
		if _, err := t.page.Reload(); err != nil {
			b.Fatal(err)
		}
		act()
		ms, err := strconv.ParseFloat(p.js("window.delay"), 64)
		if err != nil {
			b.Fatal(err)
		}
		return ms
	}
	var own, other float64
	for b.Loop() {
		own += delay(func() { p.run(prog) })
		other += delay(func() {
			if err := t.page.GetByRole("button").Click(); err != nil {
				b.Fatal(err)
			}
		})
	}
	n := float64(b.N)
	b.ReportMetric(own/n, "ms/nth")
	b.ReportMetric(other/n, "ms/playwright")
	b.ReportMetric(own/other, "ratio")
}
