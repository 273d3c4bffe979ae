package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

const cachedFlow = `kind: flow/v1
name: greet
packs: {std: std@^1}
inputs: {who: {type: string}, colour: {type: string, default: red}}
secrets: {pin: {env: PIN}}
stages:
  go:
    goal: Write and go on
    relevance:
      - std.fill: {field: Name, value: =inputs.who}
      - std.fill_secret: {field: Pin, value: =secrets.pin}
      - std.click: {name: Next}
      - std.click: {name: Help}
    done: page.title == "Second"
  choose:
    goal: Choose
    relevance:
      - std.click: {name: Offer}
    done: page.title == "Third"
`

func greet(t *testing.T) *world {
	return newWorld(t, cachedFlow, nil, map[string]string{
		"first":  "url: https://example.test/\ntitle: First\ntextbox \"Name\"\ntextbox \"Pin\" type=password\nbutton \"Next\"\nlink \"Help\"\n",
		"second": "url: https://example.test/2\ntitle: Second\nbutton \"Offer A\"\nbutton \"Offer B\"\n",
		"third":  "url: https://example.test/3\ntitle: Third\nbutton \"Home\"\n",
	}, "first", "click button \"Next\" -> second\nclick button \"Offer A\" -> third\nclick button \"Offer B\" -> third\n")
}

// greeter fills in, goes on, and takes offer B.
func greeter() *brain {
	return &brain{name: "m:1", caps: engine.Caps{Batch: true}, pick: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
		if r.Stage == "choose" {
			return engine.Answer{Keys: []string{keyed(r, "Offer B")}}, nil
		}
		return engine.Answer{Keys: []string{"1", "2", "3"}}, nil
	}}
}

func TestCacheSecondRunAsksNobody(t *testing.T) {
	for name, cache := range map[string]engine.PickCache{"memory": &engine.MemoryCache{}, "folder": engine.DirCache{Dir: filepath.Join(t.TempDir(), "picks")}} {
		t.Run(name, func(t *testing.T) {
			w := greet(t)
			b := greeter()
			w.runner = engine.Runner{Picker: b, Cache: cache}
			if res := w.run(t, map[string]any{"who": "Ada Lovelace-Byron"}); res.Status != engine.Done || len(b.asked) != 2 {
				t.Fatalf("first run: %s %s, %d questions", res.Status, res.Message, len(b.asked))
			}
			if p := w.picks()[0]; p.Cache != "miss" {
				t.Errorf("first run: cache %q", p.Cache)
			}
			// Another value of the same type is the same menu.
			res := w.run(t, map[string]any{"who": "Grace"})
			if res.Status != engine.Done || len(b.asked) != 2 || res.Usage.Calls != 0 {
				t.Fatalf("second run: %s %s, %d questions", res.Status, res.Message, len(b.asked))
			}
			if got := strings.Join(w.done, "; "); !strings.HasSuffix(got, `click button "Next"; click button "Offer B"`) {
				t.Errorf("second run did %s", got)
			}
			for _, p := range w.picks() {
				if p.By != "cache" || p.Cache != "hit" || p.Asked != 0 {
					t.Errorf("second run: picked by %q, cache %q", p.By, p.Cache)
				}
			}
			list, err := cache.List(t.Context())
			if err != nil || len(list) != 2 {
				t.Fatalf("%d entries, %v", len(list), err)
			}
			text, _ := json.Marshal(list)
			for _, private := range []string{"Ada", "Lovelace", "Grace", "hunter2", "Offer", "red"} {
				if strings.Contains(string(text), private) {
					t.Errorf("the cache tells %q: %s", private, text)
				}
			}
			if list[0].Menu[0] != "1 std.fill(field: text, value: text) textbox" {
				t.Errorf("normal form: %q", list[0].Menu)
			}
			// A journal with picks from the cache can be replayed.
			replay, err := engine.NewReplay(w.log.records)
			if err != nil {
				t.Fatal(err)
			}
			w.runner = engine.Runner{Picker: replay, Cache: cache}
			if res := w.run(t, map[string]any{"who": "Grace"}); res.Status != engine.Done {
				t.Errorf("replay: %s", res.Message)
			}
		})
	}
}

// What the alternatives say is part of the question.
func TestCacheOtherAlternatives(t *testing.T) {
	w := greet(t)
	b := greeter()
	w.runner = engine.Runner{Picker: b, Cache: &engine.MemoryCache{}}
	w.run(t, map[string]any{"who": "Ada"})
	w.pages["second"] = strings.Replace(w.pages["second"], "Offer A", "Offer C", 1)
	if w.run(t, map[string]any{"who": "Ada"}); len(b.asked) != 3 {
		t.Errorf("%d questions, want 3", len(b.asked))
	}
}

func TestCacheOnlyLearnsFromSuccess(t *testing.T) {
	t.Parallel()
	w := greet(t)
	cache := &engine.MemoryCache{}
	w.runner = engine.Runner{Picker: greeter(), Cache: cache}
	w.rules = "click button \"Next\" -> second\nclick button \"Offer B\" -> error timeout touched\n"
	if res := w.run(t, map[string]any{"who": "Ada"}); res.Status != engine.Failed {
		t.Fatalf("%s", res.Status)
	}
	if list, _ := cache.List(t.Context()); len(list) != 0 {
		t.Errorf("%d entries of a run that failed", len(list))
	}
}

// An entry whose action fails is deleted, and the model is asked.
func TestCacheStale(t *testing.T) {
	w := greet(t)
	cache := &engine.MemoryCache{}
	b := greeter()
	w.runner = engine.Runner{Picker: b, Cache: cache}
	w.run(t, map[string]any{"who": "Ada"})
	w.rules = "click button \"Next\" -> second\nclick button \"Offer B\" -> error covered\nclick button \"Offer B\" -> third\n"
	res := w.run(t, map[string]any{"who": "Ada"})
	if res.Status != engine.Done || len(b.asked) != 3 {
		t.Fatalf("%s %s, %d questions, want 3", res.Status, res.Message, len(b.asked))
	}
	if p := w.picks(); p[len(p)-1].Cache != "stale" {
		t.Errorf("the last pick: cache %q", p[len(p)-1].Cache)
	}
}

// A row that fails takes the entries that it used with it.
func TestCacheForgetsWhatFailed(t *testing.T) {
	t.Parallel()
	w := greet(t)
	cache := &engine.MemoryCache{}
	w.runner = engine.Runner{Picker: greeter(), Cache: cache}
	w.run(t, map[string]any{"who": "Ada"})
	w.rules = "click button \"Next\" -> second\nclick button \"Offer B\" -> error timeout touched\n"
	if res := w.run(t, map[string]any{"who": "Ada"}); res.Status != engine.Failed {
		t.Fatalf("%s", res.Status)
	}
	if list, _ := cache.List(t.Context()); len(list) != 0 {
		t.Errorf("%d entries are left", len(list))
	}
}

func TestCacheNeverAnswersWithACommit(t *testing.T) {
	w := doors(t, "")
	cache := &engine.MemoryCache{}
	b := sure("m:1", "Pay")
	w.runner = engine.Runner{Picker: b, Cache: cache}
	w.run(t, nil)
	if list, _ := cache.List(t.Context()); len(list) != 0 {
		t.Fatalf("%d entries for a commit", len(list))
	}
	// Somebody else may have written the file.
	b.pick = sure("", "Left").pick
	w.run(t, nil)
	list, _ := cache.List(t.Context())
	if len(list) != 1 {
		t.Fatalf("%d entries", len(list))
	}
	for _, keys := range []string{"3", "0", "99", "1,2,3", "x", ""} {
		forged := *list[0]
		forged.Keys = strings.Split(keys, ",")
		_ = cache.Put(t.Context(), &forged)
		before := len(b.asked)
		if w.run(t, nil); len(b.asked) != before+1 || w.done[0] != `click button "Left"` {
			t.Errorf("an entry with %q: %d questions, did %v", keys, len(b.asked)-before, w.done)
		}
	}
}

// The menu's later pages are known too.
func TestCachePages(t *testing.T) {
	page := "url: https://example.test/2\ntitle: Second\n"
	for i := range 40 {
		page += fmt.Sprintf("button \"Offer %02d\"\n", i+1)
	}
	w := greet(t)
	w.pages["second"], w.rules = page, "click button \"Next\" -> second\nclick button \"Offer 33\" -> third\n"
	b := &brain{name: "m:1", caps: engine.Caps{Batch: true}, pick: func(_ context.Context, _ int, r engine.Request) (engine.Answer, error) {
		if r.Stage == "go" {
			return engine.Answer{Keys: []string{"1", "2", "3"}}, nil
		}
		if k := keyed(r, "Offer 33"); k != "0" {
			return engine.Answer{Keys: []string{k}}, nil
		}
		return engine.Answer{Keys: []string{keyed(r, "Show")}}, nil
	}}
	w.runner = engine.Runner{Picker: b, Cache: &engine.MemoryCache{}}
	if res := w.run(t, map[string]any{"who": "Ada"}); res.Status != engine.Done || len(b.asked) != 4 {
		t.Fatalf("%s %s, %d questions, want 4", res.Status, res.Message, len(b.asked))
	}
	if res := w.run(t, map[string]any{"who": "Ada"}); res.Status != engine.Done || len(b.asked) != 4 {
		t.Errorf("second run: %s %s, %d more questions", res.Status, res.Message, len(b.asked)-4)
	}
}

// A menu that was declined teaches nothing about the one that was picked from afterwards.
func TestCacheAfterDecline(t *testing.T) {
	w := greet(t)
	cache := &engine.MemoryCache{}
	b := greeter()
	pick := b.pick
	b.pick = func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) {
		if n == 1 {
			return engine.Answer{Keys: []string{"0"}}, nil
		}
		return pick(ctx, n, r)
	}
	w.rules = "changed -> later\n" + w.rules
	w.pages["later"] = strings.Replace(w.pages["first"], "link \"Help\"\n", "", 1)
	w.runner = engine.Runner{Picker: b, Cache: cache}
	if res := w.run(t, map[string]any{"who": "Ada"}); res.Status != engine.Done {
		t.Fatal(res.Message)
	}
	list, _ := cache.List(t.Context())
	for _, e := range list {
		if e.Keys[0] == "16" {
			t.Errorf("learnt to ask for more of %v", e.Menu)
		}
	}
	if len(list) != 2 {
		t.Errorf("%d entries, want 2", len(list))
	}
}

// What one row has learnt, the next one uses; a row that fails teaches nothing.
func TestCacheRows(t *testing.T) {
	flow := strings.Replace(cachedFlow, "inputs: {who: {type: string}, colour: {type: string, default: red}}",
		"inputs: {rows: {type: array, maxItems: 5, items: {type: string}}}\nfor_each: {rows: =inputs.rows, as: who, on_error: collect}", 1)
	flow = strings.Replace(flow, "=inputs.who", "=who", 1)
	flow = strings.Replace(flow, "stages:", "stages:\n  open:\n    do: [{goto: \"https://example.test/\"}]", 1)
	w := greet(t)
	v := newWorld(t, flow, nil, w.pages, w.first, w.rules)
	b := greeter()
	pick := b.pick
	b.pick = func(ctx context.Context, n int, r engine.Request) (engine.Answer, error) {
		if n == 2 { // the first row fails
			return engine.Answer{}, errors.New("endpoint down")
		}
		return pick(ctx, n, r)
	}
	v.runner = engine.Runner{Picker: b, Cache: &engine.MemoryCache{}}
	res := v.run(t, map[string]any{"rows": []any{"Ada", "Grace", "Edith", "Joan"}})
	if len(res.Rows) != 4 || res.Rows[0].Status != engine.Failed || res.Rows[3].Status != engine.Done {
		t.Fatalf("%+v %s", res.Rows, res.Message)
	}
	if len(b.asked) != 4 { // two of the first row, two of the second
		t.Errorf("%d questions, want 4", len(b.asked))
	}
}

func TestDirCache(t *testing.T) {
	ctx := t.Context()
	c := engine.DirCache{Dir: filepath.Join(t.TempDir(), "a", "b")}
	if list, err := c.List(ctx); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	if _, err := c.Get(ctx, "ab"); !errors.Is(err, engine.ErrNotCached) {
		t.Fatal(err)
	}
	for i, key := range []string{"ab", "cd"} {
		if err := c.Put(ctx, &engine.CachedPick{Key: key, Keys: []string{"1"}, Time: time.Unix(int64(10-i), 0)}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := c.List(ctx)
	if err != nil || len(list) != 2 || list[0].Key != "cd" {
		t.Fatal(list, err)
	}
	// Half a file, or a file of another key, is a miss.
	if err := os.WriteFile(filepath.Join(c.Dir, "ab.json"), []byte(`{"key":"ab`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "ef.json"), []byte(`{"key":"ab"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"ab", "ef"} {
		if _, err := c.Get(ctx, key); !errors.Is(err, engine.ErrNotCached) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if err := c.Delete(ctx, "cd"); err != nil {
		t.Error(err)
	}
	if err := c.Delete(ctx, "cd"); err != nil {
		t.Error("deleted twice:", err)
	}
	for _, bad := range []string{"", "../x", "AB", "a/b"} {
		if _, err := c.Get(ctx, bad); err == nil || errors.Is(err, engine.ErrNotCached) {
			t.Errorf("key %q: %v", bad, err)
		}
	}
}
