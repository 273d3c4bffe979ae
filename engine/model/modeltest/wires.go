package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// wire turns one kind of request into what a brain sees, and the brain's replies into the wire's own.
type wire struct {
	decode  func(r *http.Request, body []byte) ([]ChatRequest, error)
	encode  func(n int, reqs []ChatRequest, replies []Reply, u Usage) []byte
	failure func(status int, code, text string) []byte
}

var wires = map[string]wire{
	"POST /v1/chat/completions":                         {decodeOpenAI, encodeOpenAI, failureOpenAI},
	"POST /openai/deployments/{model}/chat/completions": {decodeOpenAI, encodeOpenAI, failureOpenAI},
	"POST /v1/messages":                                 {decodeAnthropic, encodeAnthropic, failureAnthropic},
	"POST /v1beta/models/{call}":                        {decodeGoogle, encodeGoogle, failureGoogle},
	"POST /api/chat":                                    {decodeOllama, encodeOllama, failureOllama},
	"POST /v1/systemone":                                {decodeSystemOne, encodeSystemOne, failureOpenAI},
	"POST /v1/decisions":                                {decodeDecisions, encodeDecisions, failureOpenAI},
	"POST /completion":                                  {decodeLlama, encodeLlama, failureOpenAI},
}

func decodeOpenAI(r *http.Request, body []byte) ([]ChatRequest, error) {
	req := ChatRequest{Wire: "openai"}
	var extra struct {
		ResponseFormat json.RawMessage `json:"response_format"`
		Tools          json.RawMessage `json:"tools"`
		Logprobs       bool            `json:"logprobs"`
	}
	if err := errors.Join(json.Unmarshal(body, &req), json.Unmarshal(body, &extra)); err != nil {
		return nil, err
	}
	req.Constrained = extra.ResponseFormat != nil || extra.Tools != nil
	if deployment := r.PathValue("model"); deployment != "" {
		if r.URL.Query().Get("api-version") == "" {
			return nil, errors.New("api-version is missing")
		}
		req.Wire, req.Model = "azure", deployment
	}
	if extra.Logprobs {
		req.Wire = "logprobs"
		for i := range req.Messages {
			req.Messages[i].Content = numbered(req.Messages[i].Content)
		}
	}
	return []ChatRequest{req}, nil
}

func decodeAnthropic(r *http.Request, body []byte) ([]ChatRequest, error) {
	req := ChatRequest{Wire: "anthropic"}
	var extra struct {
		System     string          `json:"system"`
		ToolChoice json.RawMessage `json:"tool_choice"`
	}
	if err := errors.Join(json.Unmarshal(body, &req), json.Unmarshal(body, &extra)); err != nil {
		return nil, err
	}
	if r.Header.Get("Anthropic-Version") == "" {
		return nil, errors.New("anthropic-version: header is required")
	}
	if req.MaxTokens == 0 {
		return nil, errors.New("max_tokens: field required")
	}
	req.Constrained = extra.ToolChoice != nil
	req.Messages = append([]Message{{"system", extra.System}}, req.Messages...)
	return []ChatRequest{req}, nil
}

func decodeGoogle(r *http.Request, body []byte) ([]ChatRequest, error) {
	model, method, _ := strings.Cut(r.PathValue("call"), ":")
	if method != "generateContent" {
		return nil, fmt.Errorf("unknown method %q", method)
	}
	type content struct {
		Role  string `json:"role"`
		Parts []struct {
			Text string `json:"text"`
		} `json:"parts"`
	}
	var in struct {
		System   *content  `json:"systemInstruction"`
		Contents []content `json:"contents"`
		Config   struct {
			Temperature *float64        `json:"temperature"`
			Max         int             `json:"maxOutputTokens"`
			Schema      json.RawMessage `json:"responseSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	req := ChatRequest{Wire: "google", Model: model, Temperature: in.Config.Temperature, MaxTokens: in.Config.Max, Constrained: in.Config.Schema != nil}
	if in.System != nil {
		in.System.Role = "system"
		in.Contents = append([]content{*in.System}, in.Contents...)
	}
	for _, c := range in.Contents {
		m := Message{Role: c.Role}
		for _, p := range c.Parts {
			m.Content += p.Text
		}
		req.Messages = append(req.Messages, m)
	}
	return []ChatRequest{req}, nil
}

func decodeOllama(_ *http.Request, body []byte) ([]ChatRequest, error) {
	req := ChatRequest{Wire: "ollama"}
	var extra struct {
		Format  json.RawMessage `json:"format"`
		Stream  *bool           `json:"stream"`
		Options struct {
			Temperature *float64 `json:"temperature"`
			NumPredict  int      `json:"num_predict"`
		} `json:"options"`
	}
	if err := errors.Join(json.Unmarshal(body, &req), json.Unmarshal(body, &extra)); err != nil {
		return nil, err
	}
	req.Temperature, req.MaxTokens = extra.Options.Temperature, extra.Options.NumPredict
	req.Constrained = strings.HasPrefix(string(extra.Format), "{")
	req.Stream = extra.Stream == nil || *extra.Stream // Ollama streams unless it is told not to
	return []ChatRequest{req}, nil
}

// question writes a typed question as the menu that a brain can read.
func question(wire, model, state, instructions string, labels []string) ChatRequest {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nMenu:\n", instructions, state)
	for i, l := range labels {
		fmt.Fprintf(&b, "%d %s\n", i+1, l)
	}
	b.WriteString("One number.")
	return ChatRequest{Wire: wire, Model: model, Messages: []Message{{"user", b.String()}}}
}

func decodeSystemOne(_ *http.Request, body []byte) ([]ChatRequest, error) {
	var in struct {
		Model     string `json:"model"`
		State     string `json:"state"`
		Questions members[struct {
			Type         string          `json:"type"`
			Instructions string          `json:"instructions"`
			Criteria     members[string] `json:"criteria"`
		}] `json:"questions"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	var reqs []ChatRequest
	for _, q := range in.Questions {
		if q.value.Type != "choice" || len(q.value.Criteria) < 2 {
			return nil, fmt.Errorf("questions.%s: a choice needs 2 criteria", q.name)
		}
		var keys, labels []string
		for _, c := range q.value.Criteria {
			if c.name != "0" {
				keys, labels = append(keys, c.name), append(labels, c.value)
			}
		}
		req := question("systemone", in.Model, in.State, q.value.Instructions, labels)
		req.name, req.keys = q.name, keys
		reqs = append(reqs, req)
	}
	return reqs, nil
}

func decodeDecisions(_ *http.Request, body []byte) ([]ChatRequest, error) {
	var in struct {
		Model     string `json:"model"`
		Input     string `json:"input"`
		Questions []struct {
			Type, Name, Instructions string
			Choices                  []struct{ Value, Description string }
		} `json:"questions"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	var reqs []ChatRequest
	for _, q := range in.Questions {
		if q.Type != "choice" || len(q.Choices) < 2 {
			return nil, fmt.Errorf("question %q: a choice needs 2 choices", q.Name)
		}
		var keys, labels []string
		for _, c := range q.Choices {
			if c.Value != "0" {
				keys, labels = append(keys, c.Value), append(labels, c.Description)
			}
		}
		req := question("decisions", in.Model, in.Input, q.Instructions, labels)
		req.name, req.keys = q.Name, keys
		reqs = append(reqs, req)
	}
	return reqs, nil
}

func decodeLlama(_ *http.Request, body []byte) ([]ChatRequest, error) {
	var in struct {
		Model       string   `json:"model"`
		Prompt      string   `json:"prompt"`
		Grammar     string   `json:"grammar"`
		Temperature *float64 `json:"temperature"`
		Predict     int      `json:"n_predict"`
		Probs       int      `json:"n_probs"`
		Stream      bool     `json:"stream"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	return []ChatRequest{{Wire: "llama", Model: in.Model, Messages: []Message{{"user", numbered(in.Prompt)}}, Temperature: in.Temperature,
		MaxTokens: in.Predict, Constrained: in.Grammar != "", Stream: in.Stream}}, nil
}

// template renders messages as a server with a chat template does.
func (s *Server) template(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []Message `json:"messages"`
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestLimit))
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil || s.NoTemplate {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(failureOpenAI(http.StatusNotFound, "not_found", "File Not Found"))
		return
	}
	var b strings.Builder
	for _, m := range in.Messages {
		fmt.Fprintf(&b, "<|%s|>\n%s\n", m.Role, m.Content)
	}
	b.WriteString("<|assistant|>\n")
	_ = json.NewEncoder(w).Encode(map[string]string{"prompt": b.String()})
}

var letteredLine = regexp.MustCompile(`(?m)^([A-Z]) `)

// numbered turns the letters of a menu's lines into numbers. What stands above the menu stays.
func numbered(prompt string) string {
	i := strings.LastIndex(prompt, "Menu:\n")
	if i < 0 {
		return prompt
	}
	return prompt[:i] + letteredLine.ReplaceAllStringFunc(prompt[i:], func(l string) string { return strconv.Itoa(int(l[0]-'A')+1) + " " })
}

// members is a JSON object in the order of its text.
type members[T any] []named[T]

type named[T any] struct {
	name  string
	value T
}

func (m *members[T]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(strings.NewReader(string(b)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(err, errors.New("an object was expected"))
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		item := named[T]{name: name}
		if err := dec.Decode(&item.value); err != nil {
			return err
		}
		*m = append(*m, item)
	}
	return nil
}
