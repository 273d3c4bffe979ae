package compile

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/expr-lang/expr/types"
)

// Page is what expressions see as "page".
type Page struct {
	URL      string   `expr:"url"`
	Title    string   `expr:"title"`
	Text     string   `expr:"text"`
	Headings []string `expr:"headings"`
	Modal    string   `expr:"modal"` // name of the open modal dialog, "" if none
	Busy     bool     `expr:"busy"`
	Below    int      `expr:"below"` // pixels of page below the viewport
	// Changed: what a person sees is not what it was before the skill's last action. Only its do, ensures and sets can ask.
	Changed bool         `expr:"changed"`
	Dialogs []PageDialog `expr:"dialogs"`
	// Downloads are the files that have come down since the run began.
	Downloads []PageDownload             `expr:"downloads"`
	Has       func(string) (bool, error) `expr:"has"`   // a literal CSS selector matches something
	Count     func(string) (int, error)  `expr:"count"` // how many elements a literal CSS selector matches
}

// PageDialog is a native dialog that was raised since the last look.
type PageDialog struct {
	Type     string `expr:"type"`
	Message  string `expr:"message"`
	Accepted bool   `expr:"accepted"`
}

// PageDownload is a file that has come down.
type PageDownload struct {
	Name   string `expr:"name"`
	Path   string `expr:"path"` // where it is kept
	Size   int    `expr:"size"` // bytes
	SHA256 string `expr:"sha256"`
	Error  string `expr:"error"` // "" when it is complete
}

// Element is what expressions see as "target". When the element has left the page, Exists is false and the
// rest is zero.
type Element struct {
	Exists   bool     `expr:"exists"`
	Role     string   `expr:"role"`
	Name     string   `expr:"name"`
	Label    string   `expr:"label"`
	Text     string   `expr:"text"`
	Value    string   `expr:"value"`
	Type     string   `expr:"type"`
	Options  []string `expr:"options"`
	Checked  bool     `expr:"checked"`
	Selected bool     `expr:"selected"`
	Expanded bool     `expr:"expanded"`
	Popup    string   `expr:"popup"`   // what it says that it opens: listbox, menu, dialog, tree, grid; "" when it says nothing
	Sort     string   `expr:"sort"`    // of a column header: ascending, descending, "" when it is not sorted
	Context  string   `expr:"context"` // name of the row, card, group or heading that it belongs to
	Enabled  bool     `expr:"enabled"`
	Focused  bool     `expr:"focused"`
	Invalid  bool     `expr:"invalid"`
	Error    string   `expr:"error"` // what is wrong with it, when it is invalid
	ReadOnly bool     `expr:"readonly"`
}

// Run is what expressions see as "run".
type Run struct {
	ID    string    `expr:"id"`
	Now   time.Time `expr:"now"`   // the run's recorded clock
	Today string    `expr:"today"` // Now as YYYY-MM-DD
	Row   int       `expr:"row"`   // 1-based row of for_each, 0 outside
	// Clock is the time as it goes by, for one-time passwords; expressions cannot see it.
	Clock func() time.Time `expr:"-"`
}

// SecretValue is an opaque secret in the expression environment. It prints as dots; only Reveal opens it.
type SecretValue struct {
	text string
	code func() string // of a one-time password: what is typed; nil: text
}

// NewSecret wraps a secret.
func NewSecret(text string) SecretValue { return SecretValue{text: text} }

// Reveal returns the secret. It is a function and not a method so that expressions cannot call it.
func Reveal(s SecretValue) string {
	if s.code != nil {
		return s.code()
	}
	return s.text
}

// SameSecret is what tells secrets apart: the secret itself, or for a one-time password, which is another one all the
// time, what it is made of.
func SameSecret(s SecretValue) string {
	if s.code != nil {
		return "totp " + s.text
	}
	return s.text
}

func (SecretValue) String() string               { return "••••" }
func (SecretValue) GoString() string             { return "••••" }
func (SecretValue) MarshalJSON() ([]byte, error) { return json.Marshal("••••") }

var secretType = types.TypeOf(SecretValue{})

// names of the expression environment, the same for flows and skills
const (
	envInputs  = "inputs"
	envParams  = "params"
	envSecrets = "secrets"
	envFacts   = "facts"
	envStages  = "stages"
	envOutputs = "outputs"
	envPage    = "page"
	envTarget  = "target"
	envMatch   = "match"
	envRun     = "run"
)

// structs are the names whose value is a Go struct.
var structs = map[string]reflect.Type{
	envPage: reflect.TypeFor[Page](), envTarget: reflect.TypeFor[Element](), envRun: reflect.TypeFor[Run](),
}

var envNames = []string{envInputs, envParams, envSecrets, envFacts, envStages, envOutputs, envPage, envTarget, envMatch, envRun}

// skillEnv is what the expressions of a skill can see.
func skillEnv(params []*Param, facts []string, match types.Map) types.Map {
	env := baseEnv(facts)
	env[envParams] = paramTypes(params)
	env[envTarget] = types.TypeOf(Element{})
	env[envMatch] = match
	return env
}

func baseEnv(facts []string) types.Map {
	f := types.Map{}
	for _, name := range facts {
		f[name] = types.Bool
	}
	return types.Map{
		envFacts: f,
		envPage:  types.TypeOf(Page{}),
		envRun:   types.TypeOf(Run{}),
	}
}

func paramTypes(params []*Param) types.Map {
	m := types.Map{}
	for _, p := range params {
		if p.Schema.Secret {
			m[p.Name] = secretType
		} else {
			m[p.Name] = p.Schema.exprType
		}
	}
	return m
}
