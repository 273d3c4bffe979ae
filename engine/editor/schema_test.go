package editor_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
)

// emit compiles the emitted schema of a flow.
func emit(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	in, err := (&pack.Loader{}).Load(name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := editor.Schema(in)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("flow.json", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("flow.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// document reads YAML as an editor does: dates stay text.
func document(t *testing.T, data []byte) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal(data, &n); err != nil {
		t.Fatal(err)
	}
	var plain func(*yaml.Node)
	plain = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
			n.Tag = "!!str"
		}
		for _, c := range n.Content {
			plain(c)
		}
	}
	plain(&n)
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const flightsFlow = "../../flows/flights/flow.yaml"

// Every flow that nth validate finds nothing in fits its emitted schema.
func TestGoodFlowsFit(t *testing.T) {
	files, err := filepath.Glob("../../testdata/lint/ok/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range append(files, flightsFlow, "../../flows/contact/flow.yaml") {
		data := read(t, name)
		if !bytes.Contains(data, []byte("kind: flow/v1")) {
			continue
		}
		res, err := (&lint.Checker{Loader: &pack.Loader{}}).File(name)
		if err != nil {
			t.Fatal(err)
		}
		if res.Findings.HasErrors() {
			continue
		}
		n++
		if err := emit(t, name).Validate(document(t, data)); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
	if n < 40 {
		t.Errorf("only %d flows were looked at", n)
	}
}

func TestMistakesDoNotFit(t *testing.T) {
	s := emit(t, flightsFlow)
	good := string(read(t, flightsFlow))
	for _, c := range []struct{ name, old, new string }{
		{"skill in the short form", "flights.set_city: {city: =inputs.from", "flights.set_ciy: {city: =inputs.from"},
		{"skill as a word", "- flights.nonstop_only", "- flights.nonstop_olny"},
		{"skill in the long form", "- flights.nonstop_only", "- {use: flights.nonstop_olny}"},
		{"alias", "- flights.nonstop_only", "- flight.nonstop_only"},
		{"param", "{city: =inputs.from, end: departure}", "{cty: =inputs.from, end: departure}"},
		{"param in the long form", "- flights.set_city: {city: =inputs.from, end: departure}", "- {use: flights.set_city, with: {cty: =inputs.from, end: departure}}"},
		{"missing param", "{city: =inputs.from, end: departure}", "{city: =inputs.from}"},
		{"missing params of a word", "- flights.set_city: {city: =inputs.from, end: departure}", "- flights.set_city"},
		{"missing with", "- flights.set_city: {city: =inputs.from, end: departure}", "- {use: flights.set_city}"},
		{"allowed words", "end: departure}", "end: depature}"},
		{"type of a param", "{count: =inputs.passengers}", "{count: many}"},
		{"bound of a param", "{count: =inputs.passengers}", "{count: 10}"},
		{"key", "    done: facts.results_ready", "    don: facts.results_ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(good, c.old, c.new, 1)
			if bad == good {
				t.Fatal("nothing was changed")
			}
			if s.Validate(document(t, []byte(bad))) == nil {
				t.Error("it fits")
			}
		})
	}
	for _, fine := range []string{"{count: 3}", "{count: =inputs.passengers + 1}"} {
		if err := s.Validate(document(t, []byte(strings.Replace(good, "{count: =inputs.passengers}", fine, 1)))); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

// A skill of a pack that the flow does not declare can be a fallback, and nothing else.
func TestImplicitPack(t *testing.T) {
	name := filepath.Join(t.TempDir(), "flow.yaml")
	flow := "kind: flow/v1\nname: x\nstages:\n  a:\n    relevance: [{std.click: {name: x}}]\n    fallback: [std.dismiss]\n"
	if err := os.WriteFile(name, []byte(flow), 0o600); err != nil {
		t.Fatal(err)
	}
	s := emit(t, name)
	if s.Validate(document(t, []byte(flow))) == nil {
		t.Error("a skill that the flow does not declare fits in relevance")
	}
	declared := "packs: {std: std@^1}\n" + flow
	if err := os.WriteFile(name, []byte(declared), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := emit(t, name).Validate(document(t, []byte(declared))); err != nil {
		t.Error(err)
	}
}

// Every key of every schema is documented.
func TestEveryKeyIsDocumented(t *testing.T) {
	seen := 0
	var walk func(s *jsonschema.Schema, path string, done map[*jsonschema.Schema]bool)
	walk = func(s *jsonschema.Schema, path string, done map[*jsonschema.Schema]bool) {
		if s == nil || done[s] {
			return
		}
		done[s] = true
		for name, p := range s.Properties {
			seen++
			described := p.Description != "" || p.Ref != nil && p.Ref.Description != ""
			if !described && !strings.Contains(path, "/if") && !strings.Contains(path, "/then") && !strings.Contains(path, "/type") {
				t.Errorf("%s/%s has no description", path, name)
			}
			walk(p, path+"/"+name, done)
		}
		for _, l := range [][]*jsonschema.Schema{s.AnyOf, s.AllOf, s.OneOf} {
			for _, x := range l {
				walk(x, path, done)
			}
		}
		walk(s.If, path+"/if", done)
		walk(s.Then, path+"/then", done)
		walk(s.Ref, path, done)
		walk(s.Items2020, path, done)
		if x, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
			walk(x, path, done)
		}
	}
	c := jsonschema.NewCompiler()
	c.ExtractAnnotations = true
	in, err := (&pack.Loader{}).Load(flightsFlow)
	if err != nil {
		t.Fatal(err)
	}
	data, err := editor.Schema(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("flow.json", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"flow.json", "../../schema/pack.v1.json", "../../schema/skills.v1.json", "../../schema/project.v1.json"} {
		s, err := c.Compile(name)
		if err != nil {
			t.Fatal(err)
		}
		walk(s, name, map[*jsonschema.Schema]bool{})
	}
	if seen < 200 {
		t.Errorf("only %d keys were seen", seen)
	}
}
