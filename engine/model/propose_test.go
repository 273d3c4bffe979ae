package model

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

func TestParseTerms(t *testing.T) {
	for text, want := range map[string][]string{
		"architect\nbuilder":                             {"architect", "builder"},
		"1. architect\n2) \"drew the plans\"\n- builder": {"architect", "drew the plans", "builder"},
		"architect, builder, Architect":                  {"architect", "builder"},
		"Here are some terms:\n* architect\n\n":          {"architect"},
		"":                                               nil,
		"I am sorry, but the page does not say anything about it and so I cannot help you with terms": {"I am sorry"},
		"a\nb\nc\nd\ne\nf\ng": {"a", "b", "c", "d", "e"},
	} {
		if got := parseTerms(text, 5); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPropose(t *testing.T) {
	var asked modeltest.ChatRequest
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		asked = r
		return modeltest.Text("- architect\n- builder")
	})
	p, err := New("openai:stub", Config{BaseURL: s.URL(), Env: noEnv})
	if err != nil {
		t.Fatal(err)
	}
	terms, usage, err := p.(engine.Proposer).Propose(context.Background(), engine.Proposal{Goal: "Who drew the plans?", State: "#f Bridge #f", Tried: []string{"draughtsman"}, Max: 5})
	if err != nil || !slices.Equal(terms, []string{"architect", "builder"}) || usage.Calls != 1 || usage.PromptTokens == 0 {
		t.Errorf("got %q, %+v, %v", terms, usage, err)
	}
	prompt := asked.Prompt()
	if want := "Wanted: Who drew the plans?\n#f Bridge #f\nNot in the page: draughtsman\nUp to 5 other terms:"; strings.TrimSpace(prompt) != want {
		t.Errorf("the prompt is %q", prompt)
	}
}
