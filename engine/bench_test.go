package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/compile"
)

// bigStage is one stage with 50 skills, and a page of 500 elements on which all of them find something.
func bigStage(tb testing.TB) (*run, *compile.Stage, *Snapshot) {
	tb.Helper()
	var p, f strings.Builder
	p.WriteString("kind: pack/v1\nname: bench/big\nversion: 1.0.0\nfacts: [a]\nskills:\n")
	f.WriteString("kind: flow/v1\nname: bench\npacks: {big: ./big}\ninputs: {city: {type: string}}\nstages:\n  s:\n    relevance:\n")
	roles := []string{"button", "link", "textbox", "checkbox", "combobox"}
	for i := range 50 {
		do := "[{click: target}]"
		fmt.Fprintf(&p, "  skill_%d:\n    summary: Do %d with {city}\n    params: {city: {type: string, minLength: 1}}\n    target: {role: %s, name: Thing %d}\n    requires: not facts.a and params.city != \"\"\n    do: %s\n    effect: write\n", i, i, roles[i%5], i, do)
		fmt.Fprintf(&f, "      - big.skill_%d: {city: =inputs.city}\n", i)
	}
	prog, ds := compile.Compile(&compile.Input{
		Flow:  compile.File{Name: "flow.yaml", Data: []byte(f.String())},
		Packs: []compile.PackFiles{{Alias: "big", Pack: compile.File{Name: "pack.yaml", Data: []byte(p.String())}}},
	})
	if prog == nil {
		tb.Fatal(ds)
	}
	s := &Snapshot{URL: "https://example.test/", Title: "Big", Frames: []Frame{{}}, Count: map[string]int{}}
	for i := range 500 {
		s.Elements = append(s.Elements, Element{
			Ref: Ref(fmt.Sprint("e", i)), Parent: -1, Role: roles[i%5], Name: fmt.Sprintf("Thing %d of the page", i%250), Visible: true, Enabled: true, Interactive: true,
		})
	}
	r := &run{Runner: &Runner{}, prog: prog, inputs: map[string]any{"city": "Prague"}, secrets: map[string]any{}, state: newState(prog), path: "bench"}
	r.shared = &shared{commits: map[string]bool{}}
	r.enter("s")
	return r, prog.Stages[0], s
}

func menuOf(tb testing.TB, r *run, st *compile.Stage, s *Snapshot) *Menu {
	v := newView(s, st.Probes)
	cands, _ := r.candidates(v, st, st.Entries, 0)
	m, err := r.buildMenu(v, st, cands, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// The same snapshot and state give the same menu, to the byte.
func TestMenuIsDeterministic(t *testing.T) {
	r, st, s := bigStage(t)
	first := strings.Join(menuOf(t, r, st, s).Lines(), "\n")
	if !strings.Contains(first, "1 Do 0 with Prague") || !strings.Contains(first, "16 Show ") {
		t.Fatalf("unexpected menu:\n%s", first)
	}
	for range 50 {
		if got := strings.Join(menuOf(t, r, st, s).Lines(), "\n"); got != first {
			t.Fatalf("menu differs:\n%s\n---\n%s", got, first)
		}
	}
}

// Goal: 1 ms.
func BenchmarkMenu500x50(b *testing.B) {
	r, st, s := bigStage(b)
	b.ReportAllocs()
	for b.Loop() {
		menuOf(b, r, st, s)
	}
}

func BenchmarkDiff(b *testing.B) {
	_, _, s := bigStage(b)
	t := *s
	t.Elements = append([]Element(nil), s.Elements...)
	t.Elements[100].Value = "changed"
	b.ReportAllocs()
	for b.Loop() {
		if len(diff(s, &t)) != 2 {
			b.Fatal("wrong diff")
		}
	}
}
