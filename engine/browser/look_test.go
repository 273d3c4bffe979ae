package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// golden compares text with testdata/sites/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := sites + name + ".golden"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

func TestUnchangedPageIsIdentical(t *testing.T) {
	p := open(t, server(t, nil).URL+"/names.html")
	a, _ := json.Marshal(p.look())
	b, _ := json.Marshal(p.look())
	if string(a) != string(b) {
		t.Errorf("two looks at the same page differ:\n%s\n%s", a, b)
	}
	if n := p.js("document.documentElement.outerHTML.length"); n != p.js("document.documentElement.outerHTML.length") {
		t.Error("the page was written to")
	}
}

// A page may be caught while it rewrites itself, with no element at all.
func TestEmptyDocument(t *testing.T) {
	p := openHTML(t, `<button>Old</button>`)
	p.js("document.documentElement.remove()")
	if s := p.look(); len(s.Elements) != 0 || s.Text != "" {
		t.Errorf("%+v", s)
	}
	p.do(engine.Action{Verb: "scroll", Value: "down"})
	p.js("document.appendChild(document.createElement('html')).innerHTML = '<body><button>New</button>'")
	p.do(on("click", p.find("button", "New"), ""))
}

func TestRefsStay(t *testing.T) {
	p := openHTML(t, `<button>One</button><button id=two>Two</button>`)
	before := p.find("button", "Two")
	p.js(`document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'Zero'}))`)
	if after := p.find("button", "Two"); after.Ref != before.Ref {
		t.Errorf("the ref changed from %s to %s", before.Ref, after.Ref)
	}
}

func TestCovered(t *testing.T) {
	p := open(t, server(t, nil).URL+"/hidden.html")
	for name, cover := range map[string]string{"covered": "region 'Banner'", "half covered": "", "under glass": "", "below the fold": ""} {
		e := p.find("button", name)
		if e.Cover != cover {
			t.Errorf("%s: cover is %q, want %q", name, e.Cover, cover)
		}
	}
	p.refused(on("click", p.find("button", "covered"), ""), engine.ErrCovered, false)
	p.do(on("click", p.find("button", "half covered"), ""))
	p.do(on("click", p.find("button", "under glass"), ""))
	p.do(on("click", p.find("button", "below the fold"), ""))
	if got := p.js("JSON.stringify(hits)"); got != `{"covered":0,"half":1,"glass":1,"below":1}` {
		t.Error(got)
	}
	p.refused(on("click", p.find("button", "disabled"), ""), engine.ErrDisabled, false)
	p.refused(on("click", p.find("button", "in a disabled fieldset"), ""), engine.ErrDisabled, false)
	p.refused(on("click", p.find("button", "inert"), ""), engine.ErrDisabled, false)
}

func TestBarIsNoCover(t *testing.T) {
	p := open(t, server(t, nil).URL+"/bar.html")
	s := p.look()
	if s.Modal != "" {
		t.Errorf("a bar is no modal dialog: %q", s.Modal)
	}
	for _, name := range []string{"Low", "End"} {
		e := p.find("button", name)
		if name == "Low" && e.Cover != "" {
			t.Errorf("%s: scrolling avoids the bar, and yet cover is %q", name, e.Cover)
		}
	}
	p.do(on("click", p.find("button", "Low"), ""))
	if got := p.js("hits.low"); got != "1" {
		t.Errorf("Low was clicked %s times", got)
	}
	// At the end of the page no scrolling helps.
	p.js("scrollTo(0, 1e6)")
	if e := p.find("button", "End"); e.Cover != "dialog 'Cookies'" {
		t.Errorf("End: cover is %q", e.Cover)
	}
	p.refused(on("click", p.find("button", "End"), ""), engine.ErrCovered, false)
	p.do(on("click", p.find("button", "Reject"), ""))
	p.do(on("click", p.find("button", "End"), ""))
	if got := p.js("hits.end"); got != "1" {
		t.Errorf("End was clicked %s times", got)
	}
}

func TestModal(t *testing.T) {
	p := open(t, server(t, nil).URL+"/modal.html")
	if s := p.look(); s.Modal != "" || p.find("button", "Near").Cover != "" || p.find("button", "Far").Cover != "" {
		t.Errorf("no dialog is open, and modal is %q", s.Modal)
	}
	for _, c := range []struct{ show, modal, cover, button, hide string }{
		{"native.showModal()", "Native", "dialog 'Native'", "Close native", "native.close()"},
		{"sheet.style.display = 'block'", "Cookies", "dialog 'Cookies'", "Accept", "sheet.style.display = 'none'"},
		{"backdrop.style.display = beside.style.display = 'block'", "Beside", "dialog 'Beside'", "Okay", "backdrop.style.display = beside.style.display = 'none'"},
	} {
		t.Run(c.modal, func(t *testing.T) {
			p.js(c.show)
			if s := p.look(); s.Modal != c.modal {
				t.Errorf("modal is %q", s.Modal)
			}
			if e := p.find("button", c.button); e.Cover != "" {
				t.Errorf("the dialog's own button is covered by %q", e.Cover)
			}
			if e := p.find("button", "Far"); e.Cover != c.cover {
				t.Errorf("outside the viewport: cover is %q, want %q", e.Cover, c.cover)
			}
			near := p.find("button", "Near")
			if near.Cover == "" {
				t.Error("what the dialog hides is not covered")
			}
			p.refused(on("click", near, ""), engine.ErrCovered, false)
			p.refused(on("click", p.find("button", "Far"), ""), engine.ErrCovered, false)
			p.js(c.hide)
			if s := p.look(); s.Modal != "" || p.find("button", "Near").Cover != "" {
				t.Errorf("after it was closed, modal is %q", s.Modal)
			}
		})
	}
	if got := p.js("hits"); got != "0" {
		t.Errorf("Near was clicked %s times", got)
	}
	p.js("native.show()")
	if s := p.look(); s.Modal != "" {
		t.Errorf("a dialog that is not modal: %q", s.Modal)
	}
}

func TestShadowRoots(t *testing.T) {
	p := open(t, server(t, nil).URL+"/shadow.html")
	p.p = &compile.Probes{CSS: []string{"button.in"}, Count: []string{"button.in", "p", ":::"}}
	s := p.look()
	if s.Count["button.in"] != 2 || s.Count["p"] != 1 || s.Count[":::"] != -1 {
		t.Errorf("counts: %v", s.Count)
	}
	for _, name := range []string{"Open", "Closed"} {
		e := p.find("button", name+" button")
		if !slices.Equal(e.CSS, []int{0}) {
			t.Errorf("%s: css is %v", name, e.CSS)
		}
		p.do(on("click", e, ""))
		if got := p.js("clicked"); got != strings.ToLower(name) {
			t.Errorf("clicked %q", got)
		}
	}
	s = p.until("the change in the closed root", func(s *engine.Snapshot) bool { return strings.Contains(s.Text, "Closed and clicked") })
	ctx, version := p.ctx, s.Version
	p.do(on("fill", p.find("textbox", "Open"), "text"))
	if err := p.Changed(ctx, s); err != nil || p.look().Version == version {
		t.Errorf("typing in a shadow root is no change: %v", err)
	}
}

func TestFrames(t *testing.T) {
	srv := server(t, nil)
	p := open(t, srv.URL+"/frames.html?"+strings.Replace(srv.URL, "127.0.0.1", "localhost", 1))
	p.p = &compile.Probes{Count: []string{"p"}}
	s := p.until("both frames", func(s *engine.Snapshot) bool { return strings.Count(s.Text, "Inner text") == 2 })
	var got []string
	for _, e := range s.Elements {
		got = append(got, fmt.Sprintf("%d %s %d,%d", e.Frame, e.Name, e.Box.X, e.Box.Y))
	}
	if len(s.Frames) != 4 || s.Count["p"] != 3 {
		t.Errorf("frames %+v, p %d", s.Frames, s.Count["p"])
	}
	want := []string{"Before", "Inner", "Inner field", "Between", "Inner", "Inner field", "After"}
	if len(got) != len(want) {
		t.Fatalf("elements: %v", got)
	}
	for i, name := range want {
		if s.Elements[i].Name != name {
			t.Errorf("element %d is %s, want %s", i, got[i], name)
		}
	}
	for i, name := range map[int]string{1: "same", 4: "other"} {
		e := s.Elements[i]
		if s.Frames[e.Frame].Name != name || e.Box.X != 65 {
			t.Errorf("%s: frame %q", got[i], s.Frames[e.Frame].Name)
		}
		p.do(on("click", e, ""))
		p.do(on("fill", s.Elements[i+1], "in "+name))
	}
	s = p.until("both clicks", func(s *engine.Snapshot) bool { return strings.Count(s.Text, "Inner clicked") == 2 })
	if s.Elements[2].Value != "in same" || s.Elements[5].Value != "in other" {
		t.Errorf("values %q, %q", s.Elements[2].Value, s.Elements[5].Value)
	}
	// What lies over a frame covers what is in it.
	p.js(`document.body.append(Object.assign(document.createElement('div'), {id: 'lid', innerHTML: '<p>Lid</p>'}))`)
	s = p.look()
	if s.Elements[1].Cover != "" || s.Elements[4].Cover != "div 'Lid'" {
		t.Errorf("covers: %q, %q", s.Elements[1].Cover, s.Elements[4].Cover)
	}
	p.js(`document.querySelector('[name=same]').remove()`)
	p.refused(on("click", s.Elements[1], ""), engine.ErrTargetGone, false)
}

func TestDeadFrameIsReported(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{
		"/busy": page(`<p>Busy</p><script>addEventListener('message', () => { for (;;); })</script>`),
		"/outer": func(w http.ResponseWriter, r *http.Request) {
			page(`<p>Outer</p><iframe name=busy src="`+strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)+`/busy"></iframe>`)(w, r)
		},
	})
	p := open(t, srv.URL+"/outer")
	p.until("the frame", func(s *engine.Snapshot) bool { return strings.Contains(s.Text, "Busy") })
	p.js("frames[0].postMessage(1, '*')")
	for i := range 2 {
		begin := time.Now()
		s := p.look()
		if took := time.Since(begin); took > 2*frameTime {
			t.Errorf("look %d took %s", i, took)
		}
		if len(s.Frames) != 2 || s.Frames[1].Error == "" || !strings.Contains(s.Text, "Outer") {
			t.Errorf("look %d: frames %+v", i, s.Frames)
		}
	}
}

func TestPatchedGlobals(t *testing.T) {
	for _, name := range []string{"patched", "frozen"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, server(t, nil).URL+"/"+name+".html")
			s := p.look()
			if s.Version == 0 || len(s.Elements) < 2 {
				t.Fatalf("%+v", s)
			}
			p.do(on("click", p.find("button", "Press"), ""))
			p.until("the click", func(s *engine.Snapshot) bool { return s.Title == "clicked" })
			field := s.Elements[0]
			if name == "frozen" {
				field = s.Elements[1]
			}
			p.do(on("fill", field, "text"))
			if s = p.look(); s.Elements[0].Value+s.Elements[1].Value != "text" {
				t.Errorf("values %q, %q", s.Elements[0].Value, s.Elements[1].Value)
			}
		})
	}
}

func TestStandInLabels(t *testing.T) {
	p := open(t, server(t, nil).URL+"/labels.html")
	p.do(on("check", p.find("checkbox", "None displayed"), ""))
	p.do(on("uncheck", p.find("checkbox", "Transparent"), ""))
	p.do(on("check", p.find("radio", "Clipped radio"), ""))
	if got := p.js("[a.checked, b.checked, c.checked]"); got != "true,false,true" {
		t.Error(got)
	}
	if e := p.find("checkbox", "None displayed"); e.Checked != "true" || e.Tag != "label" {
		t.Errorf("%+v", e)
	}
	for i, name := range []string{"Choose a file", "Attach"} {
		file := fmt.Sprintf("%s/%d.txt", t.TempDir(), i)
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		p.do(on("upload", p.find("button", name), file))
		if got := p.js("out.textContent"); got != fmt.Sprint(i, ".txt") {
			t.Errorf("%s: %s", name, got)
		}
	}
	p.refused(on("upload", p.find("button", "Attach"), "/no/such/file"), engine.ErrBadValue, false)
}

func TestClickableThings(t *testing.T) {
	p := open(t, server(t, nil).URL+"/clickable.html")
	s := p.look()
	for _, how := range []string{"listener", "attribute", "property"} {
		i := slices.IndexFunc(s.Elements, func(e engine.Element) bool { return e.Name == "By "+how })
		if i < 0 {
			t.Fatalf("no %s", how)
		}
		p.do(on("click", s.Elements[i], ""))
		if got := p.js("clicked"); got != how {
			t.Errorf("%s: clicked %q", how, got)
		}
	}
}

func TestReads(t *testing.T) {
	p := open(t, server(t, nil).URL+"/list.html")
	p.p = &compile.Probes{
		Roles: []string{"listitem"}, CSS: []string{"li.fare", "[data-ref]"}, Count: []string{".price"},
		Reads: []compile.Read{
			{Key: "carrier", Role: "listitem", CSS: ".carrier"}, {Key: "price", Of: "li.fare", CSS: ".price"},
			{Key: "cents", Role: "listitem", Of: "li.fare", CSS: ".price", Attr: "data-cents"}, {Key: "self", Of: "[data-ref]"},
			{Key: "page", Page: true, CSS: "[data-ref]", Attr: "data-ref"}, {Key: "typed", Page: true, CSS: ".q"}, {Key: "none", Page: true, CSS: ".none"},
		},
	}
	s := p.look()
	var got []string
	for _, e := range s.Elements {
		if !e.Interactive {
			got = append(got, fmt.Sprintf("%s %v %v", or(e.Role, e.Tag), e.CSS, e.Reads))
		}
	}
	want := []string{"listitem [0] map[carrier:Blue Air cents:12050 price:€120.50]", "listitem [0] map[carrier:Red Air]", "paragraph [1] map[self:Reference ABC123]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if fmt.Sprint(s.Reads) != "map[page:ABC123 typed:typed]" || s.Count[".price"] != 1 {
		t.Errorf("reads %v, count %v", s.Reads, s.Count)
	}
}

func TestLargePageIsBounded(t *testing.T) {
	p := openHTML(t, bigTable)
	p.look()
	begin := time.Now()
	s := p.look()
	took := time.Since(begin)
	if len(s.Text) > maxText || len(s.Text) < maxText/2 || len(s.Elements) == 0 {
		t.Errorf("%d bytes of text, %d elements", len(s.Text), len(s.Elements))
	}
	if !s.Truncated {
		t.Error("elements are missing, and the snapshot does not say so")
	}
	t.Logf("20,000 rows: %s, %d elements", took, len(s.Elements))
}

const bigTable = `<!doctype html><title>Big</title><table id=t></table><script>
	let h = ''
	for (let i = 0; i < 20000; i++) h += '<tr><td>Row ' + i + '<td>Some text<td>' + i * 7 + '<td><a href="#' + i + '">Open</a></tr>'
	t.innerHTML = h
</script>`

// TestLookAgain compares a look that was answered with what changed since the last one, with a whole one.
func TestLookAgain(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{
		"/form":  form200(),
		"/outer": page(`<!doctype html><title>Outer</title><button id=a>First</button><iframe src=/form width=900 height=600></iframe><button>Last</button>`),
	})
	for _, path := range []string{"/form", "/outer"} {
		p := open(t, srv.URL+path)
		p.until("the form", func(s *engine.Snapshot) bool { return len(s.Elements) > 100 })
		for _, change := range []string{
			`0`,
			`doc.querySelector('button').textContent = 'Other'`,
			`doc.querySelector('input').value = 'Prague'`,
			`doc.querySelector('section').remove()`,
			`doc.querySelector('section').insertAdjacentHTML('beforebegin', '<p>New text<button>New</button>')`,
			`doc.querySelector('button').replaceWith(doc.createElement('hr'))`,
			`doc.defaultView.scrollTo(0, 300)`,
			`doc.body.style.padding = '30px'`,
			`doc.querySelector('section').innerHTML += ' '`,
		} {
			p.js(`(() => { const f = document.querySelector('iframe'); const doc = f ? f.contentDocument : document; ` + change + `; return 'done' })()`)
			again := p.look()
			p.mu.Lock()
			for _, f := range p.frames.byFrame {
				f.last = nil
			}
			p.mu.Unlock()
			whole := p.look()
			again.Version, whole.Version = 0, 0
			a, _ := json.Marshal(again)
			w, _ := json.Marshal(whole)
			if !bytes.Equal(a, w) {
				t.Errorf("%s: after %s the look reads\n%s\nand a whole one\n%s", path, change, strings.Join(lines(again), "\n"), strings.Join(lines(whole), "\n"))
			}
		}
	}
}

func TestDecode(t *testing.T) {
	first, err := decode("1\n{\"document\":\"d\"}\n\"Hello\"\n{\"n\":7,\"name\":\"A\"}\n{\"n\":9,\"parent\":7,\"name\":\"B\"}", nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.id() != "d.1" || first.Text != "Hello" || len(first.Elements) != 2 || first.Elements[1].ParentN != 7 {
		t.Fatalf("%+v", first)
	}
	second, err := decode("2\n{\"document\":\"d\"}\n\n9\n{\"n\":7,\"name\":\"C\"}", first)
	if err != nil {
		t.Fatal(err)
	}
	if second.Text != "Hello" || second.Elements[0] != first.Elements[1] || second.Elements[1].Name != "C" {
		t.Errorf("%+v", second)
	}
	for _, wrong := range []string{"", "2\n{}", "2\n{\n\"\"", "2\n{\"document\":\"d\"}\n\n8", "2\n{\"document\":\"other\"}\n\"\"\n9"} {
		if a, err := decode(wrong, first); err == nil {
			t.Errorf("%q is read as %+v", wrong, a)
		}
	}
}
