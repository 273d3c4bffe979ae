package editor

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// TypeText says in a few words what a JSON Schema takes: "text, email, at least 2 characters". types are those of the
// file that the schema stands in.
func TypeText(n *schema.Node, types []schema.Param) string {
	t := Resolve(n, types)
	m, _ := t.SchemaJSON().(object)
	if m == nil {
		return "any value"
	}
	var out []string
	switch kind := m["type"].(type) {
	case string:
		out = append(out, word(kind))
	case []any:
		var words []string
		for _, k := range kind {
			words = append(words, word(fmt.Sprint(k)))
		}
		out = append(out, strings.Join(words, " or "))
	}
	if list, ok := m["enum"].([]any); ok {
		var words []string
		for _, v := range list {
			words = append(words, literal(v))
		}
		out = append(out, "one of "+strings.Join(words, ", "))
	}
	if v, ok := m["const"]; ok {
		out = append(out, "always "+literal(v))
	}
	if len(out) == 0 {
		if r, ok := m["$ref"].(string); ok {
			out = append(out, r)
		} else {
			out = append(out, "any value")
		}
	}
	for _, k := range []struct{ key, format string }{
		{"format", "%s"}, {"minLength", "at least %s characters"}, {"maxLength", "at most %s characters"}, {"pattern", "matches %s"},
		{"minimum", "at least %s"}, {"exclusiveMinimum", "more than %s"}, {"maximum", "at most %s"}, {"exclusiveMaximum", "less than %s"},
		{"minItems", "at least %s items"}, {"maxItems", "at most %s items"}, {"default", "default %s"},
	} {
		if v, ok := m[k.key]; ok {
			text := fmt.Sprintf(k.format, literal(v))
			if literal(v) == "1" {
				text = strings.TrimSuffix(text, "s") // 1 character, 1 item
			}
			out = append(out, text)
		}
	}
	if m["x-secret"] == true {
		out = append(out, "secret")
	}
	return strings.Join(out, ", ")
}

func word(kind string) string {
	switch kind {
	case "string":
		return "text"
	case "array":
		return "list"
	case "object":
		return "mapping"
	case "boolean":
		return "true or false"
	}
	return kind
}

func literal(v any) string {
	if s, ok := v.(string); ok && s != "" {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
