package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// flightsCopy is the flights example in a folder of its own.
func flightsCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"flow.yaml", "pack/pack.yaml"} {
		data, err := os.ReadFile(filepath.Join("../../flows/flights", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLSPDiagnostics(t *testing.T) {
	dir := flightsCopy(t)
	c := startLSP(t, dir)
	b := c.open(filepath.Join(dir, "flow.yaml"))
	if got := c.wait(b.uri, 1); len(got) > 0 {
		t.Fatalf("a good flow has findings: %v", got)
	}
	// As one types; what stands before the mistake in its line takes two UTF-16 units a character.
	b.replace("goal: Take the cheapest nonstop flight", "goal: \"𝕋𝕒𝕜𝕖 \" #")
	b.replace("flights.take_fare: {ceiling: =inputs.ceiling}", "flights.take_fare: {\"ceiling\": \"=inputs.ceiling + len('𝕋𝕒') + inputs.celing\"}")
	got := c.wait(b.uri, b.version)
	if len(got) != 1 || got[0].Code != "expression" && !strings.Contains(got[0].Message, "celing") || !strings.HasPrefix(b.cut(got[0].Range), "celing") && b.cut(got[0].Range) != "." && !strings.Contains(b.cut(got[0].Range), "celing") {
		t.Fatalf("findings %v", got)
	}
	b.replace("inputs.celing", "1")
	if got := c.wait(b.uri, b.version); len(got) > 0 {
		t.Fatalf("findings %v", got)
	}
	// The text of a pack counts as it is in the editor, not as it is on the disk.
	p := c.open(filepath.Join(dir, "pack/pack.yaml"))
	c.wait(p.uri, 1)
	p.replace("  nonstop_only:\n    summary", "  nonstop_x:\n    summary")
	c.wait(p.uri, p.version)
	if got := c.wait(b.uri, b.version); len(got) != 1 || got[0].Code != "unknown-skill" || b.cut(got[0].Range) != "flights.nonstop_only" {
		t.Fatalf("findings %v", got)
	}
	// Closed, it counts as it is on the disk, and has no findings any more.
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": p.uri}})
	deadline := time.Now().Add(30 * time.Second)
	for len(c.wait(b.uri, b.version)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("findings %v", c.wait(b.uri, b.version))
		}
		time.Sleep(20 * time.Millisecond)
	}
	// What is no YAML has one finding, and the whole text can be replaced.
	b.replace("kind: flow/v1", "kind: [")
	if got := c.wait(b.uri, b.version); len(got) != 1 || got[0].Severity != 1 {
		t.Fatalf("findings %v", got)
	}
	b.version++
	b.text = "kind: flow/v1\nname: x\nstages: {a: {end: ok}}\n"
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": b.uri, "version": b.version}, "contentChanges": []any{map[string]any{"text": b.text}}})
	for _, d := range c.wait(b.uri, b.version) {
		if d.Severity == 1 {
			t.Errorf("finding %v", d)
		}
	}
}

func TestLSPHover(t *testing.T) {
	dir := flightsCopy(t)
	c := startLSP(t, dir)
	b := c.open(filepath.Join(dir, "flow.yaml"))
	p := c.open(filepath.Join(dir, "pack/pack.yaml"))
	for _, x := range []struct {
		b          *buffer
		mark, want string
	}{
		{b, "- flights.set_c|ity: {city: =inputs.from", "set_city → In the menu: `Enter =inputs.from as departure city`\n\n**flights.set_city** (write)"},
		{b, "- flights.set_c|ity: {city: =inputs.from", "- `city`: required, text, at least 2 characters. A city name, or its beginning."},
		{b, "{ci|ty: =inputs.from", "city → param `city`: text, at least 2 characters"},
		{b, "=inputs.fr|om", "from → input `from`: text, at least 2 characters, default Prague"},
		{b, "done: facts.results_re|ady", "results_ready → fact `results_ready`: true or false\n\nA fact of the pack skylane/flights, set by search"},
		{b, "go: no|ne", "none → stage `none`"},
		{b, "on_err|or:", "on_error → **on_error**: Where errors lead."},
		{b, "bud|get:", "budget → **budget**: Bounds one visit"},
		{b, "page.te|xt contains", "text → page `text`: text\n\nAll visible text."},
		{b, "stages.choose.pri|ce <=", "price → stages.choose `price`: number, at least 0"},
		{b, "packs: {fli|ghts:", "flights → **skylane/flights** 1.0.0"},
		{b, `{$ref: "flights#/types/fa|re"`, "fare → type `fare`: mapping"},
		{b, "name: book_fli|ght", ""},
		{p, "{role: option, name: =params.ci|ty}", "city → param `city`"},
		{p, "ensures: target.va|lue contains", "value → target `value`: text"},
		{p, "summary: Enter {ci|ty}", "city → param `city`"},
		{p, "date(par|ams", "params → "},
		{p, "text contains da|te(params", "date → `date(text, layout?, zone?) time`\n\nA text as a date"},
		{p, "min|Length: 2", "minLength → **minLength**: A text has at least so many characters."},
		{p, "eff|ect: write", "effect → **effect**: commit: cannot be undone.\n\nOne of: read, write, commit"},
	} {
		if got := x.b.hover(x.mark); !strings.Contains(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", x.mark, got, x.want)
		}
	}
}

func TestLSPCompletion(t *testing.T) {
	dir := flightsCopy(t)
	c := startLSP(t, dir)
	b := c.open(filepath.Join(dir, "flow.yaml"))
	p := c.open(filepath.Join(dir, "pack/pack.yaml"))
	for _, x := range []struct {
		b             *buffer
		old, new      string // typed before; the cursor is at "|" of new
		want, wantNot string // labels
	}{
		{b, "      - flights.nonstop_only\n", "      - fl|\n", "flights.set_city flights.search std.fill use", "when"},
		{b, "      - flights.nonstop_only\n", "      - |\n", "flights.set_city use", ""},
		{b, "relevance: [flights.book]", "relevance: [|]", "flights.book std.fill", ""},
		{b, "{city: =inputs.from, end: departure}", "{city: =inputs.from, e|}", "end", "city"},
		{b, "{city: =inputs.from, end: departure}", "{city: =inputs.from, end: |}", "departure arrival", ""},
		{b, "{city: =inputs.from, end: departure}", "{city: =inputs.|, end: departure}", "from to depart passengers", "page"},
		{b, "{city: =inputs.from, end: departure}", "{city: =|, end: departure}", "inputs facts stages page run secrets", "target params"},
		{b, "      - flights.set_passengers: {count: =inputs.passengers}\n", "      - use: flights.set_passengers\n        wi|\n", "with when optional", "use"},
		{b, "      - flights.set_passengers: {count: =inputs.passengers}\n", "      - use: flights.set_passengers\n        with: {|\n", "count", "city"},
		{b, "    done: facts.results_ready\n", "    done: facts.|\n", "results_ready fare_taken booked", ""},
		{b, "    done: facts.results_ready\n", "    d|\n", "done do pick approve", "relevance goal budget-"},
		{b, "    done: facts.fare_taken\n", "    pick: |\n", "auto one first", ""},
		{b, "    done: facts.fare_taken\n", "    next: |\n", "search book none end", "choose"},
		{b, "{is: no_candidates, go: none}", "{is: no_candidates, go: |}", "none book end", ""},
		{b, "    order: match.price\n", "    order: match.|\n", "price carrier", ""},
		{b, "    order: match.price\n", "    order: stages.choose.|\n", "price carrier flight", ""},
		{b, "collect: {flight: =stages.choose, reference: =stages.book.reference}", "collect: {|}", "flight reference", ""},
		{b, `to: {$ref: "flights#/types/city"`, `to: {$ref: "|"`, "flights#/types/city flights#/types/fare", ""},
		{b, "  phone: {type: string,", "  phone: {type: |", "string integer", ""},
		{b, "  phone: {type: string, default: +420 601 555 010}", "  phone: {|}", "type default enum", ""},
		{b, "limits: {model_calls: 20, tokens: 10k, wall: 5m}\n", "li|\n", "limits for_each", "kind name"},
		{b, "    done: facts.booked\n", "    done: page.|\n", "text url title has", ""},
		{p, "    ensures: target.value contains params.city and", "    ensures: target.|", "value text enabled", "price"},
		{p, "    effect: write\n\n  set_date:", "    effect: |\n\n  set_date:", "read write commit", ""},
		{p, "      - fill: =params.city\n", "      - |\n", "fill click goto repeat reload", ""},
		{p, "    sets: [date_set]", "    sets: [|]", "from_set date_set", ""},
		{p, "    target: {role: combobox, name:", "    target: {role: combobox, |", "name near within", "role"},
	} {
		head, tail, _ := strings.Cut(x.new, "|")
		x.b.replace(x.old, head+tail)
		got, items := x.b.complete(x.new)
		for _, w := range strings.Fields(x.want) {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q is not among %q", x.new, w, got)
			}
		}
		for _, w := range strings.Fields(x.wantNot) {
			if slices.Contains(got, w) {
				t.Errorf("%q: %q is among %q", x.new, w, got)
			}
		}
		for label, e := range items {
			x.b.cut(e.Range) // it lies inside the text
			if e.Range.Start.Line != e.Range.End.Line {
				t.Errorf("%q: %q replaces more than its line", x.new, label)
			}
		}
		x.b.replace(head+tail, x.old)
	}

	// What is chosen makes a file without findings.
	b.replace("      - flights.nonstop_only\n", "      - flights.nonst\n")
	_, items := b.complete("      - flights.nonst|\n")
	b.text, b.version = b.apply([]lspEdit{items["flights.nonstop_only"]}), b.version+1
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": b.uri, "version": b.version}, "contentChanges": []any{map[string]any{"text": b.text}}})
	if got := c.wait(b.uri, b.version); len(got) > 0 {
		t.Errorf("findings %v in\n%s", got, b.text)
	}
	if _, items := b.complete("    go|al: Take"); b.apply([]lspEdit{items["goal"]}) != b.text {
		t.Errorf("completing a key that is there already: %+v", items["goal"])
	}
	if _, items := b.complete("      - flig|hts.set_city"); items["flights.set_city"].NewText != "flights.set_city: {city: ${1}, end: ${2}}" {
		t.Errorf("snippet %q", items["flights.set_city"].NewText)
	}
}

const otherFlow = `kind: flow/v1
name: other
summary: Show the flights from Prague to Lisbon.
packs: {air: ./pack}
stages:
  open: {do: [{goto: "https://air.example"}]}
  search:
    goal: Show the flights
    relevance:
      - air.set_city: {city: Prague, end: departure}
      - air.set_city: {city: Lisbon, end: arrival}
      - air.set_date: {depart: 2027-03-14}
      - air.set_passengers: {count: 1}
      - air.search
    done: facts.results_ready
`

func TestLSPNames(t *testing.T) {
	dir := flightsCopy(t)
	other := filepath.Join(dir, "other.yaml")
	if err := os.WriteFile(other, []byte(otherFlow), 0o644); err != nil {
		t.Fatal(err)
	}
	c := startLSP(t, dir)
	b := c.open(filepath.Join(dir, "flow.yaml"))
	pack := filepath.Join(dir, "pack/pack.yaml")
	packText, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	p := &buffer{c: c, uri: "file://" + pack, text: string(packText)}
	type loc struct {
		URI   string
		Range lspRange
	}
	for _, x := range []struct {
		mark string
		in   *buffer
		want string // the text that the definition begins with
	}{
		{"go: no|ne", b, "none: {end: failed"},
		{"=inputs.fro|m,", b, "from: {$ref:"},
		{"stages.cho|ose.price", b, "choose:\n    goal"},
		{"- flights.set_ci|ty", p, "set_city:\n"},
		{"{ci|ty: =inputs.from", p, "city: {$ref:"},
		{"done: facts.fare_ta|ken", p, "fare_taken, booked]"},
		{`"flights#/types/fa|re"`, p, "fare:\n    type: object"},
		{"collect: {fli|ght:", b, "flight: {$ref:"},
	} {
		var got *loc
		c.call("textDocument/definition", b.at(x.mark), &got)
		if got == nil || got.URI != x.in.uri || !strings.HasPrefix(x.in.text[x.in.offset(got.Range.Start):], x.want) {
			t.Errorf("%s: %v", x.mark, got)
		}
	}
	var none *loc
	if c.call("textDocument/definition", b.at("- std.fi|ll: {field: Full"), &none); none != nil {
		t.Errorf("a skill of the binary is at %v", none)
	}

	refs := func(mark string, declaration bool) (out []string) {
		params := b.at(mark)
		params["context"] = map[string]any{"includeDeclaration": declaration}
		var got []loc
		c.call("textDocument/references", params, &got)
		for _, g := range got {
			out = append(out, fmt.Sprintf("%s:%d", filepath.Base(g.URI), g.Range.Start.Line+1))
		}
		return out
	}
	if got, want := refs("done: facts.results_re|ady", true), "flow.yaml:32 other.yaml:15 pack.yaml:"; !strings.HasPrefix(strings.Join(got, " "), want) {
		t.Errorf("references %v, want %s", got, want)
	}
	if got := refs("stages.cho|ose.price", false); len(got) != 4 {
		t.Errorf("references %v", got)
	}

	rename := func(mark, name string) (map[string][]lspEdit, string) {
		params := b.at(mark)
		params["newName"] = name
		m := c.request("textDocument/rename", params)
		if m.Error != nil {
			return nil, m.Error.Message
		}
		var e struct {
			Changes map[string][]lspEdit `json:"changes"`
		}
		if err := json.Unmarshal(m.Result, &e); err != nil {
			t.Fatal(err)
		}
		return e.Changes, ""
	}
	for _, x := range []struct{ mark, name, want string }{
		{"- std.fi|ll: {field: Full", "put", "standard pack"},
		{"stages.cho|ose.price", "pay now", "not a name"},
		{"stages.cho|ose.price", "book", "is there already"},
		{"stages.cho|ose.price", "end", "end of the flow"},
		{"name: book_fl|ight", "x", "nothing with a name"},
	} {
		if _, msg := rename(x.mark, x.name); !strings.Contains(msg, x.want) {
			t.Errorf("rename %s to %q: %q, want %q", x.mark, x.name, msg, x.want)
		}
	}
	var prepared struct {
		Range       lspRange
		Placeholder string
	}
	c.call("textDocument/prepareRename", b.at("- flights.sea|rch"), &prepared)
	if prepared.Placeholder != "search" || b.cut(prepared.Range) != "search" {
		t.Errorf("prepared %v", prepared)
	}

	// Each rename leaves files in which nth validate finds nothing.
	for _, x := range []struct {
		mark, name string
		files      int
	}{{"stages.cho|ose.price", "select_fare", 1}, {"=inputs.fro|m,", "origin", 1}, {"- flights.sea|rch", "find", 3}, {"{ci|ty: =inputs.from", "town", 3}, {"done: facts.results_re|ady", "listed", 3}, {"packs: {fli|ghts", "air", 1}, {`"flights#/types/fa|re"`, "offer", 2}} {
		changes, msg := rename(x.mark, x.name)
		if msg != "" || len(changes) != x.files {
			t.Errorf("rename %s: %q, %d files", x.mark, msg, len(changes))
			continue
		}
		dir := t.TempDir()
		for _, name := range []string{"flow.yaml", "other.yaml", "pack/pack.yaml"} {
			from := filepath.Join(filepath.Dir(strings.TrimPrefix(b.uri, "file://")), name)
			data, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			buf := &buffer{c: c, text: string(data)}
			to := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, []byte(buf.apply(changes["file://"+from])), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		if code := Main([]string{"validate", "--no-cache", dir}, strings.NewReader(""), &out, &out); code != exitOK {
			t.Errorf("rename %s: %s", x.mark, out.String())
		}
	}
}

func TestLSPEdits(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "flow.yaml")
	if err := os.WriteFile(name, []byte("kind: flow/v1\nname: \"𝕏\"\nsummary: Ünïcode.\nstages:\n    a: {reason: r, end: failed}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := startLSP(t, dir)
	b := c.open(name)
	var edits []lspEdit
	c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": b.uri}, "options": map[string]any{}}, &edits)
	if got := b.apply(edits); got != "kind: flow/v1\nname: \"𝕏\"\nsummary: Ünïcode.\nstages:\n  a: {end: failed, reason: r}\n" {
		t.Errorf("formatted: %q", got)
	}
	var outline []struct {
		Name     string
		Children []struct {
			Name, Detail   string
			Range          lspRange
			SelectionRange lspRange
		}
	}
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": b.uri}}, &outline)
	if len(outline) != 1 || outline[0].Name != "stages" || len(outline[0].Children) != 1 || b.cut(outline[0].Children[0].SelectionRange) != "a" {
		t.Errorf("outline %+v", outline)
	}

	// A fix that is certain is offered at its finding, and only for the text that was checked.
	fixable := filepath.Join(dir, "fix.yaml")
	if err := os.WriteFile(fixable, []byte(fixableFlow), 0o644); err != nil {
		t.Fatal(err)
	}
	f := c.open(fixable)
	found := c.wait(f.uri, 1)
	var actions []struct {
		Title string
		Kind  string
		Edit  struct {
			Changes map[string][]lspEdit
		}
	}
	ask := func(r lspRange) {
		actions = nil
		c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": f.uri}, "context": map[string]any{"diagnostics": []any{}}, "range": map[string]any{
			"start": map[string]any{"line": r.Start.Line, "character": r.Start.Character}, "end": map[string]any{"line": r.End.Line, "character": r.End.Character},
		}}, &actions)
	}
	fixed := 0
	for _, d := range found {
		ask(d.Range)
		for _, a := range actions {
			if a.Kind != "quickfix" || a.Title == "" {
				t.Errorf("action %+v", a)
			}
			fixed++
			after := &buffer{c: c, uri: f.uri, text: f.apply(a.Edit.Changes[f.uri])}
			if after.text == f.text {
				t.Errorf("%s changes nothing", a.Title)
			}
		}
	}
	if fixed == 0 {
		t.Errorf("no fix for %v", found)
	}
	ask(lspRange{})
	if len(actions) > 0 {
		t.Errorf("actions where nothing was found: %v", actions)
	}
}

const fixableFlow = `kind: flow/v1
name: fix
summary: Öffnet und schließt.
stages:
  a:
    do: [reload]
    next:
      - {when: page.busy, go: c}
  b: {do: [back]} # nth:ignore unused nothing is left over
  c: {end: ok}
`

// A YAML file of somebody else is left alone, until it says that it is nth's.
func TestLSPForeign(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "compose.yaml")
	if err := os.WriteFile(name, []byte("services:\n  web: {image: x}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := startLSP(t, dir)
	b := c.open(name)
	if got := c.wait(b.uri, 1); len(got) > 0 {
		t.Errorf("findings %v", got)
	}
	if got, _ := b.complete("  web|:"); len(got) > 0 {
		t.Errorf("completion %v", got)
	}
	b.replace("services:", "kind: flow/v1\nservices:")
	if got := c.wait(b.uri, b.version); len(got) == 0 {
		t.Error("no findings")
	}
	b.replace("kind: flow/v1", "kind flow/v1")
	if got := c.wait(b.uri, b.version); len(got) == 0 {
		t.Error("no findings")
	}

	empty := filepath.Join(dir, "empty.yaml")
	if err := os.WriteFile(empty, []byte("# new\n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, _ := c.open(empty).complete("# new\n|"); !slices.Contains(got, "kind") {
		t.Errorf("completion %v", got)
	}
}

// A flow that another one calls: its inputs are named there.
func TestLSPCall(t *testing.T) {
	dir := t.TempDir()
	inner := "kind: flow/v1\nname: inner\nsummary: Say a word.\ninputs: {word: {type: string, description: What to say}}\nstages:\n  a: {end: failed, reason: =inputs.word}\n"
	outer := "kind: flow/v1\nname: outer\nsummary: Say words.\ninputs: {words: {type: array, maxItems: 3, items: {type: object, required: [text], additionalProperties: false, properties: {text: {type: string, minLength: 2}}}}}\n" +
		"stages:\n  a:\n    call:\n      flow: inner.yaml\n      for_each: {rows: =inputs.words, as: row}\n      with: {word: =row.text}\n"
	for name, text := range map[string]string{"inner.yaml": inner, "outer.yaml": outer} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := startLSP(t, dir)
	b := c.open(filepath.Join(dir, "outer.yaml"))
	if got := c.wait(b.uri, 1); len(got) > 0 {
		t.Fatalf("findings %v", got)
	}
	if got := b.hover("{wo|rd: =row"); !strings.Contains(got, "What to say") {
		t.Errorf("hover %q", got)
	}
	if got := b.hover("=row.te|xt"); !strings.Contains(got, "at least 2 characters") {
		t.Errorf("hover %q", got)
	}
	var got struct{ URI string }
	if c.call("textDocument/definition", b.at("flow: inn|er.yaml"), &got); !strings.HasSuffix(got.URI, "/inner.yaml") {
		t.Errorf("definition %v", got)
	}
	params := b.at("{wo|rd: =row")
	params["newName"] = "phrase"
	var e struct {
		Changes map[string][]lspEdit `json:"changes"`
	}
	c.call("textDocument/rename", params, &e)
	if len(e.Changes) != 2 || len(e.Changes["file://"+filepath.Join(dir, "inner.yaml")]) != 2 {
		t.Errorf("rename %v", e.Changes)
	}
	b.replace("{word: =row.text}", "{}")
	if labels, _ := b.complete("with: {|}"); !slices.Equal(labels, []string{"word"}) {
		t.Errorf("completion %v", labels)
	}
	b.replace("with: {}", "with: {word: =row.}")
	if labels, _ := b.complete("word: =row.|}"); !slices.Equal(labels, []string{"text"}) {
		t.Errorf("completion %v", labels)
	}
}

func TestLSPErrors(t *testing.T) {
	c := startLSP(t, t.TempDir())
	for method, code := range map[string]int{"textDocument/nothing": -32601, "textDocument/hover": -32602, "textDocument/rename": -32602} {
		if m := c.request(method, map[string]any{"textDocument": map[string]any{"uri": "file:///nowhere.yaml"}, "position": map[string]any{}}); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v", method, m.Error)
		}
	}
	c.notify("textDocument/didChange", map[string]any{"textDocument": 3})
	c.notify("$/cancelRequest", map[string]any{"id": 1})
	if m := c.request("textDocument/hover", "what?"); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("%+v", m.Error)
	}
}
