package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// BenchmarkSkills times a verb on a real widget, and a script of Playwright locators that knows the widget and does the
// same on a fresh copy of its page. "x" is the one by the other; goal: at most 1.5.
func BenchmarkSkills(b *testing.B) {
	srv := widgetServer(b)
	click := func(p playwright.Page, css string) error { return p.Locator(css).First().Click() }
	for _, c := range []struct {
		page, role, field string
		verb, value       string
		state, want       string
		script            func(playwright.Page) error
	}{
		{"tom-select", "combobox", "City", "select", "Wichita", "city", "Wichita", func(p playwright.Page) error {
			if err := click(p, ".ts-control"); err != nil {
				return err
			}
			if err := p.Locator(".ts-control input").Fill("Wichita"); err != nil {
				return err
			}
			return click(p, ".ts-dropdown .option:has-text('Wichita')")
		}},
		{"mui", "combobox", "City", "select", "Wichita", "city", "Wichita", func(p playwright.Page) error {
			in := p.GetByRole("combobox", playwright.PageGetByRoleOptions{Name: "City"})
			if err := in.Click(); err != nil {
				return err
			}
			if err := in.Fill("Wichita"); err != nil {
				return err
			}
			return p.GetByRole("option", playwright.PageGetByRoleOptions{Name: "Wichita"}).Click()
		}},
		{"react-datepicker", "textbox", "Travel date", "set_date", "2027-05-14", "date", "2027-05-14", func(p playwright.Page) error {
			if err := click(p, "#d"); err != nil {
				return err
			}
			for range 2 {
				if err := click(p, ".react-datepicker__navigation--next"); err != nil {
					return err
				}
			}
			return click(p, ".react-datepicker__day--014:not(.react-datepicker__day--outside-month)")
		}},
		{"jquery-ui", "textbox", "Travel date", "set_date", "2027-05-14", "date", "2027-05-14", func(p playwright.Page) error {
			if err := click(p, "#d"); err != nil {
				return err
			}
			for range 2 {
				if err := click(p, ".ui-datepicker-next"); err != nil {
					return err
				}
			}
			return p.Locator(".ui-datepicker-calendar a", playwright.PageLocatorOptions{HasText: "14"}).First().Click()
		}},
	} {
		b.Run(fmt.Sprintf("%s/%s", c.verb, c.page), func(b *testing.B) {
			var own, script time.Duration
			// Each time is that of the action alone, on a page that has come to rest.
			timed := func(f func(p *probe) error) time.Duration {
				p := open(b, srv.URL+"/"+c.page+"/")
				defer p.Close()
				p.until("the field", func(s *engine.Snapshot) bool {
					for _, e := range s.Elements {
						if e.Role == c.role && (e.Name == c.field || e.Label == c.field) {
							return true
						}
					}
					return false
				})
				start := time.Now()
				if err := f(p); err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				if got := p.settled(fmt.Sprintf("window.S[%q]", c.state), c.want, time.Second); got != c.want {
					b.Fatalf("the page has %q", got)
				}
				return took
			}
			for b.Loop() {
				own += timed(func(p *probe) error { return p.Do(p.ctx, on(c.verb, p.find(c.role, c.field), c.value)) })
				script += timed(func(p *probe) error {
					t, err := p.tab()
					if err != nil {
						return err
					}
					return c.script(t.page)
				})
			}
			b.ReportMetric(float64(own.Milliseconds())/float64(b.N), "ms/verb")
			b.ReportMetric(float64(script.Milliseconds())/float64(b.N), "ms/script")
			b.ReportMetric(float64(own)/float64(script), "x")
		})
	}
}
