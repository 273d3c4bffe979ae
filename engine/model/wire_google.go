package model

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// gemini is a client for Google's generateContent, small because one call is all that a pick needs. The one in
// langchaingo cannot be used: its base URL is fixed unless Google's own option types are built, it passes on neither
// tool choice nor a response schema, and it brings gRPC along.
type gemini struct {
	url    string
	client *http.Client
}

func openGoogle(e endpoint, name string, client *http.Client) (llms.Model, error) {
	name = strings.TrimPrefix(name, "models/")
	return &gemini{e.baseURL + "/models/" + url.PathEscape(name) + ":generateContent", client}, nil
}

// Call is part of llms.Model.
func (g *gemini) Call(ctx context.Context, prompt string, opts ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, g, prompt, opts...)
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text string `json:"text"`
}

// GenerateContent sends the text of the messages. A generationConfig of the exchange replaces this one's.
func (g *gemini) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var opts llms.CallOptions
	for _, o := range options {
		o(&opts)
	}
	in := struct {
		System   *geminiContent  `json:"systemInstruction,omitempty"`
		Contents []geminiContent `json:"contents"`
		Config   map[string]any  `json:"generationConfig"`
	}{Config: map[string]any{"temperature": opts.Temperature, "maxOutputTokens": opts.MaxTokens}}
	if seen, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		if c, ok := seen.set["generationConfig"].(map[string]any); ok {
			for name, value := range c {
				in.Config[name] = value
			}
			delete(seen.set, "generationConfig")
		}
	}
	for _, m := range messages {
		c := geminiContent{Role: "user"}
		for _, p := range m.Parts {
			if t, ok := p.(llms.TextContent); ok {
				c.Parts = append(c.Parts, geminiPart{t.Text})
			}
		}
		if m.Role == llms.ChatMessageTypeSystem {
			c.Role, in.System = "", &c
		} else {
			in.Contents = append(in.Contents, c)
		}
	}
	var out completionOut
	if err := post(ctx, g.client, g.url, in, &out); err != nil {
		return nil, err
	}
	resp := &llms.ContentResponse{}
	for _, c := range out.Choices {
		choice := &llms.ContentChoice{Content: c.Message.Content, StopReason: c.FinishReason}
		for _, call := range c.Message.ToolCalls {
			choice.ToolCalls = append(choice.ToolCalls, llms.ToolCall{FunctionCall: &llms.FunctionCall{Name: call.Function.Name, Arguments: call.Function.Arguments}})
		}
		resp.Choices = append(resp.Choices, choice)
	}
	if len(resp.Choices) == 0 {
		return nil, errors.New("no candidates")
	}
	return resp, nil
}

// blocked are the reasons for which Google's filters keep an answer back.
var blocked = []string{"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION", "IMAGE_SAFETY"}

// readGoogle brings candidates into the shape of a chat completion.
func readGoogle(e endpoint, body []byte, seen *exchange) ([]byte, *wireError) {
	type part struct {
		Text         any       `json:"text"`
		Thought      bool      `json:"thought"`
		FunctionCall *function `json:"functionCall"`
	}
	var in struct {
		Candidates []*struct {
			Content *struct {
				Parts []*part `json:"parts"`
			} `json:"content"`
			FinishReason string `json:"finishReason"`
		} `json:"candidates"`
		PromptFeedback struct {
			BlockReason string `json:"blockReason"`
		} `json:"promptFeedback"`
		Usage counts           `json:"usageMetadata"`
		Error *json.RawMessage `json:"error"`
	}
	if we := e.decode(body, &in); we != nil {
		return nil, we
	}
	if we := e.errorIn200(in.Error, body, len(in.Candidates) > 0); we != nil {
		return nil, we
	}
	var out completionOut
	for _, c := range in.Candidates {
		if c == nil {
			continue
		}
		oc := outChoice{Index: len(out.Choices), Message: outMessage{Role: "assistant"}}
		switch {
		case c.FinishReason == "MAX_TOKENS":
			oc.FinishReason = "length"
		case slices.Contains(blocked, c.FinishReason):
			oc.FinishReason, seen.refusal = "content_filter", c.FinishReason
		}
		if c.Content != nil {
			for _, p := range c.Content.Parts {
				if p == nil || p.Thought {
					continue
				}
				oc.Message.Content += contentText(p.Text)
				if f := p.FunctionCall; f != nil {
					name, _ := f.Name.(string)
					oc.Message.ToolCalls = append(oc.Message.ToolCalls, outCall{"function", outFunction{name, argumentText(f.Args)}})
				}
			}
		}
		out.Choices = append(out.Choices, oc)
	}
	if in.PromptFeedback.BlockReason != "" {
		seen.refusal = in.PromptFeedback.BlockReason
	}
	seen.noChoices = len(out.Choices) == 0
	seen.count(in.Usage, promptNames, completionNamesGoogle)
	return e.encode(out)
}
