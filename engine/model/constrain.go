package model

import (
	"regexp"

	"github.com/nth-dev/nth/engine"
)

// constraintWords are how an endpoint says that it does not know the way in which the answer was constrained.
var constraintWords = regexp.MustCompile(`response_format|json_schema|schema|tool|format|grammar|enum|responsemimetype|mime`)

// keysOf lists what may be answered: the menu's keys and "none of these".
func keysOf(q engine.Question) []string {
	keys := []string{noneKey}
	for _, o := range q.Options {
		keys = append(keys, o.Key)
	}
	return keys
}

// pickSchema is a JSON Schema of {"pick": "3"} or {"pick": ["3", "1"]} with nothing but the keys.
func pickSchema(keys []string, many bool) map[string]any {
	pick := map[string]any{"type": "string", "enum": keys}
	if many {
		pick = map[string]any{"type": "array", "items": pick}
	}
	return map[string]any{"type": "object", "properties": map[string]any{"pick": pick}, "required": []string{"pick"}, "additionalProperties": false}
}

func schemaOpenAI(keys []string, many bool) map[string]any {
	return map[string]any{"response_format": map[string]any{"type": "json_schema",
		"json_schema": map[string]any{"name": "pick", "strict": true, "schema": pickSchema(keys, many)}}}
}

// toolAnthropic demands a call of the one tool there is. A schema alone is not honoured by every model, the demanded
// call is.
func toolAnthropic(keys []string, many bool) map[string]any {
	return map[string]any{
		"tools":       []any{map[string]any{"name": "pick", "description": "Answer with menu numbers.", "input_schema": pickSchema(keys, many)}},
		"tool_choice": map[string]any{"type": "tool", "name": "pick"},
	}
}

// schemaGoogle has an answer of one key written as the bare key.
func schemaGoogle(keys []string, many bool) map[string]any {
	one := map[string]any{"type": "STRING", "enum": keys}
	if many {
		return map[string]any{"generationConfig": map[string]any{"responseMimeType": "application/json",
			"responseSchema": map[string]any{"type": "ARRAY", "items": one}}}
	}
	return map[string]any{"generationConfig": map[string]any{"responseMimeType": "text/x.enum", "responseSchema": one}}
}

func schemaOllama(keys []string, many bool) map[string]any {
	return map[string]any{"format": pickSchema(keys, many)}
}
