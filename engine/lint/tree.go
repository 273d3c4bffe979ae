package lint

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// tree is one expression with what its names lead to.
type tree struct {
	root  ast.Node
	nodes []treeNode
	index map[ast.Node]int // into nodes, when there are more than smallTree
}

// treeNode is what is known of one node of an expression.
type treeNode struct {
	node, parent ast.Node
	place        *place   // nil: it leads to nothing known
	guards       guardSet // what is known to hold where it is evaluated
	loops        int      // how many predicates it lies in
}

// smallTree is how many nodes are looked through more quickly than a map is asked.
const smallTree = 16

// place is what a chain of names ("inputs.trip.from", "match.price") leads to.
type place struct {
	path     string
	root     string           // "inputs"
	first    string           // "trip": the name after the root
	schema   *compile.Schema  // nil: unknown
	kind     string           // JSON type, "" when unknown
	optional bool             // it may be absent
	outputs  []*compile.Param // of the sub-flow whose result it is; nil: it is none
}

// guardSet holds, as text, what is known: "x" (there is one), "nonzero x", "filled x" (its length has been looked at).
type guardSet map[string]bool

func (s *site) tree() *tree {
	if s.treeMemo == nil {
		t := &tree{root: s.expr.Tree(), nodes: make([]treeNode, 0, 4)}
		t.walk(t.root, nil, walkEnv{scope: s.scope})
		s.treeMemo = t
	}
	return s.treeMemo
}

type walkEnv struct {
	scope  *scope
	guards guardSet
	items  []place // "#" of the predicates around, innermost last
	lets   map[string]place
}

func (e walkEnv) with(more guardSet) walkEnv {
	if len(more) > 0 {
		g := maps.Clone(e.guards)
		if g == nil {
			g = guardSet{}
		}
		maps.Copy(g, more)
		e.guards = g
	}
	return e
}

func (t *tree) walk(n, parent ast.Node, e walkEnv) {
	t.add(n, parent, e)
	sub := func(child ast.Node, e walkEnv) {
		if child != nil {
			t.walk(child, n, e)
		}
	}
	switch n := n.(type) {
	case *ast.BinaryNode:
		sub(n.Left, e)
		switch {
		case isAnd(n):
			e = e.with(t.known(n.Left, true))
		case isOr(n):
			e = e.with(t.known(n.Left, false))
		}
		sub(n.Right, e)
	case *ast.ConditionalNode:
		sub(n.Cond, e)
		sub(n.Exp1, e.with(t.known(n.Cond, true)))
		sub(n.Exp2, e.with(t.known(n.Cond, false)))
	case *ast.VariableDeclaratorNode:
		sub(n.Value, e)
		lets := maps.Clone(e.lets)
		if lets == nil {
			lets = map[string]place{}
		}
		lets[n.Name] = t.placeAt(n.Value)
		e.lets = lets
		sub(n.Expr, e)
	case *ast.BuiltinNode:
		for i, a := range n.Arguments {
			if i == 0 {
				sub(a, e)
				continue
			}
			inner := e
			if p, ok := a.(*ast.PredicateNode); ok {
				item := place{}
				if list, ok := t.place(n.Arguments[0]); ok && list.schema.Item() != nil {
					item = place{path: list.path + "[]", root: list.root, first: list.first, schema: list.schema.Item(), kind: list.schema.Item().Kind}
				}
				inner.items = append(e.items[:len(e.items):len(e.items)], item)
				t.add(p, n, walkEnv{guards: e.guards})
				t.walk(p.Node, p, inner)
				continue
			}
			sub(a, inner)
		}
	default:
		eachChild(n, func(c ast.Node) { sub(c, e) })
	}
	if p, ok := t.resolve(n, e); ok {
		t.nodes[t.find(n)].place = &p
	}
}

// add takes a node in. The parser uses some nodes twice (a in 1 < a < 9): what is known the second time counts.
func (t *tree) add(n, parent ast.Node, e walkEnv) {
	i := t.find(n)
	if i < 0 {
		i = len(t.nodes)
		t.nodes = append(t.nodes, treeNode{node: n})
		t.remember(i)
	}
	at := &t.nodes[i]
	at.parent = parent
	if len(e.guards) > 0 {
		at.guards = e.guards
	}
	if len(e.items) > 0 {
		at.loops = len(e.items)
	}
}

// remember puts a node into the index, once there is need of one.
func (t *tree) remember(i int) {
	switch {
	case i < smallTree:
		return
	case i == smallTree:
		t.index = map[ast.Node]int{}
		for j := range i {
			t.index[t.nodes[j].node] = j
		}
	}
	t.index[t.nodes[i].node] = i
}

// find is where a node stands in nodes, -1 for one that the expression does not have.
func (t *tree) find(n ast.Node) int {
	if t.index != nil {
		if i, ok := t.index[n]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(t.nodes, func(x treeNode) bool { return x.node == n })
}

// at is what is known of a node, nothing for one that the expression does not have.
func (t *tree) at(n ast.Node) treeNode {
	if i := t.find(n); i >= 0 {
		return t.nodes[i]
	}
	return treeNode{}
}

// each calls f for all nodes, each before those below it.
func (t *tree) each(f func(ast.Node)) {
	for i := range t.nodes {
		f(t.nodes[i].node)
	}
}

// place is what a node leads to, if it leads to anything known.
func (t *tree) place(n ast.Node) (place, bool) {
	if p := t.at(n).place; p != nil {
		return *p, true
	}
	return place{}, false
}

// placeAt is place, or the zero one.
func (t *tree) placeAt(n ast.Node) place {
	p, _ := t.place(n)
	return p
}

// eachChild calls f for the nodes right below a node.
func eachChild(n ast.Node, f func(ast.Node)) {
	all := func(list []ast.Node) {
		for _, c := range list {
			f(c)
		}
	}
	switch n := n.(type) {
	case *ast.UnaryNode:
		f(n.Node)
	case *ast.ChainNode:
		f(n.Node)
	case *ast.MemberNode:
		f(n.Node)
		f(n.Property)
	case *ast.SliceNode:
		f(n.Node)
		f(n.From)
		f(n.To)
	case *ast.CallNode:
		f(n.Callee)
		all(n.Arguments)
	case *ast.PredicateNode:
		f(n.Node)
	case *ast.SequenceNode:
		all(n.Nodes)
	case *ast.ArrayNode:
		all(n.Nodes)
	case *ast.MapNode:
		all(n.Pairs)
	case *ast.PairNode:
		f(n.Key)
		f(n.Value)
	case *ast.BinaryNode:
		f(n.Left)
		f(n.Right)
	case *ast.ConditionalNode:
		f(n.Cond)
		f(n.Exp1)
		f(n.Exp2)
	case *ast.VariableDeclaratorNode:
		f(n.Value)
		f(n.Expr)
	case *ast.BuiltinNode:
		all(n.Arguments)
	}
}

// visit calls f for a node and all below it.
func visit(n ast.Node, f func(ast.Node)) {
	if n == nil {
		return
	}
	f(n)
	eachChild(n, func(c ast.Node) { visit(c, f) })
}

func (t *tree) resolve(n ast.Node, e walkEnv) (place, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if p, ok := e.lets[n.Value]; ok {
			return p, p.path != ""
		}
		if row, ok := e.scope.rows[n.Value]; ok {
			return placeOf(n.Value, n.Value, "", row), true
		}
		return place{path: n.Value, root: n.Value}, true
	case *ast.PointerNode:
		if n.Name != "" || len(e.items) == 0 {
			return place{}, false
		}
		p := e.items[len(e.items)-1]
		return p, p.path != ""
	case *ast.ChainNode:
		p, ok := t.place(n.Node)
		p.optional = p.optional || ok
		return p, ok
	case *ast.MemberNode:
		base, ok := t.place(n.Node)
		if !ok {
			return place{}, false
		}
		switch prop := n.Property.(type) {
		case *ast.StringNode:
			return e.scope.member(base, prop.Value)
		case *ast.IntegerNode, *ast.UnaryNode:
			if base.schema.Item() == nil {
				return place{path: base.path + "[]", root: base.root, first: base.first}, true
			}
			return placeOf(base.path+"[]", base.root, base.first, base.schema.Item()), true
		}
	}
	return place{}, false
}

func placeOf(path, root, first string, s *compile.Schema) place {
	p := place{path: path, root: root, first: first, schema: s}
	if s != nil {
		p.kind = s.Kind
	}
	return p
}

var pageKinds = map[string]string{"url": "string", "title": "string", "text": "string", "modal": "string", "headings": "array", "dialogs": "array", "busy": "boolean", "below": "integer", "changed": "boolean"}

// member is what a field of a place leads to.
func (s *scope) member(base place, name string) (place, bool) {
	path := base.path + "." + name
	if base.first != "" || base.schema != nil {
		p := place{path: path, root: base.root, first: base.first}
		if p.first == "" {
			p.first = name
		}
		if field, optional := base.schema.Property(name); field != nil {
			p.schema, p.kind, p.optional = field, field.Kind, optional
		}
		for _, o := range base.outputs {
			if o.Name == name {
				p.schema, p.kind = o.Schema, o.Schema.Kind
			}
		}
		return p, true
	}
	p := place{path: path, root: base.root, first: name}
	param := func(list []*compile.Param) {
		for _, x := range list {
			if x.Name == name {
				_, hasDefault := x.Schema.Default()
				p.schema, p.kind = x.Schema, x.Schema.Kind
				p.optional = !x.Required && !hasDefault
			}
		}
	}
	switch base.root {
	case "inputs":
		param(s.inputs)
	case "params":
		param(s.params)
	case "outputs":
		param(s.outputs)
		p.optional = false // whether it is there is the business of another rule
	case "stages":
		if s.stages != nil {
			st := s.stages.Stage(name)
			switch {
			case st != nil && st.Returns != nil:
				p.schema, p.kind = st.Returns, st.Returns.Kind
			case st != nil && st.Call != nil && st.Call.ForEach == nil:
				p.outputs = st.Call.Program.Outputs
			}
		}
	case "facts":
		p.kind = "boolean"
	case "page":
		p.kind = pageKinds[name]
	case "match":
		for _, f := range s.match {
			if f.Name == name {
				p.kind = f.As
				if p.kind == "" || p.kind == "text" {
					p.kind = "string"
				}
			}
		}
	case "target":
		p.kind = "string"
		if name == "exists" || name == "checked" || name == "selected" || name == "expanded" || name == "enabled" || name == "focused" || name == "invalid" {
			p.kind = "boolean"
		}
	case "run":
		p.kind = "string"
	}
	return p, true
}

// known is what holds when a condition has come out true, or false.
func (t *tree) known(n ast.Node, when bool) guardSet {
	switch n := n.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return t.known(n.Node, !when)
		}
	case *ast.BinaryNode:
		out := guardSet{}
		if isAnd(n) && when || isOr(n) && !when {
			maps.Copy(out, t.known(n.Left, when))
			maps.Copy(out, t.known(n.Right, when))
			return out
		}
		t.comparison(n, when, out)
		return out
	}
	return nil
}

// comparison adds what a comparison tells.
func (t *tree) comparison(n *ast.BinaryNode, when bool, out guardSet) {
	left, ok := t.place(n.Left)
	right, okRight := t.place(n.Right)
	_, leftNil := n.Left.(*ast.NilNode)
	_, rightNil := n.Right.(*ast.NilNode)
	there := when && n.Operator == "!=" || !when && n.Operator == "=="
	switch {
	case ok && rightNil && there:
		out[left.path] = true
	case okRight && leftNil && there:
		out[right.path] = true
	case n.Operator == "in" && when && okRight:
		if s, isText := n.Left.(*ast.StringNode); isText {
			out[right.path+"."+s.Value] = true
		}
	case n.Operator == "==" && when: // equal to something that is there
		if ok {
			out[left.path] = true
		}
	}
	if b, isLen := n.Left.(*ast.BuiltinNode); isLen && b.Name == "len" {
		if list, ok := t.place(b.Arguments[0]); ok {
			out["filled "+list.path] = true
		}
	}
	if x, isNum := number(n.Right); isNum && ok {
		positive := when && (n.Operator == ">" && x >= 0 || n.Operator == ">=" && x > 0 || n.Operator == "!=" && x == 0 || n.Operator == "<" && x <= 0) ||
			!when && (n.Operator == "==" && x == 0 || n.Operator == "<=" && x >= 0 || n.Operator == "<" && x > 0)
		if positive {
			out["nonzero "+left.path] = true
		}
	}
}

// number is the value of a literal number.
func number(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value), true
	case *ast.FloatNode:
		return n.Value, true
	case *ast.UnaryNode:
		if x, ok := number(n.Node); ok && n.Operator == "-" {
			return -x, true
		}
	}
	return math.NaN(), false
}

// span is the stretch of the expression's text that a node takes, as well as its tokens tell.
func span(n ast.Node) (from, to int) {
	from, to = math.MaxInt, 0
	visit(n, func(n ast.Node) {
		switch n.(type) {
		case *ast.IntegerNode, *ast.FloatNode: // the parser gives them the place of the next token
			return
		}
		l := n.Location()
		if l.To > l.From {
			from, to = min(from, l.From), max(to, l.To)
		}
	})
	if from > to {
		return 0, math.MaxInt
	}
	return from, to
}

// spot is the place in the file of a node of the site's expression.
func (s *site) spot(n ast.Node) schema.Range {
	from, to := span(n)
	return s.at(from, to)
}

// text is how a part of the expression is quoted.
func (s *site) text(n ast.Node) string {
	if p, ok := s.tree().place(n); ok {
		return strings.ReplaceAll(p.path, "[]", "[…]")
	}
	return n.String()
}
