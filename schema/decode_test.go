package schema

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func decodeFlow(t testing.TB, text string) (*Flow, Diagnostics) {
	t.Helper()
	return DecodeFlow(parse(t, text))
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The two example files of the design decode without a finding, into what they say.
func TestDecodeDesign(t *testing.T) {
	f, ds := decodeFlow(t, read(t, "testdata/design_flow.yaml"))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	var names []string
	for _, s := range f.Stages {
		names = append(names, s.Name.Value)
	}
	equal(t, "stages", names, []string{"open", "find", "choose", "pay", "skip"})
	equal(t, "tokens", f.Limits.Tokens.Value, 60000)
	equal(t, "wall", f.Limits.Wall.Value, 30*time.Minute)
	equal(t, "secret", f.Secrets[0].Env.Value, "BOOKING_CARD")
	equal(t, "for_each", f.ForEach.As.Value+" "+f.ForEach.OnError.Value, "trip collect")
	pay := f.Stages[3]
	equal(t, "approve", pay.Approve.Ask.Node.Text, "Buy this seat?")
	equal(t, "approve.wait", pay.Approve.Wait.Value, 10*time.Minute)
	equal(t, "assert", pay.Assert[0].Text, "stages.choose.price <= inputs.ceiling")
	equal(t, "next", pay.Next[0].Go.Value, "end")
	equal(t, "collect", pay.Collect[0].Name.Value+" "+pay.Collect[0].Value.Node.Text, "receipts =stages.pay")
	equal(t, "entry", f.Stages[1].Relevance[0].Skill.Value+" "+f.Stages[1].Relevance[0].With[1].Value.Node.Text, "flights.set_city departure")
	equal(t, "on_error", f.Stages[2].OnError[0].Is.Value+" "+f.Stages[2].OnError[0].Go.Value, "no_candidates skip")
	equal(t, "end", f.Stages[4].End.Status.Value+" "+f.Stages[4].End.Reason.Node.Text, "failed No fare under the ceiling")

	p, ds := DecodePack(parse(t, read(t, "testdata/design_pack.yaml")))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	equal(t, "pack", p.Name.Value+" "+p.Version.Value+" "+p.Engine.Value, "acme/flights 1.4.0 >=0.1 <1")
	take, payment := p.Skills[2], p.Skills[3]
	equal(t, "read", take.Target.Read[2].As.Value+" "+take.Target.Read[2].CSS.Value, "number .price")
	equal(t, "each", take.Target.Each, true)
	equal(t, "do", payment.Do[0].Target.Name[0].Node.Text, "card")
	equal(t, "click: target", payment.Do[1].OnSkill, true)
	equal(t, "returns.read", payment.Returns.Read[0].Name.Value, "reference")
	equal(t, "returns", payment.Returns.Schema.SchemaJSON(), any(map[string]any{"$ref": "#/types/receipt"}))
	equal(t, "timeout", payment.Timeout.Value, 45*time.Second)
	equal(t, "sets", payment.Sets[0].Fact.Value, "paid")
}

func TestDecodeVerbs(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"back", "back"},
		{"click", "click on-skill"},
		{"{click: target}", "click on-skill"},
		{"{click: {role: link}}", "click target=link"},
		{"{fill: =params.x}", "fill on-skill value==params.x"},
		{"{fill: =params.x, target: target}", "fill on-skill value==params.x"},
		{"{fill: a, target: {role: textbox}, when: 1 > 0, timeout: 3s}", "fill target=textbox value=a when timeout=3s"},
		{"{press: Enter}", "press on-skill value=Enter"},
		{"{goto: =inputs.site}", "goto value==inputs.site"},
		{"{scroll: down}", "scroll value=down"},
		{"{scroll: down, target: {role: list}}", "scroll target=list value=down"},
		{"{scroll: {role: row}}", "scroll target=row"},
		{"{scroll: target}", "scroll on-skill"},
		{"{wait: page.busy}", "wait until=page.busy"},
		{"{drag: target, to: {role: list}}", "drag on-skill to=list"},
		{"{drag: {role: row}, to: {role: list}}", "drag target=row to=list"},
		{"{switch_tab: 2}", "switch_tab value=2"},
		{"accept_dialog", "accept_dialog"},
		{"{accept_dialog: hello}", "accept_dialog value=hello"},
		{"{repeat: {until: page.busy, max: 3, do: [click]}}", "repeat until page.busy max 3 do click on-skill"},
	} {
		vs := verbs(parse(t, "- "+c.yaml))
		if len(vs) != 1 {
			t.Errorf("%s: %d verbs", c.yaml, len(vs))
			continue
		}
		var ds Diagnostics
		verb.check(parse(t, "- "+c.yaml).Items[0], "do", &ds)
		if len(ds) > 0 {
			t.Errorf("%s: %v", c.yaml, ds)
		}
		if got := show(vs[0]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.yaml, got, c.want)
		}
	}
}

func show(v Verb) string {
	s := v.Name.Value
	if v.OnSkill {
		s += " on-skill"
	}
	if v.Target != nil {
		s += " target=" + v.Target.Role[0].Node.Text
	}
	if v.Value != nil {
		s += " value=" + v.Value.Node.Text
	}
	if v.To != nil {
		s += " to=" + v.To.Role[0].Node.Text
	}
	if v.Until != nil {
		s += " until=" + v.Until.Text
	}
	if v.When != nil {
		s += " when"
	}
	if v.Timeout.Set() {
		s += " timeout=" + v.Timeout.Value.String()
	}
	if v.Repeat != nil {
		s += fmt.Sprintf(" repeat until %s max %d do %s", v.Repeat.Until.Text, v.Repeat.Max.Value, show(v.Repeat.Do[0]))
		s = strings.Replace(s, " repeat", "", 1)
	}
	return s
}

// After findings of the shape, the rest can still be used.
func TestDecodeAfterFindings(t *testing.T) {
	f, ds := decodeFlow(t, `
kind: flow/v1
name: Bad Name
extra: 1
limits: {tokens: many, wall: 5m}
stages:
  a: {do: [{clik: target}, {click: {role: button}}], done: true, nxt: b}
  b: nothing
  c: {relevance: [std.fill: {x: 1}, [list]], end: ok}
`)
	for _, want := range []string{`"Bad Name"`, `"extra"`, `"many"`, `"clik"`, `"nxt"`, `"nothing"`, "relevance and end"} {
		if !strings.Contains(ds.Error(), want) {
			t.Errorf("nothing is said about %s", want)
		}
	}
	equal(t, "wall", f.Limits.Wall.Value, 5*time.Minute)
	equal(t, "stages", len(f.Stages), 2)
	equal(t, "verbs", len(f.Stages[0].Do), 1)
	equal(t, "entries", len(f.Stages[1].Relevance), 1)
}

func TestShapeFindings(t *testing.T) {
	var b bytes.Buffer
	text := read(t, "testdata/shapes.yaml.txt")
	n := parse(t, text)
	_, ds := DecodeFlow(n)
	ds.Print(&b, map[string][]byte{"f": []byte(text)}, false)
	golden(t, "testdata/shapes.golden", b.Bytes())
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// bigPack is a pack of 50 skills with all that a skill can have.
func bigPack() []byte {
	var b bytes.Buffer
	b.WriteString("kind: pack/v1\nname: acme/big\nversion: 1.0.0\nfacts: [done]\ntypes:\n  city: {type: string, minLength: 2}\nskills:\n")
	for i := range 50 {
		fmt.Fprintf(&b, `  skill_%d:
    summary: Enter {city} as {end} city
    params: {city: {$ref: "#/types/city"}, end: {enum: [departure, arrival]}}
    target: {role: combobox, name: [Search, Suche, 検索], within: {css: "form"}, read: {price: {css: .price, as: number}}}
    requires: facts.done or page.has("form")
    do:
      - fill: =params.city
      - click: {role: option, name: =params.city}
        when: params.end == "departure"
      - {repeat: {until: page.has(".x"), max: 3, do: [{scroll: down}, {wait: not page.busy}]}}
    ensures: target.value contains params.city
    sets: [done]
    returns: {type: object, properties: {price: {type: number}}, read: {price: {css: .price, as: number}}}
    effect: write
    timeout: 10s
`, i)
	}
	return b.Bytes()
}

// BenchmarkDecode parses and decodes a pack of 50 skills; the goal is 5 ms.
func BenchmarkDecode(b *testing.B) {
	data := bigPack()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n, ds := Parse("pack.yaml", data)
		_, more := DecodePack(n)
		if len(ds)+len(more) > 0 {
			b.Fatal(ds, more)
		}
	}
}
