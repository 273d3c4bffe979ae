package model

import (
	"encoding/json"
	"math"
)

// Names under which servers report token counts. The client libraries rename them, each in its own way, so they are
// read from the wire; several rows are summed.
var (
	promptNames     = [][]string{{"prompt_tokens", "input_tokens", "PromptTokens", "InputTokens", "prompt_eval_count", "promptTokenCount", "tokens_evaluated"}}
	completionNames = [][]string{{"completion_tokens", "output_tokens", "CompletionTokens", "OutputTokens", "eval_count", "candidatesTokenCount", "tokens_predicted"}}
	// Anthropic counts what its cache holds apart from input_tokens, and Google the thinking apart from the answer.
	promptNamesAnthropic  = append(promptNames[:1:1], []string{"cache_creation_input_tokens"}, []string{"cache_read_input_tokens"})
	completionNamesGoogle = append(completionNames[:1:1], []string{"thoughtsTokenCount"})
)

// cachedNames are those for the prompt tokens that the provider had in its cache, beside the others or among their details.
var (
	cachedNames  = [][]string{{"cached_tokens", "cache_read_input_tokens", "cachedContentTokenCount", "prompt_cache_hit_tokens", "num_cached_tokens"}}
	cacheDetails = []string{"prompt_tokens_details", "input_tokens_details", "prompt_token_details"}
)

// count puts the token counts of a reply into the exchange.
func (x *exchange) count(usage map[string]any, prompt, completion [][]string) {
	x.prompt += tokenCount(usage, prompt)
	x.completion += tokenCount(usage, completion)
	cached := tokenCount(usage, cachedNames)
	for _, name := range cacheDetails {
		if details, ok := usage[name].(map[string]any); ok && cached == 0 {
			cached = tokenCount(details, cachedNames)
		}
	}
	x.cached = min(x.prompt, x.cached+cached)
}

// tokenCount sums, over the rows, the first count under one of the row's names, whatever its type. What is not
// reported is 0.
func tokenCount(info map[string]any, rows [][]string) (sum int) {
	for _, names := range rows {
		for _, name := range names {
			var f float64
			switch v := info[name].(type) {
			case float64:
				f = v
			case json.Number:
				f, _ = v.Float64()
			}
			if f >= 1 && f <= math.MaxInt32 { // NaN is neither
				sum += int(f)
				break
			}
		}
	}
	return min(sum, math.MaxInt32)
}
