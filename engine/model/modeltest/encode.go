package modeltest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// contents are the texts of a reply. A constrained answer in numbers is put into the shape that was demanded.
func contents(req ChatRequest, r Reply) []string {
	if r.Choices != nil {
		return r.Choices
	}
	if pick := picked(req, r); pick != nil && req.Wire != "anthropic" {
		if req.Wire == "google" {
			if list, ok := pick.([]string); ok {
				return []string{string(marshal(list))}
			}
			return []string{r.Text}
		}
		return []string{string(marshal(map[string]any{"pick": pick}))}
	}
	return []string{r.Text}
}

var onlyKeys = regexp.MustCompile(`^\d+(, \d+)*$`)

// picked is the demanded pick, a text or a list of them; nil where none was demanded or the answer is not in numbers.
func picked(req ChatRequest, r Reply) any {
	if !req.Constrained || !onlyKeys.MatchString(r.Text) {
		return nil
	}
	keys := strings.Split(r.Text, ", ")
	if body := string(req.Body); strings.Contains(body, `"array"`) || strings.Contains(body, `"ARRAY"`) {
		return keys
	}
	return keys[0]
}

func encodeOpenAI(n int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	req, r := reqs[0], replies[0]
	texts := contents(req, r)
	choices := make([]any, len(texts))
	for i, text := range texts {
		message := map[string]any{"role": "assistant", "content": text, "refusal": nil}
		finish := "stop"
		if r.Refusal != "" {
			message["content"], message["refusal"] = nil, r.Refusal
		}
		if i == 0 && r.ToolName != "" {
			finish = "tool_calls"
			message["tool_calls"] = []any{map[string]any{"id": fmt.Sprintf("call_%d", n), "type": "function",
				"function": map[string]any{"name": r.ToolName, "arguments": r.ToolArguments}}}
		}
		if r.FinishReason != "" {
			finish = r.FinishReason
		}
		var logprobs any
		if req.Wire == "logprobs" {
			token, top := tokenChances(req, r)
			message["content"] = token
			logprobs = map[string]any{"content": []any{map[string]any{"token": token, "logprob": 0, "top_logprobs": top}}}
		}
		choices[i] = map[string]any{"index": i, "message": message, "logprobs": logprobs, "finish_reason": finish}
	}
	return marshal(map[string]any{"id": fmt.Sprintf("chatcmpl-%d", n), "object": "chat.completion", "created": time.Now().Unix(),
		"model": req.Model, "choices": choices, "usage": u})
}

func failureOpenAI(_ int, code, text string) []byte {
	return marshal(map[string]any{"error": map[string]any{"message": text, "type": "invalid_request_error", "param": nil, "code": code}})
}

func encodeAnthropic(n int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	req, r := reqs[0], replies[0]
	stop := "end_turn"
	blocks := []any{}
	for _, text := range contents(req, r) {
		if text != "" {
			blocks = append(blocks, map[string]any{"type": "text", "text": text})
		}
	}
	tool := func(name string, input any) {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": name, "input": input})
		stop = "tool_use"
	}
	if pick := picked(req, r); pick != nil {
		blocks = nil
		tool("pick", map[string]any{"pick": pick})
	}
	if r.ToolName != "" {
		tool(r.ToolName, json.RawMessage(r.ToolArguments))
	}
	switch {
	case r.Refusal != "":
		stop, blocks = "refusal", []any{}
	case r.FinishReason == "length":
		stop = "max_tokens"
	}
	return marshal(map[string]any{"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": req.Model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": map[string]int{"input_tokens": u.PromptTokens, "output_tokens": u.CompletionTokens}})
}

func failureAnthropic(status int, _, text string) []byte {
	kind := map[int]string{401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}[status]
	if kind == "" {
		kind = "invalid_request_error"
	}
	return marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": text}})
}

func encodeGoogle(_ int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	req, r := reqs[0], replies[0]
	usage := map[string]int{"promptTokenCount": u.PromptTokens, "candidatesTokenCount": u.CompletionTokens, "totalTokenCount": u.TotalTokens}
	if r.Refusal != "" {
		return marshal(map[string]any{"promptFeedback": map[string]any{"blockReason": "SAFETY"}, "usageMetadata": usage})
	}
	candidates := []any{}
	for i, text := range contents(req, r) {
		parts := []any{map[string]any{"text": text}}
		if i == 0 && r.ToolName != "" {
			parts = append(parts, map[string]any{"functionCall": map[string]any{"name": r.ToolName, "args": json.RawMessage(r.ToolArguments)}})
		}
		finish := "STOP"
		if r.FinishReason == "length" {
			finish = "MAX_TOKENS"
		}
		candidates = append(candidates, map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": finish, "index": i})
	}
	return marshal(map[string]any{"candidates": candidates, "usageMetadata": usage, "modelVersion": req.Model})
}

func failureGoogle(status int, _, text string) []byte {
	return marshal(map[string]any{"error": map[string]any{"code": status, "message": text, "status": strings.ToUpper(strings.ReplaceAll(http.StatusText(status), " ", "_"))}})
}

func encodeOllama(_ int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	req, r := reqs[0], replies[0]
	message := map[string]any{"role": "assistant", "content": strings.Join(contents(req, r), "")}
	if r.ToolName != "" {
		message["tool_calls"] = []any{map[string]any{"function": map[string]any{"name": r.ToolName, "arguments": json.RawMessage(r.ToolArguments)}}}
	}
	return marshal(map[string]any{"model": req.Model, "created_at": time.Now().UTC().Format(time.RFC3339Nano), "message": message,
		"done": true, "done_reason": "stop", "prompt_eval_count": u.PromptTokens, "eval_count": u.CompletionTokens})
}

func failureOllama(_ int, _, text string) []byte { return marshal(map[string]string{"error": text}) }

// chance are the probabilities of a reply's keys, "0" among them: P, or 0.9 for the answer and the rest shared.
func chance(n int, r Reply) map[string]float64 {
	if r.P != nil {
		return r.P
	}
	p := map[string]float64{}
	for i := range n + 1 {
		p[strconv.Itoa(i)] = 0.1 / float64(n)
	}
	if _, ok := p[r.Text]; ok {
		p[r.Text] = 0.9
	}
	return p
}

// typed is the answer to a typed question, in the wire's keys: a brain sees a menu numbered from 1, which may be a
// part of another.
func typed(req ChatRequest, r Reply) (choice string, p map[string]float64) {
	key := func(k string) string {
		if n, err := strconv.Atoi(k); err == nil && n >= 1 && n <= len(req.keys) {
			return req.keys[n-1]
		}
		return k
	}
	p = map[string]float64{}
	for k, v := range chance(len(req.keys), r) {
		p[key(k)] = v
	}
	return key(r.Text), p
}

func encodeSystemOne(_ int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	answers := map[string]any{}
	for i, req := range reqs {
		if replies[i].Refusal != "" {
			answers[req.name] = map[string]any{"type": "refusal", "refusal": replies[i].Refusal}
			continue
		}
		choice, p := typed(req, replies[i])
		answers[req.name] = map[string]any{"type": "choice", "choice": choice, "probabilities": p, "confidence": 0.5}
	}
	return marshal(map[string]any{"model": reqs[0].Model, "answers": answers, "usage": map[string]int{"input_tokens": u.PromptTokens, "output_tokens": 0}})
}

func encodeDecisions(_ int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	answers := []any{}
	for i, req := range reqs {
		if replies[i].Refusal != "" {
			answers = append(answers, map[string]any{"type": "refusal", "name": req.name})
			continue
		}
		choice, p := typed(req, replies[i])
		list := []any{}
		for _, k := range append(append([]string{}, req.keys...), "0") {
			list = append(list, map[string]any{"value": k, "probability": p[k]})
		}
		answers = append(answers, map[string]any{"type": "choice", "name": req.name, "choice": choice, "probabilities": list, "confidence": 0.5})
	}
	return marshal(map[string]any{"model": reqs[0].Model, "answers": answers,
		"usage": map[string]int{"input_tokens": u.PromptTokens, "output_tokens": 0, "total_tokens": u.PromptTokens}})
}

// otherToken is what else a model might have said; labels share the rest.
const otherToken, otherChance = "The", 0.05

// tokenChances are the label that answers, and the likeliest tokens in its place.
func tokenChances(req ChatRequest, r Reply) (token string, top []any) {
	letter := func(k string) string {
		if n, err := strconv.Atoi(k); err == nil && n >= 1 && n <= 26 {
			return string(rune('A' + n - 1))
		}
		return k
	}
	menu, _ := Menu(req.Prompt())
	for k, p := range chance(len(menu), r) {
		if p > 0 {
			top = append(top, map[string]any{"token": letter(k), "logprob": math.Log(p * (1 - otherChance))})
		}
	}
	top = append(top, map[string]any{"token": otherToken, "logprob": math.Log(otherChance)})
	return letter(r.Text), top
}

func encodeLlama(_ int, reqs []ChatRequest, replies []Reply, u Usage) []byte {
	token, top := tokenChances(reqs[0], replies[0])
	return marshal(map[string]any{"content": token, "stop": true, "stop_type": "limit", "model": reqs[0].Model,
		"tokens_evaluated": u.PromptTokens, "tokens_predicted": u.CompletionTokens,
		"completion_probabilities": []any{map[string]any{"token": token, "logprob": 0, "top_logprobs": top}}})
}
