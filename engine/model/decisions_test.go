package model

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestDecisionRequests pins both requests to the byte: members in the order of the menu, nothing else beside them.
func TestDecisionRequests(t *testing.T) {
	q := menu(false, nil, "Enter \"Oslo\"", "Pay now\n3 Pay twice")
	for wire, want := range map[string]string{
		"systemone": `{"model":"stub","state":` + quoted(goldenState) + `,"questions":{"q1":{"type":"choice","instructions":` + quoted("Goal: "+q.Instructions+"\n"+askDecision) +
			`,"criteria":{"1":"Enter \"Oslo\"","2":"Pay now 3 Pay twice","0":"None of these"}}}}`,
		"decisions": `{"model":"stub","input":` + quoted(goldenState) + `,"questions":[{"type":"choice","name":"q1","instructions":` + quoted("Goal: "+q.Instructions+"\n"+askDecision) +
			`,"choices":[{"value":"1","description":"Enter \"Oslo\""},{"value":"2","description":"Pay now 3 Pay twice"},{"value":"0","description":"None of these"}]}]}`,
	} {
		s := modeltest.Start(t, nil)
		if _, err := pickOne(t, driver(t, wire+":stub", Config{BaseURL: s.URL()}), q); err != nil {
			t.Fatal(err)
		}
		if got := string(s.Log()[0].Request.Body); got != want {
			t.Errorf("%s:\n got %s\nwant %s", wire, got, want)
		}
		if got := s.Log()[0].Request.Path; got != "/v1/"+wire {
			t.Errorf("asked %s", got)
		}
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestDecisionsSeveralQuestions: questions about one page are one request; another page is another.
func TestDecisionsSeveralQuestions(t *testing.T) {
	for _, wire := range []string{"systemone:stub", "decisions:stub"} {
		s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
			if strings.Contains(r.Prompt(), "refuse this") {
				return modeltest.Reply{Refusal: "no"}
			}
			return modeltest.Reader(func(m []modeltest.Option) []string { return []string{m[len(m)-1].Key} })(r)
		})
		other := menu(false, nil, "x", "y", "z")
		other.State = "#3fa9c1 another page #3fa9c1"
		p := driver(t, wire, Config{BaseURL: s.URL()})
		a, err := p.Pick(t.Context(), engine.Request{Questions: []engine.Question{five(false), menu(false, nil, "a", "refuse this"), {}, other}})
		if err != nil || len(a) != 4 {
			t.Fatalf("%s: %+v, %v", wire, a, err)
		}
		if a[0].Keys[0] != "5" || !a[1].Refused || a[1].Keys != nil || a[2].Keys[0] != "0" || a[3].Keys[0] != "3" {
			t.Errorf("%s: %+v", wire, a)
		}
		if len(s.Log()) != 2 || s.Log()[0].Questions != 2 || a[0].Usage.Calls != 2 || a[3].Usage.Calls != 0 {
			t.Errorf("%s: %d requests, usage %+v", wire, len(s.Log()), a[0].Usage)
		}
	}
}

// TestContest puts menus of many lengths through questions of few options. The model of the stub weighs every label
// once and for all, so the heats must come to the answer and to the probabilities of one large question.
func TestContest(t *testing.T) {
	weight := func(label string) float64 {
		n, _ := strconv.Atoi(strings.TrimPrefix(label, "option "))
		return float64(1 + (n*n*7)%23)
	}
	const none = 5.0
	s := modeltest.Start(t, func(r modeltest.ChatRequest) modeltest.Reply {
		options, _ := modeltest.Menu(r.Prompt())
		p := map[string]float64{"0": none}
		sum, best := none, "0"
		for _, o := range options {
			p[o.Key] = weight(o.Label)
			sum += p[o.Key]
			if p[o.Key] > p[best] {
				best = o.Key
			}
		}
		for k := range p {
			p[k] /= sum
		}
		return modeltest.Reply{Text: best, P: p}
	})
	for _, limit := range []int{3, 4, 8, 20} {
		for _, n := range []int{1, 2, 3, 7, 8, 15, 19, 20, 41} {
			q := menu(false, nil)
			sum, best := none, "0"
			top := none
			for i := range n {
				o := engine.Option{Key: strconv.Itoa(i + 1), Label: "option " + strconv.Itoa(i+1)}
				q.Options = append(q.Options, o)
				sum += weight(o.Label)
				if weight(o.Label) > top {
					top, best = weight(o.Label), o.Key
				}
			}
			before := len(s.Log())
			a, err := pickOne(t, driver(t, "decisions:stub", Config{BaseURL: s.URL(), MaxOptions: limit}), q)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.P) != n+1 || a.P[best] < a.P[a.Keys[0]]-1e-9 || math.Abs(a.P[a.Keys[0]]-top/sum) > 1e-9 {
				t.Errorf("limit %d, %d options: picked %s with %f, want %s with %f", limit, n, a.Keys, a.P[a.Keys[0]], best, top/sum)
			}
			for key, p := range a.P {
				want := none / sum
				if key != "0" {
					want = weight("option "+key) / sum
				}
				if math.Abs(p-want) > 1e-9 {
					t.Errorf("limit %d, %d options: %s has %f, want %f", limit, n, key, p, want)
				}
			}
			for _, e := range s.Log()[before:] {
				if got := strings.Count(string(e.Request.Body), `"value"`); got > limit*questionsPerCall {
					t.Errorf("limit %d: %d options in one request", limit, got)
				}
			}
			if calls := len(s.Log()) - before; n < limit && calls != 1 || a.Usage.Calls != calls {
				t.Errorf("limit %d, %d options: %d requests, %d counted", limit, n, calls, a.Usage.Calls)
			}
		}
	}
}

// TestContestNobody: where "none of these" wins every heat, and where only one option beats it.
func TestContestNobody(t *testing.T) {
	for want, prefer := range map[string]string{"0": "nothing", "7": "g"} {
		s := modeltest.Start(t, modeltest.Reader(func(m []modeltest.Option) []string {
			i := slices.IndexFunc(m, func(o modeltest.Option) bool { return o.Label == prefer })
			if i < 0 {
				return nil
			}
			return []string{m[i].Key}
		}))
		a, err := pickOne(t, driver(t, "systemone:stub", Config{BaseURL: s.URL(), MaxOptions: 4}), menu(false, nil, "a", "b", "c", "d", "e", "f", "g", "h"))
		if err != nil || a.Keys[0] != want {
			t.Fatalf("%+v, %v", a, err)
		}
		checkOdds(t, a, 8, true)
		if len(s.Log()) != 1 || s.Log()[0].Questions != 3 {
			t.Errorf("%d requests", len(s.Log()))
		}
	}
}

// TestContestRefusesBadHeats: a heat's probabilities are checked here, since the gate sees only the outcome.
func TestContestRefusesBadHeats(t *testing.T) {
	for want, reply := range map[string]modeltest.Reply{
		"sum to 0.50": {Text: "1", P: map[string]float64{"1": 0.3, "0": 0.2}},
		"not one of":  {Text: "17"},
	} {
		s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return reply })
		_, err := pickOne(t, driver(t, "decisions:stub", Config{BaseURL: s.URL(), MaxOptions: 3}), five(false))
		if u, ok := errors.AsType[*engine.UnreadableError](err); !ok || !strings.Contains(err.Error(), want) || u.Usage.Calls != 1 {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// A choice that has no probability of its own: the choice stands, the probabilities speak against it.
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply {
		return modeltest.Reply{Text: "1", P: map[string]float64{"1": 0, "2": 1, "0": 0}}
	})
	a, err := pickOne(t, driver(t, "decisions:stub", Config{BaseURL: s.URL(), MaxOptions: 3}), menu(false, nil, "a", "b", "c", "d"))
	sum := 0.0
	for _, p := range a.P {
		sum += p
	}
	if err != nil || a.Keys[0] != "1" || a.P["1"] > 0.01 || math.Abs(sum-1) > 1e-9 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestDecisionSettings(t *testing.T) {
	for want, c := range map[string]struct {
		spec string
		cfg  Config
	}{
		"at least 3 are needed":                      {"decisions:m", Config{BaseURL: "http://h/v1", MaxOptions: 2}},
		"name its base URL with --model-url":         {"systemone:m", Config{}},
		"no key: set NTH_DECISIONS_API_KEY or OPENA": {"decisions:m", Config{}},
	} {
		c.cfg.Env = noEnv
		if _, err := New(c.spec, c.cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
