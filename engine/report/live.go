// Package report turns what a run does and what a check finds into text and JSON for people and machines.
//
// Start reading at Live, the view of a running flow.
package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nth-dev/nth/engine"
)

// Live prints a run as it happens: each stage, the menu of each step, the pick, and what came of it. On a terminal it
// colours them and keeps a line about what is going on now; elsewhere it prints plain lines.
type Live struct {
	W        io.Writer
	Terminal bool // W is a terminal that takes escape sequences
	Quiet    bool // no menus

	mu     sync.Mutex
	status bool         // a status line is on the screen
	spent  engine.Usage // of the run so far
}

// Observe is an engine.Runner's Observe function.
func (l *Live) Observe(e engine.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent = e.Usage
	switch e.Kind {
	case "stage":
		l.line("%s", l.bold("▸ "+e.Stage))
		l.now("looking at the page")
	case "menu":
		if !l.Quiet {
			for _, m := range e.Menu {
				l.line("    %s", m)
			}
		}
		l.now(fmt.Sprintf("choosing from %d", len(e.Menu)))
	case "pick":
		l.pick(e)
	case "act":
		l.now(e.Label)
	case "waiting":
		l.now("waiting for the page")
	case "step":
		l.step(e.Record)
	case "approval", "end":
		l.clear()
	}
}

func (l *Live) pick(e engine.Event) {
	p := e.Pick
	by := p.By
	if p.Asked > 0 && p.Usage.Calls > 0 {
		by = fmt.Sprintf("%s, %s%s, %s", p.By, Tokens(p.Usage), money(p.Usage), seconds(p.Usage.Time))
	}
	l.line("  %s %s", l.cyan("→ "+strings.Join(p.Keys, ", ")), l.dim("("+by+")"))
}

func (l *Live) step(r *engine.Record) {
	if r.Label == "" && r.Error == engine.ErrNoPick {
		l.line("  %s none of these", l.yellow("–"))
		return
	}
	spent := ""
	if r.Timing != nil {
		spent = l.dim(fmt.Sprintf("%.0f ms", r.Timing.Act+r.Timing.Verify))
	}
	if r.OK {
		ret := ""
		if r.Returned != nil {
			ret = " " + l.dim(short(r.Returned))
		}
		l.line("  %s %s %s%s", l.green("✓"), r.Label, spent, ret)
		return
	}
	l.line("  %s %s: %s %s", l.red("✗"), r.Label, r.Error, l.dim(r.Message))
}

func short(x any) string {
	s := fmt.Sprint(x)
	if m, ok := x.(map[string]any); ok {
		s = strings.TrimPrefix(fmt.Sprint(m), "map")
	}
	if len(s) > 100 {
		s = s[:97] + "…"
	}
	return s
}

func (l *Live) line(format string, args ...any) {
	l.clear()
	fmt.Fprintf(l.W, format+"\n", args...)
}

// now shows what is going on; only terminals have a place for it.
func (l *Live) now(text string) {
	if !l.Terminal {
		return
	}
	l.clear()
	r := []rune(text)
	room := 70
	if l.spent.Calls > 0 { // one line of a terminal holds both
		room = 30
	}
	if len(r) > room {
		text = string(r[:room-1]) + "…"
	}
	if l.spent.Calls > 0 {
		text += " · " + Spent(l.spent)
	}
	fmt.Fprintf(l.W, "  … %s", l.dim(text))
	l.status = true
}

func (l *Live) clear() {
	if l.status {
		fmt.Fprint(l.W, "\r\x1b[K")
		l.status = false
	}
}

// Summary prints how a run ended.
func (l *Live) Summary(res *engine.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	mark, status := l.green("✓"), string(res.Status)
	if res.Status != engine.Done {
		mark = l.red("✗")
	}
	if res.Status == engine.InDoubt {
		mark = l.yellow("?")
	}
	fmt.Fprintf(l.W, "%s %s: %s in %s, %s, %s\n", mark, res.Flow, status, seconds(res.Elapsed), N(res.Steps, "step"), Spent(res.Usage))
	if res.Message != "" {
		where := ""
		if res.Stage != "" {
			where = "stage " + res.Stage + ": "
		}
		fmt.Fprintf(l.W, "  %s%s\n", where, strings.ReplaceAll(res.Message, "\n", "\n  "))
	}
	for _, d := range res.Downloads {
		if d.Error != "" {
			fmt.Fprintf(l.W, "  download %s: %s\n", d.Name, d.Error)
			continue
		}
		fmt.Fprintf(l.W, "  download %s: %d bytes, sha256 %s\n", cmp.Or(d.Path, d.Name), d.Size, d.SHA256)
	}
	for _, r := range res.Rows {
		if r.Status != engine.Done {
			fmt.Fprintf(l.W, "  row %d: %s: %s\n", r.Row, r.Status, r.Message)
		}
	}
}

// N counts things whose plural has an s: "1 step", "2 steps".
func N(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Calls says how often a model was called.
func Calls(n int) string { return N(n, "model call") }

// Tokens says what went into a model and what came out of it: "254+1 tokens, 128 of them cached".
func Tokens(u engine.Usage) string {
	s := fmt.Sprintf("%d+%d tokens", u.PromptTokens, u.CompletionTokens)
	if u.CachedTokens > 0 {
		s += fmt.Sprintf(", %d of them cached", u.CachedTokens)
	}
	return s
}

// Spent sums up what the model took: "2 model calls, 393 tokens, cost 0.000115". The cost is left out where there is no
// price.
func Spent(u engine.Usage) string {
	s := fmt.Sprintf("%s, %d tokens", Calls(u.Calls), u.Tokens())
	if u.CachedTokens > 0 {
		s += fmt.Sprintf(" (%d cached)", u.CachedTokens)
	}
	return s + money(u)
}

func money(u engine.Usage) string {
	if u.Cost == 0 {
		return ""
	}
	return ", cost " + engine.Money(u.Cost)
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func (l *Live) paint(code, s string) string {
	if !l.Terminal {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (l *Live) bold(s string) string   { return l.paint("1", s) }
func (l *Live) dim(s string) string    { return l.paint("2", s) }
func (l *Live) red(s string) string    { return l.paint("31", s) }
func (l *Live) green(s string) string  { return l.paint("32", s) }
func (l *Live) yellow(s string) string { return l.paint("33", s) }
func (l *Live) cyan(s string) string   { return l.paint("36", s) }
