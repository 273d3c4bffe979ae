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
	providRE  = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

	name     = text{re: nameRE, why: nameWhy}
	plain    = text{}
	exprText = condition{}
	scalar   = value{scalar: true}
	texts    = byKind{scalar: scalar, sequence: listOf{elem: scalar, some: true}, want: "a text or a list of texts"}
	schemas  = mapOf{key: nameRE, why: nameWhy, elem: jsonSchema{}}
	bindings = mapOf{key: nameRE, why: nameWhy, elem: value{}}
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
			{name: "as", shape: text{enum: []string{"text", "number", "integer", "boolean"}}, doc: "The type of the value."},
		}},
		want: "a CSS selector, or {css, attr, as}",
	}}
)

var targetShape = object{keys: []key{
	{name: "role", shape: texts, doc: "ARIA role, or a list of roles."},
	{name: "name", shape: texts, doc: "Accessible name: a part of it in any case, /regex/i, or any of a list."},
	{name: "text", shape: texts, doc: "Visible text."},
	{name: "label", shape: texts, doc: "What a person calls the field: its name, label, placeholder, or (whole) test id, autocomplete, name or id."},
	{name: "placeholder", shape: texts, doc: "Placeholder of the field."},
	{name: "css", shape: plain, doc: "CSS selector that the element matches."},
	{name: "test_id", shape: scalar, doc: "data-testid (or data-test-id, data-test, data-cy)."},
	{name: "within", shape: inner, doc: "An element that it lies inside; \"target\" is the skill's own."},
	{name: "near", shape: target, doc: "Of several matches, the one nearest to this element."},
	{name: "has", shape: target, doc: "An element that lies inside it."},
	{name: "frame", shape: plain, doc: "Name of the frame, or a part of its URL."},
	{name: "index", shape: count{min: 1}, doc: "Which of the matches, in reading order; the first is 1."},
	{name: "exact", shape: truth{}, doc: "Texts must be equal, case included."},
	{name: "each", shape: truth{}, doc: "One candidate per match."},
	{name: "limit", shape: count{min: 1}, doc: "At most so many candidates of each."},
	{name: "read", shape: reads, doc: "Fields to read from the element, as match.<field>."},
}}

// Verbs lists the primitive actions.
var Verbs = []string{
	"goto", "back", "reload", "click", "dblclick", "hover", "fill", "type", "press", "clear", "select", "check", "uncheck",
	"upload", "drag", "scroll", "wait", "switch_tab", "accept_dialog", "dismiss_dialog", "eval", "repeat",
}

// bareVerbs need no argument: they act on the skill's target, or on the page.
var bareVerbs = []string{"back", "reload", "click", "dblclick", "hover", "clear", "check", "uncheck", "accept_dialog", "dismiss_dialog"}

var verbShape byKind

func init() {
	namedShapes = map[string]func() shape{
		"target": func() shape { return targetShape }, "verb": func() shape { return verbShape }, "entry": func() shape { return entryShape{} },
		"stage": func() shape { return stageShape }, "skill": func() shape { return skillShape },
	}
	repeat := object{keys: []key{
		{name: "until", shape: exprText, doc: "Stop when this holds.", required: true},
		{name: "max", shape: count{min: 1}, doc: "At most so many rounds.", required: true},
		{name: "do", shape: listOf{elem: verb, some: true}, doc: "What to do in each round.", required: true},
	}}
	verbShape = byKind{
		want:   "a verb",
		scalar: text{enum: bareVerbs},
		mapping: object{oneOf: Verbs, keys: []key{
			{name: "goto", shape: scalar, doc: "Open a URL."},
			{name: "back", shape: truth{}, doc: "Go back in the history."},
			{name: "reload", shape: truth{}, doc: "Load the page again."},
			{name: "click", shape: inner, doc: "Click an element."},
			{name: "dblclick", shape: inner, doc: "Double-click an element."},
			{name: "hover", shape: inner, doc: "Put the pointer over an element."},
			{name: "fill", shape: scalar, doc: "Replace a field's text, and read it back."},
			{name: "type", shape: scalar, doc: "Type text key by key."},
			{name: "press", shape: scalar, doc: "Press a key, such as Enter or Control+A."},
			{name: "clear", shape: inner, doc: "Empty a field."},
			{name: "select", shape: scalar, doc: "Choose an option of a native list by its text."},
			{name: "check", shape: inner, doc: "Tick a checkbox, radio or switch."},
			{name: "uncheck", shape: inner, doc: "Untick a checkbox or switch."},
			{name: "upload", shape: scalar, doc: "Give a file to a file field."},
			{name: "drag", shape: inner, doc: "Drag an element; to: says where."},
			{name: "scroll", shape: text{enum: []string{"up", "down", "top", "bottom"}}, doc: "Scroll the page."},
			{name: "wait", shape: exprText, doc: "Wait until a condition holds."},
			{name: "switch_tab", shape: scalar, doc: "Go to another tab: its number, or a part of its title or URL."},
			{name: "accept_dialog", shape: scalar, doc: "Answer the next native dialog with OK (and this text, for a prompt)."},
			{name: "dismiss_dialog", shape: truth{}, doc: "Answer the next native dialog with Cancel."},
			{name: "eval", shape: plain, doc: "Run a script; only where nth.yaml allows it."},
			{name: "repeat", shape: repeat, doc: "Do a group of verbs until a condition holds."},
			{name: "target", shape: inner, doc: "The element to act on, for verbs with a value."},
			{name: "to", shape: target, doc: "Where drag drops."},
			{name: "when", shape: exprText, doc: "Only if this holds."},
			{name: "timeout", shape: span{}, doc: "How long the verb may take."},
		}},
	}
}

var stageShape = object{oneOf: []string{"do", "relevance", "call", "end"}, keys: []key{
	{name: "summary", shape: plain, doc: "One line for people."},
	{name: "goal", shape: scalar, doc: "What the stage is for; the model reads it."},
	{name: "hint", shape: plain, doc: "Trusted advice to the model."},
	{name: "do", shape: listOf{elem: verb, some: true}, doc: "Fixed verbs, in order."},
	{name: "relevance", shape: listOf{elem: entry, some: true}, doc: "Skills that are relevant here, in order of priority."},
	{name: "call", shape: byKind{scalar: plain, mapping: object{keys: []key{
		{name: "flow", shape: plain, doc: "Path of the flow, relative to this file.", required: true},
		{name: "with", shape: bindings, doc: "Its inputs."},
		{name: "for_each", shape: forEachShape, doc: "Call it once per row."},
	}}, want: "the path of a flow, or {flow, with, for_each}"}, doc: "Run another flow."},
	{name: "end", shape: text{enum: []string{"ok", "failed"}}, doc: "Finish the flow."},
	{name: "reason", shape: scalar, doc: "Why the flow ends here."},
	{name: "approve", shape: object{keys: []key{
		{name: "ask", shape: scalar, doc: "The question.", required: true},
		{name: "show", shape: listOf{elem: value{}}, doc: "Values to show with it."},
		{name: "wait", shape: span{}, doc: "How long to wait for an answer."},
		{name: "on_timeout", shape: text{enum: []string{"deny", "allow"}}, doc: "What no answer means."},
	}}, doc: "Ask a person before the stage acts."},
	{name: "pick", shape: text{enum: []string{"auto", "one", "first"}}, doc: "auto: several steps in one answer; one: step by step; first: menu order, no model."},
	{name: "order", shape: exprText, doc: "Orders the menu, smallest first."},
	{name: "done", shape: exprText, doc: "When the stage is done; without it, when every entry that is not optional has succeeded."},
	{name: "assert", shape: listOf{elem: exprText, some: true}, doc: "Conditions that must hold before the stage acts."},
	{name: "fallback", shape: listOf{elem: entry}, doc: "Skills to try when nothing else is possible."},
	{name: "budget", shape: object{keys: []key{
		{name: "picks", shape: count{min: 1}, doc: "Picks in one visit."},
		{name: "tokens", shape: count{min: 1, kilo: true}, doc: "Model tokens in one visit."},
		{name: "wall", shape: span{}, doc: "Time of one visit."},
	}}, doc: "Bounds one visit of the stage."},
	{name: "collect", shape: bindings, doc: "Outputs to set, or to add to, when the stage is done."},
	{name: "next", shape: byKind{scalar: name, sequence: listOf{some: true, elem: object{keys: []key{
		{name: "when", shape: exprText, doc: "Condition of this branch; the last needs none."},
		{name: "go", shape: name, doc: "A stage, or end.", required: true},
	}}}, want: "a stage, or a list of {when, go}"}, doc: "Where to go; without it, to the following stage."},
	{name: "on_error", shape: listOf{some: true, elem: object{keys: []key{
		{name: "is", shape: name, doc: "Name of the error, or any.", required: true},
		{name: "go", shape: name, doc: "A stage, or end.", required: true},
	}}}, doc: "Where errors lead."},
}}

var forEachShape = object{keys: []key{
	{name: "rows", shape: value{}, doc: "The list.", required: true},
	{name: "as", shape: name, doc: "What a row is called in expressions.", required: true},
	{name: "on_error", shape: text{enum: []string{"stop", "collect"}}, doc: "stop (default), or go on and report at the end."},
}}

var skillShape = object{keys: []key{
	{name: "summary", shape: plain, doc: "The menu line; may hold {param} and {match.field}.", required: true},
	{name: "params", shape: schemas, doc: "JSON Schema per param."},
	{name: "optional", shape: listOf{elem: name}, doc: "Params that may be left out."},
	{name: "target", shape: target, doc: "The element to act on."},
	{name: "requires", shape: exprText, doc: "Precondition."},
	{name: "do", shape: listOf{elem: verb, some: true}, doc: "What it does.", required: true},
	{name: "ensures", shape: exprText, doc: "Postcondition, waited for."},
	{name: "verify", shape: exprText, doc: "Tells, without touching anything, whether a commit has happened."},
	{name: "sets", shape: listOf{elem: byKind{scalar: name, mapping: mapOf{key: nameRE, why: nameWhy, elem: exprText, some: true}, want: "a fact, or {fact: condition}"}}, doc: "Facts that hold afterwards."},
	{name: "returns", shape: returnsShape{}, doc: "JSON Schema of what it leaves in stages.<name>, and page fields to read."},
	{name: "effect", shape: text{enum: []string{"read", "write", "commit"}}, doc: "commit: cannot be undone.", required: true},
	{name: "repeat", shape: truth{}, doc: "May be offered again after success."},
	{name: "timeout", shape: span{}, doc: "For each verb, and for ensures."},
}}

var origins = listOf{elem: text{re: originRE, why: "write an origin: https://host or https://host:port"}, some: true}

// kind is one file kind.
type kind struct {
	name  string
	title string
	shape object
}

func kindKey(k string) key {
	return key{name: "kind", shape: text{enum: []string{k}}, doc: "The file kind.", required: true}
}

var kinds = []kind{
	{"flow/v1", "nth flow", object{keys: []key{
		kindKey("flow/v1"),
		{name: "name", shape: name, doc: "Name of the flow.", required: true},
		{name: "summary", shape: plain, doc: "One line for people."},
		{name: "packs", shape: mapOf{key: nameRE, why: nameWhy, elem: plain}, doc: "Packs by alias: std@^1, or a folder ./packs/x."},
		{name: "types", shape: schemas, doc: "Named JSON Schemas, #/types/<name>."},
		{name: "inputs", shape: schemas, doc: "JSON Schema per input."},
		{name: "secrets", shape: mapOf{key: nameRE, why: nameWhy, elem: object{oneOf: []string{"env", "file"}, keys: []key{
			{name: "env", shape: text{re: envRE, why: "the name of an environment variable"}, doc: "Environment variable."},
			{name: "file", shape: plain, doc: "File, relative to the flow."},
		}}}, doc: "Where secrets come from."},
		{name: "outputs", shape: schemas, doc: "JSON Schema per output."},
		{name: "limits", shape: object{keys: []key{
			{name: "model_calls", shape: count{min: 1}, doc: "Model calls of the whole run."},
			{name: "tokens", shape: count{min: 1, kilo: true}, doc: "Model tokens of the whole run."},
			{name: "wall", shape: span{}, doc: "Time of the whole run."},
		}}, doc: "Bounds the whole run."},
		{name: "allow_origins", shape: origins, doc: "Sites that the flow may be on; all others end the run."},
		{name: "for_each", shape: forEachShape, doc: "Run the flow once per row."},
		{name: "stages", shape: mapOf{key: regexp.MustCompile(`^([a-df-z][a-z0-9_]*|e|e[a-mo-z0-9_][a-z0-9_]*|en|en[a-ce-z0-9_][a-z0-9_]*|end[a-z0-9_]+)$`), why: nameWhy + `; "end" is taken`, elem: stage, some: true}, doc: "The stages, in order.", required: true},
	}}},
	{"pack/v1", "nth pack", object{keys: []key{
		kindKey("pack/v1"),
		{name: "name", shape: text{re: packRE, why: "pack names are lower-case words with - or _, in parts with /"}, doc: "Name of the pack.", required: true},
		{name: "version", shape: text{re: versionRE, why: "a semantic version, such as 1.4.0"}, doc: "Semantic version.", required: true},
		{name: "engine", shape: plain, doc: "Versions of nth that it works with."},
		{name: "summary", shape: plain, doc: "One line for people."},
		{name: "types", shape: schemas, doc: "Named JSON Schemas, <alias>#/types/<name>."},
		{name: "facts", shape: listOf{elem: name}, doc: "Facts that its skills set and require."},
		{name: "skills", shape: mapOf{key: nameRE, why: nameWhy, elem: skill}, doc: "The skills."},
		{name: "files", shape: listOf{elem: plain}, doc: "Further skills/v1 files of the pack."},
	}}},
	{"skills/v1", "nth skills", object{keys: []key{
		kindKey("skills/v1"),
		{name: "skills", shape: mapOf{key: nameRE, why: nameWhy, elem: skill, some: true}, doc: "The skills.", required: true},
	}}},
	{"project/v1", "nth project", object{keys: []key{
		kindKey("project/v1"),
		{name: "model", shape: plain, doc: "Who picks by default: provider:name."},
		{name: "models", shape: mapOf{key: providRE, why: "a provider, such as openai", elem: object{keys: []key{
			{name: "base_url", shape: plain, doc: "Base URL of the endpoint."},
			{name: "key_env", shape: text{re: envRE, why: "the name of an environment variable"}, doc: "Environment variable with the key."},
			{name: "timeout", shape: span{}, doc: "Total time for one pick."},
		}}}, doc: "Settings per provider."},
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
	case got == "":
		ds.Errorf(head(n), "kind", fmt.Sprintf("add %q; known kinds: %s", "kind: "+want, strings.Join(Kinds(), ", ")), "the file does not say what kind it is")
	case kindOf(got) == nil:
		fix := "known kinds: " + strings.Join(Kinds(), ", ")
		if s := Suggest(got, Kinds()); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		ds.Errorf(n.Field("kind").Range, "kind", fix, "%q is not a kind of file that this nth knows", got)
	}
	var all Diagnostics
	kindOf(want).shape.check(n, "the "+strings.TrimSuffix(want, "/v1"), &all)
	for _, d := range all {
		if len(ds) > 0 && (d.Rule == "missing-key" && strings.Contains(d.Summary, `"kind"`) || d.Rule == "wrong-value" && strings.HasPrefix(d.Summary, "kind:")) {
			continue // said already, in better words
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
	s["title"] = k.title
	if len(defs) > 0 {
		s["$defs"] = defs
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // shapes are data of this package
	}
	return append(data, '\n')
}
