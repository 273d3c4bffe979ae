package lint

import (
	"slices"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// graph is the stages of a flow and the edges that the engine follows between them. Stages are numbered as in the
// Program; the end of the flow is no stage.
type graph struct {
	out     [][]edge
	reached []bool // from the first stage
	ends    []bool // from here, some path leads to an end
}

// edge leads from a stage to another, or to the end of the flow.
type edge struct {
	to      int // theEnd, or a stage
	onError bool
	is      string        // the error, for onError
	when    *compile.Expr // nil: always
	at      schema.Range  // where the file says so; the stage's name where it says nothing
}

const theEnd = -1

func (p *pass) graph() *graph {
	if p.graphMemo == nil {
		p.graphMemo = newGraph(p.Program)
	}
	return p.graphMemo
}

func newGraph(prog *compile.Program) *graph {
	g := &graph{out: make([][]edge, len(prog.Stages))}
	for i, st := range prog.Stages {
		g.out[i] = edges(prog, st)
	}
	g.reached = g.from(0, nil)
	g.ends = make([]bool, len(prog.Stages))
	for again := true; again; {
		again = false
		for i, st := range prog.Stages {
			if g.ends[i] {
				continue
			}
			g.ends[i] = st.Kind == compile.EndStage || slices.ContainsFunc(g.out[i], func(e edge) bool { return e.to == theEnd || g.ends[e.to] })
			again = again || g.ends[i]
		}
	}
	return g
}

// edges are the edges that can be taken: none behind an unconditional one.
func edges(prog *compile.Program, st *compile.Stage) []edge {
	var out []edge
	to := func(name string) int {
		if s := prog.Stage(name); s != nil {
			return s.Index
		}
		return theEnd
	}
	for i, b := range st.Next {
		e := edge{to: to(b.Go), when: b.When, at: st.Range}
		if i < len(st.Source.Next) {
			e.at = st.Source.Next[i].Go.Range
		}
		out = append(out, e)
		if b.When == nil {
			break
		}
	}
	for i, b := range st.OnError {
		out = append(out, edge{to: to(b.Go), onError: true, is: b.Is, at: st.Source.OnError[i].Go.Range})
		if b.Is == "any" {
			break
		}
	}
	return out
}

// from says which stages can be reached from one, itself included, without going through a stage that blocks does not
// let through (nil lets all through). A blocked stage is itself not reached.
func (g *graph) from(start int, blocks func(stage int) bool) []bool {
	seen := make([]bool, len(g.out))
	todo := []int{start}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == theEnd || seen[i] || blocks != nil && blocks(i) {
			continue
		}
		seen[i] = true
		for _, e := range g.out[i] {
			todo = append(todo, e.to)
		}
	}
	return seen
}

// after says which stages can be reached from a stage by at least one of its edges that keep accepts.
func (g *graph) after(stage int, keep func(edge) bool) []bool {
	seen := make([]bool, len(g.out))
	for _, e := range g.out[stage] {
		if e.to == theEnd || !keep(e) {
			continue
		}
		for i, ok := range g.from(e.to, nil) {
			seen[i] = seen[i] || ok
		}
	}
	return seen
}

// path is a shortest way from one stage to another that goes through no blocked stage, both ends included; nil when
// there is none.
func (g *graph) path(from, to int, blocks func(stage int) bool) []int {
	prev := map[int]int{from: from}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		i := todo[0]
		if blocks(i) {
			continue
		}
		if i == to {
			way := []int{to}
			for i != from {
				i = prev[i]
				way = append(way, i)
			}
			slices.Reverse(way)
			return way
		}
		for _, e := range g.out[i] {
			if _, seen := prev[e.to]; e.to != theEnd && !seen {
				prev[e.to] = i
				todo = append(todo, e.to)
			}
		}
	}
	return nil
}
