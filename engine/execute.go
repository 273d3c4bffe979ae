package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// execution is one skill (or one do stage) being carried out.
type execution struct {
	skill    *compile.Skill // nil for a do stage
	env      map[string]any
	probes   *compile.Probes
	timeout  time.Duration // per verb, unless the verb says otherwise
	view     *view         // the last look; may be nil in a do stage
	stale    bool          // something has been done since
	target   Element       // the skill's own target, as offered; zero without one
	before   string        // what the page showed before the last action, for a skill that asks whether it has changed
	read     any           // what the verb read has given
	scrolled bool          // the last action was to scroll, so that it counts how far the page is
	// doubt: something that could have had the skill's effect has been done, or may have been.
	doubt bool
}

// harmless verbs cannot by themselves commit anything: they only prepare.
var harmless = map[string]bool{"fill": true, "clear": true, "hover": true, "scroll": true, "wait": true}

// verbs carries out verbs in order; it stops at the first that fails. Errors are *StageError, or ctx's.
func (r *run) verbs(ctx context.Context, x *execution, list []*compile.Verb) error {
	for _, v := range list {
		if err := r.verb(ctx, x, v); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) verb(ctx context.Context, x *execution, v *compile.Verb) error {
	if v.When != nil {
		ok, err := r.test(ctx, x, v.When)
		if err != nil || !ok {
			return err
		}
	}
	timeout := x.timeout
	if v.Timeout > 0 {
		timeout = v.Timeout
	}
	switch v.Name {
	case "repeat":
		return r.repeat(ctx, x, v.Repeat)
	case "read":
		return r.readText(ctx, x, v.Read, timeout)
	case "wait":
		return r.await(ctx, x, v.Until, timeout)
	}
	a := Action{Verb: v.Name, Timeout: timeout}
	if v.Value != nil {
		text, err := v.Value.Text(x.env)
		if err != nil {
			return failf(ErrInput, "%s: %v", v.Name, err)
		}
		a.Value = text
		raw, _ := v.Value.Eval(x.env)
		if _, a.Secret = raw.(compile.SecretValue); a.Secret {
			r.keepSecret(a.Value)
		}
	}
	if v.Name == "ask_person" {
		answer, err := r.askPerson(ctx, a.Value, cmp.Or(v.Timeout, askTime))
		if err != nil {
			return err
		}
		a.Verb, a.Value, a.Secret = "fill", answer, true
		x.stale = true // it took its time
	}
	if v.Name == "goto" {
		if err := r.allowed(a.Value); err != nil {
			return err
		}
	}
	switch {
	case v.Target != nil:
		el, err := r.locate(ctx, x, v.Target, timeout)
		if err != nil {
			return err
		}
		a.Ref, a.Role, a.Name = el.Ref, el.Role, el.Name
	case v.OnSkill && x.target.Ref != "":
		a.Ref, a.Role, a.Name = x.target.Ref, x.target.Role, x.target.Name
	}
	if v.To != nil {
		el, err := r.locate(ctx, x, v.To, timeout)
		if err != nil {
			return err
		}
		a.To = el.Ref
	}
	err := r.do(ctx, x, a)
	var ae *ActionError
	if v.Target == nil && errors.As(err, &ae) && ae.Kind == ErrTargetGone && !ae.Touched && x.stale {
		// The page re-rendered the skill's own target after an earlier verb: find it again by what it is.
		if again, ok := r.relocate(ctx, x); ok {
			a.Ref, a.Role, a.Name = again.Ref, again.Role, again.Name
			err = r.do(ctx, x, a)
		}
	}
	if err != nil && ctx.Err() != nil { // stopped, whatever the driver calls it; x.doubt knows what may have happened
		return ctx.Err()
	}
	return asStageError(err)
}

// do hands an action to the driver and notes what may have happened.
func (r *run) do(ctx context.Context, x *execution, a Action) error {
	if x.skill != nil && x.skill.Changed && x.view != nil && !x.stale {
		x.scrolled = a.Verb == "scroll"
		x.before = shown(x.view, x.scrolled)
	}
	err := r.Driver.Do(ctx, a)
	var ae *ActionError
	touched := err == nil || !errors.As(err, &ae) || ae.Touched
	if touched && !harmless[a.Verb] {
		x.doubt = true
	}
	if touched {
		x.stale = true
	}
	return err
}

func asStageError(err error) error {
	var ae *ActionError
	if errors.As(err, &ae) {
		return &StageError{Name: ae.Kind, Message: ae.Message, Err: err}
	}
	return err
}

// fresh looks again if something has been done since the last look.
func (r *run) fresh(ctx context.Context, x *execution) error {
	if x.view != nil && !x.stale {
		return nil
	}
	v, err := r.look(ctx, x.probes)
	if err != nil {
		return err
	}
	x.seen(v)
	return nil
}

// seen takes a new look into the execution's environment.
func (x *execution) seen(v *view) {
	x.view, x.stale = v, false
	page := v.page()
	page.Changed = x.before != "" && x.before != shown(v, x.scrolled)
	x.env["page"] = page
	if x.skill != nil && x.skill.Target != nil {
		own := x.own()
		x.env["target"] = v.element(own)
		if own >= 0 {
			x.env["match"], _ = readFields(x.skill.Target.Read, v.Elements[own].Reads)
		}
	}
}

// own is the index of the skill's own target in the last look: the same node, or the only one that looks the same.
func (x *execution) own() int {
	if x.target.Ref == "" {
		return -1
	}
	if i := x.view.find(x.target.Ref); i >= 0 {
		return i
	}
	found := -1
	for _, i := range x.view.byRole[x.target.roleKey()] {
		if x.view.Elements[i].identity() == x.target.identity() {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

func (r *run) relocate(ctx context.Context, x *execution) (Element, bool) {
	if err := r.fresh(ctx, x); err != nil {
		return Element{}, false
	}
	i := x.own()
	if i < 0 || x.view.Elements[i].Ref == x.target.Ref {
		return Element{}, false
	}
	return x.view.Elements[i], true
}

// test evaluates a condition, on a fresh look if it speaks of the page.
func (r *run) test(ctx context.Context, x *execution, cond *compile.Expr) (bool, error) {
	if cond.Uses("page") || cond.Uses("target") || cond.Uses("match") {
		if err := r.fresh(ctx, x); err != nil {
			return false, err
		}
	}
	ok, err := cond.Bool(x.env)
	if err != nil {
		return false, failf(ErrInput, "%v", err)
	}
	return ok, nil
}

// until looks at the page, and again at each change, until ok says so or the time is up. It returns the last error of
// ok, or nil when ok was satisfied. It never sleeps.
func (r *run) until(ctx context.Context, x *execution, timeout time.Duration, ok func() error) error {
	ctx2, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		if err := r.fresh(ctx2, x); err != nil {
			if ctx.Err() == nil && ctx2.Err() != nil && x.view != nil {
				return ok()
			}
			return err
		}
		last := ok()
		if last == nil {
			return nil
		}
		if err := r.Driver.Changed(ctx2, x.view.Snapshot); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if ctx2.Err() != nil {
				return last
			}
			return asStageError(err)
		}
		x.stale = true
	}
}

// await waits until a condition holds.
func (r *run) await(ctx context.Context, x *execution, cond *compile.Expr, timeout time.Duration) error {
	return r.until(ctx, x, timeout, func() error {
		ok, err := cond.Bool(x.env)
		if err == nil && !ok {
			err = failf(ErrTimeout, "%s did not come to hold within %s", cond.Source, timeout)
		}
		return err
	})
}

// locate waits until exactly one element matches a verb's target.
func (r *run) locate(ctx context.Context, x *execution, t *compile.Target, timeout time.Duration) (Element, error) {
	q, err := bindTarget(t, x.env)
	if err != nil {
		return Element{}, failf(ErrInput, "target: %v", err)
	}
	var found Element
	err = r.until(ctx, x, timeout, func() error {
		root := -1
		if t.WithinSkill {
			if root = x.own(); root < 0 {
				return failf(ErrTargetGone, "%s has left the page", x.target.describe())
			}
		}
		hits, why := x.view.resolve(q, root)
		switch {
		case len(hits) == 1:
			found = x.view.Elements[hits[0].index]
			return nil
		case len(hits) > 1:
			names := []string{}
			for _, h := range hits[:min(len(hits), 4)] {
				names = append(names, x.view.Elements[h.index].describe())
			}
			return failf(ErrAmbiguous, "%d elements match %s: %s", len(hits), q, strings.Join(names, ", "))
		}
		return why
	})
	return found, err
}

func (r *run) repeat(ctx context.Context, x *execution, rep *compile.Repeat) error {
	for range rep.Max {
		done, err := r.test(ctx, x, rep.Until)
		if err != nil || done {
			return err
		}
		if err := r.verbs(ctx, x, rep.Do); err != nil {
			return err
		}
	}
	done, err := r.test(ctx, x, rep.Until)
	if err == nil && !done {
		err = failf(ErrEnsures, "repeat: %s did not come to hold in %d rounds", rep.Until.Source, rep.Max)
	}
	return err
}

// look takes a snapshot, and refuses a page outside the allowed origins.
func (r *run) look(ctx context.Context, p *compile.Probes) (*view, error) {
	s, err := r.Driver.Snapshot(ctx, p)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, asStageError(err)
	}
	r.shared.downloads = s.Downloads
	if err := r.allowed(s.URL); err != nil {
		return nil, err
	}
	return newView(s, p), nil
}

// allowed checks an address against the flow's allow_origins.
func (r *run) allowed(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return failf(ErrInput, "%s is not an absolute URL, such as https://example.com/", quoteShort(r.redact(address)))
	}
	if len(r.prog.AllowOrigins) == 0 || address == "about:blank" {
		return nil
	}
	if origin := u.Scheme + "://" + u.Host; !slices.Contains(r.prog.AllowOrigins, origin) {
		return failf(ErrOrigin, "%s is not in allow_origins (%s)", origin, strings.Join(r.prog.AllowOrigins, ", "))
	}
	return nil
}

// outcome is what came of a candidate.
type outcome struct {
	err      error // *StageError, or ctx's; nil: done and verified
	view     *view // the last look; nil when the page could not be looked at
	returned any
	facts    []string
	act      time.Duration
	verify   time.Duration
	clean    bool // err != nil, and the page was certainly not touched
}

// carryOut does a candidate's skill and sees that it was done.
func (r *run) carryOut(ctx context.Context, st *compile.Stage, v *view, c *Candidate) outcome {
	s := c.Entry.Skill
	x := &execution{skill: s, probes: st.Probes, timeout: s.Timeout, view: v, env: map[string]any{
		"params": c.Params, "match": c.Match, "facts": r.state.Facts, "page": v.page(),
		"run": r.runValue(), "target": v.element(c.element),
	}}
	if c.element >= 0 {
		x.target = v.Elements[c.element]
	}
	start := time.Now()
	err := r.verbs(ctx, x, s.Do)
	acted := time.Now()
	out := outcome{act: acted.Sub(start), clean: err != nil && !x.doubt}
	if err == nil {
		out.returned, err = r.verify(ctx, x, c)
	}
	if err != nil && s.Commit() && x.doubt {
		err = r.settleDoubt(ctx, x, err)
		if err == nil {
			out.returned, err = r.returns(x, c)
		}
	}
	if x.view != nil && !x.stale {
		out.view = x.view
	}
	if err == nil {
		out.facts, err = factsOf(s, x.env)
	}
	out.err, out.verify = err, time.Since(acted)
	return out
}

// verify waits for the postcondition, and for what the skill returns to be readable.
func (r *run) verify(ctx context.Context, x *execution, c *Candidate) (returned any, err error) {
	s := x.skill
	x.stale = true
	err = r.until(ctx, x, s.Timeout, func() error {
		if s.Ensures != nil {
			ok, err := s.Ensures.Bool(x.env)
			if err != nil {
				return failf(ErrEnsures, "%v", err)
			}
			if !ok {
				return failf(ErrEnsures, "%s did not come to hold within %s", s.Ensures.Source, s.Timeout)
			}
		}
		returned, err = r.returns(x, c)
		return err
	})
	return returned, err
}

// returns builds the skill's return value from what the target and the page read.
func (r *run) returns(x *execution, c *Candidate) (any, error) {
	s := x.skill
	if s.Returns == nil {
		return nil, nil
	}
	if s.Returns.Verb {
		if err := s.Returns.Schema.Validate(x.read); err != nil {
			return nil, failf(ErrInput, "what was read does not fit: %v", err)
		}
		return s.Returns.Schema.Normalize(x.read), nil
	}
	fields := make([]*compile.ReadField, len(s.Returns.Reads))
	for i := range s.Returns.Reads {
		fields[i] = &s.Returns.Reads[i]
	}
	values, why := readFields(fields, x.view.Reads)
	props, _ := s.Returns.Schema.JSON()["properties"].(map[string]any)
	for k, val := range c.Match {
		if _, ok := values[k]; !ok && (props == nil || props[k] != nil || s.Returns.Schema.Describes(k)) {
			values[k] = val
		}
	}
	if err := s.Returns.Schema.Validate(values); err != nil {
		if why != "" {
			why = " (" + why + ")"
		}
		return nil, failf(ErrInput, "it was done, but what it returns does not fit: %v%s", err, why)
	}
	return s.Returns.Schema.Normalize(values), nil
}

// settleDoubt decides what to say of a commit that may have happened: done when its verify condition holds, else in
// doubt. It looks even when the run was cancelled.
func (r *run) settleDoubt(ctx context.Context, x *execution, cause error) error {
	if x.skill.Verify != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(x.skill.Timeout, 5*time.Second))
		defer cancel()
		x.stale = true
		if r.await(ctx, x, x.skill.Verify, min(x.skill.Timeout, 5*time.Second)) == nil {
			return nil
		}
	}
	how := "it has no verify condition"
	if x.skill.Verify != nil {
		how = "verify does not hold: " + x.skill.Verify.Source
	}
	return &StageError{Name: ErrInDoubt, Message: fmt.Sprintf("%s may or may not have happened (%v; %s): look at the site before you run it again", x.skill.FullName(), cause, how), Err: cause}
}

func factsOf(s *compile.Skill, env map[string]any) ([]string, error) {
	var out []string
	for _, set := range s.Sets {
		if set.When != nil {
			ok, err := set.When.Bool(env)
			if err != nil {
				return nil, failf(ErrInput, "sets %s: %v", set.Fact, err)
			}
			if !ok {
				continue
			}
		}
		out = append(out, set.Fact)
	}
	return out, nil
}
