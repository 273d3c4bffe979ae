package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nth-dev/nth/engine/enginetest/npm"
)

const yamllsData = "../../testdata/yamlls"

// installYAMLLS has npm fetch yaml-language-server, at the version and digest that testdata/yamlls states.
var installYAMLLS = sync.OnceValues(func() (string, error) {
	if err := npm.Install(yamllsData); err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(yamllsData, "node_modules/yaml-language-server/bin/yaml-language-server"))
})

// startYAMLLS starts yaml-language-server.
func startYAMLLS(t *testing.T, root string) *lspClient {
	t.Helper()
	bin, err := installYAMLLS()
	if err != nil {
		t.Fatal(err)
	}
	c := startServer(t, root, exec.Command("node", bin, "--stdio"))
	// As VS Code does by default, but without looking up schemas on the web.
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"yaml": map[string]any{
		"validate": true, "hover": true, "completion": true, "schemaStore": map[string]any{"enable": false},
	}}})
	return c
}

// emitSchemas runs nth schema emit in the working folder and puts the line that it prints at the top of each file.
func emitSchemas(t *testing.T) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main([]string{"schema", "emit"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	for line := range strings.Lines(out.String()) {
		name, comment, _ := strings.Cut(line, ": ")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, rest, ok := strings.Cut(string(text), "# yaml-language-server:"); ok && strings.HasPrefix(string(text), "# yaml-language-server:") {
			_, rest, _ = strings.Cut(rest, "\n")
			text = []byte(rest)
		}
		if err := os.WriteFile(name, append([]byte(comment), text...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// yamllsProject is the flights example with a project file, each file with the line for its schema.
func yamllsProject(t *testing.T) (c *lspClient, flow, pack, project *buffer) {
	t.Helper()
	dir := flightsCopy(t)
	settings := "kind: project/v1\nmodel: openai:gpt-5-mini\nmodels:\n  openai: {key_env: KEY, timeout: 30s}\nlint:\n  - {files: \"old/**\", rules: {unused: off}}\n"
	if err := os.WriteFile(filepath.Join(dir, "nth.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := installYAMLLS(); err != nil { // its folder is relative to this one
		t.Fatal(err)
	}
	t.Chdir(dir)
	emitSchemas(t)
	c = startYAMLLS(t, dir)
	return c, c.open(filepath.Join(dir, "flow.yaml")), c.open(filepath.Join(dir, "pack/pack.yaml")), c.open(filepath.Join(dir, "nth.yaml"))
}

// What yaml-language-server says when the pointer rests on a key, or on a value.
func TestYAMLLSHover(t *testing.T) {
	_, flow, pack, project := yamllsProject(t)
	for _, x := range []struct {
		b          *buffer
		mark, want string
	}{
		{flow, "ki|nd: flow/v1", "kind → The file kind.\n\nAllowed Values:\n\n* `flow/v1`\n"},
		{flow, "packs: {fli|ghts:", "flights → A pack: NAME@^VERSION, or its folder, relative to the flow."},
		{flow, "form|at: date", "format → The form of a text."},
		{flow, "tok|ens: 10k", "tokens → Model tokens of the whole run."},
		{flow, "  choo|se:", "choose → A stage: it has one of do, relevance, find, call and end."},
		{flow, "on_err|or:", "on_error → Where errors lead."},
		{flow, "- flights.set_c|ity: {city: =inputs.from", `flights.set_city → Enter \{city\} as \{end\} city (write)`},
		{flow, "{ci|ty: =inputs.from", "city → A city name, or its beginning.\n\ntext, at least 2 characters"},
		{flow, "city: =inputs.fr|om", "=inputs.from → A city name, or its beginning."},
		{flow, "- flights.nonst|op_only", "flights.nonstop_only → Show nonstop flights only (write)"},
		{flow, "{fie|ld: Phone", "field → What a person calls the field: its label, name, placeholder or test id."},
		{pack, "eff|ect: write", "effect → commit: cannot be undone.\n\nAllowed Values:\n\n* `write`\n* `read`\n* `commit`\n"},
		{pack, "requi|res:", "requires → Precondition."},
		{pack, "cl|ick: {role", "click → Click an element."},
		{pack, "min|Length: 2", "minLength → A text has at least so many characters."},
		{project, "ope|nai: {key_env", "openai → Settings of one provider."},
		{project, "key_|env", "key_env → Environment variable with the key."},
		{project, "unu|sed: off", "unused → The severity of this rule.\n\nAllowed Values:\n\n* `\"off\"`"},
	} {
		if got := x.b.hover(x.mark); !strings.HasPrefix(got, x.want) || strings.Contains(got, "||") || strings.Contains(got, "####") {
			t.Errorf("%s: %q, want %q", x.mark, got, x.want)
		}
	}
}

// What yaml-language-server offers where the cursor is, at "|": each of want is what is inserted for a label, in any order;
// only: nothing else is offered.
func TestYAMLLSCompletion(t *testing.T) {
	_, flow, pack, project := yamllsProject(t)
	const entry, skill, lint = "      - flights.sort_by_price\n", "  nonstop_only:\n", "lint:\n"
	for _, x := range []struct {
		name        string
		b           *buffer
		before, add string
		only        bool
		want        map[string]string
	}{
		{"a skill", flow, entry, "      - |\n", false, map[string]string{
			"flights.nonstop_only": "flights.nonstop_only", "flights.set_city": "flights.set_city:\n    city: $1\n    end: $2", "std.follow": "std.follow:\n    link: ", "use": "use: ",
		}},
		{"a skill, begun", flow, entry, "      - flights.set|\n", false, map[string]string{"flights.set_date": "flights.set_date:\n    depart: "}},
		{"params", flow, entry, "      - flights.set_city:\n          |\n", true, map[string]string{"city": "city: ", "end": "end: ", "flights.set_city": "city: $1\nend: $2"}},
		{"a param's words", flow, entry, "      - flights.set_city:\n          end: |\n", true, map[string]string{"departure": "departure", "arrival": "arrival"}},
		{"the long form's skill", flow, entry, "      - use: flights.n|\n", false, map[string]string{"flights.nonstop_only": "flights.nonstop_only"}},
		{"the long form's params", flow, entry, "      - use: flights.set_city\n        with:\n          |\n", true, map[string]string{"city": "city: ", "end": "end: ", "flights.set_city": "city: $1\nend: $2"}},
		{"a stage's keys", flow, "  none: {end", "  more:\n    |\n", false, map[string]string{"goal": "goal: ", "relevance": "relevance:\n  - ", "end": "end: "}},
		{"a stage's words", flow, "  none: {end", "  more:\n    end: |\n", true, map[string]string{"ok": "ok", "failed": "failed"}},
		{"a verb", flow, "  none: {end", "  more:\n    do:\n      - |\n", false, map[string]string{"reload": "reload", "goto": "goto: ", "click": "click", "fill": "fill: "}},
		{"a skill's keys", pack, skill, "  new:\n    |\n", false, map[string]string{"summary": "summary: ", "params": "params:\n  ", "target": "target:\n  ", "do": "do:\n  - "}},
		{"a skill's effect", pack, skill, "  new:\n    effect: |\n", true, map[string]string{"read": "read", "write": "write", "commit": "commit"}},
		{"a schema's keywords", pack, skill, "  new:\n    params:\n      x:\n        |\n", false, map[string]string{"type": "type: ", "minLength": "minLength", "x-secret": "x-secret: ${1:true}"}},
		{"a schema's types", pack, skill, "  new:\n    params:\n      x:\n        type: |\n", false, map[string]string{"string": "string", "array": "array"}},
		{"a schema's formats", pack, skill, "  new:\n    params:\n      x:\n        format: |\n", false, map[string]string{"date": "date"}},
		{"the project's keys", project, lint, "|\n", false, map[string]string{"browser": "browser:\n  ", "eval": "eval: "}},
		{"the browser's keys", project, lint, "browser:\n  |\n", false, map[string]string{"locale": "locale: ", "headed": "headed: "}},
	} {
		t.Run(x.name, func(t *testing.T) {
			good := x.b.text
			i := strings.Index(good, x.before)
			if i < 0 {
				t.Fatalf("%q is not in the text", x.before)
			}
			x.b.replace(good, good[:i]+strings.Replace(x.add, "|", "", 1)+good[i:])
			labels, items := x.b.complete(good[:i] + x.add)
			for label, text := range x.want {
				if got, ok := items[label]; !ok || got.NewText != text {
					t.Errorf("%q inserts %q, want %q; offered are %q", label, got.NewText, text, labels)
				}
			}
			if x.only && len(labels) != len(x.want) {
				t.Errorf("offered are %q, want nothing but %v", labels, x.want)
			}
			if n := len(slices.Compact(slices.Sorted(slices.Values(labels)))); n != len(labels) {
				t.Errorf("something is offered twice: %q", labels)
			}
			x.b.replace(x.b.text, good)
		})
	}
}

// What yaml-language-server finds, and at which text; nothing in what is good.
func TestYAMLLSDiagnostics(t *testing.T) {
	c, flow, pack, project := yamllsProject(t)
	for _, x := range []struct {
		b        *buffer
		old, new string
		at, want string
	}{
		{flow, "- flights.nonstop_only", "- flights.nonstop_olny", "flights.nonstop_olny", `"flights.nonstop_only"`},
		{flow, "flights.set_city: {city: =inputs.from", "flights.set_ciy: {city: =inputs.from", "flights.set_ciy: {city: =inputs.from, end: departure}", ""},
		{flow, "{city: =inputs.from", "{cty: =inputs.from", "cty", "Property cty is not allowed."},
		{flow, "{city: =inputs.from, ", "{", "flights.set_city", `Missing property "city".`},
		{flow, "end: departure}", "end: depature}", "depature", `Valid values: "departure", "arrival".`},
		{flow, "{count: =inputs.passengers}", "{count: 10}", "10", "Value is above the maximum of 9."},
		{flow, "    done: facts.results_ready", "    don: facts.results_ready", "don", "Property don is not allowed."},
		{flow, "{end: failed,", "{end: failt,", "failt", `Valid values: "ok", "failed".`},
		{pack, "effect: write", "effect: wirte", "wirte", `Valid values: "read", "write", "commit".`},
		{pack, "    summary: Enter", "    sumary: Enter", "sumary", "Property sumary is not allowed."},
		{project, "key_env: KEY", "key: KEY", "key", "Property key is not allowed."},
		{project, "unused: off", "unused: of", "of", `Valid values: "off", "warning", "error".`},
	} {
		good := x.b.text
		x.b.replace(x.old, x.new)
		found := c.until(x.b.uri, "finding for "+x.new, func(f lspFindings) bool { return len(f.Diagnostics) > 0 })
		if !slices.ContainsFunc(found, func(d lspDiagnostic) bool {
			return strings.TrimSpace(x.b.cut(d.Range)) == x.at && strings.Contains(d.Message, x.want)
		}) {
			t.Errorf("%s: found is %v, want %q at %q", x.new, found, x.want, x.at)
		}
		x.b.replace(x.b.text, good)
		c.until(x.b.uri, "list without findings", func(f lspFindings) bool { return len(f.Diagnostics) == 0 })
	}
}
