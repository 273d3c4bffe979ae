package model

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// tokenChoice is the one token of an answer, and what could have stood in its place.
type tokenChoice struct {
	text    string
	chances map[string]float64 // by token, as it came
	refusal string
	bad     string
}

// leastMass is the share of the model's whole probability that the labels must have together for their proportions to
// mean something: below it, the grammar has put a label into the mouth of a model that was about to say something else.
const leastMass = 0.1

// vote reads the token as one of the labels. Probabilities are those of the labels, scaled to sum to 1.
func (t tokenChoice) vote(keys map[string]string) vote {
	v := vote{raw: cut(t.text, rawLimit), bad: t.bad, refused: t.refusal != ""}
	if v.refused {
		v.raw = cut(t.refusal, rawLimit)
		return v
	}
	if v.bad != "" {
		return v
	}
	key, ok := keys[labelOf(t.text)]
	if !ok {
		v.bad = "the answer is no label of the menu"
		return v
	}
	v.key = key
	if t.chances == nil {
		return v
	}
	mass, p := 0.0, map[string]float64{}
	for _, key := range keys {
		p[key] = 0
	}
	for token, chance := range t.chances {
		if key, ok := keys[labelOf(token)]; ok {
			p[key] += chance
			mass += chance
		}
	}
	v.raw = fmt.Sprintf("%s (labels: %.3f of the probability)", v.raw, mass)
	if mass < leastMass {
		return v
	}
	for key := range p {
		p[key] = min(p[key]/mass, 1)
	}
	v.p = p
	return v
}

// labelOf takes away what a token may carry beside the label: the space before a word, as itself or as vocabularies
// write it.
func labelOf(token string) string { return strings.Trim(token, " \t\r\n\u0120\u2581") }

// tokenChance is one alternative, as llama.cpp and OpenAI name its fields now and as llama.cpp did before.
type tokenChance struct {
	Token   *string `json:"token"`
	TokStr  string  `json:"tok_str"`
	Logprob any     `json:"logprob"`
	Prob    any     `json:"prob"`
}

// chances turns alternatives into probabilities by token. nil means that there are none; bad, that they are of no use.
func chances(list []tokenChance) (out map[string]float64, bad string) {
	if len(list) == 0 {
		return nil, ""
	}
	out = map[string]float64{}
	sum := 0.0
	for _, c := range list {
		text := c.TokStr
		if c.Token != nil {
			text = *c.Token
		}
		p := math.NaN()
		if f, ok := c.Prob.(float64); ok {
			p = f
		} else if f, ok := c.Logprob.(float64); ok {
			p = math.Exp(f)
		}
		if math.IsNaN(p) || p < 0 || p > 1+1e-3 {
			return nil, "a log-probability is no number"
		}
		out[text] += p
		sum += p
	}
	if sum > 1.05 {
		return nil, fmt.Sprintf("the probabilities of one token sum to %.2f", sum)
	}
	return out, ""
}

// llamaReply is the reply of POST /completion.
type llamaReply struct {
	Content       string        `json:"content"`
	Probabilities []llamaChance `json:"completion_probabilities"`
	Probs         []llamaChance `json:"probs"`
}

type llamaChance struct {
	TopLogprobs []tokenChance `json:"top_logprobs"`
	TopProbs    []tokenChance `json:"top_probs"`
	Probs       []tokenChance `json:"probs"` // until the end of 2024
}

func (r llamaReply) token() tokenChoice {
	t := tokenChoice{text: r.Content}
	all := append(r.Probabilities, r.Probs...)
	if len(all) == 0 {
		return t
	}
	for _, list := range [][]tokenChance{all[0].TopLogprobs, all[0].TopProbs, all[0].Probs} {
		if len(list) > 0 {
			t.chances, t.bad = chances(list)
			break
		}
	}
	return t
}

// chatLogprobs is a chat completion with log-probabilities.
type chatLogprobs struct {
	Choices []*struct {
		Message *struct {
			Content any `json:"content"`
			Refusal any `json:"refusal"`
		} `json:"message"`
		FinishReason any `json:"finish_reason"`
		Logprobs     *struct {
			Content []struct {
				Token string        `json:"token"`
				Top   []tokenChance `json:"top_logprobs"`
			} `json:"content"`
		} `json:"logprobs"`
	} `json:"choices"`
}

func (r chatLogprobs) token() tokenChoice {
	if len(r.Choices) == 0 || r.Choices[0] == nil || r.Choices[0].Message == nil {
		return tokenChoice{bad: "the reply is empty"}
	}
	c := r.Choices[0]
	t := tokenChoice{text: contentText(c.Message.Content)}
	t.refusal, _ = c.Message.Refusal.(string)
	if c.FinishReason == "content_filter" && t.refusal == "" {
		t.refusal = "content_filter"
	}
	if c.Logprobs != nil && len(c.Logprobs.Content) > 0 {
		first := c.Logprobs.Content[0]
		if t.text == "" {
			t.text = first.Token
		}
		t.chances, t.bad = chances(first.Top)
	}
	return t
}

// UnmarshalJSON takes a content that is no text for none.
func (r *llamaReply) UnmarshalJSON(b []byte) error {
	var in struct {
		Content       any           `json:"content"`
		Probabilities []llamaChance `json:"completion_probabilities"`
		Probs         []llamaChance `json:"probs"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	r.Content, _ = in.Content.(string)
	r.Probabilities, r.Probs = in.Probabilities, in.Probs
	return nil
}
