package model

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

const testKey = "sk-test-0123456789abcdef"

// chatFor makes a picker for a stub, with waits between tries that take no time.
func chatFor(t *testing.T, baseURL, name string, timeout time.Duration) *Chat {
	t.Helper()
	p, err := New("openai:"+name, Config{BaseURL: baseURL, Key: testKey, Timeout: timeout, Env: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	c := p.(*Chat)
	c.transport.skipWaits(0)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func noEnv(string) string { return "" }

// skipWaits makes waiting take no time, on a clock of the transport's own. It returns the waits as they come.
func (t *transport) skipWaits(backoff time.Duration) *[]time.Duration {
	var mu sync.Mutex
	now, waited := time.Now(), new([]time.Duration)
	t.backoff = func(attempt int) time.Duration { return backoff * time.Duration(attempt) }
	t.sleep = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
		*waited = append(*waited, d)
		return ctx.Err()
	}
	t.breaker.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	return waited
}

func pickOne(t *testing.T, c engine.Picker, q engine.Question) (engine.Answer, error) {
	t.Helper()
	a, err := c.Pick(t.Context(), engine.Request{Questions: []engine.Question{q}, Stage: "find"})
	if err != nil {
		if strings.Contains(err.Error(), testKey) {
			t.Errorf("the key is in the error: %v", err)
		}
		return engine.Answer{}, err
	}
	if len(a) != 1 {
		t.Fatalf("%d answers", len(a))
	}
	return a[0], nil
}

func TestChat(t *testing.T) {
	s := modeltest.Start(t, nil)
	c := chatFor(t, s.URL(), "stub", 5*time.Second)
	a, err := pickOne(t, c, five(true))
	if err != nil || strings.Join(a.Keys, ",") != "1,2,3,4,5" {
		t.Fatalf("%+v, %v", a, err)
	}
	want, err := modeltest.PromptTokens(modeltest.Message{Role: "system", Content: System}, modeltest.Message{Role: "user", Content: Prompt(five(true), engine.Request{})})
	if err != nil {
		t.Fatal(err)
	}
	if a.Usage.Calls != 1 || a.Usage.PromptTokens != want || a.Usage.CompletionTokens == 0 || a.Usage.Time <= 0 || a.Model != "stub" || a.Raw != "1, 2, 3, 4, 5" {
		t.Errorf("%+v, want %d prompt tokens", a, want)
	}
	log := s.Log()
	if len(log) != 1 {
		t.Fatalf("%d requests", len(log))
	}
	got := log[0]
	if r := got.Request; r.Messages[0] != (modeltest.Message{Role: "system", Content: System}) || *r.Temperature != 0 || r.MaxCompletionTokens != maxTokens || r.MaxTokens != 0 {
		t.Errorf("request %+v", r)
	}
	if got.Header.Get("Authorization") != "Bearer "+testKey || got.Header.Get("User-Agent") != "nth" {
		t.Errorf("header %v", got.Header)
	}
}

func TestChatSeveralQuestions(t *testing.T) {
	s := modeltest.Start(t, modeltest.Reader(func(m []modeltest.Option) []string { return []string{m[len(m)-1].Key} }))
	c := chatFor(t, s.URL(), "stub", 5*time.Second)
	a, err := c.Pick(t.Context(), engine.Request{Questions: []engine.Question{five(false), menu(false, nil, "a", "b")}})
	if err != nil || len(a) != 2 || a[0].Keys[0] != "5" || a[1].Keys[0] != "2" || len(s.Log()) != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	// An unreadable second answer brings the cost of both.
	s = modeltest.Start(t, modeltest.Sequence(modeltest.Text("1"), modeltest.Text("hm")))
	c = chatFor(t, s.URL(), "stub", 5*time.Second)
	_, err = c.Pick(t.Context(), engine.Request{Questions: []engine.Question{five(false), five(false)}})
	if u, ok := errors.AsType[*engine.UnreadableError](err); !ok || u.Usage.Calls != 2 || u.Reply != "hm" {
		t.Errorf("%v", err)
	}
}

func TestChatWithoutKey(t *testing.T) {
	s := modeltest.Start(t, nil)
	p, err := New("openai:stub", Config{BaseURL: s.URL(), Env: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	c := p.(*Chat)
	defer c.Close()
	if _, err := pickOne(t, c, five(false)); err != nil {
		t.Fatal(err)
	}
	if h := s.Log()[0].Header; h.Get("Authorization") != "" {
		t.Errorf("sent %v", h)
	}
}

func TestChatWithClient(t *testing.T) {
	s := modeltest.Start(t, nil)
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	p, err := New("openai:stub", Config{BaseURL: s.URL(), HTTPClient: &http.Client{Transport: base}, Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := p.Pick(t.Context(), engine.Request{Questions: []engine.Question{five(false)}}); err != nil || a[0].Keys[0] != "1" {
		t.Errorf("%v, %v", a, err)
	}
}

// TestChatReplies are replies with status 200 in all the shapes that servers give them.
func TestChatReplies(t *testing.T) {
	body := func(s string) modeltest.Reply { return modeltest.Reply{Body: []byte(s)} }
	for name, c := range map[string]struct {
		reply modeltest.Reply
		want  string // keys, "refused", or a part of the error of an *engine.UnreadableError
	}{
		"text":               {modeltest.Text("3"), "3"},
		"tool call":          {modeltest.Reply{ToolName: "click", ToolArguments: `{"index":3}`}, "3"},
		"text and tool call": {modeltest.Reply{Text: "Let me see, 1 or 2.", ToolName: "pick", ToolArguments: `{"pick":3}`}, "3"},
		"second choice":      {modeltest.Reply{Choices: []string{"I will answer.", "3"}}, "3"},
		"agreeing choices":   {modeltest.Reply{Choices: []string{"3", "**3**"}}, "3"},
		"split choices":      {modeltest.Reply{Choices: []string{"Answer: ", "three, that is ", "option 3"}}, "3"},
		"opposing choices":   {modeltest.Reply{Choices: []string{"3", "2"}}, "no number in the reply"},
		"prose":              {modeltest.Text("I am not sure."), "no number in the reply"},
		"nothing":            {modeltest.Text(""), "the reply is empty"},
		"cut while thinking": {modeltest.Reply{FinishReason: "length"}, "the model used up its 1024 tokens before it answered"},
		"refusal":            {modeltest.Reply{Refusal: "I cannot do that."}, "refused"},
		"content filter":     {modeltest.Reply{FinishReason: "content_filter"}, "refused"},
		"no choices":         {body(`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":1}}`), "the reply is empty"},
		"no choices at all":  {body(`{}`), "the reply is empty"},
		"null choice":        {body(`{"choices":[null,{"message":{"content":"3"}}]}`), "3"},
		"null message":       {body(`{"choices":[{"message":null}]}`), "the reply is empty"},
		"missing function":   {body(`{"choices":[{"finish_reason":"function_call","message":{"content":"3"}}]}`), "3"},
		"function call":      {body(`{"choices":[{"finish_reason":"function_call","message":{"content":null,"function_call":{"name":"x","arguments":"{\"pick\":3}"}}}]}`), "3"},
		"arguments as JSON":  {body(`{"choices":[{"message":{"tool_calls":[null,{},{"function":{"name":null,"arguments":{"pick":3}}}]}}]}`), "3"},
		"content in parts":   {body(`{"choices":[{"message":{"content":[{"type":"text","text":"3"},{"type":"image"}]}}]}`), "3"},
		"content as JSON":    {body(`{"choices":[{"message":{"content":{"pick":3}}}]}`), "3"},
		"content as number":  {body(`{"choices":[{"message":{"content":3}}]}`), "3"},
		"older wire":         {body(`{"choices":[{"text":"3","finish_reason":null}]}`), "3"},
		"odd counts":         {body(`{"choices":[{"message":{"content":"3"}}],"usage":{"prompt_tokens":"many","completion_tokens":-1}}`), "3"},
		"control characters": {modeltest.Text("\x003\x1b[0m"), "3"},
		"long":               {modeltest.Text(strings.Repeat("no idea ", 20_000)), "no number in the reply"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return c.reply })
			a, err := pickOne(t, chatFor(t, s.URL(), "stub", 10*time.Second), five(false))
			switch {
			case err != nil:
				u, ok := errors.AsType[*engine.UnreadableError](err)
				if !ok || len(c.want) < 3 || !strings.Contains(err.Error(), c.want) || u.Usage.Calls != 1 || len(u.Reply) > 1024 {
					t.Errorf("error %v, want %q", err, c.want)
				}
			case a.Refused && c.want == "refused", strings.Join(a.Keys, ",") == c.want:
			default:
				t.Errorf("%+v, want %s", a, c.want)
			}
			if n := len(s.Log()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string][2]int{
		`{"prompt_tokens":12,"completion_tokens":3}`:     {12, 3},
		`{"prompt_tokens":12.0,"completion_tokens":3.0}`: {12, 3},
		`{"input_tokens":12,"output_tokens":3}`:          {12, 3},
		`{"PromptTokens":12,"OutputTokens":3}`:           {12, 3},
		`null`:                                           {0, 0},
		`{"total_tokens":15}`:                            {0, 0},
		`{"prompt_tokens":-5}`:                           {0, 0},
	} {
		s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
			return modeltest.Reply{Body: []byte(`{"choices":[{"message":{"content":"3"}}],"usage":` + usage + `}`)}
		})
		a, err := pickOne(t, chatFor(t, s.URL(), "stub", 5*time.Second), five(false))
		if err != nil || a.Usage.PromptTokens != want[0] || a.Usage.CompletionTokens != want[1] {
			t.Errorf("%s: %+v, %v", usage, a.Usage, err)
		}
	}
}

// TestChatDialects: an option that the endpoint does not take is left out, and not tried again.
func TestChatDialects(t *testing.T) {
	refuse := func(text string) modeltest.Reply { return modeltest.Reply{Status: http.StatusBadRequest, Text: text} }
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		switch {
		case *r.Temperature != 1:
			return refuse("Unsupported value: 'temperature' does not support 0 with this model.")
		case r.MaxCompletionTokens != 0:
			return refuse("Unrecognized request argument supplied: max_completion_tokens")
		}
		return modeltest.Text("3")
	})
	c := chatFor(t, s.URL(), "stub", 5*time.Second)
	for range 2 {
		if a, err := pickOne(t, c, five(false)); err != nil || a.Keys[0] != "3" {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if n := len(s.Log()); n != 4 {
		t.Errorf("%d requests, want 3 and 1", n)
	}
	if r := s.Log()[3].Request; r.MaxTokens != maxTokens {
		t.Errorf("%+v", r)
	}

	s = modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		return refuse("temperature and max_completion_tokens are wrong")
	})
	_, err := pickOne(t, chatFor(t, s.URL(), "stub", 5*time.Second), five(false))
	if e, ok := errors.AsType[*CallError](err); !ok || e.Status != 400 || len(s.Log()) != 3 {
		t.Errorf("%v after %d requests", err, len(s.Log()))
	}
}

func TestReasoningModels(t *testing.T) {
	for name, want := range map[string]bool{"o1": true, "o3-mini": true, "o4-mini": true, "gpt-5": true, "gpt-5.1": true, "gpt-5-mini": true, "openai/gpt-5": true,
		"gpt-4o": false, "gpt-4.1-mini": false, "olmo": false, "stub": false} {
		if got := reasoning.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	s := modeltest.Start(t, nil)
	if _, err := pickOne(t, chatFor(t, s.URL(), "o3-mini", 5*time.Second), five(false)); err != nil {
		t.Fatal(err)
	}
	if r := s.Log()[0].Request; r.Temperature != nil && *r.Temperature != 1 || r.MaxCompletionTokens != maxTokensReasoning || len(r.Messages) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestChatConcurrent(t *testing.T) {
	s := modeltest.Start(t, nil)
	c := chatFor(t, s.URL(), "stub", 10*time.Second)
	errs := make(chan error)
	for range 16 {
		go func() {
			_, err := c.Pick(context.Background(), engine.Request{Questions: []engine.Question{five(true)}})
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
