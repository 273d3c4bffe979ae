package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
)

const noteFlow = `kind: flow/v1
name: note
packs: {std: std@^1, mail: ./mail}
stages:
  write:
    goal: Ask for a late checkout
    relevance:
      - mail.note: {text: {ask: A polite note}}
      - std.click: {name: Help}
    done: facts.noted
`

const mailPack = `kind: pack/v1
name: test/mail
version: 1.0.0
facts: [noted]
skills:
  note:
    summary: Write a note
    params: {text: {type: string, minLength: 5, maxLength: 20}}
    target: {role: textbox, name: Wishes}
    do: [{fill: =params.text}]
    ensures: target.value == params.text
    sets: [noted]
    effect: EFFECT
`

func notes(t *testing.T, effect string) *world {
	return newWorld(t, noteFlow, map[string]string{"mail/pack.yaml": strings.Replace(mailPack, "EFFECT", effect, 1)}, map[string]string{
		"first": "url: https://example.test/\ntitle: First\ntextbox \"Wishes\"\nbutton \"Help\"\n",
	}, "first", "")
}

func TestAsk(t *testing.T) {
	ok := func(values ...any) func(int, engine.WriteRequest) (engine.Written, error) {
		return func(n int, _ engine.WriteRequest) (engine.Written, error) {
			return engine.Written{Values: map[string]any{"text": values[n-1]}, Usage: engine.Usage{Calls: 1, PromptTokens: 50, CompletionTokens: 10}}, nil
		}
	}
	for _, tt := range []struct {
		name   string
		write  func(int, engine.WriteRequest) (engine.Written, error)
		values map[string]any // that came with the pick
		wrote  int
		text   string // what stands in the field at the end; "" the stage fails
		fails  string
	}{
		{"second call", ok("Late, please"), nil, 1, "Late, please", ""},
		{"too long, then right", ok(strings.Repeat("x", 21), "Late, please"), nil, 2, "Late, please", ""},
		{"wrong type twice", ok(5, []any{"a"}), nil, 2, "", "wrote nothing that fits"},
		{"with the pick", ok("not asked"), map[string]any{"text": "Late, thanks"}, 0, "Late, thanks", ""},
		{"with the pick, too short", ok("Late, please"), map[string]any{"text": "x"}, 1, "Late, please", ""},
		{"endpoint down", func(int, engine.WriteRequest) (engine.Written, error) { return engine.Written{}, errors.New("refused") }, nil, 1, "", "refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := notes(t, "write")
			b := sure("m:1", "Write a note")
			b.write = tt.write
			if tt.values != nil {
				pick := b.pick
				b.caps.Values = true
				b.pick = func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) {
					if f := r.Questions[0].Asks["1"]; len(f) != 1 || f[0].Name != "text" || f[0].Prompt != "A polite note" || f[0].Schema["maxLength"] == nil {
						t.Errorf("asked for %+v", f)
					}
					a, err := pick(ctx, n, r)
					a.Values = map[string]map[string]any{"1": tt.values}
					return a, err
				}
			}
			w.runner = engine.Runner{Picker: b}
			res := w.run(t, nil)
			if len(b.wrote) != tt.wrote {
				t.Errorf("%d texts were asked for, want %d", len(b.wrote), tt.wrote)
			}
			if tt.fails != "" {
				if res.Error != engine.ErrModel || !strings.Contains(res.Message, tt.fails) || len(w.done) > 0 {
					t.Errorf("%s: %s, did %v", res.Error, res.Message, w.done)
				}
				return
			}
			step := w.log.records[1]
			if res.Status != engine.Done || step.Params["text"] != tt.text {
				t.Fatalf("%s %s, params %v", res.Status, res.Message, step.Params)
			}
			replay, err := engine.NewReplay(w.log.records)
			if err != nil {
				t.Fatal(err)
			}
			w.runner = engine.Runner{Picker: replay}
			if res := w.run(t, nil); res.Status != engine.Done || w.log.records[1].Params["text"] != tt.text {
				t.Errorf("replay: %s %s, params %v", res.Status, res.Message, w.log.records[1].Params)
			}
			if want := 1 + tt.wrote; res.Usage.Calls != want || step.Pick.Usage.Calls != want {
				t.Errorf("%d calls in the run and %d in the pick, want %d", res.Usage.Calls, step.Pick.Usage.Calls, want)
			}
		})
	}
}

// A commit is the same commit, whatever words the model finds for it the second time.
func TestAskCommitOnce(t *testing.T) {
	w := notes(t, "commit")
	w.rules = "fill textbox \"Wishes\" -> error timeout touched\n"
	b := sure("m:1", "Write a note")
	n := 0
	b.write = func(int, engine.WriteRequest) (engine.Written, error) {
		n++
		return engine.Written{Values: map[string]any{"text": "Version " + string(rune('A'+n))}}, nil
	}
	w.runner = engine.Runner{Picker: b}
	res := w.run(t, nil)
	intents := map[string]int{}
	for _, r := range w.log.records {
		if r.Type == "intent" {
			intents[r.CommitKey]++
		}
	}
	if len(intents) != 1 {
		t.Errorf("%s: intents by key: %v, want one key", res.Status, intents)
	}
}

func TestAskCompile(t *testing.T) {
	for _, tt := range []struct{ name, entry, skill, want string }{
		{"fine", "mail.note: {text: {ask: A note}}", "", ""},
		{"secret", "mail.note: {text: {ask: A note}}", "params: {text: {type: string, x-secret: true}}", "is secret, so the model cannot write it"},
		{"precondition", "mail.note: {text: {ask: A note}}", "requires: params.text != \"\"", "decides by its requires"},
		{"target", "mail.note: {text: {ask: A note}}", "target: {role: textbox, name: =params.text}", "decides by its target"},
		{"no text", "mail.note: {text: {ask: [a]}}", "", "ask must be a text"},
		{"a secret in the words", "mail.note: {text: {ask: =secrets.pin}}", "", "must not be part of what the model is told"},
	} {
		skill := mailPack
		if key, _, _ := strings.Cut(tt.skill, ":"); key != "" {
			lines := strings.Split(skill, "\n")
			for i, l := range lines {
				if strings.HasPrefix(strings.TrimSpace(l), key+":") {
					lines[i] = ""
				}
			}
			skill = strings.Replace(strings.Join(lines, "\n"), "    summary: Write a note", "    summary: Write a note\n    "+tt.skill, 1)
		}
		files := map[string]string{
			"flow.yaml":      "kind: flow/v1\nname: f\npacks: {mail: ./mail}\nsecrets: {pin: {env: PIN}}\nstages:\n  s:\n    relevance:\n      - " + tt.entry + "\n",
			"mail/pack.yaml": strings.Replace(skill, "EFFECT", "write", 1),
		}
		in, err := (&pack.Loader{Read: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		}}).Load("flow.yaml")
		if err != nil {
			t.Fatal(err)
		}
		prog, ds := compile.Compile(in)
		if tt.want == "" {
			if prog == nil {
				t.Errorf("%s: %v", tt.name, ds)
			}
			continue
		}
		if prog != nil || !strings.Contains(ds[0].Summary, tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, ds, tt.want)
		}
	}
}
