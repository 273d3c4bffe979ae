package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
)

// hostile are scripts that break other people's injected code. The page below must look the same under each.
var hostile = map[string]string{
	"none":   ``,
	"toJSON": `Array.prototype.toJSON = () => 'broken'; Object.prototype.toJSON = () => 'broken'; String.prototype.toJSON = () => 'broken'`,
	"prototype.js": `Element.prototype.querySelector = () => { throw 1 }; Element.prototype.querySelectorAll = () => []; Element.prototype.matches = () => true;
		Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, width: 0, height: 0}); Array.prototype.map = () => 'broken'; Array.prototype.each = function () {};
		Array.prototype.filter = () => []; Array.prototype.push = () => 0; String.prototype.trim = () => 'broken'; String.prototype.split = () => [];
		Object.keys = () => []; JSON.stringify = () => 'broken'; JSON.parse = () => ({}); Element.prototype.getAttribute = () => 'broken'`,
	"collections": `Map.prototype.get = Map.prototype.set = Map.prototype.has = () => undefined; Set.prototype.add = Set.prototype.has = () => false;
		WeakMap.prototype.get = WeakMap.prototype.set = () => undefined; window.MutationObserver = window.WeakRef = window.Promise = undefined`,
	"iterators": `const old = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { return old.call(this) }; RegExp.prototype.test = () => false`,
	"globals":   `window.getComputedStyle = () => ({}); document.elementFromPoint = () => null; Document.prototype.elementFromPoint = () => null; window.innerWidth = 0; window.innerHeight = 0; window.name = 'broken'; window.setTimeout = undefined`,
	"frozen":    `[Object, Array, String, Function, Map, Set, WeakMap, Element, Node, Document, EventTarget, Promise].forEach(c => Object.freeze(c.prototype)); Object.freeze(Object)`,
	"nodes":     `Object.defineProperty(Node.prototype, 'firstChild', {get: () => null}); Object.defineProperty(Node.prototype, 'parentNode', {get: () => null}); Object.defineProperty(Element.prototype, 'shadowRoot', {get: () => null})`,
}

const hostileBody = `<body><h1>Orders</h1>
<form id=f><label>City <input name=parentNode value=Oslo></label><input name=firstChild aria-label=Second><input type=submit name=localName value=Save></form>
<div id=d></div><ul><li>one <a href="#x">Open</a><li>two <a href="#y">Open</a></ul>
<script>document.getElementById('d').attachShadow({mode: 'closed'}).innerHTML = '<button>Inside</button>'</script>`

func TestHostileGlobals(t *testing.T) {
	want := ""
	for _, name := range []string{"none", "toJSON", "prototype.js", "collections", "iterators", "globals", "frozen", "nodes"} {
		t.Run(name, func(t *testing.T) {
			// The shadow root is made before the patches, as a real page would not patch what it needs itself.
			body := strings.Replace(hostileBody, "</script>", ";"+hostile[name]+"</script>", 1)
			p := openHTML(t, "<!doctype html><title>t</title>"+body)
			s := p.look()
			got := strings.Join(lines(s), "\n") + "\n" + s.Text + "\n" + strings.Join(s.Headings, "|")
			if want == "" {
				want = got
				if !strings.Contains(got, `button "Inside"`) || !strings.Contains(got, `textbox "City" <input text> in="Orders" value="Oslo"`) {
					t.Fatal(got)
				}
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			p.do(on("fill", p.find("textbox", "City"), "Bergen"))
			if v := p.find("textbox", "City").Value; v != "Bergen" {
				t.Errorf("filled %q", v)
			}
		})
	}
}

func TestContentSecurityPolicy(t *testing.T) {
	srv := server(t, map[string]http.HandlerFunc{"/csp": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-x'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox allow-scripts allow-forms allow-same-origin")
		page(`<!doctype html><title>csp</title><button id=b>Press</button><script nonce=x>b.addEventListener('click', () => { b.textContent = 'Pressed' })</script>`)(w, r)
	}})
	p := open(t, srv.URL+"/csp")
	p.do(on("click", p.find("button", "Press"), ""))
	p.until("the click", func(s *engine.Snapshot) bool { return strings.Contains(s.Text, "Pressed") })
}

func TestSameBytes(t *testing.T) {
	srv := server(t, nil)
	for _, name := range []string{"names.html", "hidden.html", "shadow.html", "list.html"} {
		p := open(t, srv.URL+"/"+name)
		a, b := p.look(), p.look()
		ja, _ := json.Marshal(a)
		jb, _ := json.Marshal(b)
		if string(ja) != string(jb) {
			t.Errorf("%s: two looks at an unchanged page differ:\n%s\n%s", name, ja, jb)
		}
	}
}
