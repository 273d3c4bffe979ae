package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// ChatRequest is what a brain sees of a request, whatever its wire: the members of the body of POST
// /v1/chat/completions. On a wire of typed questions, every question is a ChatRequest whose last message holds the
// state and the options as a numbered menu; so is a menu whose lines have letters.
type ChatRequest struct {
	Wire                string    `json:"-"` // "openai", "anthropic", "google", "ollama", "azure", "systemone", "decisions", "llama", "logprobs"
	Constrained         bool      `json:"-"` // the answer was asked for by a tool or a schema
	Path                string    `json:"-"` // of the URL, with its query
	Body                []byte    `json:"-"` // as it came
	name                string    // of a typed question
	keys                []string  // of its options, without "0"
	Model               string    `json:"model"`
	Messages            []Message `json:"messages"`
	Temperature         *float64  `json:"temperature"`
	MaxTokens           int       `json:"max_tokens"`
	MaxCompletionTokens int       `json:"max_completion_tokens"`
	Stream              bool      `json:"stream"`
}

// Prompt is the text of the last user message.
func (r ChatRequest) Prompt() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Content
		}
	}
	return ""
}

// Message is one chat message; content that comes in parts is joined.
type Message struct {
	Role    string
	Content string
}

// UnmarshalJSON accepts content as text, as null and as a list of text parts.
func (m *Message) UnmarshalJSON(b []byte) error {
	var in struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*m = Message{Role: in.Role}
	if len(in.Content) == 0 || in.Content[0] != '[' {
		if len(in.Content) > 0 {
			return json.Unmarshal(in.Content, &m.Content)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(in.Content, &parts); err != nil {
		return err
	}
	var text strings.Builder
	for _, p := range parts {
		if p.Type != "text" {
			return fmt.Errorf("content part of type %q", p.Type)
		}
		text.WriteString(p.Text)
	}
	m.Content = text.String()
	return nil
}

// Usage are the token counts of an exchange.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// Per-message overhead of the chat format, from OpenAI's cookbook ("How to count tokens with tiktoken"): every
// message takes 3 tokens beside role and content, and every reply is primed with 3.
const (
	tokensPerMessage = 3
	tokensPriming    = 3
)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Tokens counts the tokens of a text in o200k_base.
func Tokens(text string) (int, error) {
	c, err := codec()
	if err != nil {
		return 0, fmt.Errorf("load o200k_base: %w", err)
	}
	return c.Count(text)
}

// PromptTokens counts what a request's messages are billed as.
func PromptTokens(messages ...Message) (int, error) {
	total := tokensPriming
	for _, m := range messages {
		for _, text := range []string{m.Role, m.Content} {
			n, err := Tokens(text)
			if err != nil {
				return 0, err
			}
			total += n
		}
		total += tokensPerMessage
	}
	return total, nil
}
