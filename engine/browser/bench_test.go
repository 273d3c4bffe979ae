package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	flights "github.com/nth-dev/nth/flows/flights/site"
)

// form200 is a page of about 200 controls with labels, in sections, as a search page has.
func form200() http.HandlerFunc {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Form</title><style>section{padding:8px}.card{border:1px solid}</style><h1>Search</h1>")
	for i := range 20 {
		fmt.Fprintf(&b, "<section class=card><h2>Part %d</h2><p>Some words that say what this part is about.</p>", i)
		for k := range 4 {
			fmt.Fprintf(&b, "<div><label for=f%d_%d>Field %d %d</label><input id=f%d_%d placeholder='type here'></div>", i, k, i, k, i, k)
		}
		fmt.Fprintf(&b, "<select aria-label='Choice %d'><option>one<option>two<option>three</select>", i)
		fmt.Fprintf(&b, "<label><input type=checkbox> Agree %d</label><button>Go %d</button><button aria-expanded=false><svg width=10 height=10></svg> More %d</button><a href='#%d'>Help %d</a><div role=button tabindex=0 onclick='1'>Act %d</div></section>", i, i, i, i, i, i)
	}
	return page(b.String())
}

func BenchmarkSnapshot(b *testing.B) {
	srv := server(b, map[string]http.HandlerFunc{"/form": form200()})
	benchLook(b, open(b, srv.URL+"/form"))
}

// benchLook times looks at a page that has been looked at before: the first fifty or so of a new page take two to
// three times as long, while Chromium still draws it and compiles the script.
func benchLook(b *testing.B, p *probe) {
	n := 0
	for range 100 {
		n = len(p.look().Elements)
	}
	for b.Loop() {
		p.look()
	}
	b.ReportMetric(float64(n), "elements")
}

// Goal: 15 ms.
func BenchmarkSnapshotFlights(b *testing.B) {
	srv := httptest.NewServer(flights.New())
	defer srv.Close()
	benchLook(b, open(b, srv.URL+"/"))
}

func BenchmarkClick(b *testing.B) {
	srv := server(b, map[string]http.HandlerFunc{"/form": form200()})
	p := open(b, srv.URL+"/form")
	e := p.find("button", "Go 0")
	for b.Loop() {
		p.do(on("click", e, ""))
	}
}
