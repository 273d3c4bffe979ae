package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

// What the model took is on each pick, on the status line of a terminal, and at the end; money only where it has a price.
func TestLiveSpent(t *testing.T) {
	u := engine.Usage{Calls: 1, PromptTokens: 254, CachedTokens: 128, CompletionTokens: 1, Time: 294 * time.Millisecond, Cost: 0.0000655}
	free := u
	free.Cost, free.CachedTokens = 0, 0
	for _, tc := range []struct {
		usage              engine.Usage
		pick, status, last string
	}{
		{u, "→ 1 (openai:stub, 254+1 tokens, 128 of them cached, cost 0.000066, 294 ms)", "… Take it · 1 model call, 255 tokens (128 cached), cost 0.000066", "✓ buy: done in 1.2 s, 3 steps, 1 model call, 255 tokens (128 cached), cost 0.000066\n"},
		{free, "→ 1 (openai:stub, 254+1 tokens, 294 ms)", "… Take it · 1 model call, 255 tokens", "✓ buy: done in 1.2 s, 3 steps, 1 model call, 255 tokens\n"},
	} {
		var plain, term bytes.Buffer
		for _, l := range []*Live{{W: &plain}, {W: &term, Terminal: true}} {
			l.Observe(engine.Event{Kind: "pick", Pick: &engine.Pick{Keys: []string{"1"}, By: "openai:stub", Asked: 1, Usage: tc.usage}, Usage: tc.usage})
			l.Observe(engine.Event{Kind: "act", Label: "Take it", Usage: tc.usage})
			l.Summary(&engine.Result{Flow: "buy", Status: engine.Done, Elapsed: 1200 * time.Millisecond, Steps: 3, Usage: tc.usage})
		}
		shown := strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(term.String())
		if !strings.Contains(plain.String(), tc.pick) || !strings.HasSuffix(plain.String(), tc.last) || strings.Contains(plain.String(), "Take it") {
			t.Errorf("%s", plain.String())
		}
		if !strings.Contains(shown, tc.status) {
			t.Errorf("%q has no %q", shown, tc.status)
		}
	}
}
