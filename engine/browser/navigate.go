package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// open goes to an address and waits until the document is parsed.
func (x *action) open(ctx context.Context) *engine.ActionError {
	if u, err := url.Parse(x.a.Value); err != nil || u.Scheme == "" {
		return fail(engine.ErrBadValue, false, "%q is not an absolute URL", x.a.Value)
	}
	var resp playwright.Response
	var err error
	for range 3 { // the error page of a navigation that has failed before may come in late, and break off this one
		err = x.try(ctx, func() (err error) {
			resp, err = x.t.page.Goto(x.a.Value, playwright.PageGotoOptions{Timeout: x.left(), WaitUntil: playwright.WaitUntilStateDomcontentloaded})
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "interrupted by another navigation") {
			break
		}
		_ = x.try(ctx, func() error {
			return x.t.page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateDomcontentloaded, Timeout: x.left()})
		})
	}
	if err != nil && strings.Contains(err.Error(), "net::ERR_") && !strings.Contains(err.Error(), "ERR_ABORTED") {
		_ = x.try(ctx, func() error { // the browser's error page comes next; after it the tab is at rest
			return x.t.page.WaitForURL("chrome-error://**", playwright.PageWaitForURLOptions{WaitUntil: playwright.WaitUntilStateCommit, Timeout: playwright.Float(min(*x.left(), 1000))})
		})
	}
	return x.arrived(ctx, x.a.Value, resp, err)
}

func (x *action) back(ctx context.Context) *engine.ActionError {
	return x.history(ctx, "back to", "the previous page", func() (playwright.Response, error) {
		return x.t.page.GoBack(playwright.PageGoBackOptions{Timeout: x.left(), WaitUntil: playwright.WaitUntilStateDomcontentloaded})
	})
}

func (x *action) forward(ctx context.Context) *engine.ActionError {
	return x.history(ctx, "forward to", "the next page", func() (playwright.Response, error) {
		return x.t.page.GoForward(playwright.PageGoForwardOptions{Timeout: x.left(), WaitUntil: playwright.WaitUntilStateDomcontentloaded})
	})
}

// history moves in the tab's history.
func (x *action) history(ctx context.Context, way, where string, move func() (playwright.Response, error)) *engine.ActionError {
	var resp playwright.Response
	before := x.t.page.URL()
	err := x.try(ctx, func() (err error) {
		resp, err = move()
		return err
	})
	if err == nil && resp == nil && x.t.page.URL() == before {
		return fail(engine.ErrNavigation, false, "there is no page to go %s", way)
	}
	return x.arrived(ctx, where, resp, err)
}

func (x *action) reload(ctx context.Context) *engine.ActionError {
	var resp playwright.Response
	err := x.try(ctx, func() (err error) {
		resp, err = x.t.page.Reload(playwright.PageReloadOptions{Timeout: x.left(), WaitUntil: playwright.WaitUntilStateDomcontentloaded})
		return err
	})
	return x.arrived(ctx, x.t.page.URL(), resp, err)
}

// arrived is the outcome of a navigation.
func (x *action) arrived(ctx context.Context, where string, resp playwright.Response, err error) *engine.ActionError {
	if err == nil {
		if resp != nil && resp.Status() >= 400 {
			return fail(engine.ErrNavigation, true, "%s answered HTTP %d %s", where, resp.Status(), resp.StatusText())
		}
		return nil
	}
	text := headline(err)
	switch {
	case ctx.Err() != nil, isLost(err):
		return x.outcome(ctx, err, always)
	case errors.Is(err, playwright.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return fail(engine.ErrTimeout, true, "%s did not load within %s", where, x.timeout)
	case strings.Contains(text, "Download is starting"):
		return nil
	case strings.Contains(text, "ERR_ABORTED") && x.refusedToLeave():
		return fail(engine.ErrNavigation, true, "the page asked before it was left, and the answer is no by default: accept_dialog first to leave it")
	}
	for code, meaning := range netErrors {
		if strings.Contains(text, code) {
			return fail(engine.ErrNavigation, true, "%s: %s (%s)", where, meaning, code)
		}
	}
	return fail(engine.ErrNavigation, true, "%s: %s", where, text)
}

// refusedToLeave reports whether a beforeunload dialog was dismissed since the last look.
func (x *action) refusedToLeave() bool {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	for _, d := range x.s.dialogs {
		if d.Type == "beforeunload" && !d.Accepted {
			return true
		}
	}
	return false
}

var netErrors = map[string]string{
	"ERR_CONNECTION_REFUSED":    "the site refuses connections",
	"ERR_CONNECTION_RESET":      "the site cut the connection",
	"ERR_CONNECTION_CLOSED":     "the site closed the connection",
	"ERR_EMPTY_RESPONSE":        "the site sent nothing",
	"ERR_TOO_MANY_REDIRECTS":    "the site redirects in a loop",
	"ERR_NAME_NOT_RESOLVED":     "no such host",
	"ERR_ADDRESS_UNREACHABLE":   "the site cannot be reached",
	"ERR_CONNECTION_TIMED_OUT":  "the site does not answer",
	"ERR_TIMED_OUT":             "the site does not answer",
	"ERR_INTERNET_DISCONNECTED": "the machine is offline",
	"ERR_CERT_":                 "the site's certificate is not valid",
	"ERR_SSL_":                  "no secure connection could be made",
	"ERR_ABORTED":               "the navigation was broken off",
	"ERR_UNSAFE_PORT":           "the browser refuses this port",
	"ERR_PROXY_CONNECTION":      "the proxy does not answer",
	"ERR_TUNNEL_CONNECTION":     "the proxy refuses",
	"invalid URL":               "not a URL",
}
