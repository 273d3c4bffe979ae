package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
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
