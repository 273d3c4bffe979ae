package lint

import (
	"slices"
	"strings"

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

// edgesKnown reports whether the errors of a flow are only about the values in it, so that its stages, the skills that
// they list and the edges between them are what the author meant. Else a misspelt stage would make others unreachable.
func edgesKnown(prog *compile.Program, found schema.Diagnostics) bool {
	for _, d := range found {
		if d.Severity == schema.Error && !slices.ContainsFunc(aboutValues, func(prefix string) bool { return strings.HasPrefix(d.Rule, prefix) }) {
			return false
		}
	}
	for _, st := range prog.Stages {
		for i, b := range st.Source.Next {
			if b.When != nil && (i >= len(st.Next) || st.Next[i].When == nil) {
				return false
			}
		}
		if st.Kind == compile.CallStage && st.Call == nil {
			return false
		}
	}
	return true
}

// aboutValues are the beginnings of the ids of such errors.
var aboutValues = []string{"expr-", "value-", "schema", "secret-", "unknown-param", "missing-param", "unknown-input", "missing-input", "unknown-output", "css", "regex", "verb-", "target-", "returns-field", "probe-literal", "too-early", "summary-placeholder"}

func (p *pass) graph() *graph {
	if p.graphMemo == nil {
		p.graphMemo = newGraph(p.Draft)
	}
	return p.graphMemo
}

func newGraph(prog *compile.Program) *graph {
	g := &graph{out: make([][]edge, len(prog.Stages))}
	for i, st := range prog.Stages {
		g.out[i] = edges(prog, st)
	}
	g.reached = g.from(0)
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

// from says which stages can be reached from one, itself included.
func (g *graph) from(start int) []bool {
	seen := make([]bool, len(g.out))
	for todo := []int{start}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == theEnd || seen[i] {
			continue
		}
		seen[i] = true
		for _, e := range g.out[i] {
			todo = append(todo, e.to)
		}
	}
	return seen
}

// into says from which stages one can be reached, itself included.
func (g *graph) into(end int) []bool {
	before := make([][]int, len(g.out))
	for i, edges := range g.out {
		for _, e := range edges {
			if e.to != theEnd {
				before[e.to] = append(before[e.to], i)
			}
		}
	}
	seen := make([]bool, len(g.out))
	for todo := []int{end}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[i] {
			seen[i] = true
			todo = append(todo, before[i]...)
		}
	}
	return seen
}

// unapproved gives, for every stage that can act before any person has approved anything, a shortest way to it from the
// first stage; nil for all others. A stage that asks does not act unapproved; but its error edges lead on without
// approval, since a denied approval or a failed assert is an error too.
func (g *graph) unapproved(prog *compile.Program) [][]int {
	ways := make([][]int, len(g.out))
	seen := make([]bool, len(g.out))
	seen[0] = true
	for todo := [][]int{{0}}; len(todo) > 0; todo = todo[1:] {
		way := todo[0]
		i := way[len(way)-1]
		asks := prog.Stages[i].Approve != nil
		if !asks {
			ways[i] = way
		}
		for _, e := range g.out[i] {
			if e.to == theEnd || seen[e.to] || asks && !e.onError {
				continue
			}
			seen[e.to] = true
			todo = append(todo, append(slices.Clone(way), e.to))
		}
	}
	return ways
}
