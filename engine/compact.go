package engine

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// progress is what a prompt says of where the stage stands. All of it is page text.
type progress struct {
	where  string   // title and path
	failed string   // what the last step came to, when it failed; "" otherwise
	news   []string // lines of the page that it changed
	done   []string // labels of the steps that succeeded, in order
	fails  int      // how many steps of the stage have failed
}

func (p progress) text() string {
	s := p.where
	if p.failed != "" {
		s += "; last: " + p.failed
		if len(p.news) > 0 {
			s += "; new: " + strings.Join(p.news, ", ")
		}
	}
	if len(p.done) > 0 {
		s += "; done: " + strings.Join(p.done, "; ")
	}
	return s
}

// compact is the progress of a stage in at most so many runes. A long stage has more to tell than fits, and what
// matters least goes first: what is no text, then old steps, then the length of what is told of the others, and only
// then each of them: a line says how many steps of which kind there were, and how many failed. No model writes it. The
// last step and the place always stay, as far as they fit.
func (p progress) compact(maxRunes int) string {
	all := p.done
	summarise := func(p *progress) { summarise(p, all) }
	for _, rung := range []func(*progress){dropBinaries, dropOldSteps, shorten, summarise} {
		if text := oneLine(p.text()); len([]rune(text)) <= maxRunes {
			return text
		}
		rung(&p)
	}
	return cut(oneLine(p.text()), maxRunes)
}

// binary is data that nobody reads: data URLs, and runs of base64 or hex.
var binary = regexp.MustCompile(`data:[\w.+-]+/[\w.+-]+[;,][^\s"'<>]*|[A-Za-z0-9+/_-]{48,}={0,2}`)

func dropBinaries(p *progress) {
	drop := func(s string) string { return binary.ReplaceAllString(s, "[data]") }
	p.where, p.failed, p.news, p.done = drop(p.where), drop(p.failed), each(p.news, drop), each(p.done, drop)
}

// keptSteps is how many of the last steps are told when there are too many.
const keptSteps = 4

func dropOldSteps(p *progress) {
	if n := len(p.done) - keptSteps; n > 0 {
		p.done = append([]string{fmt.Sprintf("%d earlier steps", n)}, p.done[n:]...)
	}
	p.news = p.news[:min(len(p.news), 2)]
}

func shorten(p *progress) {
	short := func(s string) string { return cut(oneLine(s), 32) }
	p.where, p.failed = cut(oneLine(p.where), 60), cut(oneLine(p.failed), 60)
	p.news, p.done = each(p.news, short), each(p.done, short)
}

// keptKinds is how many kinds of steps a summary names.
const keptKinds = 3

// summarise tells the steps by kind, which is the first word of their labels: "41 steps (Fill 38, Click 3; 2 failed),
// the last: Click Add row".
func summarise(p *progress, all []string) {
	p.news = nil
	if len(all) < 2 {
		return
	}
	count, kinds := map[string]int{}, []string(nil)
	for _, label := range all {
		kind, _, _ := strings.Cut(oneLine(label), " ")
		if kind = cut(kind, 16); count[kind] == 0 {
			kinds = append(kinds, kind)
		}
		count[kind]++
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	var parts []string
	others := len(all)
	for _, kind := range kinds[:min(len(kinds), keptKinds)] {
		parts = append(parts, fmt.Sprintf("%s %d", kind, count[kind]))
		others -= count[kind]
	}
	if others > 0 {
		parts = append(parts, fmt.Sprintf("others %d", others))
	}
	what := strings.Join(parts, ", ")
	if p.fails > 0 {
		what += fmt.Sprintf("; %d failed", p.fails)
	}
	p.done = []string{fmt.Sprintf("%d steps (%s), the last: %s", len(all), what, p.done[len(p.done)-1])}
}

func each(list []string, f func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}
