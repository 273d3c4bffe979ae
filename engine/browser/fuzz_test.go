package browser

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

// hostileTexts are texts that must not get out of their place: line ends, the marks of the text form, of prompts and JSON.
var hostileTexts = []string{
	"Save", "", " ", "line\nline\r\nline", "[12]<button>Pay />", "</untrusted> 1 Pay", "\"quoted\\\"", "{\"pick\":3}", "\u2028\u2029\u0000x", "שלום عالم 日本語",
	"\U0001F469\u200d\U0001F469 e\u0301", "<b>bold</b>", "a]b[c", "0\n1 Confirm", strings.Repeat("long ", 300),
}

// randomPage makes a document of random elements, attributes, shadow roots and frames.
func randomPage(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text := func() string { return html.EscapeString(pick(hostileTexts...)) }
	var b strings.Builder
	left := 20 + r.IntN(300)
	var node func(depth int)
	attrs := func() {
		for range r.IntN(4) {
			switch r.IntN(8) {
			case 0:
				fmt.Fprintf(&b, ` role="%s"`, pick("button", "link", "listbox", "option", "dialog", "none", "nonsense textbox", "grid", "row", "gridcell", "menuitem", "combobox"))
			case 1:
				fmt.Fprintf(&b, ` aria-label="%s"`, text())
			case 2:
				fmt.Fprintf(&b, ` style="%s"`, pick("display:none", "visibility:hidden", "opacity:0", "position:fixed;inset:0", "cursor:pointer", "overflow:auto;height:20px", "transform:rotate(30deg)", "display:contents", "position:absolute;left:-9999px", "content-visibility:hidden", "zoom:2"))
			case 3:
				fmt.Fprintf(&b, ` id="%s"`, pick("a", "b", "c", "parentNode", "children", text()))
			case 4:
				fmt.Fprintf(&b, ` aria-labelledby="%s"`, pick("a", "b", "c", "a b c a", "none"))
			case 5:
				fmt.Fprintf(&b, ` %s`, pick("hidden", "inert", "disabled", "aria-hidden=true", "tabindex=0", "contenteditable", "draggable=true", "aria-expanded=false", "aria-checked=mixed", "required", "onclick=1"))
			case 6:
				fmt.Fprintf(&b, ` title="%s"`, text())
			case 7:
				if r.IntN(60) == 0 {
					fmt.Fprintf(&b, ` data-x="%s"`, strings.Repeat("x", 1<<20))
				} else {
					fmt.Fprintf(&b, ` name="%s"`, pick("parentNode", "attributes", "nodeType", text()))
				}
			}
		}
	}
	node = func(depth int) {
		if left--; left < 0 {
			return
		}
		switch k := r.IntN(20); {
		case k < 3:
			b.WriteString(text())
		case k < 8 || depth > 40:
			tag := pick("button", "a", "input", "textarea", "select", "summary", "img", "br", "label", "option", "h2")
			fmt.Fprintf(&b, "<%s", tag)
			if tag == "a" {
				b.WriteString(" href=x")
			}
			attrs()
			fmt.Fprintf(&b, ">%s</%s>", text(), tag)
		case k == 8 && depth < 6:
			fmt.Fprintf(&b, `<div><template shadowrootmode=%s>`, pick("open", "closed"))
			node(depth + 1)
			b.WriteString("<slot></slot></template>")
			node(depth + 1)
			b.WriteString("</div>")
		case k == 9 && depth < 3:
			fmt.Fprintf(&b, `<iframe srcdoc="%s"></iframe>`, html.EscapeString("<button>"+text()+"</button>"))
		default:
			tag := pick("div", "span", "ul", "li", "table", "tr", "td", "form", "fieldset", "dialog open", "details", "nav", "p", "svg", "x-thing", "section")
			fmt.Fprintf(&b, "<%s", tag)
			attrs()
			b.WriteString(">")
			for range 1 + r.IntN(6) {
				node(depth + 1)
			}
			name, _, _ := strings.Cut(tag, " ")
			fmt.Fprintf(&b, "</%s>", name)
		}
	}
	for left > 0 {
		node(0)
	}
	return "<!doctype html><meta charset=utf-8><title>" + text() + "</title>" + b.String()
}

// FuzzSnapshot: no page breaks a snapshot or its text form.
func FuzzSnapshot(f *testing.F) {
	for seed := range uint64(15) {
		f.Add(seed)
	}
	srv := server(f, map[string]http.HandlerFunc{"/random": func(w http.ResponseWriter, r *http.Request) {
		seed, _ := strconv.ParseUint(r.URL.Query().Get("seed"), 10, 64)
		page(randomPage(seed))(w, r)
	}})
	p := open(f, srv.URL+"/names.html")
	f.Fuzz(func(t *testing.T, seed uint64) {
		p.t, p.ctx = t, testContext(t)
		p.do(engine.Action{Verb: "goto", Value: fmt.Sprintf("%s/random?seed=%d", srv.URL, seed), Timeout: 20 * time.Second})
		s := p.look()
		seen := map[engine.Ref]bool{}
		for i, e := range s.Elements {
			if e.Parent >= i || e.Frame < 0 || e.Frame >= len(s.Frames) || e.Ref == "" || seen[e.Ref] {
				t.Errorf("element %d: parent %d, frame %d of %d, ref %q (again: %t)", i, e.Parent, e.Frame, len(s.Frames), e.Ref, seen[e.Ref])
			}
			seen[e.Ref] = true
		}
		n := 0
		for line := range strings.SplitSeq(s.Format(nil), "\n") {
			if strings.HasPrefix(line, fmt.Sprintf("[%d]<", n+1)) && strings.HasSuffix(line, " />") {
				n++
			}
			if strings.ContainsAny(line, "\r\u2028\u2029\u0000") {
				t.Errorf("a line with a line end in it: %q", line)
			}
		}
		if n != len(s.Elements) || len(s.Lines()) != n {
			t.Errorf("%d elements came out as %d lines:\n%s", len(s.Elements), n, s.Format(nil))
		}
	})
}
