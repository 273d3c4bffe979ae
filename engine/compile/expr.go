package compile

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/checker/nature"
	exprcompiler "github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/nth-dev/nth/engine/datetext"
	"github.com/nth-dev/nth/schema"
)

// Limits of expressions: far above what a flow needs, low enough that none can stall a step.
const (
	maxExprNodes  = 500
	maxExprLength = 4 << 10
)

// Expr is a compiled expression. It is safe for concurrent use.
type Expr struct {
	Source string
	Range  schema.Range

	env   *exprEnv
	uses  []string // root names it mentions
	nat   nature.Nature
	has   []string // literal selectors of page.has and page.count
	src   schema.Expr
	parts []*Expr // the conditions that it joins by "and", of a precondition

	compiling, parsing sync.Once
	prog               *vm.Program
	err                error
	tree               ast.Node
}

// Tree is the expression as written, before it was optimised; it must not be changed.
func (e *Expr) Tree() ast.Node {
	e.parsing.Do(func() { e.tree = e.env.parse(e.Source) })
	return e.tree
}

// program is what runs. Chains of names are compiled when they are first evaluated: most never are, such as those of a file
// that is only validated.
func (e *Expr) program() (*vm.Program, error) {
	e.compiling.Do(func() {
		if e.prog == nil {
			e.prog, e.err = e.env.program(e.src)
		}
	})
	return e.prog, e.err
}

// Blame is the source of what makes the condition false in env: the first of the conditions that it joins, or itself.
func (e *Expr) Blame(env map[string]any) string {
	for _, part := range e.parts {
		if ok, err := part.Bool(env); err == nil && !ok {
			return part.Source
		}
	}
	return e.Source
}

// Comment is the comment behind the expression, when YAML may have cut it there.
func (e *Expr) Comment() string { return e.src.Node.Comment() }

// At is the place in the file of the runes from … to of Source.
func (e *Expr) At(from, to int) schema.Range {
	size := utf8.RuneCountInString(e.src.Text)
	from = max(0, min(from, size))
	to = max(min(to, size), min(from+1, size))
	return schema.Range{File: e.Range.File, Start: e.src.Node.PosAt(e.src.Offset + from), End: e.src.Node.PosAt(e.src.Offset + to)}
}

// Eval runs the expression. env holds the names of the environment it was compiled for.
func (e *Expr) Eval(env map[string]any) (v any, err error) {
	// expr's vm recovers from its own panics; what it calls (fmt, reflect) is covered here.
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("%s: %q: %v", e.Range, e.Source, r)
		}
	}()
	prog, err := e.program()
	if err != nil {
		return nil, fmt.Errorf("%s: %q: %w", e.Range, e.Source, err)
	}
	v, err = vm.Run(prog, env)
	if err != nil {
		return nil, fmt.Errorf("%s: %q: %s", e.Range, e.Source, runtimeMessage(err))
	}
	return v, nil
}

// Bool runs a condition.
func (e *Expr) Bool(env map[string]any) (bool, error) {
	v, err := e.Eval(env)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("%s: %q gave %v, want true or false", e.Range, e.Source, v)
	}
	return b, nil
}

// Uses reports whether the expression mentions a root name ("match").
func (e *Expr) Uses(name string) bool { return e != nil && slices.Contains(e.uses, name) }

func runtimeMessage(err error) string {
	var fe *file.Error
	msg := err.Error()
	if errors.As(err, &fe) {
		msg = fe.Message
	}
	if strings.Contains(msg, "<nil>") || strings.Contains(msg, "nil pointer") || strings.Contains(msg, "interface conversion") {
		msg += " (a value that this expression reads is not there)"
	}
	return msg
}

// want says what kind of result an expression must have.
type want uint8

const (
	wantAny want = iota
	wantBool
)

// exprEnv compiles expressions against one environment.
type exprEnv struct {
	names types.Map
	diags *schema.Diagnostics

	mu  *sync.Mutex         // the compiler of expressions remembers types in its configuration
	cfg func() *conf.Config // made when the first expression needs it

	acted   bool // the expressions are read once a skill has acted, so that they can ask for page.changed
	changed bool // one of them does
}

// banned builtins: they read the clock, or reach around the field checks.
var bannedBuiltins = map[string]string{
	"now":      "the run's clock is run.now, so that a replay is exact",
	"get":      "write the field with a dot, so that it can be checked",
	"timezone": "dates are compared in the zone they were written in",
}

func newExprEnv(names types.Map, diags *schema.Diagnostics) *exprEnv {
	names = maps.Clone(names) // more are added later, to another environment
	return &exprEnv{mu: new(sync.Mutex), cfg: sync.OnceValue(func() *conf.Config { return exprConfig(names) }), names: names, diags: diags}
}

func exprConfig(names types.Map) *conf.Config {
	// Go structs must get their nature from this configuration's cache, everything else has it already.
	cfg := *baseConfig()
	cfg.WithEnv(map[string]any{})
	for name, t := range names {
		if sample, ok := structs[name]; ok {
			cfg.Env.Fields[name] = cfg.NtCache.FromType(sample)
		} else {
			cfg.Env.Fields[name] = t.Nature()
		}
	}
	cfg.Strict = true
	return &cfg
}

// baseConfig is what all environments have in common; it must not be changed.
var baseConfig = sync.OnceValue(func() *conf.Config {
	cfg := conf.CreateNew()
	for name := range bannedBuiltins {
		cfg.Disabled[name] = true
		delete(cfg.Builtins, name)
	}
	expr.Function("same_text", func(args ...any) (any, error) { return SameText(args[0].(string), args[1].(string)), nil }, SameText)(cfg)
	expr.Function("same_number", func(args ...any) (any, error) { return SameNumber(args[0].(string), args[1].(float64)), nil }, SameNumber)(cfg)
	defineTOTP(cfg)
	expr.Function("same_date", func(args ...any) (any, error) { return datetext.Same(args[0].(string), args[1].(string)), nil }, datetext.Same)(cfg)
	expr.Function("same_range", func(args ...any) (any, error) {
		return datetext.SameRange(args[0].(string), args[1].(string), args[2].(string)), nil
	}, datetext.SameRange)(cfg)
	cfg.MaxNodes = maxExprNodes
	return cfg
})

// Functions lists what expressions can call, sorted.
func Functions() []string {
	cfg := baseConfig()
	return slices.Sorted(func(yield func(string) bool) {
		for _, m := range []map[string]*builtin.Function{cfg.Builtins, cfg.Functions} {
			for name := range m {
				if !yield(name) {
					return
				}
			}
		}
	})
}

// compile checks and compiles one expression; nil after a finding.
func (x *exprEnv) compile(src schema.Expr, w want) *Expr {
	at := src.Node.Range
	if strings.TrimSpace(src.Text) == "" {
		x.diags.Errorf(at, "expr-empty", "write an expression after the \"=\"", "empty expression")
		return nil
	}
	if len(src.Text) > maxExprLength {
		x.diags.Errorf(at, "expr-too-long", "split it into several conditions", "expression of %d bytes, at most %d are allowed", len(src.Text), maxExprLength)
		return nil
	}
	return x.compileText(src, w, false)
}

func (x *exprEnv) compileText(src schema.Expr, w want, quiet bool) *Expr {
	if e := x.chain(src, w); e != nil {
		return e
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	tree, err := parser.ParseWithConfig(src.Text, x.cfg())
	if err != nil {
		x.report(src, err, "expr-syntax")
		return nil
	}
	v := &useVisitor{env: x, src: src, quiet: quiet}
	ast.Walk(&tree.Node, v)
	if v.bad {
		return nil
	}
	cfg := x.config(w)
	if _, err := checker.Check(tree, cfg); err != nil {
		x.report(src, err, "expr-type")
		return nil
	}
	nat := *tree.Node.Nature()
	prog, err := program(tree, cfg)
	if err != nil {
		x.report(src, err, "expr-type")
		return nil
	}
	e := x.expr(src, nat, v.uses, v.selectors)
	e.prog = prog
	return e
}

// expr makes an Expr that has been checked.
func (x *exprEnv) expr(src schema.Expr, nat nature.Nature, uses, selectors []string) *Expr {
	at := schema.Range{File: src.Node.Range.File, Start: src.Node.PosAt(src.Offset), End: src.Node.Range.End}
	return &Expr{Source: src.Text, Range: at, env: x, uses: uses, nat: nat, has: selectors, src: src}
}

// parse gives the tree of an expression that has been checked.
func (x *exprEnv) parse(text string) ast.Node {
	if _, ok := chainType(x.names, text); ok {
		return chainTree(text)
	}
	tree, err := parser.ParseWithConfig(text, x.cfg())
	if err != nil { // it has been parsed before
		return &ast.NilNode{}
	}
	return tree.Node
}

// program compiles an expression that has been checked.
func (x *exprEnv) program(src schema.Expr) (*vm.Program, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	tree, err := parser.ParseWithConfig(src.Text, x.cfg())
	if err != nil {
		return nil, err
	}
	ast.Walk(&tree.Node, &useVisitor{env: x, src: src, quiet: true})
	cfg := x.config(wantAny)
	if _, err := checker.Check(tree, cfg); err != nil {
		return nil, err
	}
	return program(tree, cfg)
}

// config is the environment's configuration for a kind of result.
func (x *exprEnv) config(w want) *conf.Config {
	cfg := *x.cfg()
	if w == wantBool {
		cfg.Expect, cfg.ExpectAny = reflect.Bool, false
	}
	return &cfg
}

// program is the last part of compiling an expression, whose tree it changes.
func program(tree *parser.Tree, cfg *conf.Config) (*vm.Program, error) {
	if err := optimizer.Optimize(&tree.Node, cfg); err != nil {
		return nil, err
	}
	return exprcompiler.Compile(tree, cfg)
}

// split cuts a condition at its top-level "and"s and returns the parts' sources.
func splitConjuncts(src schema.Expr) []string {
	tree, err := parser.Parse(src.Text)
	if err != nil {
		return nil
	}
	var parts []string
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "and" || b.Operator == "&&") {
			walk(b.Left)
			walk(b.Right)
			return
		}
		parts = append(parts, n.String())
	}
	walk(tree.Node)
	return parts
}

// report turns an error of expr into a finding at the right column of the YAML file.
func (x *exprEnv) report(src schema.Expr, err error, rule string) {
	var fe *file.Error
	if !errors.As(err, &fe) {
		if strings.Contains(err.Error(), "\ngoroutine ") { // a panic inside expr, with its stack
			err = errors.New("this cannot be compiled")
		}
		x.diags.Errorf(src.Node.Range, rule, "", "%q: %s", src.Text, err)
		return
	}
	msg, fix := fe.Message, ""
	var edits []schema.Edit
	if i := strings.Index(msg, "\ngoroutine "); i >= 0 { // a panic inside expr, with its stack
		msg = "this cannot be compiled"
	}
	if name, ok := strings.CutPrefix(msg, "unknown name "); ok {
		fix = "known names: " + strings.Join(x.known(), ", ")
		if s := schema.Suggest(name, x.known()); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		edits = respell(src, fe.From, name, x.known())
		if why, banned := bannedBuiltins[name]; banned {
			msg, fix = fmt.Sprintf("%s() is not allowed here", name), why
		}
	}
	var known []string
	if m := noField.FindStringSubmatch(msg); m != nil {
		msg, known = "unknown field "+m[2], typeFields(structTypes[m[1]])
	}
	if name, ok := strings.CutPrefix(msg, "unknown field "); ok {
		if known == nil {
			known = x.fieldsNear(src.Text, fe.From)
		}
		if s := schema.Suggest(name, known); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
			edits = respell(src, fe.From, name, known)
		}
	}
	if strings.HasPrefix(msg, "expected bool") {
		fix = "write a condition that is true or false, such as a comparison"
	}
	if rule == "expr-syntax" && src.Node.CommentFollows() {
		fix = `put the whole expression into quotes: YAML reads " #" as the beginning of a comment`
	}
	if rule == "expr-syntax" && x.diags.Has("template", src.Node.Range) {
		return
	}
	start := src.Node.PosAt(src.Offset + min(fe.From, len([]rune(src.Text))))
	end := src.Node.PosAt(src.Offset + max(min(fe.To, len([]rune(src.Text))), min(fe.From+1, len([]rune(src.Text)))))
	x.diags.Errorf(schema.Range{File: src.Node.Range.File, Start: start, End: end}, rule, fix, "in %q: %s", src.Text, msg).Edits = edits
}

// noField is what expr says of a field that a Go struct does not have.
var noField = regexp.MustCompile(`^type compile\.(Page|Element|Run) has no field (\w+)$`)

var structTypes = map[string]types.Type{"Page": types.TypeOf(Page{}), "Element": types.TypeOf(Element{}), "Run": types.TypeOf(Run{})}

// respell is the edit that writes a known name in place of the misspelt one that stands at rune from of an expression,
// perhaps behind a dot or a quote.
func respell(src schema.Expr, from int, name string, known []string) []schema.Edit {
	runes := []rune(src.Text)
	for from < len(runes) && !identRune(runes[from]) {
		from++
	}
	end := from
	for end < len(runes) && identRune(runes[end]) {
		end++
	}
	if string(runes[min(from, end):end]) != name {
		return nil
	}
	at := schema.Range{File: src.Node.Range.File, Start: src.Node.PosAt(src.Offset + from), End: src.Node.PosAt(src.Offset + end)}
	return schema.Respell(at, name, known, nil)
}

func (x *exprEnv) known() []string {
	names := make([]string, 0, len(x.names))
	for n := range x.names {
		if n != types.Extra {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// fieldsNear lists the fields of the name that stands before the dot at rune offset at.
func (x *exprEnv) fieldsNear(text string, at int) []string {
	runes := []rune(text)
	if at > len(runes) {
		return nil
	}
	before := strings.TrimRight(string(runes[:at]), ".?[\"' ")
	root := before[strings.LastIndexFunc(before, func(r rune) bool { return !identRune(r) && r != '.' })+1:]
	var t types.Type = x.names
	for part := range strings.SplitSeq(root, ".") {
		m, ok := t.(types.Map)
		if !ok {
			return nil
		}
		t = m[part]
	}
	return typeFields(t)
}

func typeFields(t types.Type) []string {
	var names []string
	if m, ok := t.(types.Map); ok {
		for n := range m {
			names = append(names, n)
		}
	} else if t != nil {
		for _, s := range []any{Page{}, Element{}, Run{}} {
			if t.Equal(types.TypeOf(s)) {
				rt := reflect.TypeOf(s)
				for i := range rt.NumField() {
					if tag := rt.Field(i).Tag.Get("expr"); tag != "-" {
						names = append(names, tag)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

func identRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// useVisitor notes which root names an expression mentions, collects page selectors and refuses what is banned.
type useVisitor struct {
	env       *exprEnv
	src       schema.Expr
	uses      []string
	selectors []string
	bad       bool
	quiet     bool
}

func (v *useVisitor) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			v.fail(n, "expr-banned", "name the value you want", "$env is not allowed")
		}
		v.use(n.Value)
	case *ast.MemberNode:
		if pageMember(n) == "changed" {
			if !v.env.acted {
				v.fail(n, "too-early", "test what the page shows, such as page.text contains \"…\"", "page.changed is known once a skill has acted: in its do, ensures and sets")
			}
			v.env.changed = v.env.changed || !v.quiet
		}
	case *ast.CallNode:
		if addClock(n) {
			v.use(envRun)
		}
		m, ok := n.Callee.(*ast.MemberNode)
		if !ok || pageMember(m) != "has" && pageMember(m) != "count" {
			return
		}
		if len(n.Arguments) == 1 {
			if s, ok := n.Arguments[0].(*ast.StringNode); ok {
				v.selectors = append(v.selectors, s.Value)
				return
			}
		}
		v.fail(n, "probe-literal", `write the selector itself: page.has("[data-results]")`, "page.%s needs a literal CSS selector, because the page is asked before the expression runs", pageMember(m))
	}
}

func (v *useVisitor) use(name string) {
	if !slices.Contains(v.uses, name) {
		v.uses = append(v.uses, name)
	}
}

// pageMember is the name behind "page.", "" for another one.
func pageMember(m *ast.MemberNode) string {
	if id, ok := m.Node.(*ast.IdentifierNode); !ok || id.Value != envPage {
		return ""
	}
	s, _ := m.Property.(*ast.StringNode)
	if s == nil {
		return ""
	}
	return s.Value
}

func (v *useVisitor) fail(n ast.Node, rule, fix, format string, args ...any) {
	v.bad = true
	if v.quiet {
		return
	}
	loc := n.Location()
	start := v.src.Node.PosAt(v.src.Offset + loc.From)
	end := v.src.Node.PosAt(v.src.Offset + max(loc.To, loc.From+1))
	v.env.diags.Errorf(schema.Range{File: v.src.Node.Range.File, Start: start, End: end}, rule, fix, "in %q: %s", v.src.Text, fmt.Sprintf(format, args...))
}

// factConjunct is a part of a condition that is a fact by itself.
var factConjunct = regexp.MustCompile(`^facts\.([a-z][a-z0-9_]*)$`)

// Facts are the facts that a condition cannot hold without, as far as its top-level "and"s tell.
func (e *Expr) Facts() []string {
	if e == nil || !e.Uses("facts") {
		return nil
	}
	var out []string
	for _, part := range splitConjuncts(schema.Expr{Text: e.Source}) {
		if m := factConjunct.FindStringSubmatch(part); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}
