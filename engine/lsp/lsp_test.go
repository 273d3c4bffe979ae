package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
)

// testServer is a server without a connection: answers are asked for one by one.
func testServer(tb testing.TB) *Server {
	s := &Server{
		out: &writer{w: io.Discard}, cache: &pack.Cache{}, docs: map[string]*document{}, views: map[string]cachedView{}, good: map[string]*view{}, started: true, snippets: true,
		Log: func(format string, args ...any) { tb.Errorf(format, args...) },
	}
	s.checks = newDiagnoser(s.out, s.cache, s.logf)
	return s
}

func (s *Server) openText(uri, text string) *document {
	d := &document{uri: uri, name: nameOf(uri), version: 1, text: newText(text)}
	s.set(d)
	return d
}

// ask sends a request through the whole server, but for the wire.
func ask(tb testing.TB, s *Server, method string, params any) any {
	tb.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		tb.Fatal(err)
	}
	result, rerr := s.requested(message{ID: json.RawMessage("1"), Method: method, Params: raw})
	if rerr != nil && rerr.Code == internalError {
		tb.Fatalf("%s %s: %s", method, raw, rerr.Message)
	}
	return result
}

// placed are all requests about a place.
var placed = []string{
	"textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/references", "textDocument/prepareRename", "textDocument/rename",
}

var whole = []string{"textDocument/documentSymbol", "textDocument/formatting", "textDocument/codeAction"}

// checkSpans makes sure that every range of an answer lies inside the text of its file.
func checkSpans(tb testing.TB, s *Server, d *document, answer any) {
	tb.Helper()
	var walk func(v reflect.Value, uri string)
	walk = func(v reflect.Value, uri string) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), uri)
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), uri)
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				if u := k.String(); strings.Contains(u, ":") {
					walk(v.MapIndex(k), u)
				} else {
					walk(v.MapIndex(k), uri)
				}
			}
		case reflect.Struct:
			switch x := v.Interface().(type) {
			case span:
				doc := s.docs[uri]
				if doc == nil {
					return
				}
				for _, p := range []position{x.Start, x.End} {
					if got := doc.text.position(doc.text.byteOf(p)); got != p {
						tb.Fatalf("%v does not lie in the text (%v does)", p, got)
					}
				}
				if doc.text.byteOf(x.Start) > doc.text.byteOf(x.End) {
					tb.Fatalf("%v ends before it begins", x)
				}
				return
			case location:
				uri = x.URI
			}
			for i := range v.NumField() {
				walk(v.Field(i), uri)
			}
		}
	}
	walk(reflect.ValueOf(answer), d.uri)
}

// askEverything asks all that can be asked at a place, and checks what comes back.
func askEverything(tb testing.TB, s *Server, d *document, at position) {
	tb.Helper()
	id := map[string]any{"uri": d.uri}
	for _, m := range placed {
		checkSpans(tb, s, d, ask(tb, s, m, map[string]any{"textDocument": id, "position": at, "newName": "other_name"}))
	}
	for _, m := range whole {
		checkSpans(tb, s, d, ask(tb, s, m, map[string]any{"textDocument": id, "range": span{at, at}}))
	}
}

const fuzzURI = "file:///nowhere/flow.yaml"

// No text and no change of it makes an answer fail or hang, every range lies inside the text, and the findings too.
func FuzzServer(f *testing.F) {
	files, err := filepath.Glob("../../testdata/lint/*/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for i, name := range append(files, "../../flows/flights/flow.yaml", "../../flows/flights/pack/pack.yaml") {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 8000 {
			f.Add(data, i%40, 5+i%20, "=inputs.")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, line, char int, typed string) {
		if len(data) > 20000 || len(typed) > 1000 {
			return
		}
		start := time.Now()
		s := testServer(t)
		d := s.openText(fuzzURI, strings.ToValidUTF8(string(data), "\ufffd"))
		at := d.text.position(d.text.byteOf(position{line, char}))
		askEverything(t, s, d, at)
		raw, err := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": fuzzURI, "version": 2}, "contentChanges": []any{map[string]any{"text": typed, "range": span{at, at}}}})
		if err != nil {
			t.Fatal(err)
		}
		s.notified(message{Method: "textDocument/didChange", Params: raw})
		d = s.docs[fuzzURI]
		if d.version != 2 {
			t.Fatal("the change was not taken")
		}
		after := d.text.position(min(d.text.byteOf(at)+len(strings.ToValidUTF8(typed, "\ufffd")), len(d.text.data)))
		askEverything(t, s, d, after)
		c := s.checks.check(s.files, d)
		s.checks.checked[d.name] = c
		for _, x := range c.found {
			if x.Rule == "internal-error" {
				t.Fatal(x)
			}
			if x.Range.File == d.name {
				checkSpans(t, s, d, c.diagnostic(x))
			}
		}
		askEverything(t, s, d, after)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// Every place of the shipped files, and every line cut off there, has answers.
func TestEveryPlace(t *testing.T) {
	for _, name := range []string{"../../flows/flights/flow.yaml", "../../flows/flights/pack/pack.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		s := testServer(t)
		d := s.openText("file://"+abs, string(data))
		for i := 0; i < len(data); i += 7 {
			askEverything(t, s, d, d.text.position(i))
		}
		for i := 0; i < len(data); i += 31 {
			cut := string(data[:i])
			if end := bytes.IndexByte(data[i:], '\n'); end >= 0 {
				cut += string(data[i+end:])
			}
			d = s.openText("file://"+abs, cut)
			checkSpans(t, s, d, ask(t, s, "textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": d.text.position(i)}))
		}
	}
}

func TestText(t *testing.T) {
	x := newText("a𝕏b\r\nc\rd\n€")
	for _, c := range []struct {
		offset int
		want   position
	}{{0, position{0, 0}}, {1, position{0, 1}}, {5, position{0, 3}}, {6, position{0, 4}}, {8, position{1, 0}}, {10, position{2, 0}}, {12, position{3, 0}}, {15, position{3, 1}}} {
		if got := x.position(c.offset); got != c.want {
			t.Errorf("position(%d) = %v, want %v", c.offset, got, c.want)
		}
		if got := x.byteOf(c.want); got != c.offset {
			t.Errorf("byteOf(%v) = %d, want %d", c.want, got, c.offset)
		}
		if got := x.Offset(x.Pos(c.offset)); got != c.offset {
			t.Errorf("offset(pos(%d)) = %d", c.offset, got)
		}
	}
	for p, want := range map[position]int{{0, 2}: 1, {0, 99}: 6, {9, 0}: 15, {-1, 4}: 0, {1, -3}: 8} {
		if got := x.byteOf(p); got != want {
			t.Errorf("byteOf(%v) = %d, want %d", p, got, want)
		}
	}
	bom := newText("\ufeffkind")
	if got := bom.position(bom.Offset(bom.Pos(3))); got != (position{0, 1}) {
		t.Errorf("behind a byte order mark: %v", got)
	}
}

func TestLocate(t *testing.T) {
	for _, c := range []struct{ text, path, typed string }{
		{"|", "", ""},
		{"ki|", "", "ki"},
		{"kind: fl|", "kind", "fl"},
		{"stages:\n  a:\n    |", "stages a", ""},
		{"stages:\n  a:\n  |", "stages", ""},
		{"stages:\n  a:\n    goal: x\n    d|", "stages a", "d"},
		{"stages:\n  a:\n    relevance:\n      - std.f|", "stages a relevance -", "std.f"},
		{"stages:\n  a:\n    relevance:\n    - |", "stages a relevance -", ""},
		{"stages:\n  a:\n    relevance:\n    - x\n    d|", "stages a", "d"},
		{"stages:\n  a:\n    relevance:\n      - std.fill: {field: x, v|", "stages a relevance - std.fill", "v"},
		{"stages:\n  a:\n    relevance:\n      - std.fill:\n          field: x\n          v|", "stages a relevance - std.fill", "v"},
		{"stages:\n  a:\n    relevance: [{use: std.fill, with: {field: =inp|", "stages a relevance - with field", "=inp"},
		{"stages:\n  a: {next: [{when: \"a, b\", go: |", "stages a next - go", ""},
		{"stages:\n  a: {next: [{go: b}, {g|", "stages a next -", "g"},
		{"stages:\n  a: {end: ok}\n  b:\n    g|", "stages b", "g"},
		{"stages:\n  a:\n    goal: |\n", "stages a goal", ""},
		{"a:\n  b: \"x: y\n    z|", "a b", "x: y\n    z"},
		{"a:\n  b: >\n    text: {\n    more\n  c|", "a", "c"},
		{"a: [1,\n  {b: 2}]\nc|", "", "c"},
		{"a: b # c: {\nd|", "", "d"},
		{"a: {b: 1, : {c|", "a", "c"},
		{"- - a|", "- -", "a"},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		if strings.Contains(c.text, "b: >") {
			before, after, _ = strings.Cut(c.text, "|")
		}
		w := locate(before+after, len(before))
		if got := strings.Join(w.keys(), " "); got != c.path || w.typed != c.typed {
			t.Errorf("%q: path %q, typed %q; want %q, %q", c.text, got, w.typed, c.path, c.typed)
		}
	}
}

func TestChains(t *testing.T) {
	for src, want := range map[string]string{
		`inputs.trip.from == "inputs.x" and not facts.paid`: "inputs.trip.from and not facts.paid",
		`facts["paid"] or facts['a b'].x`:                   "facts.paid or facts",
		`inputs?.a?.b`:                                      "inputs.a.b",
		`any(inputs.list, .name == "x")`:                    "any inputs.list",
		`f(x).inputs.y + "a\".inputs.z"`:                    "f x",
		`a ? b.c : d`:                                       "a b.c d",
	} {
		var got []string
		for _, ch := range chains(src) {
			var names []string
			for _, w := range ch {
				names = append(names, w.name)
				if src[w.from:w.to] != w.name {
					t.Errorf("%s: %q is not at %d", src, w.name, w.from)
				}
			}
			got = append(got, strings.Join(names, "."))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// Everything that expressions can name of a page, an element and a run is documented.
func TestFieldsAreDocumented(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[compile.Page](), reflect.TypeFor[compile.Element](), reflect.TypeFor[compile.Run]()} {
		for _, m := range structFields(typ) {
			if m.doc == "" || m.detail == "" {
				t.Errorf("%s.%s: %+v", typ.Name(), m.name, m)
			}
		}
	}
}

// A connection that breaks off or sends nonsense ends the server with an error, and does not hang it.
func TestWire(t *testing.T) {
	frame := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	for _, c := range []struct {
		name, in string
		err      bool
		out      string
	}{
		{"nothing", "", true, ""},
		{"no length", "X: 1\r\n\r\n", true, ""},
		{"length that is none", "Content-Length: many\r\n\r\n", true, ""},
		{"negative length", "Content-Length: -1\r\n\r\n", true, ""},
		{"huge length", "Content-Length: 99999999999\r\n\r\n", true, ""},
		{"short message", "Content-Length: 100\r\n\r\n{}", true, ""},
		{"header without end", strings.Repeat("X: 1\r\n", 100000), true, ""},
		{"line without end", strings.Repeat("x", 1<<20), true, ""},
		{"no JSON", frame("{") + frame(`{"method":"exit"}`), true, `"code":-32700`},
		{"a request before initialize", frame(`{"id":1,"method":"shutdown"}`) + frame(`{"method":"exit"}`), true, `"code":-32002`},
		{"exit without shutdown", frame(`{"id":1,"method":"initialize","params":{}}`) + frame(`{"method":"exit"}`), true, `"serverInfo"`},
		{"as it should be", "content-length: 44\r\nContent-Type: x\r\n\r\n" + `{"id":"a","method":"initialize","params":{}} `[:44] + frame(`{"id":2,"method":"shutdown"}`) + frame(`{"method":"exit"}`), false, `"id":2,"result":null`},
		{"a request after shutdown", frame(`{"id":1,"method":"initialize","params":{}}`) + frame(`{"id":2,"method":"shutdown"}`) + frame(`{"id":3,"method":"textDocument/hover","params":{}}`), false, `"code":-32600`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			err := (&Server{}).Run(ctx, strings.NewReader(c.in), &out)
			if (err != nil) != c.err || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
			if !strings.Contains(out.String(), c.out) {
				t.Errorf("wrote %q", out.String())
			}
			for r := bufio.NewReader(&out); ; {
				data, err := readMessage(r)
				if err == io.EOF {
					break
				}
				if err != nil || !json.Valid(data) {
					t.Fatalf("wrote %q: %v", data, err)
				}
			}
		})
	}
}

// Large texts, and hostile ones, are answered in time, and take no more than their share.
func TestLargeTexts(t *testing.T) {
	var inputs, deep strings.Builder
	for i := range 25_000 {
		fmt.Fprintf(&inputs, "a%d: {type: string, x: é}, ", i)
	}
	for i := range 60 {
		fmt.Fprintf(&deep, "%sa%d: [{b: \n", strings.Repeat(" ", i), i)
	}
	head := "kind: flow/v1\nname: x\n"
	for name, text := range map[string]string{
		"one long line":    head + "inputs: {" + inputs.String() + "}\nstages: {a: {end: ok}}\n",
		"it is not closed": head + "inputs: {" + inputs.String(),
		"many comments":    head + strings.Repeat("# comment\n", 60_000) + "stages: {a: {end: ok}}\n",
		"a long text":      head + "stages:\n  a:\n    done: " + strings.Repeat("inputs.a + ", 60_000) + "1\n    do: [reload]\n",
		"a long summary":   "kind: pack/v1\nname: x\nversion: 1.0.0\nskills:\n  a:\n    summary: \"" + strings.Repeat("{a} ", 100_000) + "\"\n    do: [reload]\n    effect: read\n",
		"deep":             head + strings.Repeat(deep.String(), 100),
		"a large flow":     largeFlow(15_000),
		"empty lines":      head + strings.Repeat("\n", 500_000),
		"dashes":           head + "stages:\n" + strings.Repeat("- ", 300_000),
		"quotes":           head + "a: " + strings.Repeat(`"`, 500_001),
	} {
		t.Run(name, func(t *testing.T) {
			s := testServer(t)
			d := s.openText(fuzzURI, text)
			for _, at := range []int{0, len(head) + 20, len(text) / 2, len(text)} {
				start := time.Now()
				askEverything(t, s, d, d.text.position(min(at, len(text))))
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("at %d: took %s", at, took)
				}
			}
		})
	}
}
