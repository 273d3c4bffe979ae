package schema

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// The shapes of the four kinds, DESIGN §4 as data.

var (
	nameRE    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	nameWhy   = "names are lower_snake_case: a letter, then letters, digits and _"
	packRE    = regexp.MustCompile(`^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)*$`)
	skillRE   = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
	versionRE = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.-]+)*$`)
	originRE  = regexp.MustCompile(`^(https?://[^/\s?#]+|file://)$`)
	envRE     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerRE  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)
	ruleRE    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	modelRE   = regexp.MustCompile(`^[a-z][a-z0-9_-]*:\S+$`)
	providRE  = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

	name     = text{re: nameRE, why: nameWhy}
	plain    = text{}
	exprText = condition{}
	scalar   = value{scalar: true}
	texts    = byKind{scalar: scalar, sequence: listOf{elem: scalar, some: true}, want: "a text or a list of texts"}
	schemas  = mapOf{key: nameRE, why: nameWhy, elem: jsonSchema{}, doc: "The JSON Schema of its values."}
	bindings = mapOf{key: nameRE, why: nameWhy, elem: value{}, doc: "A value, or an expression after \"=\"."}
	target   = named("target")
	inner    = byKind{scalar: text{enum: []string{"target"}}, mapping: target, want: `"target" or a mapping`}
	verb     = named("verb")
	entry    = named("entry")
	stage    = named("stage")
	skill    = named("skill")
	reads    = mapOf{key: nameRE, why: nameWhy, elem: byKind{
		scalar: plain,
		mapping: object{keys: []key{
			{name: "css", shape: plain, doc: "Where to read, inside the element; without it, the element itself."},
			{name: "attr", shape: plain, doc: "The attribute to read; without it, the text."},
			{name: "as", shape: readAs, doc: "The type of the value."},
		}},
		want: "a CSS selector, or {css, attr, as}",
	}, doc: "A field, and where it is read: a CSS selector, or {css, attr, as}."}
)

// kind is one file kind.
type kind struct {
	name  string
	shape object
}

func kindKey(k string) key {
	return key{name: "kind", shape: text{enum: []string{k}}, doc: "The file kind.", required: true}
}

var kinds = []kind{
	{"flow/v1", object{keys: []key{
		kindKey("flow/v1"),
		{name: "name", shape: name, doc: "Name of the flow.", required: true},
		{name: "summary", shape: plain, doc: "One line for people."},
		{name: "packs", shape: mapOf{key: nameRE, why: nameWhy, elem: plain, doc: "A pack: NAME@^VERSION, or its folder, relative to the flow."}, doc: "Packs by alias: std@^1, or a folder ./packs/x."},
		{name: "types", shape: schemas, doc: "Named JSON Schemas, #/types/<name>."},
		{name: "inputs", shape: schemas, doc: "JSON Schema per input."},
		{name: "secrets", shape: mapOf{key: nameRE, why: nameWhy, elem: object{oneOf: []string{"env", "file"}, keys: []key{
			{name: "env", shape: text{re: envRE, why: "the name of an environment variable"}, doc: "Environment variable."},
			{name: "file", shape: plain, doc: "File, relative to the flow."},
		}}, doc: "A secret, and where it comes from: {env: NAME} or {file: PATH}."}, doc: "Where secrets come from."},
		{name: "outputs", shape: schemas, doc: "JSON Schema per output."},
		{name: "limits", shape: object{keys: []key{
			{name: "model_calls", shape: count{min: 1}, doc: "Model calls of the whole run."},
			{name: "tokens", shape: count{min: 1, kilo: true}, doc: "Model tokens of the whole run."},
			{name: "cost", shape: amount{}, doc: "Money for the model in the whole run, in the currency of the project's prices."},
			{name: "wall", shape: span{}, doc: "Time of the whole run."},
		}}, doc: "Bounds the whole run."},
		{name: "allow_origins", shape: origins, doc: "Sites that the flow may be on; all others end the run."},
		{name: "for_each", shape: forEachShape, doc: "Run the flow once per row."},
		{name: "stages", shape: mapOf{key: regexp.MustCompile(`^([a-df-z][a-z0-9_]*|e|e[a-mo-z0-9_][a-z0-9_]*|en|en[a-ce-z0-9_][a-z0-9_]*|end[a-z0-9_]+)$`), why: nameWhy + `; "end" is taken`, elem: stage, some: true, doc: "A stage: it has one of do, relevance, find, call and end."}, doc: "The stages, in order.", required: true},
	}}},
	{"pack/v1", object{keys: []key{
		kindKey("pack/v1"),
		{name: "name", shape: text{re: packRE, why: "pack names are lower-case words with - or _, in parts with /"}, doc: "Name of the pack.", required: true},
		{name: "version", shape: text{re: versionRE, why: "a semantic version, such as 1.4.0"}, doc: "Semantic version.", required: true},
		{name: "engine", shape: plain, doc: "Versions of nth that it works with."},
		{name: "summary", shape: plain, doc: "One line for people."},
		{name: "types", shape: schemas, doc: "Named JSON Schemas, <alias>#/types/<name>."},
		{name: "facts", shape: listOf{elem: name}, doc: "Facts that its skills set and require."},
		{name: "skills", shape: mapOf{key: nameRE, why: nameWhy, elem: skill, doc: "A skill: one thing that can be done on a page."}, doc: "The skills."},
		{name: "files", shape: listOf{elem: plain}, doc: "Further skills/v1 files of the pack."},
	}}},
	{"skills/v1", object{keys: []key{
		kindKey("skills/v1"),
		{name: "skills", shape: mapOf{key: nameRE, why: nameWhy, elem: skill, some: true, doc: "A skill: one thing that can be done on a page."}, doc: "The skills.", required: true},
	}}},
	{"project/v1", object{keys: []key{
		kindKey("project/v1"),
		{name: "model", shape: plain, doc: "Who picks by default: provider:name."},
		{name: "models", shape: mapOf{key: providRE, why: "a provider, such as openai", elem: object{keys: []key{
			{name: "base_url", shape: plain, doc: "Base URL of the endpoint."},
			{name: "key_env", shape: text{re: envRE, why: "the name of an environment variable"}, doc: "Environment variable with the key."},
			{name: "timeout", shape: span{}, doc: "Total time for one pick."},
			{name: "headers", shape: mapOf{key: headerRE, why: "the name of an HTTP header", elem: byKind{
				scalar:  plain,
				mapping: object{keys: []key{{name: "env", shape: text{re: envRE, why: "the name of an environment variable"}, doc: "Environment variable with the value.", required: true}}},
				want:    "a text, or {env: NAME}",
			}, doc: "The header's value, or {env: NAME}."}, doc: "HTTP headers of every request."},
			{name: "api_version", shape: plain, doc: "Azure's api-version."},
			{name: "max_options", shape: count{min: 3}, doc: "Options of one question, for decisions and systemone; longer menus are asked in several."},
			{name: "constrain", shape: text{enum: []string{"retry", "always", "never"}}, doc: "When a chat model is held to the menu's numbers by a tool or a schema; retry: after an answer of no use."},
		}}, doc: "Settings of one provider."}, doc: "Settings per provider."},
		{name: "ladder", shape: object{keys: []key{
			{name: "stronger", shape: plain, doc: "Who is asked when the model's answer will not do: provider:name."},
			{name: "person", shape: truth{}, doc: "Ask a person at the terminal last; true where nothing is said."},
			{name: "timeout", shape: span{}, doc: "Total time for one pick, all models and retries included."},
			{name: "thresholds", shape: mapOf{key: providRE, why: "a driver, such as openai", elem: object{keys: []key{
				{name: "margin", shape: amount{most: 1}, doc: "An answer whose probability is not ahead by more than this is ambiguous; 0.02 where nothing is said."},
				{name: "p", shape: amount{most: 1}, doc: "An answer that is less probable is ambiguous."},
				{name: "entropy", shape: amount{most: 1}, doc: "An answer is ambiguous above this normalised entropy."},
			}}, doc: "What is ambiguous for this driver."}, doc: "What is ambiguous, per driver; for drivers that give probabilities."},
		}}, doc: "Who else is asked, and when."},
		{name: "prices", shape: mapOf{key: modelRE, why: "a model as --model names it, such as openai:gpt-5-mini", elem: object{keys: []key{
			{name: "prompt", shape: amount{}, doc: "Price of a million prompt tokens.", required: true},
			{name: "cached", shape: amount{}, doc: "Price of a million prompt tokens that the provider had in its cache; as the others where nothing is said."},
			{name: "completion", shape: amount{}, doc: "Price of a million completion tokens.", required: true},
		}}, doc: "What this model costs."}, doc: "What models cost, for limits.cost and for reports."},
		{name: "browser", shape: object{keys: []key{
			{name: "executable", shape: plain, doc: "Path of the browser."},
			{name: "headed", shape: truth{}, doc: "Show the window."},
			{name: "viewport", shape: object{keys: []key{
				{name: "width", shape: count{min: 100}, required: true, doc: "CSS pixels."},
				{name: "height", shape: count{min: 100}, required: true, doc: "CSS pixels."},
			}}, doc: "Size of the page."},
			{name: "locale", shape: plain, doc: "Such as de-DE."},
			{name: "timezone", shape: plain, doc: "Such as Europe/Prague."},
		}}, doc: "The browser."},
		{name: "eval", shape: truth{}, doc: "Allow the verb eval."},
		{name: "lint", shape: listOf{elem: object{keys: []key{
			{name: "files", shape: plain, doc: "Which files, relative to this one: flows/**, *.yaml; without it, all."},
			{name: "rules", shape: mapOf{key: ruleRE, why: "the id of a rule, such as unused", elem: text{enum: []string{"off", "warning", "error"}}, some: true, doc: "The severity of this rule."}, doc: "Severity per rule.", required: true},
		}}}, doc: "Severities of the rules of nth validate; the last one that fits a file counts."},
	}}},
}

// Kinds lists the file kinds.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.name
	}
	return out
}

// Kind returns what a file says that it is, "" when it does not.
func Kind(n *Node) string {
	if k := n.Field("kind"); k != nil && k.Kind == Scalar {
		return k.Text
	}
	return ""
}

func kindOf(n string) *kind {
	for i := range kinds {
		if kinds[i].name == n {
			return &kinds[i]
		}
	}
	return nil
}

// check checks a whole file against its kind.
func check(n *Node, want string) Diagnostics {
	var ds Diagnostics
	switch got := Kind(n); {
	case n.Kind != Mapping:
		wrongKind(n, "the file", `a mapping that begins with "kind: `+want+`"`, &ds)
		return ds
	case n.Field("kind") != nil && n.Field("kind").Kind != Scalar: // the shape says so
	case got == "":
		ds.Errorf(head(n), "kind", fmt.Sprintf("add %q; known kinds: %s", "kind: "+want, strings.Join(Kinds(), ", ")), "the file does not say what kind it is")
	case kindOf(got) == nil:
		fix := "known kinds: " + strings.Join(Kinds(), ", ")
		if s := Suggest(got, Kinds()); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		ds.Errorf(n.Field("kind").Range, "kind", fix, "%q is not a kind of file that this nth knows", got).Edits = Respell(n.Field("kind").Range, got, Kinds(), nil)
	}
	var all Diagnostics
	kindOf(want).shape.check(n, "the "+strings.TrimSuffix(want, "/v1"), &all)
	said := len(ds) > 0 // about the kind, in better words
	at := n.Field("kind")
	for _, d := range all {
		if said && (at != nil && d.Range == at.Range || d.Rule == "missing-key" && strings.Contains(d.Summary, `"kind"`)) {
			continue
		}
		ds = append(ds, d)
	}
	ds.Sort()
	return ds
}

//go:embed *.v1.json
var embedded embed.FS

// JSONSchema returns the JSON Schema (2020-12) of a kind, for editors.
func JSONSchema(kind string) ([]byte, error) {
	if kindOf(kind) == nil {
		return nil, fmt.Errorf("%q is not a kind of file; known kinds: %s", kind, strings.Join(Kinds(), ", "))
	}
	return embedded.ReadFile(schemaFile(kind))
}

func schemaFile(kind string) string { return strings.Replace(kind, "/", ".", 1) + ".json" }

// generate makes the JSON Schema of a kind from its shape; a test holds the embedded files to it.
func generate(k kind) []byte {
	defs := map[string]any{}
	s := k.shape.schema(defs)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	if len(defs) > 0 {
		s["$defs"] = defs
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // shapes are data of this package
	}
	return append(data, '\n')
}
