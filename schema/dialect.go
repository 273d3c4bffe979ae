package schema

// A keyword is one word of JSON Schema, as the schemas in nth's files may use it.
type keyword struct {
	name, doc string
	inner     keywordInner
	words     []any // what is usually written
}

// keywordInner says where further schemas are in a keyword's value.
type keywordInner uint8

const (
	noSchema keywordInner = iota
	oneSchema
	schemaList
	schemaByName
)

// keywords are all that mean something to nth, the common ones first. engine/compile checks their values.
var keywords = []keyword{
	{"type", "The type, or a list of types.", noSchema, []any{"string", "number", "integer", "boolean", "object", "array", "null"}},
	{"$ref", "A named type: #/types/NAME of this file, or PACK#/types/NAME of a pack.", noSchema, nil},
	{"description", "What it is, for people; editors show it.", noSchema, nil},
	{"title", "A short name, for people.", noSchema, nil},
	{"default", "The value where none is given.", noSchema, nil},
	{"examples", "A list of values that fit.", noSchema, nil},
	{"enum", "A list of the values that are allowed.", noSchema, nil},
	{"const", "The only value that is allowed.", noSchema, nil},
	{"format", "The form of a text.", noSchema, []any{"date", "date-time", "time", "duration", "email", "uri", "uuid", "hostname", "regex"}},
	{"pattern", "A regular expression (RE2) that a text must match.", noSchema, nil},
	{"minLength", "A text has at least so many characters.", noSchema, nil},
	{"maxLength", "A text has at most so many characters.", noSchema, nil},
	{"minimum", "A number is at least this.", noSchema, nil},
	{"maximum", "A number is at most this.", noSchema, nil},
	{"exclusiveMinimum", "A number is more than this.", noSchema, nil},
	{"exclusiveMaximum", "A number is less than this.", noSchema, nil},
	{"multipleOf", "A number is a multiple of this.", noSchema, nil},
	{"properties", "A mapping's keys, and the JSON Schema of each.", schemaByName, nil},
	{"required", "A list of the keys that a mapping must have.", noSchema, nil},
	{"additionalProperties", "false: a mapping has no other keys; or the JSON Schema of their values.", oneSchema, []any{false}},
	{"patternProperties", "The JSON Schema of values by a regular expression for their keys.", schemaByName, nil},
	{"propertyNames", "The JSON Schema of a mapping's keys.", oneSchema, nil},
	{"minProperties", "A mapping has at least so many keys.", noSchema, nil},
	{"maxProperties", "A mapping has at most so many keys.", noSchema, nil},
	{"dependentRequired", "Keys that must be there when another one is.", noSchema, nil},
	{"dependentSchemas", "A JSON Schema that a mapping must fit when a key is there.", schemaByName, nil},
	{"unevaluatedProperties", "The JSON Schema of keys that nothing else speaks of.", oneSchema, nil},
	{"items", "The JSON Schema of a list's items.", oneSchema, nil},
	{"prefixItems", "The JSON Schemas of a list's first items.", schemaList, nil},
	{"minItems", "A list has at least so many items.", noSchema, nil},
	{"maxItems", "A list has at most so many items.", noSchema, nil},
	{"uniqueItems", "true: no two items of a list are equal.", noSchema, []any{true}},
	{"contains", "The JSON Schema of an item that a list must have.", oneSchema, nil},
	{"minContains", "At least so many items fit contains.", noSchema, nil},
	{"maxContains", "At most so many items fit contains.", noSchema, nil},
	{"unevaluatedItems", "The JSON Schema of items that nothing else speaks of.", oneSchema, nil},
	{"anyOf", "JSON Schemas of which at least one fits.", schemaList, nil},
	{"oneOf", "JSON Schemas of which exactly one fits.", schemaList, nil},
	{"allOf", "JSON Schemas that all fit.", schemaList, nil},
	{"not", "A JSON Schema that must not fit.", oneSchema, nil},
	{"if", "When this JSON Schema fits, then counts, and else otherwise.", oneSchema, nil},
	{"then", "The JSON Schema to fit when if does.", oneSchema, nil},
	{"else", "The JSON Schema to fit when if does not.", oneSchema, nil},
	{"deprecated", "true: it should not be used any more.", noSchema, []any{true}},
	{"$comment", "A note to those who maintain the file.", noSchema, nil},
	{"x-secret", "true: never shown to the model, nor written to a record.", noSchema, []any{true}},
}

// Keywords lists the keywords of JSON Schema that mean something to nth, the common ones first.
func Keywords() []string {
	out := make([]string, len(keywords))
	for i, k := range keywords {
		out[i] = k.name
	}
	return out
}

func (k keyword) place() Place {
	switch k.inner {
	case oneSchema:
		return Place{jsonSchema{}}
	case schemaList:
		return Place{listOf{elem: jsonSchema{}}}
	case schemaByName:
		return Place{mapOf{elem: jsonSchema{}}}
	}
	if k.words != nil {
		return Place{usual{k.words}}
	}
	return Place{}
}

// usual is a value of which some are usually written; it may be any other.
type usual struct{ words []any }

func (usual) check(*Node, string, *Diagnostics) {}

func (u usual) schema(map[string]any) map[string]any { return map[string]any{"examples": u.words} }

// Keywords lists the keywords of the JSON Schema that stands here; nil where none does. They are apart from Keys because
// they have no canonical order.
func (p Place) Keywords() []Key {
	switch p.mapping().(type) {
	case jsonSchema, returnsShape:
	default:
		return nil
	}
	out := make([]Key, len(keywords))
	for i, k := range keywords {
		out[i] = Key{Name: k.name, Doc: k.doc, Place: k.place()}
	}
	return out
}

// keywordPlace is the place of a keyword's value.
func keywordPlace(name string) Place {
	for _, k := range keywords {
		if k.name == name {
			return k.place()
		}
	}
	return Place{}
}

// keywordSchema is a JSON Schema of JSON Schemas that documents every keyword and refuses nothing: engine/compile knows
// better what fits.
func keywordSchema() map[string]any {
	props := map[string]any{}
	inner := []any{map[string]any{"$ref": "#/$defs/jsonSchema"}, map[string]any{}}
	for _, k := range keywords {
		s := map[string]any{"description": k.doc}
		switch k.inner {
		case oneSchema:
			s["anyOf"] = inner
		case schemaList:
			s["items"] = map[string]any{"anyOf": inner}
		case schemaByName:
			s["additionalProperties"] = map[string]any{"anyOf": inner}
		}
		if k.words != nil {
			s["examples"] = k.words
		}
		props[k.name] = s
	}
	return map[string]any{"type": "object", "properties": props}
}
