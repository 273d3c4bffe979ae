package lint

import (
	"maps"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
)

// factSet is a set of facts.
type factSet map[string]bool

// factFlow says which facts hold where. A fact, once set, holds until the run ends, so only setting them counts.
type factFlow struct {
	// may[s]: facts that hold after stage s on some path, s itself included.
	may []factSet
	// must[s]: facts that hold on every path before stage s.
	must []factSet
	// possible[s][i]: entry i of stage s can become possible, as far as facts tell.
	possible [][]bool
	// known[s]: facts that hold on every way into stage s: those that the stages before it waited for, and those without
	// which these could not have been set.
	known []factSet
}

func (p *pass) facts() *factFlow {
	if p.factsMemo == nil {
		p.factsMemo = newFactFlow(p.Program, p.graph())
	}
	return p.factsMemo
}

func newFactFlow(prog *compile.Program, g *graph) *factFlow {
	n := len(prog.Stages)
	f := &factFlow{may: make([]factSet, n), must: make([]factSet, n), possible: make([][]bool, n), known: make([]factSet, n)}
	before := make([]factSet, n)
	for i, st := range prog.Stages {
		before[i], f.may[i], f.possible[i] = factSet{}, factSet{}, make([]bool, len(st.Entries))
	}
	for again := true; again; {
		again = false
		for i, st := range prog.Stages {
			if !g.reached[i] {
				continue
			}
			size := len(f.may[i])
			maps.Copy(f.may[i], before[i])
			f.stageMay(st)
			again = again || len(f.may[i]) > size
			for _, e := range g.out[i] {
				if e.to != theEnd {
					size := len(before[e.to])
					maps.Copy(before[e.to], f.may[i])
					again = again || len(before[e.to]) > size
				}
			}
		}
	}
	f.mustHold(prog, g)
	implies := implications(prog)
	for i := range f.known {
		f.known[i] = factSet{}
		for fact := range f.must[i] {
			f.known[i][fact] = true
			maps.Copy(f.known[i], implies[fact])
		}
	}
	return f
}

// stageMay adds to may what the stage's own skills can set: first those that are possible with what holds before, then
// those that these make possible.
func (f *factFlow) stageMay(st *compile.Stage) {
	may := f.may[st.Index]
	for again := true; again; {
		again = false
		for i, e := range st.Entries {
			if f.possible[st.Index][i] || requires(e.Skill, may) == no {
				continue
			}
			f.possible[st.Index][i], again = true, true
			addSets(may, e.Skill)
		}
	}
	for _, e := range st.Fallback {
		addSets(may, e.Skill)
	}
}

func addSets(set factSet, s *compile.Skill) {
	for _, x := range s.Sets {
		set[x.Fact] = true
	}
}

// requires says whether a skill's precondition can hold when only the given facts can.
func requires(s *compile.Skill, may factSet) tri {
	if s.Requires.Whole == nil {
		return yes
	}
	return truth(s.Requires.Whole.Tree(), canHold(may))
}

// canHold is the view in which facts outside a set are false, and those inside may be either.
func canHold(may factSet) func(string) tri {
	return func(fact string) tri {
		if may[fact] {
			return unknown
		}
		return no
	}
}

// mustHold works out must: everything at first, cut down until it is stable.
func (f *factFlow) mustHold(prog *compile.Program, g *graph) {
	done := make([]factSet, len(prog.Stages))
	for i, st := range prog.Stages {
		done[i] = whenDone(st)
	}
	for again := true; again; {
		again = false
		narrow := func(stage int, by factSet) {
			if f.must[stage] == nil {
				f.must[stage], again = maps.Clone(by), true
				return
			}
			for fact := range f.must[stage] {
				if !by[fact] {
					delete(f.must[stage], fact)
					again = true
				}
			}
		}
		narrow(0, factSet{})
		for i := range prog.Stages {
			if f.must[i] == nil {
				continue
			}
			after := union(f.must[i], done[i])
			for _, e := range g.out[i] {
				switch {
				case e.to == theEnd:
				case e.onError:
					narrow(e.to, f.must[i])
				default:
					narrow(e.to, after)
				}
			}
		}
	}
}

// union is a set of what is in one of two, or one of them when the other is empty; it must not be changed.
func union(a, b factSet) factSet {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// whenDone are the facts that hold whenever a stage is done.
func whenDone(st *compile.Stage) factSet {
	set := factSet{}
	if st.Done != nil {
		implied(st.Done.Tree(), set)
		return set
	}
	for _, e := range st.Entries {
		if e.Optional {
			continue
		}
		for _, s := range e.Skill.Sets {
			if s.When == nil {
				set[s.Fact] = true
			}
		}
	}
	return set
}

// implied adds the facts without which a condition is false.
func implied(n ast.Node, set factSet) {
	if b, ok := n.(*ast.BinaryNode); ok && isAnd(b) {
		implied(b.Left, set)
		implied(b.Right, set)
	}
	if fact, ok := factOf(n); ok {
		set[fact] = true
	}
}

// tri is a truth value that may not be known.
type tri uint8

const (
	unknown tri = iota
	no
	yes
)

func (t tri) not() tri {
	switch t {
	case no:
		return yes
	case yes:
		return no
	}
	return unknown
}

func triOf(b bool) tri {
	if b {
		return yes
	}
	return no
}

// truth evaluates a condition as far as facts alone decide it.
func truth(n ast.Node, fact func(string) tri) tri {
	if name, ok := factOf(n); ok {
		return fact(name)
	}
	switch n := n.(type) {
	case *ast.BoolNode:
		return triOf(n.Value)
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return truth(n.Node, fact).not()
		}
	case *ast.BinaryNode:
		l, r := truth(n.Left, fact), truth(n.Right, fact)
		switch {
		case isAnd(n):
			return both(l, r)
		case isOr(n):
			return both(l.not(), r.not()).not()
		case (n.Operator == "==" || n.Operator == "!=") && l != unknown && r != unknown:
			return triOf((l == r) == (n.Operator == "=="))
		}
	case *ast.ConditionalNode:
		switch truth(n.Cond, fact) {
		case yes:
			return truth(n.Exp1, fact)
		case no:
			return truth(n.Exp2, fact)
		}
		if a, b := truth(n.Exp1, fact), truth(n.Exp2, fact); a == b {
			return a
		}
	}
	return unknown
}

func both(l, r tri) tri {
	switch {
	case l == no || r == no:
		return no
	case l == yes && r == yes:
		return yes
	}
	return unknown
}

func isAnd(n *ast.BinaryNode) bool { return n.Operator == "and" || n.Operator == "&&" }
func isOr(n *ast.BinaryNode) bool  { return n.Operator == "or" || n.Operator == "||" }

// factOf returns NAME for "facts.NAME".
func factOf(n ast.Node) (string, bool) {
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return "", false
	}
	root, ok := m.Node.(*ast.IdentifierNode)
	name, isName := m.Property.(*ast.StringNode)
	if !ok || !isName || root.Value != "facts" {
		return "", false
	}
	return name.Value, true
}
