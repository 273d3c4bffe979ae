package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/ollama"
)

func openOllama(e endpoint, name string, client *http.Client) (llms.Model, error) {
	return ollama.New(ollama.WithModel(name), ollama.WithServerURL(e.baseURL), ollama.WithHTTPClient(client))
}

// readOllama joins what the server sent into one line: it streams lines unless it is told not to, and proxies that
// drop "stream": false exist. The client library leaves tool calls out, so their arguments are put into the text, and
// it sees no end in a reply that is not "done".
func readOllama(e endpoint, body []byte, seen *exchange) ([]byte, *wireError) {
	type line struct {
		Message *struct {
			Content   any         `json:"content"`
			ToolCalls []*toolCall `json:"tool_calls"`
		} `json:"message"`
		Response   string           `json:"response"` // the older generate wire
		Done       bool             `json:"done"`
		DoneReason any              `json:"done_reason"`
		Error      *json.RawMessage `json:"error"`
	}
	var text strings.Builder
	found, done, reason := false, false, ""
	for i, raw := range bytes.Split(bytes.TrimSpace(body), []byte("\n")) {
		var in line
		if err := json.Unmarshal(raw, &in); err != nil && i == 0 { // perhaps one object over several lines
			if we := e.decode(body, &in); we != nil {
				return nil, we
			}
			raw = body
		} else if err != nil && json.Valid(body) {
			break // the rest of that object
		} else if we := e.decode(raw, &in); we != nil {
			return nil, we
		}
		if we := e.errorIn200(in.Error, raw, false); we != nil {
			return nil, we
		}
		if m := in.Message; m != nil {
			found = true
			text.WriteString(contentText(m.Content))
			for _, call := range m.ToolCalls {
				if call != nil && call.Function != nil {
					text.WriteString(argumentText(call.Function.Arguments))
				}
			}
		} else if in.Response != "" {
			found = true
			text.WriteString(in.Response)
		}
		if s, ok := in.DoneReason.(string); ok {
			reason = s
		}
		done = done || in.Done
		var usage counts
		_ = json.Unmarshal(raw, &usage) // counts stand beside the message
		seen.count(usage, promptNames, completionNames)
	}
	if found && !done && bytes.ContainsRune(bytes.TrimSpace(body), '\n') && !json.Valid(body) {
		return nil, &wireError{CallError: CallError{Reason: "the reply breaks off before the model was done"}, passing: true}
	}
	seen.noChoices = !found
	return e.encode(map[string]any{"message": map[string]any{"role": "assistant", "content": text.String()}, "done": true, "done_reason": reason})
}
