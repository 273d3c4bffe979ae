package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/nth-dev/nth/engine"
)

// A number needs one token. The rest is room for a short sentence that Parse can read all the same, and for
// servers that count the thinking of a reasoning model as completion: with less, such a model stops before it has
// said anything. A model that answers in a word is not charged for room it does not use.
const (
	maxTokens          = 1024
	maxTokensReasoning = 4096
)

// reasoning matches the hosted models that think before they answer and take no temperature but their own.
var reasoning = regexp.MustCompile(`(?i)^(?:.*/)?(?:o[1-9]|gpt-[5-9])(?:$|[-.@:])`)

// noKey stands in where the client library insists on a key; the transport sends no Authorization header then.
const noKey = "none"

// Chat asks a chat model behind an OpenAI-compatible endpoint. It is safe for concurrent use.
type Chat struct {
	name      string
	endpoint  endpoint
	timeout   time.Duration
	llm       *openai.LLM
	transport *transport

	// What this endpoint was found not to take.
	plainTemperature, legacyTokens atomic.Bool
}

var _ engine.Picker = (*Chat)(nil)

// NewChat makes a picker for the named model. It does not connect; use New for a "provider:name".
func NewChat(name string, cfg Config) (*Chat, error) {
	e, err := resolveEndpoint(cfg)
	if err != nil {
		return nil, fmt.Errorf("openai:%s: %w", name, err)
	}
	c := &Chat{name: name, endpoint: e, timeout: cfg.Timeout, transport: newTransport(cfg.HTTPClient, e)}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	c.plainTemperature.Store(reasoning.MatchString(name))
	client := &http.Client{Transport: c.transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if cfg.HTTPClient != nil {
		client.Jar = cfg.HTTPClient.Jar
	}
	// Every option that the library would otherwise read from the environment is given.
	c.llm, err = openai.New(openai.WithToken(orElse(e.key, noKey)), openai.WithModel(name), openai.WithBaseURL(e.baseURL),
		openai.WithOrganization(e.organization), openai.WithHTTPClient(client))
	if err != nil {
		return nil, fmt.Errorf("openai:%s: %w", name, err)
	}
	return c, nil
}

// Name is "openai:" and the model's name.
func (c *Chat) Name() string { return "openai:" + c.name }

// Caps: one question per call, several keys in an answer, no probabilities.
func (c *Chat) Caps() engine.Caps { return engine.Caps{MaxQuestions: 1, Batch: true} }

// Close closes idle connections. The picker stays usable.
func (c *Chat) Close() error {
	c.transport.CloseIdleConnections()
	return nil
}

// Pick asks the questions one after another under one deadline, which covers retries and stalled sockets. Errors
// that come from the endpoint are *CallError; a reply without a clear answer is an *engine.UnreadableError.
func (c *Chat) Pick(ctx context.Context, r engine.Request) ([]engine.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answers := make([]engine.Answer, 0, len(r.Questions))
	var before engine.Usage
	for _, q := range r.Questions {
		a, err := c.ask(ctx, q, r)
		if err != nil {
			if u, ok := errors.AsType[*engine.UnreadableError](err); ok {
				u.Usage = before.Add(u.Usage)
			}
			return nil, err
		}
		before = before.Add(a.Usage)
		answers = append(answers, a)
	}
	return answers, nil
}

func (c *Chat) ask(ctx context.Context, q engine.Question, r engine.Request) (engine.Answer, error) {
	start := time.Now()
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, System),
		llms.TextParts(llms.ChatMessageTypeHuman, Prompt(q, r)),
	}
	resp, seen, err := c.call(ctx, messages)
	if err != nil {
		return engine.Answer{}, err
	}
	usage := usageOf(resp)
	usage.Calls, usage.Time = 1, time.Since(start)
	texts := replyTexts(resp)
	raw := cut(strings.Join(texts, "\n"), rawLimit)
	if len(texts) == 0 && (seen.refusal != "" || stopped(resp, "content_filter")) {
		return engine.Answer{Model: c.name, Usage: usage, Refused: true, Raw: cut(seen.refusal, rawLimit)}, nil
	}
	reason := ""
	if q.Reason && len(texts) == 1 {
		reason, texts[0] = splitReason(texts[0])
	}
	keys, err := parseAll(texts, len(q.Options), q.Many)
	if err == nil {
		return engine.Answer{Keys: keys, Model: c.name, Usage: usage, Raw: raw, Reason: reason}, nil
	}
	unreadable := &engine.UnreadableError{Reply: raw, Usage: usage}
	switch {
	case len(texts) > 0:
		return engine.Answer{}, unreadable
	case stopped(resp, "length"):
		return engine.Answer{}, fmt.Errorf("the model used up its %d tokens before it answered: %w", c.maxTokens(), unreadable)
	default:
		return engine.Answer{}, fmt.Errorf("the reply is empty: %w", unreadable)
	}
}

// call makes one call, and again without an option that the endpoint turns out not to take.
func (c *Chat) call(ctx context.Context, messages []llms.MessageContent) (*llms.ContentResponse, *exchange, error) {
	for {
		temperature, legacy := c.plainTemperature.Load(), c.legacyTokens.Load()
		opts := []llms.CallOption{llms.WithMaxTokens(c.maxTokens()), llms.WithTemperature(0)}
		if temperature {
			opts = append(opts, llms.WithTemperature(1)) // the only value such models take, and their default
		}
		if legacy {
			opts = append(opts, openai.WithLegacyMaxTokensField())
		}
		seen := &exchange{}
		resp, err := c.llm.GenerateContent(context.WithValue(ctx, exchangeKey{}, seen), messages, opts...)
		if seen.err != nil {
			switch said := strings.ToLower(seen.err.said); {
			case seen.err.Status != http.StatusBadRequest:
			case !temperature && strings.Contains(said, "temperature"):
				c.plainTemperature.Store(true)
				continue
			case !legacy && strings.Contains(said, "max_completion_tokens"):
				c.legacyTokens.Store(true)
				continue
			}
			seen.err.Model = c.Name()
			return nil, seen, seen.err
		}
		if errors.Is(err, openai.ErrEmptyResponse) || err != nil && seen.noChoices {
			return &llms.ContentResponse{Choices: []*llms.ContentChoice{{GenerationInfo: seen.usage}}}, seen, nil
		}
		if err != nil {
			return nil, seen, &CallError{Model: c.Name(), Reason: "the call failed", Err: err}
		}
		return resp, seen, nil
	}
}

func (c *Chat) maxTokens() int {
	if reasoning.MatchString(c.name) {
		return maxTokensReasoning
	}
	return maxTokens
}

// replyTexts are the texts of a reply that may hold the answer: every choice, since some servers split an answer
// over several, and the arguments of calls to tools that nobody offered.
func replyTexts(resp *llms.ContentResponse) (texts []string) {
	add := func(s string) {
		if strings.TrimSpace(s) != "" {
			texts = append(texts, s)
		}
	}
	for _, c := range resp.Choices {
		add(c.Content)
		if c.FuncCall != nil && len(c.ToolCalls) == 0 {
			add(c.FuncCall.Arguments)
		}
		for _, t := range c.ToolCalls {
			if t.FunctionCall != nil {
				add(t.FunctionCall.Arguments)
			}
		}
	}
	return texts
}

// parseAll reads every text on its own; those that can be read must agree. If none can, they may be the pieces of
// one answer.
func parseAll(texts []string, n int, many bool) (keys []string, err error) {
	for _, t := range texts {
		some, err := Parse(t, n, many)
		switch {
		case err != nil:
		case keys != nil && !slices.Equal(keys, some):
			return nil, &engine.UnreadableError{Reply: cut(strings.Join(texts, "\n"), rawLimit)}
		default:
			keys = some
		}
	}
	if keys != nil {
		return keys, nil
	}
	return Parse(strings.Join(texts, ""), n, many)
}

func stopped(resp *llms.ContentResponse, reason string) bool {
	return slices.ContainsFunc(resp.Choices, func(c *llms.ContentChoice) bool { return c.StopReason == reason })
}
