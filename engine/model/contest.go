package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// vote is the answer to one question of few enough options.
type vote struct {
	key     string
	p       map[string]float64 // nil if there are none
	raw     string
	refused bool
	bad     string // why the answer is of no use, "" if it is
}

// voter puts questions to an endpoint; none has more options than fit. There are as many votes as questions.
type voter func(ctx context.Context, questions []engine.Question) ([]vote, error)

// contest brings a menu that is larger than a question may be down to one answer. The options meet in heats, each
// beside "none of these"; the winners of heats meet in the next round, and an option that lost to "none of these" has
// lost. A menu that fits is one heat.
//
// The probabilities of the whole menu follow from those of the heats by Luce's choice axiom: how two options compare
// does not depend on what else is offered, so an option has the final's probability of whoever beat it, times the
// ratio of the two in their heat.
type contest struct {
	question engine.Question
	limit    int // options of one heat, without "none of these"
	heats    []engine.Question
	last     vote
	odds     map[string]map[string]float64 // by an option that is still in: those that it beat, relative to it
	blind    bool                          // a heat had no probabilities
	raws     []string
	done     bool
	refused  bool
}

func newContest(q engine.Question, limit int) *contest {
	c := &contest{question: q, limit: limit, odds: map[string]map[string]float64{noneKey: {noneKey: 1}}}
	for _, o := range q.Options {
		c.odds[o.Key] = map[string]float64{o.Key: 1}
	}
	if len(q.Options) == 0 {
		c.finish(vote{key: noneKey})
		return c
	}
	c.pair(q.Options)
	return c
}

// pair makes the heats of a round, of about equal size.
func (c *contest) pair(options []engine.Option) {
	n := (len(options) + c.limit - 1) / c.limit
	c.heats = nil
	for i := range n {
		heat := c.question
		heat.Options = options[i*len(options)/n : (i+1)*len(options)/n]
		heat.Group, heat.Many = nil, false
		c.heats = append(c.heats, heat)
	}
}

// settle takes the votes of a round's heats. An error says that one is of no use.
func (c *contest) settle(votes []vote) error {
	var in []engine.Option
	final := vote{key: noneKey}
	for i, v := range votes {
		c.raws = append(c.raws, v.raw)
		switch {
		case v.refused:
			c.refused, c.done = true, true
			return nil
		case v.bad != "":
			return errors.New(v.bad)
		}
		if len(c.raws) > 1 || len(votes) > 1 {
			if err := fair(c.heats[i], v); err != nil {
				return err
			}
		}
		if len(votes) == 1 {
			c.finish(v)
			return nil
		}
		if v.key != noneKey {
			at := slices.IndexFunc(c.heats[i].Options, func(o engine.Option) bool { return o.Key == v.key })
			in = append(in, c.heats[i].Options[at])
			final = v
		}
		c.fold(v)
	}
	if len(in) > 1 {
		c.pair(in)
		return nil
	}
	// Nobody is left to meet: the heat that the last option won is the final, or "none of these" has won them all.
	if final.key == noneKey {
		final.p = map[string]float64{noneKey: 1}
		c.finish(final)
		return nil
	}
	c.last, c.done = final, true
	return nil
}

// least bounds a ratio where the winner has no probability at all, which endpoints do report.
const least = 1e-6

// fold notes what a heat says about its losers.
func (c *contest) fold(v vote) {
	if v.p == nil {
		c.blind = true
		return
	}
	for key, p := range v.p {
		if key == v.key || key == noneKey {
			continue
		}
		for beaten, ratio := range c.odds[key] {
			c.odds[v.key][beaten] += ratio * p / max(v.p[v.key], least)
		}
		delete(c.odds, key)
	}
}

// finish takes the vote of a final in which everyone left took part.
func (c *contest) finish(v vote) {
	c.last, c.done = v, true
	if v.p == nil {
		c.blind = true
	}
}

// answer is the outcome. The key is the one that the endpoint chose, also where another has a higher probability.
func (c *contest) answer(model string, source engine.ProbSource) engine.Answer {
	a := engine.Answer{Model: model, Raw: cut(strings.Join(c.raws, "\n"), rawLimit), Refused: c.refused}
	if c.refused {
		return a
	}
	a.Keys = []string{c.last.key}
	if c.blind {
		return a
	}
	a.Source = source
	a.P = map[string]float64{}
	if len(c.raws) == 1 {
		a.P = c.last.p // as it came: the gate judges it
		return a
	}
	sum := 0.0
	for key, p := range c.last.p {
		if key == c.last.key {
			p = max(p, least)
		}
		for beaten, ratio := range c.odds[key] {
			a.P[beaten] += p * ratio
		}
	}
	for _, p := range a.P {
		sum += p
	}
	for key := range a.P {
		a.P[key] /= sum
	}
	return a
}

// fair checks a heat as the gate checks a whole menu, which sees only the outcome of several heats.
func fair(heat engine.Question, v vote) error {
	offered := keysOf(heat)
	if !slices.Contains(offered, v.key) {
		return fmt.Errorf("%q is not one of the options", short(v.key, 40))
	}
	sum := 0.0
	for key, p := range v.p {
		if !slices.Contains(offered, key) {
			return fmt.Errorf("%q has a probability and is not one of the options", short(key, 40))
		}
		sum += p
	}
	if v.p != nil && math.Abs(sum-1) > 0.05 {
		return fmt.Errorf("the probabilities sum to %.2f", sum)
	}
	return nil
}

// hold runs the contests of a request's questions side by side, round by round. at is how many questions the endpoint
// takes at once.
func hold(ctx context.Context, contests []*contest, at int, ask voter) error {
	for {
		var open []*contest
		var heats []engine.Question
		for _, c := range contests {
			if !c.done {
				open = append(open, c)
				heats = append(heats, c.heats...)
			}
		}
		if len(open) == 0 {
			return nil
		}
		var votes []vote
		for some := range slices.Chunk(heats, at) {
			v, err := ask(ctx, some)
			if err != nil {
				return err
			}
			votes = append(votes, v...)
		}
		for _, c := range open {
			n := len(c.heats)
			if err := c.settle(votes[:n]); err != nil {
				var raw []string
				for _, v := range votes[:n] {
					raw = append(raw, v.raw)
				}
				return fmt.Errorf("%w: %w", err, &engine.UnreadableError{Reply: cut(strings.Join(raw, "\n"), rawLimit)})
			}
			votes = votes[n:]
		}
	}
}
