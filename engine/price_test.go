package engine

import "testing"

func TestPrice(t *testing.T) {
	u := Usage{PromptTokens: 1000, CachedTokens: 600, CompletionTokens: 10}
	for _, tc := range []struct {
		price Price
		want  string
	}{
		{Price{Prompt: 1, Completion: 4}, "0.001040"},
		{Price{Prompt: 1, Completion: 4, Rebate: 0.9}, "0.000500"}, // 400 at 1, 600 at 0.1, 10 at 4
		{Price{Prompt: 1, Completion: 4, Rebate: 1}, "0.000440"},
		{Price{Prompt: 100, Completion: 400, Rebate: 90}, "0.05"},
		{Price{}, "0.000000"},
	} {
		if got := Money(tc.price.Of(u)); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.price, got, tc.want)
		}
	}
	if sum := u.Add(u); sum.CachedTokens != 1200 || sum.Tokens() != 2020 {
		t.Errorf("%+v", sum)
	}
}
