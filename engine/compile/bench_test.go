package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/compile"
)

// bigInput is a pack of 50 skills like those of a real pack, and a flow of 10 stages that uses them all.
func bigInput() *compile.Input {
	var p, f strings.Builder
	p.WriteString("kind: pack/v1\nname: bench/big\nversion: 1.0.0\ntypes:\n  city: {type: string, minLength: 2}\n  fare: {type: object, required: [carrier, price], additionalProperties: false, properties: {carrier: {type: string}, price: {type: number, minimum: 0}}}\nfacts: [a, b, c, d]\nskills:\n")
	for i := range 50 {
		fmt.Fprintf(&p, `  skill_%d:
    summary: Take {match.carrier} at {match.price} to {city}
    params: {city: {$ref: "#/types/city"}, ceiling: {type: number, exclusiveMinimum: 0}}
    target: {role: listitem, each: true, read: {carrier: .carrier, price: {css: .price, as: number}}}
    requires: facts.a and not facts.b and match.price <= params.ceiling
    do: [{fill: =params.city, target: {role: combobox, name: City}}, {click: {role: button, name: /^select/i}}]
    ensures: page.has("[data-results]") and target.text contains params.city
    sets: [c]
    returns: {$ref: "#/types/fare"}
    effect: write
`, i)
	}
	f.WriteString("kind: flow/v1\nname: bench\npacks: {big: ./big}\ninputs: {city: {type: string}, ceiling: {type: number, default: 400}}\nstages:\n")
	for s := range 10 {
		fmt.Fprintf(&f, "  stage_%d:\n    goal: Stage\n    order: match.price\n    done: facts.c and page.title contains \"Done\"\n    relevance:\n", s)
		for i := range 5 {
			fmt.Fprintf(&f, "      - big.skill_%d: {city: =inputs.city, ceiling: =inputs.ceiling}\n", s*5+i)
		}
	}
	return &compile.Input{
		Flow:  compile.File{Name: "flow.yaml", Data: []byte(f.String())},
		Packs: []compile.PackFiles{{Alias: "big", Pack: compile.File{Name: "big/pack.yaml", Data: []byte(p.String())}}},
	}
}

// Goal: 25 ms.
func BenchmarkCompileCold(b *testing.B) {
	in := bigInput()
	for b.Loop() {
		if prog, ds := compile.Compile(in); prog == nil {
			b.Fatal(ds)
		}
	}
}

// Goal: 50 µs.
func BenchmarkCompileCached(b *testing.B) {
	in := bigInput()
	var c compile.Cache
	for b.Loop() {
		if prog, ds := c.Compile(in); prog == nil {
			b.Fatal(ds)
		}
	}
}
