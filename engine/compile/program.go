package compile

import (
	"time"

	"github.com/nth-dev/nth/schema"
)

// Program is a checked flow, ready to run.
type Program struct {
	Digest       string // SHA-256 of every input, hex
	File         string
	Name         string
	Summary      string
	Inputs       []*Param
	Outputs      []*Param
	Secrets      []Secret
	Limits       Limits
	AllowOrigins []string // empty: any origin
	ForEach      *ForEach // nil: one run
	Stages       []*Stage // never empty
	Facts        []string // every fact that the packs declare, sorted
	AllowEval    bool
	Packs        []*Pack // in the order of the flow, the implicit one last
	Source       *schema.Flow

	byName map[string]*Stage
}

// Stage returns the stage of that name, or nil.
func (p *Program) Stage(name string) *Stage { return p.byName[name] }

// Param is one input, param or output.
type Param struct {
	Name     string
	Schema   *Schema
	Required bool // no default and not declared optional
}

// Secret says where the run gets a secret from; exactly one of Env and File is set.
type Secret struct {
	Name, Env, File string
	Range           schema.Range
}

// Limits bound a run; 0 means no limit.
type Limits struct {
	ModelCalls int
	Tokens     int
	Cost       float64 // in the currency of the prices
	Wall       time.Duration
}

// Budget bounds one visit of a stage; Picks and Wall are always set, for the others 0 leaves it to the run's limit.
type Budget struct {
	Picks  int
	Calls  int
	Tokens int
	Cost   float64
	Wall   time.Duration
}

// ForEach runs its body once per row.
type ForEach struct {
	Rows    *Value
	File    *Value // of the rows, instead of Rows: a path, relative to the flow
	As      string
	Item    *Schema // nil: unknown
	List    *Schema // of Rows; nil: unknown
	Collect bool    // go on after a failed row
}

// StageKind says which of the five forms a stage has.
type StageKind uint8

const (
	DoStage StageKind = iota
	MenuStage
	FindStage
	CallStage
	EndStage
)

// Pack is a checked pack.
type Pack struct {
	Alias    string // what the flow calls it
	Name     string
	Implicit bool     // the flow did not ask for it: fallbacks only
	Facts    []string // as declared
	Skills   []*Skill // in source order
	Types    []*Param
	Source   *schema.Pack
}

// Stage is one step of a flow.
type Stage struct {
	Index    int
	Name     string
	Kind     StageKind
	Range    schema.Range
	Goal     *Value // nil: the stage's name stands for it
	Hint     string
	Do       []*Verb
	Entries  []*Entry
	Fallback []*Entry
	// FallbackFirst: when nobody gave a usable answer, the first of the menu is taken, if it can be undone.
	FallbackFirst bool
	Reason        bool // the model gives a short reason before the number
	Find          *Find
	Call          *Call
	End           *End
	Approve       *Approve
	Pick          string // "auto", "one", "first"
	Order         *Expr
	Done          *Expr // nil: every entry that is not optional has succeeded
	Assert        []*Expr
	Budget        Budget
	Collect       []Binding
	Next          []Branch // never empty, except for end stages; the last one has no condition or ends the flow
	OnError       []ErrorBranch
	Returns       *Schema // type of stages.<name>; nil: nothing or several
	Probes        *Probes
	Source        *schema.Stage
}

// Entry is one line of a relevance list.
type Entry struct {
	Index    int // position in its list
	Skill    *Skill
	With     map[string]*Value // by param
	When     *Expr
	Optional bool
	Repeat   bool
	Constant bool  // every binding is a literal, already validated
	Asks     []Ask // params that the model writes once the entry is picked; they have no With
	Range    schema.Range
	Source   *schema.Entry
}

// Binding gives a value to an output or input.
type Binding struct {
	Name  string
	Value *Value
	Many  bool // the output is an array and the value one item of it
}

// Call runs another program as a stage.
type Call struct {
	Program *Program
	With    []Binding
	ForEach *ForEach
}

// End finishes the flow.
type End struct {
	Failed bool
	Reason *Value // nil: none
}

// Approve asks a person before the stage acts.
type Approve struct {
	Ask            *Value
	Show           []*Value
	ShowText       []string // source of each Show, for display
	Wait           time.Duration
	AllowOnTimeout bool
}

// Branch is one arm of next; Go is "" for the end of the flow.
type Branch struct {
	When *Expr // nil: always
	Go   string
}

// ErrorBranch says which stage handles an error; Is is "any" or an error name.
type ErrorBranch struct {
	Is, Go string
}

// Skill is a typed action of a pack.
type Skill struct {
	Pack     string // name of the pack
	Alias    string // what this flow calls the pack
	Name     string
	Summary  Template
	Params   []*Param
	Target   *Target // nil: acts on the page as a whole
	Requires Requires
	Do       []*Verb
	Ensures  *Expr
	Changed  bool // an expression asks for page.changed
	Verify   *Expr
	Sets     []Set
	Returns  *Returns
	Effect   string // "read", "write", "commit"
	Repeat   bool
	Timeout  time.Duration // for each verb, and for ensures
	Range    schema.Range
	Source   *schema.Skill
}

// Commit reports whether the skill's effect cannot be undone.
func (s *Skill) Commit() bool { return s.Effect == "commit" }

// FullName is "alias.skill", as a relevance list writes it.
func (s *Skill) FullName() string { return s.Alias + "." + s.Name }

// Param returns the param of that name, or nil.
func (s *Skill) Param(name string) *Param {
	for _, p := range s.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Requires is a precondition, cut at its top-level "and"s by when each part can be known.
type Requires struct {
	State   *Expr // facts, page and run only: before the params are bound
	Params  *Expr // params too: before the target is looked for
	Matched *Expr // target and match too: per matched element
	Whole   *Expr // all of it
	Source  string
}

// Set declares that a fact holds after success, if When (nil: always) is true.
type Set struct {
	Fact string
	When *Expr
}

// Returns types what a skill leaves in stages.<name>: the target's read fields, and the page reads.
type Returns struct {
	Schema *Schema
	Reads  []ReadField // read from the page after the skill
	Verb   bool        // the verb read gives the value
}

// Verb is one primitive action.
type Verb struct {
	Name    string
	Target  *Target // nil: the skill's own target, or the page
	OnSkill bool    // acts on the skill's own target
	To      *Target // drop target of drag
	Value   *Value
	When    *Expr
	Until   *Expr         // for wait
	Timeout time.Duration // 0: the skill's
	Repeat  *Repeat
	Read    *ReadText
	Range   schema.Range
	Source  *schema.Verb
}

// Repeat runs Do until Until holds, at most Max times.
type Repeat struct {
	Until *Expr
	Max   int
	Do    []*Verb
}
