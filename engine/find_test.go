package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/nth-dev/nth/engine"
)

// A replay gives the terms that were proposed, in their order, and then none.
func TestReplayProposes(t *testing.T) {
	p, err := engine.NewReplay([]engine.Record{{Type: "run", Run: "r"}, {Type: "terms", Run: "r", Terms: []string{"a", "b"}}, {Type: "terms", Run: "r", Terms: []string{"c"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{{"a", "b"}, {"c"}, nil} {
		got, _, err := p.Propose(context.Background(), engine.Proposal{Max: 5})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}
