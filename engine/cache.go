package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// PickCache keeps picks that went well, so that the same menu is not put to a model twice. A miss is ErrNotCached.
//
// What it holds says nothing of what a run was about. An entry's menu is in normal form: per line the skill, the types
// of its bindings, and the role of its element; no value, no secret, no text of the page. The key is one hash of the
// program's digest, the stage and those lines. Where one entry of a stage offers several candidates, the choice depends
// on what they say and on what they are for: their texts and bindings go into the hash, and so does a goal that is an
// expression, with the run's secrets taken out first.
//
// An entry is written only after the postcondition of what was picked held and its row of the run ended well; it
// holds the keys that were done, which may be fewer than were picked. Nothing is kept of a menu where a commit was
// picked, and an entry that names one is not used. An entry whose first action fails, or that was used by a row that
// failed, is deleted.
type PickCache interface {
	Get(ctx context.Context, key string) (*CachedPick, error)
	Put(ctx context.Context, e *CachedPick) error
	List(ctx context.Context) ([]*CachedPick, error) // oldest first
	Delete(ctx context.Context, key string) error    // no error when there is none
}

// ErrNotCached is a miss.
var ErrNotCached = errors.New("not in the cache")

// CachedPick is one entry of a PickCache.
type CachedPick struct {
	Key     string    `json:"key"`
	Flow    string    `json:"flow"`
	Program string    `json:"program"` // digest
	Stage   string    `json:"stage"`
	Menu    []string  `json:"menu"` // normal form
	Keys    []string  `json:"keys"`
	By      string    `json:"by"` // who picked
	Model   string    `json:"model,omitempty"`
	Run     string    `json:"run"` // in which run
	Saved   Usage     `json:"saved"`
	Time    time.Time `json:"time"`
}

// lesson is a pick that may be cached, or that came from the cache, with the row it belongs to.
type lesson struct {
	path  string
	entry *CachedPick
	used  bool // it came from the cache
}

// cacheable reports whether the run's picker is one that the cache stands in for: it costs time or money.
func (r *run) cacheable() bool {
	return r.Cache != nil && !r.Picker.Caps().Instant
}

// recall answers a menu from the cache. Whatever the outcome, p says what came of it.
func (w *walk) recall(ctx context.Context, v *view, m *Menu, p *Pick) bool {
	if !w.cacheable() {
		return false
	}
	lines, details := w.normalMenu(v, m)
	key := digestOf(w.prog.Digest, w.st.Name, digestOf(lines...), digestOf(details...))[:32]
	p.CacheKey, p.Cache = key, "miss"
	w.chain = append(w.chain, &CachedPick{Key: key, Flow: w.prog.Name, Program: w.prog.Digest, Stage: w.st.Name, Menu: lines})
	if w.Picker.Caps().Person {
		return false // who wants to pick, picks; the cache learns
	}
	if w.stale[key] {
		p.Cache = "stale"
		return false
	}
	e, err := w.Cache.Get(ctx, key)
	if err != nil || !w.usable(e, m) {
		return false
	}
	p.Keys, p.By, p.Model, p.Cache = e.Keys, "cache", e.Model, "hit"
	w.shared.learnt = append(w.shared.learnt, lesson{path: w.path, entry: e, used: true})
	return true
}

// usable checks an entry as if a stranger had written it: the gate, and no commit.
func (w *walk) usable(e *CachedPick, m *Menu) bool {
	q := Question{Options: m.Options(), Many: w.st.Pick == "auto"}
	for _, c := range m.Candidates {
		q.Group = append(q.Group, c.group)
	}
	keys, err := gate(q, Answer{Keys: e.Keys})
	if err != nil {
		return false
	}
	return keys[0] != "0" && !m.pickedCommit(keys)
}

// normalMenu is a menu without its values, and what the choice between alternatives depends on beside it: that is for
// hashing only.
func (w *walk) normalMenu(v *view, m *Menu) (lines, details []string) {
	alternatives := map[int]int{}
	for _, c := range m.all {
		alternatives[c.group]++
	}
	for i, c := range m.Candidates {
		var types []string
		for _, p := range c.Entry.Skill.Params {
			types = append(types, p.Name+": "+typeOf(c.Params[p.Name], asked(c.Entry, p.Name)))
		}
		line := fmt.Sprintf("%d %s(%s)", i+1, c.Entry.Skill.FullName(), strings.Join(types, ", "))
		if c.element >= 0 {
			line += " " + v.Elements[c.element].Role
		}
		if n := alternatives[c.group]; n > 1 {
			line += fmt.Sprintf(", one of %d", n)
			if c.element >= 0 {
				details = append(details, w.redact(v.Elements[c.element].identity()))
			}
			match, _ := json.Marshal(c.Match)
			params, _ := json.Marshal(w.redactValue(c.Params))
			details = append(details, w.redact(c.Label), w.redact(string(match)), string(params))
		}
		lines = append(lines, line)
	}
	if m.Page > 0 || m.More() > 0 {
		lines = append(lines, fmt.Sprintf("page %d, more: %t", m.Page+1, m.More() > 0))
	}
	if w.st.Goal != nil {
		if _, fixed := w.st.Goal.Const(); !fixed { // a fixed one is part of the program
			details = append(details, w.instructions(v, w.st))
		}
	}
	return lines, details
}

func typeOf(x any, asked bool) string {
	if asked {
		return "written"
	}
	switch x.(type) {
	case nil:
		return "nothing"
	case compile.SecretValue:
		return "secret"
	case bool:
		return "boolean"
	case string:
		return "text"
	case int, float64:
		return "number"
	case []any:
		return "list"
	}
	return "object"
}

func digestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// learn notes what came of a pick: the keys that were done, in order, each with its postcondition, and whether the one
// after them failed.
func (w *walk) learn(ctx context.Context, m *Menu, p *Pick, done []string, failed bool) {
	chain := w.chain
	w.chain = nil
	if !w.cacheable() || len(chain) == 0 {
		return
	}
	if p.Cache == "hit" {
		if failed && len(done) == 0 {
			if w.stale == nil {
				w.stale = map[string]bool{}
			}
			w.stale[p.CacheKey] = true
			_ = w.Cache.Delete(ctx, p.CacheKey) // a help, not a duty: it would fail again, and be asked about again
		}
		return
	}
	if len(done) == 0 || p.Asked == 0 || p.By == "fallback first" || m.pickedCommit(p.Keys) {
		return
	}
	for i, e := range chain {
		e.Keys, e.By, e.Model, e.Run, e.Saved = done, p.By, p.Model, w.shared.id, p.Usage
		if i < len(chain)-1 { // the pages before the one that was picked from: "show more"
			e.Keys = []string{strconv.Itoa(maxMenu + 1)}
			e.Saved = Usage{Calls: 1}
		}
		w.learnt = append(w.learnt, lesson{path: w.path, entry: e})
	}
}

// keep hands a stage's lessons to the run, once the stage is done.
func (w *walk) keep() { w.shared.learnt = append(w.shared.learnt, w.learnt...) }

// teach writes to the cache what a row, or the run as a whole, has learnt when it ended well, so that the next row can
// use it, and takes from the cache what it used when it failed. The cache is a help: a run is not worse for one that
// cannot be written.
func (r *run) teach(ctx context.Context, path string, err error) {
	if r.Cache == nil {
		return
	}
	var se *StageError
	failed := errors.As(err, &se) && statusOf(se) == Failed && ctx.Err() == nil
	ctx = context.WithoutCancel(ctx)
	var others []lesson
	for _, l := range r.shared.learnt {
		switch {
		case l.path != path && !strings.HasPrefix(l.path, path+"/") && !strings.HasPrefix(l.path, path+"["):
			others = append(others, l)
		case err == nil && !l.used:
			l.entry.Time = r.Now()
			_ = r.Cache.Put(ctx, l.entry)
		case failed && l.used:
			_ = r.Cache.Delete(ctx, l.entry.Key)
		}
	}
	r.shared.learnt = others
}
