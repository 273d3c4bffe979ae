package model

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestLabels: what is asked of llama.cpp, and that a label comes back as the menu's key.
func TestLabels(t *testing.T) {
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		return modeltest.Reply{Text: "12", P: map[string]float64{"12": 0.6, "3": 0.3, "0": 0.1}}
	})
	a, err := pickOne(t, driver(t, "llama:stub", Config{BaseURL: s.Root()}), fifteen())
	if err != nil || a.Keys[0] != "12" || a.Source != engine.ProbLogprobs {
		t.Fatalf("%+v, %v", a, err)
	}
	if len(a.P) != 16 || math.Abs(a.P["12"]-0.6) > 1e-9 || math.Abs(a.P["3"]-0.3) > 1e-9 || a.P["1"] != 0 {
		t.Errorf("%v", a.P)
	}
	var in struct {
		Prompt, Grammar string
		Predict         int     `json:"n_predict"`
		Probs           int     `json:"n_probs"`
		Temperature     float64 `json:"temperature"`
	}
	if err := json.Unmarshal(s.Log()[0].Request.Body, &in); err != nil {
		t.Fatal(err)
	}
	if in.Grammar != "root ::= [0ABCDEFGHIJKLMNO]" || in.Predict != 1 || in.Probs < 16 || in.Temperature >= 0 {
		t.Errorf("%+v", in)
	}
	want := "<|system|>\n" + SystemLabels + "\n<|user|>\n" + labelPrompt(fifteen(), engine.Request{}) + "\n<|assistant|>\n"
	if in.Prompt != want || !strings.Contains(want, "\nO Show the next page of results\n"+askLabel) || strings.Contains(want, "At most one of") {
		t.Errorf("prompt:\n%s", in.Prompt)
	}
}

// TestLabelsWithoutTemplate: a server that renders no chat template gets the prompt as it is, and is not asked to
// render again.
func TestLabelsWithoutTemplate(t *testing.T) {
	s := &modeltest.Server{NoTemplate: true}
	s.Start(t)
	p := driver(t, "llama:stub", Config{BaseURL: s.Root()})
	for range 2 {
		if a, err := pickOne(t, p, five(false)); err != nil || a.Keys[0] != "1" || a.Usage.Calls != 1 {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	var in struct{ Prompt string }
	if err := json.Unmarshal(s.Log()[1].Request.Body, &in); err != nil || !strings.HasPrefix(in.Prompt, SystemLabels+"\n\nGoal: ") || !strings.HasSuffix(in.Prompt, "\nLabel: ") {
		t.Errorf("%q, %v", in.Prompt, err)
	}
}

// TestLabelsStrictServer: a server that refuses options beyond OpenAI's is asked without them from then on.
func TestLabelsStrictServer(t *testing.T) {
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		if strings.Contains(string(r.Body), "grammar") {
			return modeltest.Reply{Status: 400, Text: "Unrecognized request argument supplied: grammar"}
		}
		return modeltest.Text("2")
	})
	p := driver(t, "logprobs:stub", Config{BaseURL: s.URL()})
	for i, calls := range []int{2, 1} {
		a, err := pickOne(t, p, five(false))
		if err != nil || a.Keys[0] != "2" || a.Usage.Calls != calls {
			t.Errorf("%d: %+v, %v", i, a, err)
		}
	}
}

// TestLabelChances: how tokens become the probabilities of labels.
func TestLabelChances(t *testing.T) {
	keys := map[string]string{"0": "0", "A": "1", "B": "2"}
	for name, c := range map[string]struct {
		token tokenChoice
		key   string
		want  map[string]float64
	}{
		"with and without a space": {tokenChoice{text: " A", chances: map[string]float64{" A": 0.3, "A": 0.3, "ĠB": 0.1, "▁B": 0.1, "The": 0.2}}, "1", map[string]float64{"0": 0, "1": 0.75, "2": 0.25}},
		"argmax is another":        {tokenChoice{text: "B", chances: map[string]float64{"A": 0.6, "B": 0.4}}, "2", map[string]float64{"0": 0, "1": 0.6, "2": 0.4}},
		"meant something else":     {tokenChoice{text: "A", chances: map[string]float64{"A": 0.04, "B": 0.03, "The": 0.9}}, "1", nil},
		"no chances":               {tokenChoice{text: "A"}, "1", nil},
		"small letter":             {tokenChoice{text: "a"}, "", nil},
		"not on the menu":          {tokenChoice{text: "C"}, "", nil},
	} {
		v := c.token.vote(keys)
		if v.key != c.key || (v.bad == "") != (c.key != "") || len(v.p) != len(c.want) {
			t.Errorf("%s: %+v", name, v)
		}
		for k, p := range c.want {
			if math.Abs(v.p[k]-p) > 1e-9 {
				t.Errorf("%s: %s has %f, want %f", name, k, v.p[k], p)
			}
		}
	}
}
