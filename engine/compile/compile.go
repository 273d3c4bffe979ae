package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr/types"

	"github.com/nth-dev/nth/schema"
)

var anyType = types.Any

// File is one input file. Name is what findings call it.
type File struct {
	Name string
	Data []byte

	parsed func() (*schema.Node, schema.Diagnostics) // nil: parse anew
	flow   func() (*schema.Flow, schema.Diagnostics) // nil: decode anew
}

// NewFile makes a File that is parsed once, however often Parse is called on it and its copies.
func NewFile(name string, data []byte) File {
	f := File{Name: name, Data: data, parsed: sync.OnceValues(func() (*schema.Node, schema.Diagnostics) { return schema.Parse(name, data) })}
	f.flow = sync.OnceValues(func() (*schema.Flow, schema.Diagnostics) {
		node, _ := f.parsed()
		return schema.DecodeFlow(node)
	})
	return f
}

// Flow is schema.DecodeFlow of the file, which must have been parsed to a tree. What it gives must not be changed.
func (f File) Flow() (*schema.Flow, schema.Diagnostics) {
	if f.flow == nil {
		node, _ := f.Parse()
		return schema.DecodeFlow(node)
	}
	return f.flow()
}

// Parse is schema.Parse of the file. The findings must not be changed.
func (f File) Parse() (*schema.Node, schema.Diagnostics) {
	if f.parsed == nil {
		return schema.Parse(f.Name, f.Data)
	}
	return f.parsed()
}

// PackFiles are the files of one pack as a flow sees it.
type PackFiles struct {
	Alias    string
	Pack     File
	Skills   []File // the files that the pack lists under files:
	Implicit bool   // not declared by the flow: only its fallback skills can be used
}

// Input is everything that a Program is made of. Nothing else is read.
type Input struct {
	Flow      File
	Packs     []PackFiles
	Calls     map[string]*Input // by the path as the flow's call stages write it
	AllowEval bool
	// Findings were made while the files were gathered (a pack that is not there); they are reported with the rest.
	Findings schema.Diagnostics
	// Cache keeps compiled packs for further flows; nil keeps none.
	Cache *PackCache
	// BadPacks are the aliases whose pack could not be loaded.
	BadPacks []string
}

// Digest is the SHA-256 of every input, hex.
func (in *Input) Digest() string {
	h := sha256.New()
	var write func(in *Input)
	write = func(in *Input) {
		part := func(tag, name string, data []byte) {
			fmt.Fprintf(h, "%s %q %d\n", tag, name, len(data))
			h.Write(data)
		}
		part("flow", in.Flow.Name, in.Flow.Data)
		for _, p := range in.Packs {
			part(fmt.Sprintf("pack %q %t", p.Alias, p.Implicit), p.Pack.Name, p.Pack.Data)
			for _, s := range p.Skills {
				part("skills", s.Name, s.Data)
			}
		}
		fmt.Fprintf(h, "eval %t bad %q findings %d\n", in.AllowEval, in.BadPacks, len(in.Findings))
		for _, path := range slices.Sorted(maps.Keys(in.Calls)) {
			fmt.Fprintf(h, "call %q\n", path)
			write(in.Calls[path])
		}
	}
	write(in)
	return hex.EncodeToString(h.Sum(nil))
}

// Sources returns every file by name, for printing findings.
func (in *Input) Sources() map[string][]byte {
	m := map[string][]byte{in.Flow.Name: in.Flow.Data}
	for _, p := range in.Packs {
		m[p.Pack.Name] = p.Pack.Data
		for _, s := range p.Skills {
			m[s.Name] = s.Data
		}
	}
	for _, c := range in.Calls {
		maps.Copy(m, c.Sources())
	}
	return m
}

// unit is the state that all parts of one compilation share.
type unit struct {
	diags     *schema.Diagnostics
	schemas   *schemas
	allowEval bool
	calls     map[string]*Input
	badPacks  map[string]bool
	packCache *PackCache
}

// Compile checks a flow with its packs and returns the Program, or nil when a finding is an error. The findings
// are complete and in source order.
func Compile(in *Input) (*Program, schema.Diagnostics) {
	prog, diags := Draft(in)
	if diags.HasErrors() {
		return nil, diags
	}
	prog.Digest = in.Digest()
	return prog, diags
}

// Draft is Compile, but gives the Program also when findings are errors, for checks that need only a part of it. What an
// error is about is nil or left out in it, and so is its digest. It is nil when the file is no flow at all, and must not be
// run.
func Draft(in *Input) (*Program, schema.Diagnostics) {
	diags := slices.Clone(in.Findings)
	u := &unit{diags: &diags, schemas: newSchemas(&diags), allowEval: in.AllowEval, calls: in.Calls, badPacks: map[string]bool{}, packCache: in.Cache}
	for _, a := range in.BadPacks {
		u.badPacks[a] = true
	}
	u.schemas.badPacks = u.badPacks
	if in.Cache != nil {
		u.schemas.shared = &in.Cache.schemas
	}
	prog := u.flow(in)
	placed(&diags)
	return prog, diags
}

// placed sorts the findings. Those without a place are about something that is not there (a branch without go, a call
// without flow): the shape of the file has said so at the place where it is missing.
func placed(diags *schema.Diagnostics) {
	nowhere := func(d schema.Diagnostic) bool { return d.Range.Start.Line == 0 }
	if said := slices.DeleteFunc(slices.Clone(*diags), nowhere); said.HasErrors() {
		*diags = said
	}
	diags.Sort()
}

// CompilePack checks one pack by itself. The Pack is nil when a finding is an error.
func CompilePack(p PackFiles, allowEval bool) (*Pack, schema.Diagnostics) {
	var diags schema.Diagnostics
	u := &unit{diags: &diags, schemas: newSchemas(&diags), allowEval: allowEval}
	compiled := u.compilePack(p)
	if compiled != nil {
		for _, t := range compiled.public.Source.Types {
			if s := u.schemas.compile(t.Schema, compiled.name, nil); s != nil {
				compiled.public.Types = append(compiled.public.Types, &Param{Name: t.Name.Value, Schema: s})
			}
		}
	}
	placed(&diags)
	if compiled == nil || diags.HasErrors() {
		return nil, diags
	}
	return compiled.public, diags
}

func parse[T any](f File, diags *schema.Diagnostics, want string, decode func(*schema.Node) (T, schema.Diagnostics)) (out T, ok bool) {
	node, ds := f.Parse()
	*diags = append(*diags, ds...)
	if node == nil {
		return out, false
	}
	if kind := schema.Kind(node); kind != want && kind != "" && slices.Contains(schema.Kinds(), kind) {
		diags.Errorf(node.Field("kind").Range, "kind", "", "this file is a %s, but a %s is needed here", kind, want)
		return out, false
	}
	out, ds = decode(node)
	*diags = append(*diags, ds...)
	return out, true
}

// pack compiles a pack by itself, or takes it from the cache, and makes its types known to the unit.
func (u *unit) pack(in PackFiles) *pack {
	p, ds := u.packCache.get(in, u.allowEval)
	*u.diags = append(*u.diags, ds...)
	if p != nil {
		u.schemas.packs[p.name] = p
	}
	return p
}

func (u *unit) compilePack(in PackFiles) *pack {
	src, ok := parse(in.Pack, u.diags, "pack/v1", schema.DecodePack)
	if !ok || src == nil {
		return nil
	}
	p := &pack{name: src.Name.Value, alias: in.Alias, version: src.Version.Value, skills: map[string]*Skill{}, schemas: u.schemas, implicit: in.Implicit, at: src.Name.Range}
	for _, f := range src.Facts {
		p.facts = append(p.facts, f.Value)
	}
	p.public = &Pack{Alias: p.alias, Name: p.name, Implicit: p.implicit, Facts: p.facts, Source: src}
	u.schemas.addTypes(p.name, src.Types, nil)
	skills := src.Skills
	for _, f := range in.Skills {
		if more, ok := parse(f, u.diags, "skills/v1", schema.DecodeSkills); ok && more != nil {
			skills = append(skills, more.Skills...)
		}
	}
	c := &skillCompiler{unit: u, pack: p}
	for _, s := range skills {
		if first := p.skills[s.Name.Value]; first != nil {
			*u.diags = append(*u.diags, schema.Diagnostic{
				Severity: schema.Error, Rule: "duplicate-skill", Range: s.Name.Range,
				Summary: fmt.Sprintf("skill %q is declared twice", s.Name.Value), Fix: "rename one of them",
				Related: []schema.Related{{Range: first.Range, Message: "first declared here"}},
			})
			continue
		}
		p.skills[s.Name.Value] = c.skill(s)
		p.public.Skills = append(p.public.Skills, p.skills[s.Name.Value])
	}
	return p
}

func (u *unit) flow(in *Input) *Program {
	src, ok := parse(in.Flow, u.diags, "flow/v1", func(*schema.Node) (*schema.Flow, schema.Diagnostics) { return in.Flow.Flow() })
	if !ok || src == nil {
		return nil
	}
	prog := &Program{
		File: in.Flow.Name, Name: src.Name.Value, Summary: src.Summary.Value, AllowEval: in.AllowEval,
		Limits: Limits{ModelCalls: src.Limits.ModelCalls.Value, Tokens: src.Limits.Tokens.Value, Cost: src.Limits.Cost.Value, Wall: src.Limits.Wall.Value},
		byName: map[string]*Stage{}, Source: src,
	}
	for _, o := range src.AllowOrigins {
		prog.AllowOrigins = append(prog.AllowOrigins, o.Value)
	}
	c := &flowCompiler{unit: u, flow: src, prog: prog}
	aliases := map[string]string{}
	for _, p := range in.Packs {
		if compiled := u.pack(p); compiled != nil {
			c.packs = append(c.packs, compiled)
			prog.Packs = append(prog.Packs, compiled.public)
			aliases[compiled.alias] = compiled.name
		} else {
			u.badPacks[p.Alias] = true
		}
	}
	c.sharedFacts()
	prog.Facts = sortedFacts(c.packs)
	c.aliases = aliases
	u.schemas.addTypes(flowOwner, src.Types, aliases)
	for _, t := range src.Types { // those that nothing refers to as well
		u.schemas.compile(t.Schema, flowOwner, aliases)
	}
	prog.Inputs = c.params(src.Inputs, flowOwner, aliases)
	prog.Outputs = c.params(src.Outputs, flowOwner, aliases)
	for _, s := range src.Secrets {
		prog.Secrets = append(prog.Secrets, Secret{Name: s.Name.Value, Env: s.Env.Value, File: s.File.Value, Range: s.Name.Range})
	}
	c.environment()
	c.forEach()
	c.stages()
	return prog
}

// flowOwner owns the types of a flow; no pack can be called that.
const flowOwner = "-flow"

// sharedFacts reports a fact that two packs declare: "facts.x" would mean both.
func (c *flowCompiler) sharedFacts() {
	owner := map[string]*pack{}
	for _, p := range c.packs {
		for _, f := range p.facts {
			if first := owner[f]; first != nil && first.name != p.name {
				c.diags.Errorf(p.at, "shared-fact", "rename the fact in one of the packs", "packs %s and %s both declare the fact %q", first.name, p.name, f)
			}
			owner[f] = p
		}
	}
}

func (c *flowCompiler) params(list []schema.Param, owner string, aliases map[string]string) []*Param {
	var out []*Param
	for _, p := range list {
		s := c.schemas.compile(p.Schema, owner, aliases)
		if s == nil {
			s = anySchema()
		}
		_, hasDefault := s.Default()
		out = append(out, &Param{Name: p.Name.Value, Schema: s, Required: !hasDefault})
	}
	return out
}

// environment sets up what the flow's expressions can see, but for the types of stages.
func (c *flowCompiler) environment() {
	names := baseEnv(c.prog.Facts)
	names[envInputs] = paramTypes(c.prog.Inputs)
	secrets := types.Map{}
	for _, s := range c.prog.Secrets {
		secrets[s.Name] = secretType
	}
	names[envSecrets] = secrets
	outputs := types.Map{}
	for _, o := range c.prog.Outputs {
		outputs[o.Name] = o.Schema.exprType
	}
	names[envOutputs] = outputs
	names[envStages] = types.Map{}
	c.names = names
	c.env = newExprEnv(names, c.diags)
}

// forEach compiles the flow's for_each and puts its row into the environment.
func (c *flowCompiler) forEach() {
	src := c.flow.ForEach
	if src == nil {
		return
	}
	f, rowType := c.rows(src)
	c.prog.ForEach = f
	c.names[src.As.Value] = rowType
	c.env = newExprEnv(c.names, c.diags)
}

// rows compiles a for_each and gives the type of one row.
func (c *flowCompiler) rows(src *schema.ForEach) (*ForEach, types.Type) {
	f := &ForEach{As: src.As.Value, Collect: src.OnError.Value == "collect", Rows: c.env.value(src.Rows, nil)}
	if slices.Contains(envNames, f.As) {
		c.diags.Errorf(src.As.Range, "shadowed-name", "choose another name", "as: %q would hide the name %q of expressions", f.As, f.As)
	}
	var row types.Type = types.Any
	if src.File != nil {
		f.File = c.env.bind(*src.File, &Schema{Kind: "string"}, "file")
	}
	if f.Rows != nil && f.Rows.expr != nil {
		k, known := natureKind(f.Rows.expr.nat)
		if known && k != "array" {
			c.diags.Errorf(f.Rows.Range, "value-type", "", "rows must be a list, but %q is %s", f.Rows.Source, article(k))
		}
		// "inputs.NAME" keeps its schema, so that rows stay typed.
		for _, p := range c.prog.Inputs {
			if f.Rows.Source == envInputs+"."+p.Name && p.Schema.item != nil {
				f.List, f.Item, row = p.Schema, p.Schema.item, p.Schema.item.exprType
			}
		}
	}
	if src.Items != nil {
		if s := c.schemas.compile(src.Items, flowOwner, c.aliases); s != nil {
			f.Item, row = s, s.exprType
		}
	}
	return f, row
}

// stages compiles the stages: first what they offer, so that stages.<name> has a type, then the rest.
func (c *flowCompiler) stages() {
	if len(c.flow.Stages) == 0 {
		return // the decoder has said so
	}
	var srcs []*schema.Stage
	for _, src := range c.flow.Stages {
		if c.prog.byName[src.Name.Value] != nil {
			continue
		}
		st := &Stage{Index: len(c.prog.Stages), Name: src.Name.Value, Range: src.Name.Range, Pick: src.Pick.Value, Kind: stageKind(src), Source: src}
		if st.Pick == "" {
			st.Pick = "auto"
		}
		c.prog.Stages = append(c.prog.Stages, st)
		c.prog.byName[st.Name] = st
		srcs = append(srcs, src)
	}
	stages := types.Map{}
	for i, st := range c.prog.Stages {
		stages[st.Name] = c.stageType(st, srcs[i])
	}
	c.names[envStages] = stages
	c.env = newExprEnv(c.names, c.diags)
	for i, st := range c.prog.Stages {
		st.Entries = c.entries(srcs[i].Relevance, false)
		st.Fallback = c.fallback(srcs[i])
		st.Budget = budget(srcs[i].Budget, len(st.Entries))
	}
	for i, st := range c.prog.Stages {
		c.stage(st, srcs[i])
		c.edges(st, srcs[i])
		st.Probes = stageProbes(st)
	}
}

func stageKind(src *schema.Stage) StageKind {
	switch {
	case src.End != nil:
		return EndStage
	case src.Find != nil:
		return FindStage
	case src.Call != nil:
		return CallStage
	case len(src.Do) > 0:
		return DoStage
	}
	return MenuStage
}

// stageType is the type of stages.<name>: what the stage's skills return when they agree, any when they do not.
func (c *flowCompiler) stageType(st *Stage, src *schema.Stage) types.Type {
	switch {
	case src.Call != nil:
		if st.Returns = callReturns(c.callee(src.Call), src.Call.ForEach != nil); st.Returns != nil {
			return st.Returns.exprType
		}
		return types.Any
	case src.Returns != nil:
		if st.Returns = c.schemas.compile(src.Returns, flowOwner, c.aliases); st.Returns != nil {
			return st.Returns.exprType
		}
		return types.Any
	case readsText(src.Do):
		if st.Returns = c.doReturns(src.Do); st.Returns != nil {
			return st.Returns.exprType
		}
		return types.Any
	case src.Find != nil:
		st.Returns = c.findSchema(src.Find)
		return st.Returns.exprType
	}
	var t types.Type
	for i := range src.Relevance {
		_, skill := c.find(src.Relevance[i].Skill, false) // entries reports what is not there
		if skill == nil || skill.returnSchema() == nil {
			continue
		}
		rt := skill.returnSchema().exprType
		if t == nil {
			t, st.Returns = rt, skill.returnSchema()
		} else if !t.Equal(rt) {
			st.Returns = nil
			return types.Any
		}
	}
	if t == nil {
		return types.Map{}
	}
	return t
}

// defaultFallback is tried when nothing of a relevance list is possible and the stage names no fallback.
var defaultFallback = []string{"std.dismiss", "std.scroll"}

func (c *flowCompiler) fallback(src *schema.Stage) []*Entry {
	if src.Fallback != nil || len(src.Relevance) == 0 {
		return c.entries(src.Fallback, true)
	}
	var list []schema.Entry
	for _, name := range defaultFallback {
		alias, skill, _ := strings.Cut(name, ".")
		for _, p := range c.packs {
			if p.alias == alias && p.name == alias && p.skills[skill] != nil {
				list = append(list, schema.Entry{Node: src.Node, Skill: schema.String{Value: name, Range: src.Name.Range}})
			}
		}
	}
	return c.entries(list, true)
}

// callee compiles the flow that a stage calls, once; nil when it is not there or has errors.
func (c *flowCompiler) callee(src *schema.Call) *Program {
	in := c.calls[src.Flow.Value]
	if in == nil {
		return nil
	}
	if prog, done := c.callees[in]; done {
		return prog
	}
	prog, ds := Compile(in)
	*c.diags = append(*c.diags, ds...)
	if c.callees == nil {
		c.callees = map[*Input]*Program{}
	}
	c.callees[in] = prog
	return prog
}

// callReturns is the type of what a call leaves in stages.<name>: the outputs, or a list of them, one per row.
func callReturns(prog *Program, rows bool) *Schema {
	if prog == nil {
		return nil
	}
	fields, required := types.Map{}, []any{}
	s := &Schema{Kind: "object", json: map[string]any{"type": "object"}, props: map[string]*Schema{}, size: 1}
	for _, o := range prog.Outputs {
		fields[o.Name], s.props[o.Name] = o.Schema.exprType, o.Schema
		required = append(required, o.Name)
	}
	s.exprType, s.keys = fields, map[string]any{"type": "object", "required": required}
	if !rows {
		return s
	}
	return &Schema{Kind: "array", json: map[string]any{"type": "array"}, keys: map[string]any{"type": "array"}, item: s, exprType: types.Array(fields), size: 2}
}

// call compiles a sub-flow.
func (c *flowCompiler) call(src *schema.Call) *Call {
	in := c.calls[src.Flow.Value]
	if in == nil {
		for _, said := range []string{"unknown-flow", "call-cycle", "call-depth"} { // when it was looked for
			if c.diags.Has(said, src.Flow.Range) {
				return nil
			}
		}
		c.diags.Errorf(src.Flow.Range, "unknown-flow", "give the path of a flow file, relative to this one", "there is no flow %q", src.Flow.Value)
		return nil
	}
	prog := c.callee(src)
	if prog == nil {
		return nil
	}
	call := &Call{Program: prog}
	env := c.env
	if src.ForEach != nil {
		f, rowType := c.rows(src.ForEach)
		call.ForEach = f
		names := maps.Clone(c.names)
		names[f.As] = rowType
		env = newExprEnv(names, c.diags)
	}
	for _, b := range src.With {
		i := slices.IndexFunc(prog.Inputs, func(p *Param) bool { return p.Name == b.Name.Value })
		if i < 0 {
			c.diags.Errorf(b.Name.Range, "unknown-input", suggestFix(b.Name.Value, paramNames(prog.Inputs), "inputs"), "flow %q has no input %q", prog.Name, b.Name.Value).Edits = schema.Respell(b.Name.Range, b.Name.Value, paramNames(prog.Inputs), func(s string) bool { return bound(src.With, s) })
			continue
		}
		if v := env.bind(b.Value, prog.Inputs[i].Schema, "input "+b.Name.Value); v != nil {
			call.With = append(call.With, Binding{Name: b.Name.Value, Value: v})
		}
	}
	for _, p := range prog.Inputs {
		if p.Required && !bound(src.With, p.Name) {
			c.diags.Errorf(src.Flow.Range, "missing-input", fmt.Sprintf("add with: {%s: …}", p.Name), "flow %q needs the input %q", prog.Name, p.Name)
		}
	}
	return call
}
