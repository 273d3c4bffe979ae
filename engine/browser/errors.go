package browser

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// Playwright's messages carry a call log, which tells how far an action came, and may quote the text of a fill. It is
// read here and never passed on.

var logMark = regexp.MustCompile(`(?is)\s*(Call log:|={3,}.*logs.*={3,}|Browser logs:)`)

// headline is the first line of a Playwright error, without call log, escapes and prefixes.
func headline(err error) string {
	s := err.Error()
	if at := logMark.FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	for again := true; again; {
		again = false
		for _, p := range []string{"playwright: ", "timeout: ", "target closed: ", "Error: ", "TimeoutError: ", "TargetClosedError: "} {
			if rest, ok := strings.CutPrefix(s, p); ok {
				s, again = rest, true
			}
		}
	}
	if _, rest, ok := strings.Cut(s, ": "); ok && methodName.MatchString(s[:len(s)-len(rest)-2]) {
		s = rest
	}
	return strings.TrimSpace(s)
}

var methodName = regexp.MustCompile(`^[a-zA-Z]+\.[a-zA-Z]+$`)

// callLog is the part of the message that headline drops.
func callLog(err error) string {
	s := err.Error()
	if at := logMark.FindStringIndex(s); at != nil {
		return s[at[1]:]
	}
	return ""
}

var lostPhrases = []string{
	"target closed", "Target closed", "Target crashed", "Page crashed", "Page closed", "page crashed", "has been closed", "Connection closed", "Browser closed",
	"transport closed", "could not send message", "Browser has been closed", "browser has disconnected", "Internal server error, session closed", "broken pipe",
}

func lostMessage(s string) bool {
	for _, p := range lostPhrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// contextGone reports whether an evaluation failed because its document was replaced or its frame went.
func contextGone(err error) bool {
	s := err.Error()
	for _, p := range []string{"Execution context was destroyed", "Frame was detached", "frame was detached", "frame got detached", "Cannot find context", "navigating and changing the content", "Inspected target navigated"} {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

func fail(kind string, touched bool, format string, args ...any) *engine.ActionError {
	return &engine.ActionError{Kind: kind, Touched: touched, Message: fmt.Sprintf(format, args...)}
}

// cancelled is an action that ctx ended.
func cancelled(ctx context.Context, touched bool) *engine.ActionError {
	what := "before the page was touched"
	if touched {
		what = "and the page may have been touched"
	}
	why := "cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why = "out of time"
	}
	return &engine.ActionError{Kind: engine.ErrTimeout, Touched: touched, Message: why + " " + what, Err: ctx.Err()}
}

var (
	performing  = regexp.MustCompile(`performing [\w ]+ action`)
	actionDone  = regexp.MustCompile(`[\w ]+ action done`)
	interceptor = regexp.MustCompile(`(<[^\n]*?) intercepts pointer events`)
	waitingLine = regexp.MustCompile(`^(- )?(element is not|waiting \d+ms|retrying|did not find some options|option being selected|element is outside)`)
)

// pointerTouched reads from the call log whether a pointer action may have reached the page. Playwright notes
// "performing … action" just before the first input event.
func pointerTouched(err error) bool {
	log := callLog(err)
	return log == "" && !strings.Contains(headline(err), "not attached") || performing.MatchString(log)
}

// inputTouched reads from the call log whether text input or a selection may have reached the page: not when the last
// thing that it notes is that the element is not ready.
func inputTouched(err error) bool {
	lines := strings.Split(strings.TrimSpace(callLog(err)), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return !waitingLine.MatchString(strings.TrimSpace(strings.TrimPrefix(last, "-")))
}

// actionError says what a failed call of a verb means.
func actionError(verb string, err error, touched bool, timeout time.Duration) *engine.ActionError {
	log, head := callLog(err), headline(err)
	all := log + "\n" + head
	switch {
	case lostMessage(err.Error()):
		return fail(engine.ErrBrowserLost, touched, "the tab or the browser was closed, or crashed, during %s", verb)
	case contextGone(err):
		return fail(engine.ErrTargetGone, touched, "the page was replaced during %s", verb)
	case strings.Contains(all, "not attached"), strings.Contains(head, "is detached"), strings.Contains(head, "Unable to adopt"):
		return fail(engine.ErrTargetGone, touched, "the element left the page during %s", verb)
	case errors.Is(err, playwright.ErrTimeout):
		if m := lastMatch(interceptor, log); m != "" {
			e := fail(engine.ErrCovered, touched, "it is covered by %s", m)
			e.Cover = m
			return e
		}
		last := lastState(log)
		switch {
		case strings.Contains(last, "not enabled"), strings.Contains(last, "not editable"):
			return fail(engine.ErrDisabled, touched, "the element is%s", strings.TrimPrefix(last, "element is"))
		case last != "":
			return fail(engine.ErrTimeout, touched, "%s did not end within %s: %s", verb, timeout, last)
		}
		return fail(engine.ErrTimeout, touched, "%s did not end within %s", verb, timeout)
	case strings.Contains(head, "Malformed value"), strings.Contains(head, "Cannot type text into input"), strings.Contains(head, "did not change its state"),
		strings.Contains(head, "Cannot uncheck radio"), strings.Contains(head, "single file"), strings.Contains(head, "Unknown key"):
		return fail(engine.ErrBadValue, touched && strings.Contains(head, "did not change"), "%s", head)
	case strings.Contains(head, "is not an <input>"), strings.Contains(head, "Not a checkbox"), strings.Contains(head, "not an HTMLInputElement"):
		return fail(engine.ErrUnsupported, false, "%s", head)
	}
	return fail(engine.ErrTimeout, touched, "%s: %s", verb, head)
}

func lastMatch(re *regexp.Regexp, s string) string {
	all := re.FindAllStringSubmatch(s, -1)
	if len(all) == 0 {
		return ""
	}
	return shortTag(all[len(all)-1][1])
}

var tagRE = regexp.MustCompile(`^<(\w[\w-]*)(?:[^>]*?\bid="([^"]*)")?(?:[^>]*?\bclass="([^"]*)")?`)

// shortTag turns Playwright's preview of an element, <div id="bar" class="a b">…</div>, into div#bar.a.b.
func shortTag(s string) string {
	m := tagRE.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	out := m[1]
	if m[2] != "" {
		out += "#" + m[2]
	}
	for _, c := range strings.Fields(m[3]) {
		out += "." + c
	}
	return out
}

// lastState is the last "element is not …" of a call log.
func lastState(log string) string {
	lines := strings.Split(log, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if at := strings.Index(lines[i], "element is not "); at >= 0 {
			return strings.TrimSpace(lines[i][at:])
		}
		if at := strings.Index(lines[i], "element is outside"); at >= 0 {
			return strings.TrimSpace(lines[i][at:])
		}
	}
	return ""
}
