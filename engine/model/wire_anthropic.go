package model

import (
	"encoding/json"
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
)

func openAnthropic(e endpoint, name string, client *http.Client) (llms.Model, error) {
	return anthropic.New(anthropic.WithToken(noKey), anthropic.WithModel(name), anthropic.WithBaseURL(e.baseURL), anthropic.WithHTTPClient(client))
}

// readAnthropic keeps the text and tool blocks of a message. The client library fails on every other type of block,
// on input that is no object and on an answer without blocks, and it reports the first reason to stop only.
func readAnthropic(e endpoint, body []byte, seen *exchange) ([]byte, *wireError) {
	var in struct {
		Content []*struct {
			Type  string `json:"type"`
			Text  any    `json:"text"`
			Input any    `json:"input"`
		} `json:"content"`
		StopReason any              `json:"stop_reason"`
		Usage      counts           `json:"usage"`
		Error      *json.RawMessage `json:"error"`
	}
	if we := e.decode(body, &in); we != nil {
		return nil, we
	}
	if we := e.errorIn200(in.Error, body, len(in.Content) > 0); we != nil {
		return nil, we
	}
	type block struct {
		Type  string         `json:"type"`
		Text  string         `json:"text,omitempty"`
		Input map[string]any `json:"input,omitempty"`
	}
	content := []block{}
	for _, b := range in.Content {
		switch {
		case b == nil:
		case b.Type == "tool_use":
			input, ok := b.Input.(map[string]any)
			if !ok {
				input = map[string]any{"pick": b.Input}
			}
			content = append(content, block{Type: "tool_use", Input: input})
		case b.Type == "text" || b.Type == "":
			content = append(content, block{Type: "text", Text: contentText(b.Text)})
		}
	}
	reason, _ := in.StopReason.(string)
	switch reason {
	case "refusal":
		seen.refusal = "refusal"
	case "max_tokens":
		reason = "length"
	}
	seen.noChoices = len(content) == 0
	seen.count(in.Usage, promptNamesAnthropic, completionNames)
	return e.encode(map[string]any{"type": "message", "role": "assistant", "content": content, "stop_reason": reason})
}
