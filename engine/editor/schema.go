package editor

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// Schema is the JSON Schema (2020-12) of one flow: that of flow/v1, in which a relevance list takes only the skills of the
// flow's packs, with their own params. A value may always be an expression; what only nth can check is let pass.
func Schema(in *compile.Input) ([]byte, error) {
	data, err := schema.JSONSchema("flow/v1")
	if err != nil {
		return nil, err
	}
	var root object
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	defs := root["$defs"].(object)
	general := defs["entry"].(object)["anyOf"].([]any)[2].(object) // the long form
	defs["ask"] = object{"type": "object", "properties": object{"ask": object{"type": "string", "minLength": 1, "description": "What the model writes."}}, "required": []string{"ask"},
		"additionalProperties": false}
	// No description: yaml-language-server shows those of all the forms of a value, when the value itself is meant.
	defs["expression"] = object{"type": "string", "pattern": "^=([^=]|$)"}
	c := Read(in)
	var declared, all []*Skill
	for _, p := range c.Packs {
		for _, t := range p.Types {
			of := value(t.Schema.SchemaJSON(), p)
			of["description"] = explain(t.Schema, p)
			defs[typeDef(p, t.Name.Value)] = of
		}
		for _, s := range p.Skills {
			defs[skillDef(s)] = bindings(s)
			all = append(all, s)
			if !p.Implicit {
				declared = append(declared, s)
			}
		}
	}
	defs["entry"] = entry(general, declared)
	if len(all) > len(declared) {
		defs["fallback"] = entry(general, all)
		stage := defs["stage"].(object)["properties"].(object)
		stage["fallback"].(object)["items"] = ref("fallback")
	}
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}

type object = map[string]any

func ref(def string) object { return object{"$ref": "#/$defs/" + def} }

func typeDef(p *Pack, name string) string { return "type." + p.Alias + "." + name }

// skillDef has the name of the skill, because yaml-language-server shows it.
func skillDef(s *Skill) string { return s.FullName() }

// entry is one line of a relevance list; general is the long form without names.
func entry(general object, skills []*Skill) object {
	bare, short, names, arms := []any{}, object{}, []any{}, []any{}
	for _, s := range skills {
		name := object{"const": s.FullName(), "description": describe(s)}
		names = append(names, name)
		with := ref(skillDef(s))
		then := object{"properties": object{"with": with}}
		if needs := required(s); len(needs) > 0 {
			then["required"] = []any{"with"}
		} else {
			bare = append(bare, name)
			with = bindings(s)
			with["type"] = []any{"object", "null"}
			// As a word and as a key, it would be completed to "skill: skill".
			with["doNotSuggest"] = len(s.Params) == 0
		}
		short[s.FullName()] = with
		// While it completes, yaml-language-server does not mind that a required key is not there: "not not" does.
		is := object{"not": object{"properties": object{"use": object{"not": object{"const": s.FullName()}}}}}
		arms = append(arms, object{"if": is, "then": then})
	}
	long := maps.Clone(general)
	props := maps.Clone(general["properties"].(object))
	props["use"] = object{"description": props["use"].(object)["description"], "anyOf": orNothing(names)}
	props["with"] = object{"description": props["with"].(object)["description"], "type": "object"} // more of it below
	long["properties"] = props
	if len(arms) > 0 {
		long["allOf"] = arms
	}
	return object{"anyOf": []any{
		object{"anyOf": orNothing(bare)},
		object{"type": "object", "minProperties": 1, "maxProperties": 1, "properties": short, "additionalProperties": false},
		long,
	}}
}

// orNothing is a list for anyOf, which must not be empty.
func orNothing(list []any) []any {
	if len(list) == 0 {
		return []any{false}
	}
	return list
}

// bindings are the params of a skill.
func bindings(s *Skill) object {
	props := object{}
	for _, p := range s.Params {
		v := value(p.Schema.SchemaJSON(), s.Pack)
		if !secret(p, s) {
			v["anyOf"] = append(v["anyOf"].([]any), ref("ask"))
		}
		props[p.Name.Value] = documented(v, p, s)
	}
	out := object{"type": "object", "description": describe(s), "properties": props, "additionalProperties": false}
	if needs := required(s); len(needs) > 0 {
		out["required"] = needs
	}
	return out
}

// secret tells whether a param is one that the model must not write.
func secret(p schema.Param, s *Skill) bool {
	m, _ := Resolve(p.Schema, s.Pack.Types).SchemaJSON().(object)
	is, _ := m["x-secret"].(bool)
	return is
}

// documented gives a param a description and its default.
func documented(v object, p schema.Param, s *Skill) object {
	v["description"] = explain(p.Schema, s.Pack)
	if m, ok := Resolve(p.Schema, s.Pack.Types).SchemaJSON().(object); ok && m["default"] != nil {
		v["default"] = m["default"]
	}
	return v
}

// explain says what a JSON Schema of a pack is for, where it does itself, and what it takes.
func explain(n *schema.Node, p *Pack) string {
	for _, x := range []*schema.Node{n, Resolve(n, p.Types)} {
		if d := x.Field("description"); d != nil && d.Text != "" {
			return d.Text + "\n\n" + TypeText(n, p.Types)
		}
	}
	return TypeText(n, p.Types)
}

func required(s *Skill) []any {
	var out []any
	for i := range s.Params {
		if s.Required(&s.Params[i]) {
			out = append(out, s.Params[i].Name.Value)
		}
	}
	return out
}

func describe(s *Skill) string {
	out := s.Summary.Value
	if s.Effect.Value != "" {
		out += " (" + s.Effect.Value + ")"
	}
	if s.Deprecated.Value != "" {
		out += "\nDeprecated: " + s.Deprecated.Value
	}
	return out
}

// value is a JSON Schema of p as a flow may write its values: expressions are let through at every depth.
func value(fragment any, p *Pack) object {
	m, ok := fragment.(object)
	if !ok {
		return object{}
	}
	literal := object{}
	var all []any
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v := m[k]
		switch k {
		case "properties":
			props, _ := v.(object)
			out := object{}
			for name, sub := range props {
				out[name] = value(sub, p)
			}
			literal[k] = out
		case "items":
			literal[k] = value(v, p)
		case "additionalProperties":
			if _, isBool := v.(bool); isBool {
				literal[k] = v
			} else {
				literal[k] = value(v, p)
			}
		case "anyOf", "oneOf", "allOf":
			list, _ := v.([]any)
			subs := []any{}
			for _, sub := range list {
				subs = append(subs, value(sub, p))
			}
			switch {
			case len(subs) == 0:
			case k == "allOf":
				all = append(all, subs...)
			default: // an expression would be all of oneOf
				all = append(all, object{"anyOf": subs})
			}
		case "$ref":
			name, _ := v.(string)
			if name, ok := strings.CutPrefix(name, "#/types/"); ok && slices.ContainsFunc(p.Types, func(t schema.Param) bool { return t.Name.Value == name }) {
				literal[k] = "#/$defs/" + typeDef(p, name)
			}
		case "type":
			literal[k] = scalars(v)
		case "pattern":
			if re, _ := v.(string); !strings.Contains(re, "(?") { // editors know other extensions than Go
				literal[k] = v
			}
		case "const":
			literal["enum"] = spellings([]any{v})
		case "enum":
			list, _ := v.([]any)
			literal[k] = spellings(list)
		case "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"minItems", "maxItems", "uniqueItems", "required", "minProperties", "maxProperties":
			literal[k] = v
		}
	}
	if len(all) > 0 {
		literal["allOf"] = all
	}
	out := object{"anyOf": []any{literal, ref("expression")}}
	if d, ok := m["description"].(string); ok { // not that of a literal only
		out["description"] = d
	}
	return out
}

// scalars is the keyword type: what is text for nth may look like a number or a boolean to an editor.
func scalars(v any) any {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if !slices.Contains(list, any("string")) {
		return v
	}
	out := slices.Clone(list)
	for _, t := range []any{"number", "boolean"} {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// spellings are allowed values, with what an editor takes them for when they stand there without quotes.
func spellings(list []any) []any {
	out := slices.Clone(list)
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			continue
		}
		var other any
		if json.Unmarshal([]byte(s), &other) == nil {
			switch other.(type) {
			case float64, bool, nil:
				out = append(out, other)
			}
		}
	}
	return out
}
