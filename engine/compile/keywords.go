package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// schemaKeywords are the keywords of JSON Schema 2020-12 that mean something to nth. jsonschema accepts any
// other word silently, so a typo would switch a check off.
var schemaKeywords = []string{
	"$ref", "$comment", "type", "enum", "const", "title", "description", "default", "examples", "deprecated",
	"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
	"maxLength", "minLength", "pattern", "format",
	"items", "prefixItems", "contains", "minContains", "maxContains", "maxItems", "minItems", "uniqueItems",
	"properties", "patternProperties", "additionalProperties", "propertyNames", "required", "dependentRequired",
	"dependentSchemas", "maxProperties", "minProperties", "unevaluatedItems", "unevaluatedProperties",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "x-secret",
}

// checkKeywords reports misspelt keywords of a schema and of the schemas inside it.
func (c *schemas) checkKeywords(n *schema.Node) {
	if n == nil || n.Kind != schema.Mapping {
		return
	}
	for _, f := range n.Fields {
		key := f.Key.Text
		switch key {
		case "properties", "patternProperties", "dependentSchemas":
			for _, p := range f.Value.Fields {
				c.checkKeywords(p.Value)
			}
		case "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties":
			c.checkKeywords(f.Value)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			for _, item := range f.Value.Items {
				c.checkKeywords(item)
			}
		default:
			if !slices.Contains(schemaKeywords, key) && !strings.HasPrefix(key, "x-") {
				c.diags.Errorf(f.Key.Range, "schema-keyword", suggestFix(key, schemaKeywords, ""), "%q is not a keyword of JSON Schema", key)
			}
		}
	}
}

// suggestFix words a "did you mean", or lists what there is.
func suggestFix(word string, known []string, what string) string {
	slices.Sort(known)
	if s := schema.Suggest(word, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	if what == "" {
		return ""
	}
	if len(known) == 0 {
		return "there are no " + what + " here"
	}
	return "known " + what + ": " + strings.Join(known, ", ")
}
