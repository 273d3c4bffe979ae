package engine

import (
	"fmt"
	"regexp"
	"strings"
)

// progress is what a prompt says of where the stage stands. All of it is page text.
type progress struct {
	where  string   // title and path
	failed string   // what the last step came to, when it failed; "" otherwise
	news   []string // lines of the page that it changed
	done   []string // labels of the steps that succeeded, in order
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
// then all but a count. The last step and the place always stay, as far as they fit.
func (p progress) compact(maxRunes int) string {
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

func summarise(p *progress) {
	p.news = nil
	if n := len(p.done); n > 1 {
		earlier := 0
		if _, err := fmt.Sscanf(p.done[0], "%d earlier steps", &earlier); err == nil {
			n += earlier - 1
		}
		p.done = []string{fmt.Sprintf("%d steps, the last: %s", n, p.done[len(p.done)-1])}
	}
}

func each(list []string, f func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}
