package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

func TestFillReadsBack(t *testing.T) {
	p := open(t, server(t, nil).URL+"/fields.html")
	p.do(on("fill", p.find("textbox", "Plain"), "Grüße, 世界"))
	p.do(on("fill", p.find("textbox", "Keys only"), "typed"))
	p.do(on("fill", p.find("textbox", "Phone"), "5551234567"))
	p.do(on("fill", p.find("textbox", "Date"), "03/07/2027"))
	p.do(on("fill", p.find("textbox", "Rich"), "bold words"))
	p.do(on("type", p.find("textbox", "Plain"), "!"))
	p.do(on("fill", p.find("textbox", "Replaced"), "x"))
	for id, want := range map[string]string{"plain": "Grüße, 世界!", "keys": "typed", "phone": "(555) 123-4567", "date": "3/7/2027"} {
		if got := p.js(id + ".value"); got != want {
			t.Errorf("%s holds %q, want %q", id, got, want)
		}
	}
	if got := p.js("rich.textContent"); got != "bold words" {
		t.Errorf("rich holds %q", got)
	}
	e := p.refused(on("fill", p.find("textbox", "Digits"), "letters"), engine.ErrBadValue, true)
	if !strings.Contains(e.Message, `"letters"`) {
		t.Errorf("the message does not tell the value: %s", e.Message)
	}
	secret := on("fill", p.find("textbox", "Digits"), "hunter2x")
	secret.Secret = true
	if e := p.refused(secret, engine.ErrBadValue, true); strings.Contains(fmt.Sprint(e, e.Err), "hunter") {
		t.Errorf("the message tells a secret: %s", e.Message)
	}
	p.refused(on("fill", p.find("textbox", "Read-only"), "x"), engine.ErrDisabled, false)
	p.refused(on("fill", p.find("button", "No field"), "x"), engine.ErrUnsupported, false)
	p.do(on("clear", p.find("textbox", "Plain"), ""))
	if got := p.js("plain.value"); got != "" {
		t.Errorf("cleared, and holds %q", got)
	}
}

func TestSelect(t *testing.T) {
	p := open(t, server(t, nil).URL+"/fields.html")
	e := p.find("combobox", "Cabin")
	p.do(on("select", e, "Business"))
	if got := p.find("combobox", "Cabin").Value; got != "Business" {
		t.Errorf("value %q", got)
	}
	p.do(on("select", e, "y"))
	if got := p.js("cabin.value"); got != "y" {
		t.Errorf("value %q", got)
	}
	if err := p.refused(on("select", e, "Cargo"), engine.ErrBadValue, false); !strings.Contains(err.Message, "Economy") {
		t.Errorf("the options are not listed: %s", err.Message)
	}
	p.refused(on("select", e, "First"), engine.ErrBadValue, false)                        // disabled
	p.refused(on("select", p.find("textbox", "Plain"), "x"), engine.ErrUnsupported, true) // it was clicked, to see whether it opens a list
}

func TestKeysMouseAndScroll(t *testing.T) {
	p := open(t, server(t, nil).URL+"/fields.html")
	p.do(on("press", p.find("textbox", "Plain"), "a"))
	p.do(engine.Action{Verb: "press", Value: "b"})
	if got := p.js("plain.value"); got != "ab" {
		t.Errorf("pressed %q", got)
	}
	p.do(on("dblclick", p.find("button", "No field"), ""))
	p.do(on("hover", p.find("button", "No field"), ""))
	p.do(engine.Action{Verb: "drag", Ref: p.find("button", "Drag me").Ref, To: p.find("button", "Drop here").Ref})
	if got := p.js("JSON.stringify(seen)"); got != `{"dblclick":1,"hover":1,"drop":1}` {
		t.Error(got)
	}
	if s := p.look(); s.Above != 0 || s.Below < 1000 {
		t.Errorf("above %d, below %d", s.Above, s.Below)
	}
	p.do(engine.Action{Verb: "scroll", Value: "bottom"})
	if s := p.look(); s.Below != 0 || s.Above < 1000 {
		t.Errorf("above %d, below %d", s.Above, s.Below)
	}
	p.do(engine.Action{Verb: "scroll", Value: "up"})
	p.do(engine.Action{Verb: "scroll", Value: "top"})
	if s := p.look(); s.Above != 0 {
		t.Errorf("above %d", s.Above)
	}
	p.refused(engine.Action{Verb: "scroll", Value: "sideways"}, engine.ErrBadValue, false)
	p.do(engine.Action{Verb: "eval", Value: "document.title = 'evaluated'"})
	if s := p.look(); s.Title != "evaluated" {
		t.Errorf("title %q", s.Title)
	}
	p.refused(engine.Action{Verb: "read"}, engine.ErrUnsupported, false)
	p.refused(engine.Action{Verb: "click"}, engine.ErrNotFound, false)
}

// A page's own counter is the judge of what was clicked.
const counter = `<!doctype html><title>c</title><style>body{margin:0}button{width:200px;height:40px}</style>
	<div id=box><button onclick="hits++">Pay</button></div><script>var hits = 0</script>`

// A button that is drawn anew, the same in the same place, is still the one that was offered.
func TestTargetDrawnAnew(t *testing.T) {
	p := openHTML(t, counter)
	e := p.find("button", "Pay")
	p.js(`box.innerHTML = box.innerHTML`)
	p.do(on("click", e, ""))
	if got := p.js("hits"); got != "1" {
		t.Errorf("%s hits", got)
	}
}

func TestTargetReplacedBetweenLookAndAct(t *testing.T) {
	for name, change := range map[string]string{
		"removed":     `document.querySelector('button').remove()`,
		"rebuilt":     `box.innerHTML = '<p>New</p>' + box.innerHTML`,
		"renamed":     `document.querySelector('button').textContent = 'Delete'`,
		"other role":  `document.querySelector('button').setAttribute('role', 'link')`,
		"hidden":      `box.hidden = true`,
		"new address": `location.reload()`,
	} {
		t.Run(name, func(t *testing.T) {
			p := openHTML(t, counter)
			e := p.find("button", "Pay")
			s := p.look()
			p.js(change)
			if err := p.Changed(p.ctx, s); err != nil {
				t.Fatal(err)
			}
			p.refused(on("click", e, ""), engine.ErrTargetGone, false)
			if got := p.js("hits"); got != "0" {
				t.Errorf("%s hits", got)
			}
		})
	}
}

func TestCoveredBetweenLookAndAct(t *testing.T) {
	p := openHTML(t, counter)
	e := p.find("button", "Pay")
	p.js(`document.body.append(Object.assign(document.createElement('div'), {id: 'lid', ariaLabel: 'Cookies', role: 'dialog', style: 'position:fixed;inset:0'}))`)
	if err := p.refused(on("click", e, ""), engine.ErrCovered, false); err.Cover != "dialog 'Cookies'" {
		t.Errorf("cover %q", err.Cover)
	}
	if got := p.js("hits"); got != "0" {
		t.Errorf("%s hits", got)
	}
}

// What moves without end can be clicked where it is.
func TestNeverStill(t *testing.T) {
	p := openHTML(t, counter+`<style>@keyframes m { from { margin-left: 0 } to { margin-left: 500px } } #box { animation: m 1s linear infinite alternate }</style>`)
	p.do(on("click", p.find("button", "Pay"), ""))
	if got := p.js("hits"); got != "1" {
		t.Errorf("%s hits", got)
	}
}

func TestDisabled(t *testing.T) {
	p := openHTML(t, counter)
	e := p.find("button", "Pay")
	p.js(`document.querySelector('button').disabled = true`)
	p.refused(on("click", e, ""), engine.ErrDisabled, false)
	if e := p.find("button", "Pay"); e.Enabled {
		t.Error("it is said to be enabled")
	}
}

func TestNativeDialogs(t *testing.T) {
	p := openHTML(t, `<button onclick="alert('Hi')">Alert</button><button onclick="out.textContent = confirm('Sure?')">Confirm</button>
		<button onclick="out.textContent = prompt('Name?', 'nobody')">Prompt</button><p id=out></p>`)
	for _, c := range []struct {
		arm    engine.Action
		button string
		want   engine.Dialog
		out    string
	}{
		{engine.Action{}, "Alert", engine.Dialog{Type: "alert", Message: "Hi", Accepted: true}, ""},
		{engine.Action{}, "Confirm", engine.Dialog{Type: "confirm", Message: "Sure?"}, "false"},
		{engine.Action{Verb: "accept_dialog"}, "Confirm", engine.Dialog{Type: "confirm", Message: "Sure?", Accepted: true}, "true"},
		{engine.Action{}, "Confirm", engine.Dialog{Type: "confirm", Message: "Sure?"}, "false"},
		{engine.Action{Verb: "dismiss_dialog"}, "Prompt", engine.Dialog{Type: "prompt", Message: "Name?"}, ""},
		{engine.Action{Verb: "accept_dialog", Value: "Ann"}, "Prompt", engine.Dialog{Type: "prompt", Message: "Name?", Accepted: true}, "Ann"},
		{engine.Action{Verb: "accept_dialog"}, "Prompt", engine.Dialog{Type: "prompt", Message: "Name?", Accepted: true}, "nobody"},
	} {
		if c.arm.Verb != "" {
			p.do(c.arm)
		}
		p.do(on("click", p.find("button", c.button), ""))
		s := p.look()
		if len(s.Dialogs) != 1 || s.Dialogs[0] != c.want {
			t.Errorf("%s %s: dialogs %+v", c.arm.Verb, c.button, s.Dialogs)
		}
		if got := p.js("out.textContent"); got != c.out {
			t.Errorf("%s %s: the page got %q", c.arm.Verb, c.button, got)
		}
		if s = p.look(); len(s.Dialogs) != 0 {
			t.Errorf("reported twice: %+v", s.Dialogs)
		}
	}
}

// A dialog that comes while a wait is under way ends it.
func TestDialogIsAChange(t *testing.T) {
	p := openHTML(t, `<p>Wait</p><script>onkeydown = () => setTimeout(() => confirm('Still there?'), 50)</script>`)
	p.do(engine.Action{Verb: "press", Value: "a"})
	p.until("the dialog", func(s *engine.Snapshot) bool { return len(s.Dialogs) == 1 && !s.Dialogs[0].Accepted })
}

func TestPopupAndTabs(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{
		"/opener": page(`<title>Opener</title><a href=/child target=_blank rel=opener>Open</a>`),
		"/child":  page(`<title>Child</title><button onclick="window.close()">Close me</button>`),
	})
	p := open(t, srv.URL+"/opener")
	p.do(on("click", p.find("link", "Open"), ""))
	s := p.until("the popup", func(s *engine.Snapshot) bool { return s.Title == "Child" })
	if s.Tabs != 2 {
		t.Errorf("%d tabs", s.Tabs)
	}
	old := p.find("button", "Close me")
	p.do(engine.Action{Verb: "switch_tab", Value: "1"})
	if s = p.look(); s.Title != "Opener" {
		t.Errorf("tab 1 is %q", s.Title)
	}
	p.refused(on("click", old, ""), engine.ErrTargetGone, false) // of the other tab
	p.do(engine.Action{Verb: "switch_tab", Value: "chil"})
	p.refused(engine.Action{Verb: "switch_tab", Value: "3"}, engine.ErrNotFound, false)
	p.refused(engine.Action{Verb: "switch_tab", Value: "nowhere"}, engine.ErrNotFound, false)
	p.refused(engine.Action{Verb: "switch_tab", Value: "127.0.0.1"}, engine.ErrAmbiguous, false)
	p.do(on("click", p.find("button", "Close me"), ""))
	s = p.until("the opener", func(s *engine.Snapshot) bool { return s.Title == "Opener" && s.Tabs == 1 })
	if len(s.Elements) != 1 {
		t.Errorf("%v", lines(s))
	}
}

func TestBackAndReload(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{"/one": page(`<title>One</title>`), "/two": page(`<title>Two</title>`)})
	p := open(t, srv.URL+"/one")
	first := p.look()
	p.do(engine.Action{Verb: "goto", Value: srv.URL + "/two"})
	second := p.look()
	p.do(engine.Action{Verb: "reload"})
	third := p.look()
	p.do(engine.Action{Verb: "back"})
	if s := p.look(); s.Title != "One" || first.Document == second.Document || second.Document == third.Document {
		t.Errorf("title %q, documents %s %s %s", s.Title, first.Document, second.Document, third.Document)
	}
}

// Errors carry no call log and no line breaks: they end up in a table.
func TestErrorsAreOneLine(t *testing.T) {
	p := openHTML(t, counter+`<style>@keyframes m { to { margin-left: 500px } } #box { animation: m 60s linear }</style>`)
	a := on("click", p.find("button", "Pay"), "")
	a.Timeout = 300 * time.Millisecond
	err := p.Do(p.ctx, a)
	if err == nil || strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), "Call log") {
		t.Errorf("%q", fmt.Sprint(err))
	}
	a.Secret, a.Value = true, "hunter2"
	if b, _ := json.Marshal(a); strings.Contains(string(b), "hunter2") {
		t.Error("a secret in JSON")
	}
}
