package schema

import "time"

// String is a text scalar with its place. An absent key has the zero String.
type String struct {
	Value string
	Range Range
}

// Set reports whether the key was written.
func (s String) Set() bool { return s.Range.Start.Line > 0 }

// Int is a whole number with its place.
type Int struct {
	Value int
	Range Range
}

// Set reports whether the key was written.
func (i Int) Set() bool { return i.Range.Start.Line > 0 }

// Float is a number with its place.
type Float struct {
	Value float64
	Range Range
}

// Set reports whether the key was written.
func (f Float) Set() bool { return f.Range.Start.Line > 0 }

// Duration is a Go-style duration ("45s", "10m") with its place.
type Duration struct {
	Value time.Duration
	Range Range
}

// Set reports whether the key was written.
func (d Duration) Set() bool { return d.Range.Start.Line > 0 }

// Expr is an expr-lang source text. Node is the scalar that holds it and Offset the rune offset
// of Text within Node.Text (1 after a "=" prefix, 0 for the condition keys), so that
// Node.PosAt(Offset + column) is the place of a mistake.
type Expr struct {
	Text   string
	Node   *Node
	Offset int
}

// Value is a literal or an expression, or a literal mapping or sequence with expressions inside it.
// A scalar that begins with "=" is an expression; "==" escapes a literal "=".
type Value struct{ Node *Node }

// Param declares one input, param or output: a JSON Schema under a name.
type Param struct {
	Name   String
	Schema *Node // the JSON Schema as written
}

// Flow is the file kind "flow/v1".
type Flow struct {
	Node         *Node
	Name         String
	Summary      String
	Packs        []PackRef
	Types        []Param
	Inputs       []Param
	Secrets      []Secret
	Outputs      []Param
	Limits       Limits
	AllowOrigins []String
	ForEach      *ForEach // nil: one run
	Stages       []*Stage
}

// PackRef is one line of a flow's packs: an alias and where the pack comes from.
type PackRef struct {
	Alias  String
	Source String // "std@^1", "./packs/flights"
}

// Secret names where a secret comes from. Exactly one source is set.
type Secret struct {
	Name String
	Env  String // name of an environment variable
	File String // path of a file, relative to the flow
}

// Limits bound a whole run. Zero (not Set) means no limit of its own.
type Limits struct {
	ModelCalls Int
	Tokens     Int // "60k" is 60000
	Cost       Float
	Wall       Duration
}

// Budget bounds one visit of a stage.
type Budget struct {
	Picks  Int
	Calls  Int
	Tokens Int
	Cost   Float
	Wall   Duration
}

// ForEach runs the flow once per row.
type ForEach struct {
	Node    *Node
	Rows    Value
	File    *Value // of the rows, instead of Rows
	Items   *Node  // JSON Schema of a row
	As      String
	OnError String // "stop" (default) or "collect"
}

// Stage is one named step of a flow. Exactly one of Do, Relevance, Find, Call and End is set.
type Stage struct {
	Node      *Node
	Name      String
	Summary   String
	Goal      Value // text, may be an expression
	Hint      String
	Do        []Verb
	Relevance []Entry
	Returns   *Node // JSON Schema of what a do stage reads
	Find      *Find
	Call      *Call
	End       *End

	Approve  *Approve
	Pick     String // "auto" (default), "one", "first"
	Order    *Expr
	Done     *Expr
	Assert   []Expr
	Fallback []Entry
	// FallbackPick is "first" where the first of the menu may be taken when nobody gave a usable answer.
	FallbackPick String
	Reason       Value // beside relevance: true asks the model for a short reason
	Budget       Budget
	Collect      []Binding
	Next         []Branch
	OnError      []ErrorBranch
}

// Entry is one line of a relevance list: a skill with bindings.
type Entry struct {
	Node     *Node
	Skill    String // "flights.set_city"
	With     []Binding
	When     *Expr
	Optional bool
	Repeat   bool
}

// Binding gives a value to a param, input or output.
type Binding struct {
	Name  String
	Value Value
}

// Call runs another flow as a stage.
type Call struct {
	Node    *Node
	Flow    String // path relative to the calling flow
	With    []Binding
	ForEach *ForEach
}

// End finishes the flow. Status is "ok" or "failed".
type End struct {
	Node   *Node
	Status String
	Reason Value
}

// Approve asks a person before the stage acts.
type Approve struct {
	Node      *Node
	Ask       Value
	Show      []Value
	Wait      Duration
	OnTimeout String // "deny" (default) or "allow"
}

// Branch is one arm of next. When is nil in the last, unconditional arm.
type Branch struct {
	Node *Node
	When *Expr
	Go   String // stage name, or "end"
}

// ErrorBranch says where an error leads. Is is an error name of engine.ErrorNames, or "any".
type ErrorBranch struct {
	Node *Node
	Is   String
	Go   String
}

// Pack is the file kind "pack/v1".
type Pack struct {
	Node    *Node
	Name    String
	Version String
	Engine  String // version constraint
	Summary String
	Types   []Param
	Facts   []String
	Skills  []*Skill
	Files   []String // further skills/v1 files, relative to the pack
}

// Skills is the file kind "skills/v1": further skills of the pack in whose folder it lies.
type Skills struct {
	Node   *Node
	Skills []*Skill
}

// Skill is a typed action.
type Skill struct {
	Node     *Node
	Name     String
	Summary  String // may hold {param} and {match.field}
	Params   []Param
	Optional []String // names of params that may be left out (those with a default may be too)
	Target   *Target  // nil: the skill acts on the page as a whole
	Requires *Expr
	Do       []Verb
	Ensures  *Expr
	Verify   *Expr
	Sets     []Set
	Returns  *Returns
	Effect   String // "read", "write", "commit"
	Repeat   bool
	Timeout  Duration
	// Deprecated says what to use instead.
	Deprecated String
}

// Set declares that a fact holds after the skill succeeded (and When, if given, is true).
type Set struct {
	Fact String
	When *Expr
}

// Returns types the value that a skill leaves in stages.<name>.
type Returns struct {
	Node   *Node
	Schema *Node // the JSON Schema, without the key "read"
	Read   []ReadField
}

// Verb is one primitive action of a skill or of a do stage.
type Verb struct {
	Node    *Node
	Name    String
	OnSkill bool    // the target is the skill's own ("click: target", or no target at all)
	Target  *Target // nil with OnSkill, and for verbs without a target
	Value   *Value  // text, key, URL, option, file: the verb's argument
	To      *Target // where drag drops
	Until   *Expr   // what wait waits for
	When    *Expr
	Timeout Duration
	Repeat  *Repeat   // set for the group verb "repeat"
	Read    *ReadVerb // set for the verb "read"
}

// Repeat runs Do until Until holds, at most Max times.
type Repeat struct {
	Until Expr
	Max   Int
	Do    []Verb
}

// Target describes an element as a person would: by role, name and place. All given keys must hold.
type Target struct {
	Node        *Node
	Role        []Value
	Name        []Value // any of; a substring (any case), /re/i, or exact with Exact; may be expressions
	Text        []Value
	Label       []Value
	Placeholder []Value
	TestID      *Value
	CSS         String
	Frame       String // substring of the frame's URL or name
	Within      *Target
	WithinSkill bool // "within: target": inside the skill's own target
	Near        *Target
	Has         *Target
	Index       Int // 1-based among the matches, in reading order
	Exact       bool
	Covering    bool // only what lies over the rest of the page
	Each        bool // one candidate per match
	Limit       Int
	Read        []ReadField
}

// ReadField reads one value out of the target's subtree inside the snapshot.
type ReadField struct {
	Name String
	CSS  String // empty: the target itself
	Attr String // empty: the text
	As   String // "text" (default), "number", "integer", "boolean", "date"
}

// Project is the file kind "project/v1", nth.yaml.
type Project struct {
	Node    *Node
	Model   String
	Models  []ModelConfig
	Ladder  LadderConfig
	Prices  []Price
	Browser BrowserConfig
	Eval    bool // allow the verb eval
	Lint    []LintConfig
}

// LintConfig sets the severities of rules for some files.
type LintConfig struct {
	Files String // a glob relative to the project file; not set: all files
	Rules []RuleSetting
}

// RuleSetting is the severity of one rule: "off", "warning" or "error".
type RuleSetting struct {
	Rule     String
	Severity String
}

// ModelConfig configures one provider.
type ModelConfig struct {
	Provider   String
	BaseURL    String
	KeyEnv     String
	Timeout    Duration
	Headers    []HeaderConfig
	APIVersion String
	MaxOptions Int
	Constrain  String
}

// HeaderConfig is an HTTP header: its value, or the environment variable that holds it.
type HeaderConfig struct {
	Name  String
	Value String
	Env   String
}

// LadderConfig says who else is asked when the model's answer will not do.
type LadderConfig struct {
	Stronger   String
	NoPerson   bool // person: false
	Timeout    Duration
	Thresholds []Threshold
}

// Threshold says which answers of a driver are ambiguous; what is not Set has a default.
type Threshold struct {
	Driver             String
	Margin, P, Entropy Float
}

// Price is what a model costs per million tokens.
type Price struct {
	Model                      String
	Prompt, Cached, Completion Float
}

// BrowserConfig configures the browser.
type BrowserConfig struct {
	Executable String
	Headed     bool
	Viewport   struct{ Width, Height Int }
	Locale     String
	Timezone   String
}
