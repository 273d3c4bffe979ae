package model

import (
	"context"
	"errors"
	"fmt"
	"maps"
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

// noKey stands in where a client library insists on a key; the transport decides what is sent.
const noKey = "none"

// Chat asks a chat model. It is safe for concurrent use.
type Chat struct {
	provider  provider
	name      string
	wire      chatWire
	timeout   time.Duration
	constrain string // see Config.Constrain
	llm       llms.Model
	transport *transport

	// What this endpoint was found not to take.
	plainTemperature, legacyTokens, freeForm atomic.Bool
}

var _ engine.Picker = (*Chat)(nil)

// chatWire is what differs between the providers of chat models.
type chatWire struct {
	open func(e endpoint, name string, client *http.Client) (llms.Model, error)
	read reader
	// constrained gives the members of the request that hold the answer to the keys, in the provider's own way.
	constrained func(keys []string, many bool) map[string]any
	// always are the members of every request that the client library cannot say.
	always map[string]any
	legacy bool // counts the answer's tokens with max_tokens
}

var chatWires = map[string]chatWire{
	"openai":    {open: openOpenAI, read: endpoint.canonical, constrained: schemaOpenAI},
	"azure":     {open: openAzure, read: endpoint.canonical, constrained: schemaOpenAI},
	"mistral":   {open: openOpenAI, read: endpoint.canonical, constrained: schemaOpenAI, legacy: true},
	"anthropic": {open: openAnthropic, read: readAnthropic, constrained: toolAnthropic},
	"google":    {open: openGoogle, read: readGoogle, constrained: schemaGoogle},
	"ollama":    {open: openOllama, read: readOllama, constrained: schemaOllama, always: map[string]any{"stream": false}},
}

// openChat makes a picker for the named model. It does not connect.
func openChat(p provider, name string, cfg Config) (*Chat, error) {
	fail := func(err error) (*Chat, error) { return nil, fmt.Errorf("%s:%s: %w", p.name, name, err) }
	e, err := resolveEndpoint(p, cfg)
	if err != nil {
		return fail(err)
	}
	c := &Chat{provider: p, name: name, wire: chatWires[p.name], timeout: cfg.timeout(), constrain: cfg.Constrain}
	switch c.constrain {
	case "":
		c.constrain = ConstrainRetry
	case ConstrainRetry, ConstrainAlways, ConstrainNever:
	default:
		return fail(fmt.Errorf("constrain is %q; expected %s, %s or %s", short(cfg.Constrain, 40), ConstrainRetry, ConstrainAlways, ConstrainNever))
	}
	c.transport = newTransport(cfg.HTTPClient, e, c.wire.read)
	c.plainTemperature.Store(reasoning.MatchString(name))
	c.legacyTokens.Store(c.wire.legacy)
	if c.llm, err = c.wire.open(e, name, c.transport.client(cfg.HTTPClient)); err != nil {
		return fail(err)
	}
	return c, nil
}

// Name is the provider and the model's name, "openai:gpt-5-mini".
func (c *Chat) Name() string { return c.provider.name + ":" + c.name }

// Caps: one question per call, several keys in an answer, written values beside them, no probabilities.
func (c *Chat) Caps() engine.Caps {
	return engine.Caps{MaxQuestions: 1, MaxTokens: c.maxTokens(engine.Question{}), Batch: true, Values: true}
}

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
	constrained := c.constrain == ConstrainAlways || c.constrain == ConstrainRetry && r.Retry
	system := System
	if constrained {
		q.Asks = nil // only a number fits; the engine asks for the values
	}
	user := ""
	if len(q.Asks) > 0 {
		system, q.Reason = SystemValues, false
		user = askValues(q)
	}
	user = Prompt(q, r) + user
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, system),
		llms.TextParts(llms.ChatMessageTypeHuman, user),
	}
	resp, seen, err := c.call(ctx, messages, q, constrained)
	if err != nil {
		return engine.Answer{}, err
	}
	usage := seen.usage(start)
	texts := replyTexts(resp)
	raw := cut(strings.Join(texts, "\n"), rawLimit)
	if len(texts) == 0 && (seen.refusal != "" || stopped(resp, "content_filter")) {
		return engine.Answer{Model: c.name, Usage: usage, Refused: true, Raw: cut(seen.refusal, rawLimit)}, nil
	}
	reason := ""
	if q.Reason && len(texts) == 1 {
		reason, texts[0] = splitReason(texts[0])
	}
	var values map[string]map[string]any
	if len(q.Asks) > 0 {
		values = splitValues(texts, q)
	}
	keys, err := parseAll(texts, len(q.Options), q.Many)
	if err == nil {
		return engine.Answer{Keys: keys, Model: c.name, Usage: usage, Raw: raw, Reason: reason, Values: values}, nil
	}
	unreadable := &engine.UnreadableError{Reply: raw, Usage: usage}
	switch {
	case len(texts) > 0:
		return engine.Answer{}, unreadable
	case stopped(resp, "length"):
		return engine.Answer{}, fmt.Errorf("the model used up its %d tokens before it answered: %w", c.maxTokens(q), unreadable)
	default:
		return engine.Answer{}, fmt.Errorf("the reply is empty: %w", unreadable)
	}
}

// call makes one call, and again without an option that the endpoint turns out not to take.
func (c *Chat) call(ctx context.Context, messages []llms.MessageContent, q engine.Question, constrained bool) (*llms.ContentResponse, *exchange, error) {
	calls := 0
	for {
		temperature, legacy := c.plainTemperature.Load(), c.legacyTokens.Load()
		constrained = constrained && !c.freeForm.Load()
		opts := []llms.CallOption{llms.WithMaxTokens(c.maxTokens(q)), llms.WithTemperature(0)}
		seen := &exchange{set: maps.Clone(c.wire.always), calls: calls}
		if seen.set == nil {
			seen.set = map[string]any{}
		}
		if temperature {
			opts = append(opts, llms.WithTemperature(1)) // the only value such models take, and their default
			if c.provider.name == "anthropic" {
				seen.set["temperature"] = nil
			}
		}
		if legacy {
			opts = append(opts, openai.WithLegacyMaxTokensField())
		}
		if constrained {
			maps.Copy(seen.set, c.wire.constrained(keysOf(q), q.Many))
		}
		resp, err := c.llm.GenerateContent(context.WithValue(ctx, exchangeKey{}, seen), messages, opts...)
		calls = seen.calls
		if seen.err != nil {
			switch said := strings.ToLower(seen.err.said); {
			case seen.err.Status != http.StatusBadRequest && seen.err.Status != http.StatusUnprocessableEntity:
			case !temperature && strings.Contains(said, "temperature"):
				c.plainTemperature.Store(true)
				continue
			case !legacy && strings.Contains(said, "max_completion_tokens"):
				c.legacyTokens.Store(true)
				continue
			case constrained && constraintWords.MatchString(said):
				c.freeForm.Store(true)
				continue
			}
			seen.err.Model = c.Name()
			return nil, seen, seen.err
		}
		if err != nil && seen.noChoices {
			return &llms.ContentResponse{}, seen, nil
		}
		if err != nil {
			return nil, seen, &CallError{Model: c.Name(), Reason: "the call failed", Calls: calls, Err: err}
		}
		return resp, seen, nil
	}
}

func (c *Chat) maxTokens(q engine.Question) int {
	if reasoning.MatchString(c.name) {
		return maxTokensReasoning
	}
	if len(q.Asks) > 0 {
		return maxTokensValues
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
