package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
)

const (
	loginPage = `<!doctype html><title>Log in</title><form onsubmit="document.body.innerHTML='<h1>Hello</h1>';return false">
<label>E-mail <input type="email" autocomplete="username"></label><label>Password <input type="password"></label><button>Log in</button></form>`
	cookiePage = `<!doctype html><title>Shop</title><h1>Shop</h1><div role="dialog" aria-modal="true" aria-label="Cookies" id="c" style="position:fixed;inset:0;background:#fff">
We use cookies. <button onclick="c.remove()">Accept all</button> <button onclick="c.remove()">Reject all</button></div>`
	treePage = `<!doctype html><title>Folders</title><ul role="tree" aria-label="Folders"><li role="treeitem" aria-expanded="true" tabindex="0">Documents<ul role="group">
<li role="treeitem" aria-selected="false" tabindex="-1" onclick="this.ariaSelected = true">Taxes</li></ul></li></ul>`
	userPage = `<!doctype html><title>Log in</title><form onsubmit="this.innerHTML='<label>Password <input type=password></label>';return false">
<label>E-mail <input type="email" autocomplete="username"></label><button>Next</button></form>`
	codePage = `<!doctype html><title>Code</title><form onsubmit="document.body.innerHTML='<h1>Hello</h1>';return false">
<label>Security code <input autocomplete="one-time-code"></label><button>Verify</button></form>`
	insidePage = `<!doctype html><title>Account</title><button onclick="document.body.innerHTML='<h1>Bye</h1>'">Log out</button>`
	billPage   = `<!doctype html><title>Bill</title><dl><dt>Due date<dd>31 March 2027</dl><h2>Seats</h2><ul><li>12<li>14</ul>`
	linkPage   = `<!doctype html><title>Shop</title><nav><a href="/forms/below.html">Membership</a> <a href="#help">Help</a></nav>`
)

// skillBench is one use of a skill, and the Playwright locators that somebody who knows the page would write for it.
type skillBench struct {
	page, do string
	script   func(p playwright.Page) error
}

func skillBenches(file string) []skillBench {
	css := func(sel string, f func(playwright.Locator) error) func(playwright.Page) error {
		return func(p playwright.Page) error { return f(p.Locator(sel)) }
	}
	label := func(text string, f func(playwright.Locator) error) func(playwright.Page) error {
		return func(p playwright.Page) error {
			return f(p.GetByLabel(text, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}))
		}
	}
	role := func(role playwright.AriaRole, name string) func(playwright.Page) playwright.Locator {
		return func(p playwright.Page) playwright.Locator {
			return p.GetByRole(role, playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
		}
	}
	fill := func(text string) func(playwright.Locator) error {
		return func(l playwright.Locator) error { return l.Fill(text) }
	}
	check := func(l playwright.Locator) error { return l.Check() }
	click := func(l playwright.Locator) error { return l.Click() }
	texts := func(l playwright.Locator) error {
		_, err := l.AllInnerTexts()
		return err
	}
	press := func(key string, n int) func(playwright.Locator) error {
		return func(l playwright.Locator) error {
			for range n {
				if err := l.Press(key); err != nil {
					return err
				}
			}
			return nil
		}
	}
	// clicks clicks one thing after the other.
	clicks := func(list ...func(playwright.Page) playwright.Locator) func(playwright.Page) error {
		return func(p playwright.Page) error {
			for _, f := range list {
				if err := f(p).Click(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	shows := func(first func(playwright.Page) error, text string) func(playwright.Page) error {
		return func(p playwright.Page) error {
			if err := first(p); err != nil {
				return err
			}
			return p.GetByText(text).WaitFor()
		}
	}
	plus := func(p playwright.Page) playwright.Locator { return p.Locator(".row:has-text('Adults') .p") }
	row := func(p playwright.Page) playwright.Locator {
		return p.Locator("tr:has-text('E-1003') input")
	}
	scroll := func(sel string) func(playwright.Page) error {
		return css(sel, func(l playwright.Locator) error {
			_, err := l.Evaluate("e => e.scrollBy(0, e.clientHeight)", nil)
			return err
		})
	}
	sec := "forms/insurance.html"
	return []skillBench{
		{"forms/german.html", "std.fill: {field: Vorname, value: Ada}", label("Vorname*", fill("Ada"))},
		{"login", "std.fill_secret: {field: Password, value: =secrets.password}", label("Password", fill("correct horse"))},
		{sec, "std.choose: {field: Title, option: Dr}", css("[name=title]", func(l playwright.Locator) error {
			_, err := l.SelectOption(playwright.SelectOptionValues{Labels: &[]string{"Dr"}})
			return err
		})},
		{sec, "std.choose: {field: Country, option: Czechia}", clicks(role("combobox", "Country"), role("option", "Czechia"))},
		{"std_chips.html", "std.choose: {field: Cities, option: Prague}", func(p playwright.Page) error {
			if err := p.Locator("#c").Fill("Prague"); err != nil {
				return err
			}
			return role("option", "Prague")(p).Click()
		}},
		{"std_chips.html", "std.remove_choice: {option: Olomouc}", css(".chip:has-text('Olomouc') button", click)},
		{sec, "std.check: {field: There is an alarm}", label("There is an alarm", check)},
		{sec, "std.check: {field: Smoke detectors}", label("Smoke detectors", click)},
		{sec, "std.choose_radio: {group: Gender, option: Female}", label("Female", check)},
		{"std_segments.html", "std.choose_segment: {option: Map}", clicks(role("button", "Map"))},
		{"std_sliders.html", "std.set_slider: {field: Radius, value: 35}", css("#r", fill("35"))},
		{"std_sliders.html", "std.set_slider: {field: Budget, value: 14}", css("#s", press("ArrowRight", 2))},
		{"std_sliders.html", `std.set_color: {field: Colour, color: "#ff8800"}`, css("#c", fill("#ff8800"))},
		{"std_stepper.html", "std.set_count: {field: Adults, count: 4}", clicks(plus, plus)},
		{sec, "std.fill_code: {field: Customer code, code: A7K2M}", func(p playwright.Page) error {
			for i, c := range "A7K2M" {
				if err := p.Locator("#code input").Nth(i).Fill(string(c)); err != nil {
					return err
				}
			}
			return nil
		}},
		{sec, `std.rate: {field: "How did we do?", stars: 3}`, css("[name=stars][value='3']", check)},
		{sec, "std.upload: {field: Proof of identity, file: =inputs.file}", label("Proof of identity", func(l playwright.Locator) error { return l.SetInputFiles(file) })},
		{sec, "dates.set_date: {field: Starts on, date: 2027-03-14}", label("Starts on", fill("2027-03-14"))},
		{sec, "dates.set_date: {field: Date of birth, date: 1985-07-09}", label("Date of birth", fill("09/07/1985"))},
		{"std_tabs.html", "std.open_tab: {name: Hotels}", clicks(role("tab", "Hotels"))},
		{"std_accordion.html", "std.expand: {section: Baggage}", clicks(role("button", "Baggage"))},
		{"std_menu.html", "std.choose_in_menu: {menu: Sort by, item: Price}", clicks(role("button", "Sort by"), role("menuitem", "Price"))},
		{"std_under.html", "std.choose_under: {menu: Products, item: Tablets}", func(p playwright.Page) error {
			if err := role("link", "Products")(p).Hover(); err != nil {
				return err
			}
			return role("link", "Tablets")(p).Click()
		}},
		{"std_tree.html", "std.expand: {section: Documents}", func(p playwright.Page) error { return p.Locator("#docs").Press("ArrowRight") }},
		{"std_transfer.html", "std.transfer: {item: Parking, button: Add}", clicks(role("option", "Parking"), role("button", "Add"))},
		{"cookies", "std.dismiss", clicks(role("button", "Reject all"))},
		{"link", "std.follow: {link: Membership}", shows(clicks(role("link", "Membership")), "Recommended by")},
		{"forms/below.html", "std.submit: {button: Join, expect: Received}", shows(clicks(role("button", "Join")), "Received")},
		{"login", "auth.enter_user: {user: ada@example.com}", label("E-mail", fill("ada@example.com"))},
		{"login", "auth.enter_password: {password: =secrets.password}", label("Password", fill("correct horse"))},
		{"login", "auth.log_in", shows(clicks(role("button", "Log in")), "Hello")},
		{"std_code.html", "auth.enter_code: {code: =secrets.code}", func(p playwright.Page) error {
			for i, c := range "402317" {
				if err := p.Locator("#b input").Nth(i).Fill(string(c)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"fill_card.html", "pay.card_number: {value: =secrets.card}", css("input >> nth=0", fill("4242424242424242"))},
		{"forms/rows.html", "tables.select_row: {row: E-1003}", func(p playwright.Page) error { return row(p).Check() }},
		{"forms/rows.html", "tables.sort: {column: Amount}", shows(clicks(role("button", "Amount")), "Page 1 of")},
		{"forms/rows.html", "tables.next_page", shows(clicks(role("button", "Next")), "Page 2 of")},
		{"forms/rows.html", "std.next_page", shows(clicks(role("button", "Next")), "Page 2 of")},
		{"forms/rows.html", "tables.read_rows: {table: Expenses}", css("tbody tr", texts)},
		{"forms/rows.html", "read.table: {table: Expenses}", css("tbody tr", texts)},
		{"bill", "read.value: {label: Due date}", css("dd", texts)},
		{"bill", "read.record: {fields: {due: {label: Due date, as: date}}}", css("dd", texts)},
		{"bill", "read.list: {list: Seats, as: integer}", css("li", texts)},
		{"std_rows.html", "tables.filter: {value: Travel, field: Search expenses}", label("Search expenses", fill("Travel"))},
		{"std_rows.html", "tables.select_all", label("All rows", check)},
		{"std_rows.html", "tables.in_row: {row: E-1003, name: Approve}", css("tr:has-text('E-1003') button", click)},
		{"tree", "std.choose_in_tree: {item: Taxes}", clicks(role("treeitem", "Taxes"))},
		{"std_segments.html", "std.click: {name: Map}", clicks(role("button", "Map"))},
		{"link", "std.wait: {text: Membership}", func(p playwright.Page) error { return p.GetByText("Membership").WaitFor() }},
		{"std_scroll_in.html", "std.scroll_in: {list: Seats}", scroll("#s")},
		{"scroll_infinite.html", "std.scroll", scroll("html")},
		{"user", "auth.go_on", func(p playwright.Page) error {
			if err := role("button", "Next")(p).Click(); err != nil {
				return err
			}
			return p.GetByLabel("Password").WaitFor()
		}},
		{"std_account.html", "auth.remember", label("Keep me logged in", check)},
		{"code", "auth.ask_code", label("Security code", fill("402317"))},
		{"code", "auth.confirm_code", shows(clicks(role("button", "Verify")), "Hello")},
		{"inside", "auth.check_session: {proof: Log out}", func(p playwright.Page) error { return p.GetByText("Log out").WaitFor() }},
		{"inside", "auth.log_out", shows(clicks(role("button", "Log out")), "Bye")},
		{"std_pay_whole.html", "pay.full_name: {value: =secrets.name}", label("Full name", fill("Ada Lindqvist"))},
		{"std_pay_whole.html", "pay.region: {value: =secrets.state}", css("select", func(l playwright.Locator) error {
			_, err := l.SelectOption(playwright.SelectOptionValues{Labels: &[]string{"Moravia"}})
			return err
		})},
		{"std_pay_whole.html", "pay.card_expiry: {value: =secrets.expiry}", css("[autocomplete=cc-exp]", fill("03/29"))},
		{"std_pay_whole.html", "pay.pay: {proof: Thank you for your order}", shows(clicks(role("button", "Place order")), "Thank you")},
	}
}

// memory is a journal that is kept for the figures in it.
type memory struct{ records []engine.Record }

func (m *memory) Append(_ context.Context, r *engine.Record) error {
	m.records = append(m.records, *r)
	return nil
}

// BenchmarkStdSkills times one use of each standard skill that acts, from the look at the page to the look that shows
// that it was done, against a script on the same page that looks at nothing. Goals: a ratio of at most 1.5, and one
// candidate.
func BenchmarkStdSkills(b *testing.B) {
	o := &office{sent: map[string][]url.Values{}}
	routes := o.routes()
	for name, html := range map[string]string{"/login": loginPage, "/cookies": cookiePage, "/link": linkPage, "/tree": treePage, "/user": userPage, "/code": codePage, "/inside": insidePage, "/bill": billPage} {
		routes[name] = page(html)
	}
	srv := server(b, map[string]http.HandlerFunc(routes))
	file, _ := filepath.Abs(sites + "receipt.txt")
	for _, c := range skillBenches(file) {
		b.Run(c.do, func(b *testing.B) { benchSkill(b, c, srv.URL+"/"+c.page, file) })
	}
}

func benchSkill(b *testing.B, c skillBench, address, file string) {
	prog := compileSkill(b, c.do, address)
	inputs, err := engine.Inputs(prog, map[string]any{"file": file})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	p := open(b, address)
	t, err := p.tab()
	if err != nil {
		b.Fatal(err)
	}
	candidates := 0
	own := func() time.Duration {
		j := &memory{}
		res, err := (&engine.Runner{Driver: p.Session, Picker: model.First{}, Journal: j, Secret: secret, Approver: person{}}).Run(ctx, prog, inputs)
		if err != nil || res.Status != engine.Done {
			b.Fatal(err, res)
		}
		for _, r := range j.records {
			if r.Type == "step" && r.Stage == "act" {
				candidates = len(r.Menu)
				return time.Duration((r.Timing.Look + r.Timing.Menu + r.Timing.Pick + r.Timing.Act + r.Timing.Verify) * float64(time.Millisecond))
			}
		}
		b.Fatal("nothing was done")
		return 0
	}
	rival := func() time.Duration {
		if _, err := t.page.Goto(address); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := c.script(t.page); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	own()
	rival()
	var a, z time.Duration
	for b.Loop() {
		a += own()
		z += rival()
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(a.Microseconds())/n/1000, "ms/nth")
	b.ReportMetric(float64(z.Microseconds())/n/1000, "ms/script")
	b.ReportMetric(float64(a)/float64(z), "ratio")
	b.ReportMetric(float64(candidates), "candidates")
}

// compileSkill makes a flow that opens a page and uses one skill on it.
func compileSkill(b *testing.B, do, address string) *compile.Program {
	entry := do
	if strings.Contains(do, ": ") {
		entry = "{" + do + "}"
	}
	return compiled(b, fmt.Sprintf(`kind: flow/v1
name: bench
packs: {std: std@^1, dates: std/dates@^1, auth: std/auth@^1, pay: std/pay@^1, tables: std/tables@^1, read: std/read@^1}
inputs: {file: {type: string}}
secrets: {password: {env: PASSWORD}, code: {env: CODE}, card: {env: CARD}, name: {env: NAME}, state: {env: STATE}, expiry: {env: EXPIRY}}
stages:
  open: {do: [{goto: %q}]}
  act:
    relevance: [%s]
    budget: {picks: 1}
`, address, entry))
}
