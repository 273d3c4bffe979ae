package main

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/schema"
)

// climb makes the runner climb: the project's ladder and prices, the pick cache, and speculation.
func (a *app) climb(r *engine.Runner, f *runFlags, project *schema.Project, prog *compile.Program) error {
	l := project.Ladder
	r.Ladder = engine.Ladder{Deadline: f.timeout, Thresholds: map[string]engine.Thresholds{}}
	if r.Ladder.Deadline == 0 {
		r.Ladder.Deadline = l.Timeout.Value
	}
	for _, t := range l.Thresholds {
		r.Ladder.Thresholds[t.Driver.Value] = engine.Thresholds{Margin: t.Margin.Value, P: t.P.Value, Entropy: t.Entropy.Value}
	}
	r.Prices = map[string]engine.Price{}
	for _, p := range project.Prices {
		price := engine.Price{Prompt: p.Prompt.Value, Completion: p.Completion.Value}
		if p.Cached.Set() {
			price.Rebate = price.Prompt - p.Cached.Value
		}
		r.Prices[p.Model.Value] = price
	}
	caps := r.Picker.Caps()
	if caps.Instant { // rules and replays: nobody costs anything, so nobody stands in for them
		return nil
	}
	if l.Stronger.Set() && !caps.Person {
		flags := *f
		if strong, _, _ := strings.Cut(l.Stronger.Value, ":"); !strings.HasPrefix(r.Picker.Name(), strong+":") {
			flags.baseURL, flags.key = "", "" // those are the other provider's
		}
		p, err := a.openPicker(l.Stronger.Value, &flags, project)
		if err != nil {
			return err
		}
		r.Ladder.Stronger = p
	}
	if !l.NoPerson && !caps.Person && a.attended() {
		r.Ladder.Person = &model.Human{In: a.stdin, Out: a.stderr}
	}
	if !f.noCache {
		r.Cache = a.pickCache()
	}
	r.Speculate = !f.noSpeculation
	return checkPrices(r, prog)
}

// checkPrices refuses a limit on cost that nobody can hold, before anything is done.
func checkPrices(r *engine.Runner, prog *compile.Program) error {
	limited := prog.Limits.Cost > 0
	for _, st := range prog.Stages {
		limited = limited || st.Budget.Cost > 0
	}
	if !limited {
		return nil
	}
	for _, p := range []engine.Picker{r.Picker, r.Ladder.Stronger} {
		if p == nil || p.Caps().Instant || p.Caps().Person {
			continue
		}
		if _, ok := r.Prices[p.Name()]; !ok {
			return usageErrorf("the flow limits what the model may cost, but nth.yaml has no price for it: add  prices: {%q: {prompt: …, completion: …}}", p.Name())
		}
	}
	return nil
}

// attended reports whether somebody sits at the terminal.
func (a *app) attended() bool {
	in, ok := a.stdin.(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && terminal(a.stderr)
}

// pickCache is the user's: one in a project's folder could have come with it. NTH_CACHE names another folder than the
// user's cache folder.
func (a *app) pickCache() engine.PickCache {
	dir := os.Getenv("NTH_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return &engine.MemoryCache{} // no home: what is learnt lasts as long as the command
		}
		dir = filepath.Join(user, "nth")
	}
	return engine.DirCache{Dir: filepath.Join(dir, "picks")}
}
