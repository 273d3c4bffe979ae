//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// writeProject makes a project of flows that share packs, each about as large as a real one: a flow of seven stages that
// uses three of the packs, a pack of ten skills.
func writeProject(tb testing.TB, dir string, flows, packs int) {
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	for p := range packs {
		var b strings.Builder
		fmt.Fprintf(&b, "kind: pack/v1\nname: gen/shop_%d\nversion: 1.0.0\nsummary: A generated shop.\n", p)
		fmt.Fprintf(&b, "types:\n  word: {type: string, minLength: 1}\n  item: {type: object, required: [name, price], additionalProperties: false, properties: {name: {type: string}, price: {type: number, minimum: 0}}}\n")
		fmt.Fprintf(&b, "facts: [found_%d, taken_%d, paid_%d]\nskills:\n", p, p, p)
		fmt.Fprintf(&b, `  find:
    summary: Search for {what}
    params: {what: {$ref: "#/types/word"}}
    target: {role: searchbox, name: Search}
    do: [{fill: =params.what}, {press: Enter}]
    ensures: page.has("[data-results] li") and page.text contains params.what
    sets: [found_%d]
    effect: write
  take:
    summary: Take {match.name} at {match.price}
    params: {ceiling: {type: number, exclusiveMinimum: 0}}
    target: {role: listitem, each: true, limit: 15, read: {name: .name, price: {css: .price, as: number}}}
    requires: facts.found_%d and match.price <= params.ceiling
    do: [{click: {role: button, name: /^(take|select)/i}}]
    ensures: page.url contains "/basket"
    sets: [taken_%d]
    returns: {$ref: "#/types/item"}
    effect: write
  pay:
    summary: Pay by card
    params: {card: {type: string, x-secret: true}}
    target: {role: button, name: Pay}
    requires: facts.taken_%d
    do: [{fill: =params.card, target: {role: textbox, name: Card}}, click]
    ensures: page.text contains "Thank you"
    verify: page.has(".receipt")
    sets: [paid_%d]
    effect: commit
    timeout: 20s
`, p, p, p, p, p)
		for s := range 7 {
			fmt.Fprintf(&b, `  option_%d:
    summary: Set option %d to {to}
    params: {to: {type: string, minLength: 1, maxLength: 40}}
    target: {role: [combobox, listbox], label: "Option %d", within: {role: form}}
    requires: facts.taken_%d
    do: [{select: =params.to}]
    ensures: lower(target.value) contains lower(params.to)
    effect: write
`, s, s, s, p)
		}
		write(fmt.Sprintf("packs/shop_%d/pack.yaml", p), b.String())
	}
	for f := range flows {
		p, q, r := f%packs, (f+7)%packs, (f+13)%packs
		write(fmt.Sprintf("flows/%02d/flow_%d.yaml", f%50, f), fmt.Sprintf(`kind: flow/v1
name: flow_%[1]d
summary: Buys the cheapest thing of shop %[2]d.
packs: {shop: ../../packs/shop_%[2]d, other: ../../packs/shop_%[3]d, third: ../../packs/shop_%[4]d, std: std@^1}
inputs:
  site: {type: string, format: uri}
  what: {$ref: "shop#/types/word"}
  ceiling: {type: number, exclusiveMinimum: 0, default: 400}
  name: {type: string, minLength: 1, maxLength: 40}
  email: {type: string, format: email}
secrets: {card: {env: CARD}}
outputs: {item: {$ref: "shop#/types/item"}}
limits: {model_calls: 40, tokens: 20k, wall: 10m}
stages:
  open:
    do: [{goto: =inputs.site}]
  search:
    goal: Search
    relevance: [{shop.find: {what: =inputs.what}}]
    done: facts.found_%[2]d
    budget: {picks: 6, tokens: 4k, wall: 1m}
  choose:
    goal: Take the cheapest
    relevance:
      - shop.take: {ceiling: =inputs.ceiling}
      - std.next_page
    order: match.price
    done: facts.taken_%[2]d
    on_error: [{is: no_candidates, go: none}]
  options:
    relevance:
      - shop.option_1: {to: =inputs.name}
      - shop.option_2: {to: blue}
      - {use: other.find, with: {what: =inputs.what}, when: inputs.ceiling > %[1]d.5, optional: true}
      - {use: third.find, with: {what: =inputs.what}, optional: true}
    done: page.title contains "Options" and not page.busy
  details:
    relevance:
      - std.fill: {field: Name, value: =inputs.name}
      - std.fill: {field: E-mail, value: =inputs.email}
  pay:
    approve: {ask: "Buy it?", show: [=stages.choose.price], wait: 5m}
    relevance: [{shop.pay: {card: =secrets.card}}]
    assert: [stages.choose.price <= inputs.ceiling]
    done: facts.paid_%[2]d
    collect: {item: =stages.choose}
    next: end
  none: {end: failed, reason: Nothing under the ceiling}
`, f, p, q, r))
	}
}

// validateFolder runs nth validate in a folder.
func validateFolder(tb testing.TB, args ...string) {
	var out, errs bytes.Buffer
	if code := Main(append([]string{"validate"}, args...), strings.NewReader(""), &out, io.Writer(&errs)); code != 0 {
		tb.Fatalf("exit code %d\n%.2000s\n%s", code, out.String(), errs.String())
	}
	if !strings.Contains(out.String(), "1020 files checked, nothing to say") {
		tb.Fatalf("%.2000s", out.String())
	}
}

// 1,000 flows with 20 packs. Goals on 2 idle cores: under 2 s cold, under 0.3 s from the cache. cpu-ms/op is what all
// cores together worked, which other programs on the machine hardly change.
func BenchmarkValidate(b *testing.B) {
	dir := b.TempDir()
	writeProject(b, dir, 1000, 20)
	b.Chdir(dir)
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	run := func(args ...string) func(*testing.B) {
		return func(b *testing.B) {
			start := cpuTime()
			for b.Loop() {
				validateFolder(b, args...)
			}
			b.ReportMetric(float64((cpuTime()-start).Milliseconds())/float64(b.N), "cpu-ms/op")
		}
	}
	b.Run("cold", run("--no-cache"))
	validateFolder(b)
	b.Run("cached", run())
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
