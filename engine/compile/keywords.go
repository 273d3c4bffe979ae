package compile

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/nth-dev/nth/schema"
)

// keywordForm is what may stand behind a keyword.
type keywordForm uint8

const (
	anyForm        keywordForm = iota // a value of the author's
	textForm                          // a text
	boolForm                          // true or false
	numberForm                        // a number
	sizeForm                          // a whole number, not below 0
	typeForm                          // a type, or a list of them
	formatForm                        // a format that is checked
	patternForm                       // a regular expression
	namesForm                         // a list of names
	valuesForm                        // a list of values
	schemaForm                        // a schema
	schemaListForm                    // a list of schemas
	schemaMapForm                     // schemas by name
	namesMapForm                      // lists of names by name
)

// schemaKeywords are the keywords of JSON Schema 2020-12 that mean something to nth. jsonschema accepts any
// other word silently, so a typo would switch a check off.
var schemaKeywords = map[string]keywordForm{
	"$ref": textForm, "$comment": textForm, "type": typeForm, "enum": valuesForm, "const": anyForm, "title": textForm, "description": textForm,
	"default": anyForm, "examples": valuesForm, "deprecated": boolForm,
	"multipleOf": numberForm, "maximum": numberForm, "exclusiveMaximum": numberForm, "minimum": numberForm, "exclusiveMinimum": numberForm,
	"maxLength": sizeForm, "minLength": sizeForm, "pattern": patternForm, "format": formatForm,
	"items": schemaForm, "prefixItems": schemaListForm, "contains": schemaForm, "minContains": sizeForm, "maxContains": sizeForm,
	"maxItems": sizeForm, "minItems": sizeForm, "uniqueItems": boolForm,
	"properties": schemaMapForm, "patternProperties": schemaMapForm, "additionalProperties": schemaForm, "propertyNames": schemaForm,
	"required": namesForm, "dependentRequired": namesMapForm, "dependentSchemas": schemaMapForm, "maxProperties": sizeForm, "minProperties": sizeForm,
	"unevaluatedItems": schemaForm, "unevaluatedProperties": schemaForm,
	"allOf": schemaListForm, "anyOf": schemaListForm, "oneOf": schemaListForm, "not": schemaForm, "if": schemaForm, "then": schemaForm, "else": schemaForm,
	"x-secret": boolForm,
}

var keywordNames = slices.Sorted(maps.Keys(schemaKeywords))

// checkKeywords reports misspelt keywords of a schema and of the schemas inside it, and values that their keywords do
// not take.
func (c *schemas) checkKeywords(n *schema.Node) {
	if n == nil || n.Kind != schema.Mapping {
		return
	}
	for _, f := range n.Fields {
		key := f.Key.Text
		form, known := schemaKeywords[key]
		switch {
		case known:
			c.checkForm(key, form, f.Value)
		case !strings.HasPrefix(key, "x-") || schema.Suggest(key, keywordNames) == "x-secret": // other words with x- are for other programs
			c.diags.Errorf(f.Key.Range, "schema-keyword", suggestFix(key, keywordNames, ""), "%q is not a keyword of JSON Schema", key).Edits = schema.Respell(f.Key.Range, key, keywordNames, func(k string) bool { return n.Field(k) != nil })
		}
	}
}

// schemaTypes are the values of the keyword type.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// schemaFormats are the values of the keyword format that are checked; jsonschema lets every value pass under another one.
var schemaFormats = slices.Sorted(maps.Keys(jsonschema.Formats))

func (c *schemas) checkForm(key string, form keywordForm, v *schema.Node) {
	wrong := func(n *schema.Node, want string) {
		c.diags.Errorf(n.Range, "schema-value", "", "%s wants %s, not %s", key, want, quoteValue(n))
	}
	value := v.JSON()
	if v.Kind == schema.Scalar && v.Style == schema.Plain && v.Text == "" {
		c.diags.Errorf(v.Range, "schema-value", `write a value ("" for the empty text), or leave the keyword out`, "%s has no value", key)
		return
	}
	switch form {
	case textForm:
		if v.Kind != schema.Scalar {
			wrong(v, "a text")
		}
	case boolForm:
		if _, ok := value.(bool); !ok {
			wrong(v, "true or false")
		}
	case numberForm:
		if _, ok := asFloat(value); !ok {
			wrong(v, "a number")
		}
	case sizeForm:
		if x, ok := asFloat(value); !ok || x < 0 || x != float64(int(x)) {
			wrong(v, "a whole number, 0 or more")
		}
	case typeForm:
		c.checkWords(key, v, schemaTypes, "types", wrong)
	case formatForm:
		c.checkWords(key, v, schemaFormats, "formats", wrong)
	case patternForm:
		if v.Kind != schema.Scalar {
			wrong(v, "a regular expression")
		} else if _, err := regexp.Compile(v.Text); err != nil {
			c.diags.Errorf(v.Range, "schema-value", "regular expressions have no look-around and no back-references (RE2)", "pattern %q: %s", v.Text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	case namesForm:
		c.checkNames(v, wrong)
	case namesMapForm:
		if v.Kind != schema.Mapping {
			wrong(v, "lists of names by name")
		}
		for _, f := range v.Fields {
			c.checkNames(f.Value, wrong)
		}
	case valuesForm:
		if v.Kind != schema.Sequence || len(v.Items) == 0 {
			wrong(v, "a list of values")
		}
	case schemaForm:
		c.checkInner(v, wrong)
	case schemaListForm:
		if v.Kind != schema.Sequence || len(v.Items) == 0 {
			wrong(v, "a list of schemas")
		}
		for _, item := range v.Items {
			c.checkInner(item, wrong)
		}
	case schemaMapForm:
		if v.Kind != schema.Mapping {
			wrong(v, "schemas by name")
		}
		for _, f := range v.Fields {
			c.checkInner(f.Value, wrong)
		}
	}
}

type wrongValue func(n *schema.Node, want string)

// checkInner checks a schema inside another; true and false are schemas too.
func (c *schemas) checkInner(n *schema.Node, wrong wrongValue) {
	if _, isBool := n.JSON().(bool); n.Kind != schema.Mapping && !isBool {
		wrong(n, "a schema, such as {type: string}")
		return
	}
	c.checkKeywords(n)
}

func (c *schemas) checkNames(n *schema.Node, wrong wrongValue) {
	if n.Kind != schema.Sequence {
		wrong(n, "a list of names")
		return
	}
	seen := map[string]bool{}
	for _, item := range n.Items {
		switch {
		case item.Kind != schema.Scalar || item.Text == "":
			wrong(item, "a name")
		case seen[item.Text]:
			c.diags.Errorf(item.Range, "schema-value", "remove it", "%q is in the list twice", item.Text)
		}
		seen[item.Text] = true
	}
}

// checkWords checks a word out of a known list; type takes several of them.
func (c *schemas) checkWords(key string, v *schema.Node, known []string, what string, wrong wrongValue) {
	words := []*schema.Node{v}
	if key == "type" && v.Kind == schema.Sequence {
		words = v.Items
	}
	if len(words) == 0 {
		wrong(v, "one of "+strings.Join(known, ", "))
	}
	for _, w := range words {
		if w.Kind != schema.Scalar {
			wrong(w, "one of "+strings.Join(known, ", "))
		} else if !slices.Contains(known, w.Text) {
			c.diags.Errorf(w.Range, "schema-value", suggestFix(w.Text, known, what), "%q is not a %s", w.Text, key).Edits = schema.Respell(w.Range, w.Text, known, nil)
		}
	}
}

// asFloat is a JSON number.
func asFloat(v any) (float64, bool) {
	switch x := v.(type) {
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

func quoteValue(n *schema.Node) string {
	switch n.Kind {
	case schema.Mapping:
		return "a mapping"
	case schema.Sequence:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Text)
}

// suggestFix words a "did you mean", or lists what there is.
func suggestFix(word string, known []string, what string) string {
	known = slices.Sorted(slices.Values(known))
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
