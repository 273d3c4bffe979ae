package compile

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/expr-lang/expr/types"
)

// Page is what expressions see as "page".
type Page struct {
	URL       string                     `expr:"url" doc:"The address."`
	Title     string                     `expr:"title" doc:"The title."`
	Text      string                     `expr:"text" doc:"All visible text."`
	Headings  []string                   `expr:"headings" doc:"The headings, in reading order."`
	Modal     string                     `expr:"modal" doc:"Name of the open modal dialog, \"\" if none."`
	Busy      bool                       `expr:"busy" doc:"Something says that it is loading."`
	Below     int                        `expr:"below" doc:"Pixels of page below the viewport."`
	Changed   bool                       `expr:"changed" doc:"What the page shows is not what it was before the skill's last action. For its do, ensures and sets."`
	Dialogs   []PageDialog               `expr:"dialogs" doc:"Native dialogs that were raised since the last look: type, message, accepted."`
	Downloads []PageDownload             `expr:"downloads" doc:"Files that have come down: name, path, size, sha256, error."`
	Has       func(string) (bool, error) `expr:"has" doc:"has(\"css\"): a CSS selector matches something."`
	Count     func(string) (int, error)  `expr:"count" doc:"count(\"css\"): how many elements a CSS selector matches."`
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
	Exists   bool     `expr:"exists" doc:"It is still on the page."`
	Role     string   `expr:"role" doc:"ARIA role."`
	Name     string   `expr:"name" doc:"Accessible name."`
	Label    string   `expr:"label" doc:"What a person calls the field."`
	Text     string   `expr:"text" doc:"Visible text."`
	Value    string   `expr:"value" doc:"Value of the field."`
	Type     string   `expr:"type" doc:"Type of the field."`
	Options  []string `expr:"options" doc:"Options of the list."`
	Checked  bool     `expr:"checked" doc:"It is ticked."`
	Selected bool     `expr:"selected" doc:"It is selected."`
	Expanded bool     `expr:"expanded" doc:"It is open."`
	Popup    string   `expr:"popup" doc:"What it says that it opens: listbox, menu, dialog, tree or grid."`
	Sort     string   `expr:"sort" doc:"How its column is sorted: ascending or descending; \"\" when it is not."`
	Context  string   `expr:"context" doc:"What it belongs to: its row, card, group or heading."`
	Enabled  bool     `expr:"enabled" doc:"It can be used."`
	Focused  bool     `expr:"focused" doc:"It has the focus."`
	Invalid  bool     `expr:"invalid" doc:"Its value is refused."`
	Error    string   `expr:"error" doc:"What is wrong with it, when it is invalid."`
	ReadOnly bool     `expr:"readonly" doc:"It cannot be changed."`
}

// Run is what expressions see as "run".
type Run struct {
	ID    string    `expr:"id" doc:"The id of the run."`
	Now   time.Time `expr:"now" doc:"The recorded clock of the run."`
	Today string    `expr:"today" doc:"The date of the run, YYYY-MM-DD."`
	Row   int       `expr:"row" doc:"Number of the row of for_each, from 1; 0 outside."`
	// Clock is the time as it goes by, for one-time passwords; expressions cannot see it.
	Clock func() time.Time `expr:"-"`
}

// Field is what expressions see of a Page, an Element or a Run.
type Field struct {
	Name, Doc string
	Kind      string // "text", "true or false", "integer", "list", "function", "time"
}

// Fields lists the fields that expressions see of a struct type, in its order; none of another type.
func Fields(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		return nil
	}
	kinds := map[reflect.Kind]string{
		reflect.String: "text", reflect.Bool: "true or false", reflect.Int: "integer", reflect.Slice: "list", reflect.Func: "function", reflect.Struct: "time",
	}
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if name := f.Tag.Get("expr"); name != "" && name != "-" {
			out = append(out, Field{Name: name, Doc: f.Tag.Get("doc"), Kind: kinds[f.Type.Kind()]})
		}
	}
	return out
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
