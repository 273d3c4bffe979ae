package model

import (
	"encoding/json"
	"math"

	"github.com/tmc/langchaingo/llms"

	"github.com/nth-dev/nth/engine"
)

// Names under which client libraries and servers report token counts.
var (
	promptNames     = []string{"PromptTokens", "InputTokens", "prompt_tokens", "input_tokens", "prompt_eval_count"}
	completionNames = []string{"CompletionTokens", "OutputTokens", "completion_tokens", "output_tokens", "eval_count"}
)

// usageOf reads the token counts of a reply; what is not reported is 0. Libraries repeat the counts of the whole
// reply in every choice, so the largest counts, not the sum.
func usageOf(resp *llms.ContentResponse) (u engine.Usage) {
	for _, c := range resp.Choices {
		u.PromptTokens = max(u.PromptTokens, tokenCount(c.GenerationInfo, promptNames))
		u.CompletionTokens = max(u.CompletionTokens, tokenCount(c.GenerationInfo, completionNames))
	}
	return u
}

// tokenCount is the first count in info under one of the names, whatever its type.
func tokenCount(info map[string]any, names []string) int {
	for _, name := range names {
		var f float64
		switch v := info[name].(type) {
		case int:
			f = float64(v)
		case int32:
			f = float64(v)
		case int64:
			f = float64(v)
		case float32:
			f = float64(v)
		case float64:
			f = v
		case json.Number:
			f, _ = v.Float64()
		}
		if f >= 1 && f <= math.MaxInt32 { // NaN is neither
			return int(f)
		}
	}
	return 0
}
