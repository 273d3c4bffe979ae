package model

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// decisionReply is the reply of both wires, which differ in lists and maps: answers are keyed by the question's name
// or are a list in the order of the questions, and so are the probabilities.
type decisionReply struct {
	Model   string          `json:"model"`
	Answers json.RawMessage `json:"answers"`
}

type decisionAnswer struct {
	Name          any             `json:"name"`
	Type          any             `json:"type"`
	Choice        any             `json:"choice"`
	Probabilities json.RawMessage `json:"probabilities"`
	Refusal       any             `json:"refusal"`
}

// UnmarshalJSON takes a model that is no text for none.
func (r *decisionReply) UnmarshalJSON(b []byte) error {
	var in struct {
		Model   any             `json:"model"`
		Answers json.RawMessage `json:"answers"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	r.Model, _ = in.Model.(string)
	r.Answers = in.Answers
	return nil
}

// find is the answer to a question: by name, else, in a list whose answers have no names, by place.
func (r decisionReply) find(name string, at int) (json.RawMessage, bool) {
	var named map[string]json.RawMessage
	if json.Unmarshal(r.Answers, &named) == nil {
		raw, ok := named[name]
		return raw, ok && string(raw) != "null"
	}
	var list []json.RawMessage
	if json.Unmarshal(r.Answers, &list) != nil {
		return nil, false
	}
	nameless := true
	for _, raw := range list {
		var a decisionAnswer
		if json.Unmarshal(raw, &a) != nil {
			continue
		}
		if a.Name == name {
			return raw, true
		}
		nameless = nameless && a.Name == nil
	}
	if nameless && at < len(list) && string(list[at]) != "null" {
		return list[at], true
	}
	return nil, false
}

// vote reads one answer. What the endpoint chose stands, whatever its probabilities say: comparing them is for the
// gate. Probabilities that are no numbers make the answer one of no use.
func (r decisionReply) vote(name string, at int) vote {
	raw, ok := r.find(name, at)
	if !ok {
		return vote{raw: cut(string(r.Answers), rawLimit), bad: "the question was not answered"}
	}
	v := vote{raw: cut(string(raw), rawLimit)}
	var a decisionAnswer
	if json.Unmarshal(raw, &a) != nil {
		v.bad = "the answer is no object"
		return v
	}
	if a.Type == "refusal" || a.Refusal != nil && a.Refusal != "" && a.Refusal != false {
		v.refused = true
		return v
	}
	if v.key, ok = optionKey(a.Choice); !ok {
		v.bad = "the answer names no option"
		return v
	}
	if len(a.Probabilities) > 0 && string(a.Probabilities) != "null" {
		v.p, v.bad = probabilities(a.Probabilities)
	}
	return v
}

// probabilities reads {"1": 0.9, "2": 0.1} and [{"value": "1", "probability": 0.9}, …].
func probabilities(raw json.RawMessage) (p map[string]float64, bad string) {
	named := map[string]any{}
	if json.Unmarshal(raw, &named) != nil {
		var list []struct {
			Value       any `json:"value"`
			Probability any `json:"probability"`
		}
		if json.Unmarshal(raw, &list) != nil {
			return nil, "the probabilities have no known shape"
		}
		for _, item := range list {
			key, ok := optionKey(item.Value)
			if !ok {
				return nil, "a probability belongs to no option"
			}
			if _, twice := named[key]; twice {
				return nil, "an option has two probabilities"
			}
			named[key] = item.Probability
		}
	}
	p = make(map[string]float64, len(named))
	for key, value := range named {
		f, ok := value.(float64)
		if s, text := value.(string); text {
			var err error
			f, err = strconv.ParseFloat(s, 64)
			ok = err == nil
		}
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) || f < 0 || f > 1+1e-6 {
			return nil, "a probability is no number from 0 to 1"
		}
		p[strings.TrimSpace(key)] = min(f, 1)
	}
	return p, ""
}

// optionKey reads the value of a choice: the text that was offered, or on some servers the number in it.
func optionKey(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		s := strings.TrimSpace(v)
		return s, s != ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e6 {
			return strconv.Itoa(int(v)), true
		}
	}
	return "", false
}
