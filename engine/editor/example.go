package editor

import (
	"fmt"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// Example binds the params that must be bound, and those with examples: ": {field: Name, value: Ada}". types are those
// of the file that the skill stands in.
func Example(s *schema.Skill, types []schema.Param) string {
	optional := map[string]bool{}
	for _, o := range s.Optional {
		optional[o.Value] = true
	}
	var bound []string
	for _, p := range s.Params {
		shape := Resolve(p.Schema, types)
		if shape.Field("examples") == nil && (optional[p.Name.Value] || p.Schema.Field("default") != nil || shape.Field("default") != nil) {
			continue
		}
		bound = append(bound, p.Name.Value+": "+sample(s, p, types))
	}
	if bound == nil {
		return ""
	}
	return ": {" + strings.Join(bound, ", ") + "}"
}

func sample(s *schema.Skill, p schema.Param, types []schema.Param) string {
	shape := Resolve(p.Schema, types)
	if f := shape.Field("examples"); f != nil && len(f.Items) > 0 {
		return flow(f.Items[0])
	}
	if f := shape.Field("x-secret"); f != nil && f.Text == "true" {
		if p.Name.Value == "value" {
			return "=secrets." + s.Name.Value
		}
		return "=secrets." + p.Name.Value
	}
	if f := shape.Field("enum"); f != nil && len(f.Items) > 0 {
		return flow(f.Items[0])
	}
	kind := "string"
	if f := shape.Field("type"); f != nil {
		kind = f.Text
	}
	switch kind {
	case "integer", "number":
		return "2"
	case "boolean":
		return "true"
	case "array":
		return "[…]"
	case "object":
		return "{…}"
	}
	return "…"
}

// flow writes a node on one line.
func flow(n *schema.Node) string {
	var parts []string
	switch n.Kind {
	case schema.Mapping:
		for _, f := range n.Fields {
			parts = append(parts, f.Key.Text+": "+flow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.Sequence:
		for _, i := range n.Items {
			parts = append(parts, flow(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if strings.ContainsAny(n.Text, ",:{}[]#\"") {
		return fmt.Sprintf("%q", n.Text)
	}
	return n.Text
}
