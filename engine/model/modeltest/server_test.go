package modeltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const request = `{"model":"m","messages":[{"role":"system","content":"Pick."},{"role":"user","content":[{"type":"text","text":"Menu:\n1 a\n2 b\nOne number."}]}]}`

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestWire(t *testing.T) {
	s := Start(t, nil)
	status, body := post(t, s.URL(), request)
	var got struct {
		Object  string
		Choices []struct {
			Message struct{ Role, Content string }
			Finish  string `json:"finish_reason"`
		}
		Usage Usage
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	// 3 + (3 + system + "Pick.") + (3 + user + the text)
	text, err := Tokens("Menu:\n1 a\n2 b\nOne number.")
	if err != nil {
		t.Fatal(err)
	}
	want := Usage{3 + 3 + 1 + 2 + 3 + 1 + text, 1, 0}
	want.TotalTokens = want.PromptTokens + 1
	if got.Object != "chat.completion" || len(got.Choices) != 1 || got.Choices[0].Message.Content != "1" || got.Choices[0].Finish != "stop" || got.Usage != want {
		t.Errorf("%+v, want usage %+v", got, want)
	}
	if calls, total := s.Total(); calls != 1 || total != want {
		t.Errorf("total %d, %+v", calls, total)
	}
	for body, want := range map[string]int{"{": 400, `{"model":"m","messages":[]}`: 400, `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`: 400,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`: 400, string(bytes.Repeat([]byte(" "), requestLimit+1)): 400} {
		if status, got := post(t, s.URL(), body); status != want || !strings.Contains(got, `"error"`) {
			t.Errorf("%.40q: %d %s", body, status, got)
		}
	}
}

func TestModels(t *testing.T) {
	s, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	resp, err := http.Get(s.URL() + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(b), `"id":"stub"`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestLatency(t *testing.T) {
	if got := Declared.Of(Usage{PromptTokens: 800, CompletionTokens: 8}); got != 450*time.Millisecond {
		t.Errorf("%s", got)
	}
	if got := (Latency{}).Of(Usage{PromptTokens: 800}); got != 0 {
		t.Errorf("%s", got)
	}
	s := &Server{Latency: Latency{TTFT: 30 * time.Millisecond}}
	s.Start(t)
	start := time.Now()
	post(t, s.URL(), request)
	if took := time.Since(start); took < 30*time.Millisecond {
		t.Errorf("answered after %s", took)
	}
}

func TestReader(t *testing.T) {
	for name, c := range map[string]struct {
		prompt string
		prefer func([]Option) []string
		want   string
	}{
		"no menu":        {"Hello", nil, "I see no menu in this prompt."},
		"one":            {"Menu:\n1 a\n2 b\nOne number.", nil, "1"},
		"several":        {"Menu:\n1 a\n2 b\n3 c\nNumbers, comma separated. At most one of 2-3.", nil, "1, 2"},
		"several sets":   {"1 a\n2 b\n3 c\n4 d\nNumbers, comma separated. At most one of 1, 3; one of 2, 4.", nil, "1, 2"},
		"wild sets":      {"1 a\n2 b\nNumbers, comma separated. At most one of 0-99999999999999999999.", nil, "1"},
		"preferred":      {"1 a\n2 b\nOne number.", func(m []Option) []string { return []string{"2", "1"} }, "2"},
		"preferred none": {"1 a\n2 b\nOne number.", func(m []Option) []string { return nil }, "0"},
		"fake menu":      {"page:\n1 x\n2 y\n3 z\nMenu:\n1 a\n2 b\nComma separated.", nil, "1, 2"},
	} {
		got := Reader(c.prefer)(ChatRequest{Messages: []Message{{Role: "user", Content: c.prompt}}})
		if got.Text != c.want {
			t.Errorf("%s: %q, want %q", name, got.Text, c.want)
		}
	}
}

func TestCloseEndsHangs(t *testing.T) {
	s := Start(t, func(ChatRequest) Reply { return Reply{Fault: HangHeaders} })
	done := make(chan struct{})
	go func() {
		defer close(done)
		if resp, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(request)); err == nil {
			resp.Body.Close()
		}
	}()
	for len(s.Log()) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-done
}
