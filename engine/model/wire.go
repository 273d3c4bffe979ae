package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// completion is a chat completion as servers send it, loosely typed where they differ.
type completion struct {
	Choices []*choice        `json:"choices"`
	Usage   counts           `json:"usage"`
	Error   *json.RawMessage `json:"error"`
}

type choice struct {
	Message      *message `json:"message"`
	Text         string   `json:"text"` // the older completions wire
	FinishReason any      `json:"finish_reason"`
}

type message struct {
	Content      any         `json:"content"` // text, null, or a list of parts
	Refusal      any         `json:"refusal"`
	ToolCalls    []*toolCall `json:"tool_calls"`
	FunctionCall *function   `json:"function_call"`
}

type toolCall struct {
	Function *function `json:"function"`
}

type function struct {
	Name      any `json:"name"`
	Arguments any `json:"arguments"` // text that is JSON, or on some servers the JSON itself
	Args      any `json:"args"`      // Google's name for it
}

// wireError is a CallError about the body of a 200.
type wireError struct {
	CallError
	passing bool
}

// canonical checks a body of status 200 and writes it anew in the shape that the client library reads: it panics on
// a null choice and on a function call that is announced and missing, and fails on content in parts and on token
// counts that are not integers. What it would drop goes to seen.
func (e endpoint) canonical(body []byte, seen *exchange) ([]byte, *wireError) {
	var in completion
	if we := e.decode(body, &in); we != nil {
		return nil, we
	}
	if we := e.errorIn200(in.Error, body, len(in.Choices) > 0); we != nil {
		return nil, we
	}
	var out completionOut
	for _, c := range in.Choices {
		if c == nil {
			continue
		}
		oc := outChoice{Index: len(out.Choices), Message: outMessage{Role: "assistant", Content: c.Text}}
		if reason, ok := c.FinishReason.(string); ok && reason != "function_call" {
			oc.FinishReason = reason
		}
		if m := c.Message; m != nil {
			oc.Message.Content = orElse(contentText(m.Content), c.Text)
			if r, ok := m.Refusal.(string); ok && r != "" {
				seen.refusal = r
			}
			calls := m.ToolCalls
			if m.FunctionCall != nil {
				calls = append(calls, &toolCall{Function: m.FunctionCall})
			}
			for _, call := range calls {
				if call != nil && call.Function != nil {
					name, _ := call.Function.Name.(string)
					oc.Message.ToolCalls = append(oc.Message.ToolCalls, outCall{"function", outFunction{name, argumentText(call.Function.Arguments)}})
				}
			}
		}
		out.Choices = append(out.Choices, oc)
	}
	seen.noChoices = len(out.Choices) == 0
	seen.count(in.Usage, promptNames, completionNames)
	return e.encode(out)
}

// completionOut is a chat completion as the client library reads it.
type completionOut struct {
	Choices []outChoice `json:"choices"`
}

type outChoice struct {
	Index        int        `json:"index"`
	Message      outMessage `json:"message"`
	FinishReason string     `json:"finish_reason"`
}

type outMessage struct {
	Role      string    `json:"role"`
	Content   string    `json:"content"`
	ToolCalls []outCall `json:"tool_calls,omitempty"`
}

type outCall struct {
	Type     string      `json:"type"`
	Function outFunction `json:"function"`
}

type outFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// counts are token counts as a server reports them; whatever else stands in their place counts nothing.
type counts map[string]any

func (c *counts) UnmarshalJSON(b []byte) error {
	var m map[string]any
	if json.Unmarshal(b, &m) == nil {
		*c = m
	}
	return nil
}

// decode reads a body of status 200, or says what it is instead of the JSON that was expected.
func (e endpoint) decode(body []byte, in any) *wireError {
	if err := json.Unmarshal(body, in); err != nil {
		return &wireError{CallError: CallError{Reason: e.notJSON(body, err), Err: err}}
	}
	return nil
}

// errorIn200 finds the error that some endpoints report with status 200. answered says that there is an answer
// beside it.
func (e endpoint) errorIn200(raw *json.RawMessage, body []byte, answered bool) *wireError {
	if raw == nil || string(*raw) == "null" || answered {
		return nil
	}
	said, quota := e.errorText(body)
	return &wireError{CallError{Reason: "the endpoint reported an error with status 200: " + orElse(said, "no details"), said: said}, !quota}
}

func (e endpoint) encode(out any) ([]byte, *wireError) {
	clean, err := json.Marshal(out)
	if err != nil {
		return nil, &wireError{CallError: CallError{Reason: "the reply could not be read", Err: err}}
	}
	return clean, nil
}

// notJSON says what a body is that is no chat completion.
func (e endpoint) notJSON(body []byte, err error) string {
	start := bytes.TrimSpace(body[:min(len(body), 512)])
	switch {
	case len(start) == 0:
		return "the reply is empty"
	case start[0] == '<':
		return fmt.Sprintf("%s answered with a web page (HTML) where JSON was expected; %s", e.baseURL, e.provider.baseAdvice())
	case bytes.HasPrefix(start, []byte("data:")):
		return "the endpoint streams although no stream was asked for"
	case start[0] == '{' && strings.Contains(err.Error(), "unexpected end"):
		return fmt.Sprintf("the reply breaks off after %d bytes", len(body))
	case start[0] == '{' && json.Valid(body):
		return "the reply has another shape than this wire: " + short(err.Error(), 160)
	}
	return "the reply is not JSON: " + e.redact(short(string(start), 80))
}

// errorText is the message of an error body, cleaned for display, and whether it says that the credit is used up,
// which no repetition changes.
func (e endpoint) errorText(body []byte) (said string, quota bool) {
	var in struct {
		Error   any `json:"error"`
		Message any `json:"message"`
		Detail  any `json:"detail"`
	}
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("[")) { // Google wraps errors into a list at times
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) == 1 {
			body = list[0]
		}
	}
	if json.Unmarshal(body, &in) != nil {
		return "", false
	}
	for _, v := range []any{in.Error, in.Message, in.Detail} {
		if m, ok := v.(map[string]any); ok {
			code, _ := m["code"].(string)
			kind, _ := m["type"].(string)
			quota = quota || code == "insufficient_quota" || kind == "insufficient_quota"
			v = m["message"]
		}
		if s, ok := v.(string); ok && said == "" {
			said = e.redact(short(s, 240))
		}
	}
	return said, quota
}

// contentText joins a message's content, which is text or a list of parts.
func contentText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, part := range v {
			switch p := part.(type) {
			case string:
				b.WriteString(p)
			case map[string]any:
				if s, ok := p["text"].(string); ok {
					b.WriteString(s)
				}
			}
		}
		return b.String()
	case nil:
		return ""
	}
	return argumentText(v) // a bare number or an object: JSON mode on some servers
}

func argumentText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
