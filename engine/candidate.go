package engine

import (
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"

	"github.com/nth-dev/nth/engine/compile"
)

// Candidate is an action that is possible and allowed now: a skill with its target found and its params bound
// and validated.
type Candidate struct {
	Entry  *compile.Entry
	Params map[string]any // by name; secrets are compile.SecretValue
	Match  map[string]any // the fields that the target reads
	Label  string
	// Key identifies the same action on another look at the page: skill, bindings, and the target as a person
	// would tell it apart.
	Key string

	element int // index in the view, -1: the page as a whole
	alt     int
	order   any // value of the stage's order expression
	group   int // entries of the relevance list, then those of the fallback
}

// Absence says why a relevance entry gave no candidate.
type Absence struct {
	Skill  string `json:"skill"`
	Reason string `json:"reason"`
	hidden bool   // the element is there, but something covers it
}

// history is what has been done in this visit of the stage.
type history struct {
	done  map[string]bool // by Candidate.Key
	tried map[string]int  // failures by Candidate.Key
	entry map[int]bool    // relevance entries that have succeeded
}

// maxTries bounds how often one candidate may fail in a stage visit before it is offered no more.
const maxTries = 2

// candidates finds everything that the entries can do on this page, and says why the others cannot.
func (r *run) candidates(v *view, st *compile.Stage, entries []*compile.Entry, groupBase int) ([]*Candidate, []Absence) {
	var out []*Candidate
	var absent []Absence
	flowEnv := r.env(v)
	for _, e := range entries {
		if first := r.waitsFor(st, e); first != nil && groupBase == 0 {
			absent = append(absent, Absence{Skill: e.Skill.FullName(), Reason: "it cannot be undone, and waits for " + first.Skill.FullName() + ", which stands before it and has to succeed"})
			continue
		}
		found, why := r.entryCandidates(v, e, flowEnv)
		if len(found) == 0 {
			why.Skill = e.Skill.FullName()
			absent = append(absent, why)
		}
		for _, c := range found {
			c.group = groupBase + e.Index
		}
		out = append(out, found...)
	}
	return out, absent
}

// waitsFor is the entry that a commit waits for. Where a stage is done when all its entries have succeeded, a commit is
// offered only when those before it have: a form is not sent while one of its fields cannot be found.
func (r *run) waitsFor(st *compile.Stage, e *compile.Entry) *compile.Entry {
	if st.Done != nil || !e.Skill.Commit() {
		return nil
	}
	if first := r.unfinished(st); first != nil && first.Index < e.Index {
		return first
	}
	return nil
}

func absence(format string, args ...any) Absence {
	return Absence{Reason: fmt.Sprintf(format, args...)}
}

// entryCandidates goes through the filters in the order of their cost: when, requires on the state, params,
// requires on the params, what has been done, the target, requires on the match.
func (r *run) entryCandidates(v *view, e *compile.Entry, flowEnv map[string]any) ([]*Candidate, Absence) {
	s := e.Skill
	if e.When != nil {
		if ok, err := e.When.Bool(flowEnv); err != nil {
			return nil, absence("when: %v", err)
		} else if !ok {
			return nil, absence("when: %s is false", e.When.Source)
		}
	}
	env := map[string]any{"facts": flowEnv["facts"], "page": flowEnv["page"], "run": flowEnv["run"]}
	if ok, why := holds(s.Requires.State, env, "requires"); !ok {
		return nil, why
	}
	params, err := bindParams(e, flowEnv)
	if err != nil {
		return nil, absence("%v", err)
	}
	env["params"] = params
	if ok, why := holds(s.Requires.Params, env, "requires"); !ok {
		return nil, why
	}
	if all, err := r.allFactsSet(s, env); err != nil {
		return nil, absence("%v", err)
	} else if all && !e.Repeat {
		return nil, absence("already done: the facts it sets hold")
	}
	if s.Target == nil {
		c := &Candidate{Entry: e, Params: params, element: -1}
		if why, ok := r.offer(v, c, env); !ok {
			return nil, why
		}
		return []*Candidate{c}, Absence{}
	}
	return r.targetCandidates(v, e, params, env)
}

func holds(cond *compile.Expr, env map[string]any, key string) (bool, Absence) {
	if cond == nil {
		return true, Absence{}
	}
	ok, err := cond.Bool(env)
	if err != nil {
		return false, absence("%s: %v", key, err)
	}
	if ok {
		return true, Absence{}
	}
	return false, absence("%s: %s is false", key, cond.Blame(env))
}

// bindParams evaluates the bindings and checks them against the params' schemas; defaults are filled in.
func bindParams(e *compile.Entry, env map[string]any) (map[string]any, error) {
	params := make(map[string]any, len(e.Skill.Params))
	for _, p := range e.Skill.Params {
		if asked(e, p.Name) {
			params[p.Name] = nil // written once the candidate is picked
			continue
		}
		b, ok := e.With[p.Name]
		if !ok {
			if d, has := p.Schema.Default(); has {
				params[p.Name] = d
			} else {
				params[p.Name] = nil
			}
			continue
		}
		x, err := b.Eval(env)
		if err != nil {
			return nil, fmt.Errorf("param %s: %w", p.Name, err)
		}
		if sec, ok := x.(compile.SecretValue); ok {
			if !p.Schema.Secret {
				return nil, fmt.Errorf("param %s is not secret, but its value is", p.Name)
			}
			if err := p.Schema.Validate(compile.Reveal(sec)); err != nil {
				return nil, fmt.Errorf("param %s: the secret does not fit its schema", p.Name)
			}
			params[p.Name] = sec
			continue
		}
		if x == nil && !p.Required {
			params[p.Name] = nil
			continue
		}
		if !e.Constant {
			if err := p.Schema.Validate(x); err != nil {
				return nil, fmt.Errorf("param %s: %s does not fit: %w", p.Name, show(x), err)
			}
			x = p.Schema.Normalize(x)
		}
		params[p.Name] = x
	}
	return params, nil
}

// show prints a value short, for messages.
func show(x any) string {
	b, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return cut(string(b), 80)
}

// allFactsSet reports whether the skill has nothing left to bring about.
func (r *run) allFactsSet(s *compile.Skill, env map[string]any) (bool, error) {
	some := false
	for _, set := range s.Sets {
		if set.When != nil {
			if set.When.Uses("match") || set.When.Uses("target") {
				return false, nil
			}
			ok, err := set.When.Bool(env)
			if err != nil {
				return false, fmt.Errorf("sets %s: %w", set.Fact, err)
			}
			if !ok {
				continue
			}
		}
		some = true
		if r.state.Facts[set.Fact] != true {
			return false, nil
		}
	}
	return some, nil
}

func (r *run) targetCandidates(v *view, e *compile.Entry, params map[string]any, env map[string]any) ([]*Candidate, Absence) {
	s := e.Skill
	q, err := bindTarget(s.Target, env)
	if err != nil {
		return nil, absence("target: %v", err)
	}
	hits, why := v.resolve(q, -1)
	if why != nil {
		return nil, Absence{Reason: why.Message, hidden: why.Name == ErrCovered}
	}
	var out []*Candidate
	var last Absence
	for _, h := range hits {
		c := &Candidate{Entry: e, Params: params, element: h.index, alt: h.alt}
		el := &v.Elements[h.index]
		var unread string
		c.Match, unread = readFields(s.Target.Read, el.Reads)
		if unread != "" {
			last = absence("%s", unread)
			continue
		}
		env["match"] = c.Match
		if s.Requires.Matched.Uses("target") {
			env["target"] = v.element(h.index)
		}
		if ok, why := holds(s.Requires.Matched, env, "requires"); !ok {
			last = why
			continue
		}
		if why, ok := r.offer(v, c, env); !ok {
			last = why
			continue
		}
		out = append(out, c)
	}
	return out, last
}

// offer completes a candidate and checks it against what has been done.
func (r *run) offer(v *view, c *Candidate, env map[string]any) (Absence, bool) {
	c.Label = cut(oneLine(c.Entry.Skill.Summary.Render(c.Params, c.Match)), maxLabel)
	c.Key = c.key(v)
	switch {
	case c.Entry.Skill.Commit() && r.committed(c):
		return absence("already committed: it is never done twice"), false
	case c.Entry.Repeat:
	case r.hist.done[c.Key]:
		return absence("already done in this stage"), false
	}
	if r.hist.tried[c.Key] >= maxTries {
		return absence("failed %d times", maxTries), false
	}
	return Absence{}, true
}

// key is deterministic and free of secrets (they are hashed).
func (c *Candidate) key(v *view) string {
	h := c.hashParams()
	if c.element >= 0 {
		h.Write([]byte(v.Elements[c.element].identity()))
		b, _ := json.Marshal(c.Match)
		h.Write(b)
	}
	return strconv.Itoa(c.Entry.Index) + ":" + c.Entry.Skill.FullName() + ":" + strconv.FormatUint(h.Sum64(), 36)
}

// commitKey identifies a commit over the whole run: the same skill with the same bindings, in the same row and stage.
func (r *run) commitKey(c *Candidate) string {
	return fmt.Sprintf("%s/%s/%s/%s", r.path, r.state.Stage, c.Entry.Skill.FullName(), strconv.FormatUint(c.hashParams().Sum64(), 36))
}

// hashParams hashes the bindings, in the order of the params. What the model writes is left out: the same commit with
// other words in it is the same commit.
func (c *Candidate) hashParams() hash.Hash64 {
	h := fnv.New64a()
	for _, p := range c.Entry.Skill.Params {
		if asked(c.Entry, p.Name) {
			continue
		}
		x := c.Params[p.Name]
		if sec, ok := x.(compile.SecretValue); ok {
			x = compile.SameSecret(sec)
		}
		b, _ := json.Marshal(x)
		fmt.Fprintf(h, "%s=%s\x1f", p.Name, b)
	}
	return h
}

func (r *run) committed(c *Candidate) bool { return r.shared.commits[r.commitKey(c)] }

// oneLine folds white space and drops what cannot be seen: control characters, and those that turn the direction of
// text or carry hidden text, with which a page could make a line read as something else.
func oneLine(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] > ' ' && s[i] < 0x7f || s[i] == ' ' && i > 0 && i+1 < len(s) && s[i+1] != ' '
	}
	if plain {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != 0x200c && r != 0x200d: // but for joiners
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
