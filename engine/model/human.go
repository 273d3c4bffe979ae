package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/nth-dev/nth/engine"
)

// ErrStopped says that the person at the terminal chose to stop the run.
var ErrStopped = errors.New("stopped by the person at the terminal")

// humanTries is how often one question is asked before it fails.
const humanTries = 3

// Human puts menus to a person at a terminal. In and Out must be set before the first Pick and not changed after
// it. A Read of In cannot be interrupted: a Pick that ends early leaves one reader waiting, and what is typed then
// goes to the next Pick.
type Human struct {
	In  io.Reader
	Out io.Writer

	start sync.Once
	lines chan typed
}

var _ engine.Picker = (*Human)(nil)

type typed struct {
	text string
	err  error
}

// Name is "human".
func (*Human) Name() string { return "human" }

// Caps: no limits.
func (*Human) Caps() engine.Caps { return engine.Caps{Batch: true, Person: true} }

// Pick asks the questions one after another. It fails when In ends, when ctx ends, when three answers to one
// question were not possible, and with ErrStopped for "q".
func (h *Human) Pick(ctx context.Context, r engine.Request) ([]engine.Answer, error) {
	h.start.Do(func() {
		h.lines = make(chan typed)
		go h.read()
	})
	switch {
	case r.Retry:
		fmt.Fprintln(h.Out, "That could not be used: "+short(r.Problem, 200))
	case r.Problem != "":
		fmt.Fprintln(h.Out, "\nYou are asked, because "+short(r.Problem, 200))
	}
	answers := make([]engine.Answer, len(r.Questions))
	for i, q := range r.Questions {
		a, err := h.ask(ctx, q)
		if err != nil {
			return nil, err
		}
		answers[i] = a
	}
	return answers, nil
}

// read passes lines on until In ends, and repeats the end to whoever asks afterwards by closing the channel.
func (h *Human) read() {
	defer close(h.lines)
	sc := bufio.NewScanner(h.In)
	for sc.Scan() {
		h.lines <- typed{text: sc.Text()}
	}
	if err := sc.Err(); err != nil {
		h.lines <- typed{err: err}
	}
}

func (h *Human) ask(ctx context.Context, q engine.Question) (engine.Answer, error) {
	h.show(q)
	problem := ""
	for range humanTries {
		fmt.Fprint(h.Out, "> ")
		select {
		case <-ctx.Done():
			fmt.Fprintln(h.Out)
			return engine.Answer{}, fmt.Errorf("waiting for a person: %w", context.Cause(ctx))
		case line, ok := <-h.lines:
			switch {
			case !ok:
				return engine.Answer{}, errors.New("waiting for a person: the input ended before a number was typed")
			case line.err != nil:
				return engine.Answer{}, fmt.Errorf("waiting for a person: %w", line.err)
			}
			var keys []string
			keys, problem = humanKeys(line.text, q)
			switch {
			case keys != nil:
				return engine.Answer{Keys: keys, Model: "human", Raw: cut(line.text, rawLimit)}, nil
			case problem == "":
				return engine.Answer{}, fmt.Errorf("waiting for a person: %w", ErrStopped)
			}
			fmt.Fprintln(h.Out, problem)
		}
	}
	return engine.Answer{}, fmt.Errorf("waiting for a person: no possible answer in %d tries; the last: %s", humanTries, problem)
}

// show prints the menu. Page text in it cannot reach the terminal as control characters.
func (h *Human) show(q engine.Question) {
	var b strings.Builder
	b.WriteByte('\n')
	for _, text := range []string{q.Instructions, unfenced(q.State)} {
		for line := range strings.Lines(text) {
			if line = oneLine(line); line != "" {
				b.WriteString(line + "\n")
			}
		}
	}
	width := 1
	for _, o := range q.Options {
		width = max(width, len(o.Key))
	}
	letters, many := letters(q), several(q)
	if !many {
		letters = nil
	}
	for i, o := range q.Options {
		fmt.Fprintf(&b, "  %*s  ", width, o.Key)
		if letters != nil && letters[i] != "" {
			b.WriteString("[" + letters[i] + "] ")
		}
		b.WriteString(short(o.Label, labelRunes) + "\n")
	}
	fmt.Fprintf(&b, "  %*s  none of these\n", width, noneKey)
	if many {
		b.WriteString("Numbers in the order to do them (1,3), or q to stop")
		if letters != nil {
			b.WriteString("; at most one per letter")
		}
	} else {
		b.WriteString("A number, or q to stop")
	}
	b.WriteByte('\n')
	_, _ = io.WriteString(h.Out, b.String())
}

// several tells whether more than one key can be typed: not where all that is offered are alternatives.
func several(q engine.Question) bool {
	alts := alternatives(q)
	return q.Many && (len(alts) != 1 || len(alts[0]) < len(q.Options))
}

// unfenced is the page's text without the markers around it, which are for models.
func unfenced(state string) string {
	marker, rest, _ := strings.Cut(state, " ")
	if text, ok := strings.CutSuffix(rest, " "+marker); ok && strings.HasPrefix(marker, "#") {
		return text
	}
	return state
}

// humanKeys reads what was typed. Both results are empty for "q".
func humanKeys(line string, q engine.Question) (keys []string, problem string) {
	line = strings.TrimSpace(toASCII(line))
	switch strings.ToLower(line) {
	case "q", "quit", "exit":
		return nil, ""
	case "":
		return nil, "type a number from the menu, 0 for none of these, or q to stop"
	}
	groups := map[int]string{}
	for _, f := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\t' }) {
		key := strings.TrimRight(f, ".)")
		i := slices.IndexFunc(q.Options, func(o engine.Option) bool { return o.Key == key })
		switch {
		case i < 0 && key != noneKey:
			return nil, fmt.Sprintf("%q is not on the menu", short(f, 20))
		case slices.Contains(keys, key):
			return nil, fmt.Sprintf("%s is there twice", key)
		}
		if i >= 0 && i < len(q.Group) {
			if other := groups[q.Group[i]]; other != "" {
				return nil, fmt.Sprintf("%s and %s are alternatives; take one", other, key)
			}
			groups[q.Group[i]] = key
		}
		keys = append(keys, key)
	}
	switch {
	case len(keys) == 0:
		return nil, "type a number from the menu, 0 for none of these, or q to stop"
	case len(keys) > 1 && !q.Many:
		return nil, "one number, please"
	case len(keys) > 1 && slices.Contains(keys, noneKey):
		return nil, "0 means none of these and stands alone"
	}
	return keys, ""
}

// letters gives, per option, the letter that it shares with its alternatives, "" for an option that has none. It is
// nil when no letters are needed.
func letters(q engine.Question) []string {
	var marks []string
	for i, group := range alternatives(q) {
		if marks == nil {
			marks = make([]string, len(q.Options))
		}
		for _, pos := range group {
			marks[pos] = letter(i)
		}
	}
	return marks
}

// letter counts A, B, … Z, AA, AB, …
func letter(i int) string {
	s := string(rune('A' + i%26))
	if i >= 26 {
		return letter(i/26-1) + s
	}
	return s
}
