package browser

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// tab is one page of a session.
type tab struct {
	page   playwright.Page
	lost   <-chan struct{} // closed when the tab was closed or its renderer crashed
	gone   <-chan struct{} // closed when the browser has ended
	from   *tab            // the tab that opened it
	crash  bool            // it crashed; s.mu
	judged bool            // whether it is to be followed has been asked; s.mu
}

// isLost reports whether the tab is closed, crashed or without a browser.
func (t *tab) isLost() bool {
	select {
	case <-t.lost:
		return true
	case <-t.gone:
		return true
	default:
		return false
	}
}

// opened is called by Playwright for each new page of the context.
func (s *Session) opened(p playwright.Page) {
	s.mu.Lock()
	t, from := s.adopt(p), s.current
	s.mu.Unlock()
	if from != nil && t != from { // a link with rel=noopener names no opener
		s.followTo(t, from)
	}
	s.event()
}

// adopt starts to keep track of a page. s.mu is held.
func (s *Session) adopt(p playwright.Page) *tab {
	for _, t := range s.tabs {
		if t.page == p {
			return t
		}
	}
	lost := make(chan struct{})
	t := &tab{page: p, lost: lost, gone: s.b.gone}
	s.tabs = append(s.tabs, t)
	var once sync.Once
	p.OnClose(func(playwright.Page) {
		once.Do(func() { close(lost) })
		s.closed(t)
	})
	p.OnCrash(func(playwright.Page) {
		s.mu.Lock()
		t.crash = true
		s.mu.Unlock()
		once.Do(func() { close(lost) })
		s.event()
	})
	p.OnPopup(func(child playwright.Page) { s.popup(t, child) })
	p.OnFrameNavigated(func(f playwright.Frame) { s.navigated(t, f) })
	p.OnFrameAttached(func(playwright.Frame) { s.event() })
	p.OnFrameDetached(func(f playwright.Frame) {
		s.mu.Lock()
		s.frames.drop(f)
		delete(s.waiters, f)
		s.mu.Unlock()
		s.event()
	})
	p.OnDownload(s.download)
	p.OnFileChooser(s.fileChooser)
	return t
}

// popup makes a tab that our own action has opened the current one.
func (s *Session) popup(opener *tab, p playwright.Page) {
	s.mu.Lock()
	t := s.adopt(p)
	t.from = opener
	s.mu.Unlock()
	s.followTo(t, opener)
	s.event()
}

// followTo makes t the current tab when it was opened by what has just been done in the current one, and not by a
// timer. Asking the page for that takes a moment, in which no look begins.
func (s *Session) followTo(t, from *tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.follow != from || s.current != from || s.deciding != nil || t.judged {
		return
	}
	t.judged = true
	decided, acted := make(chan struct{}), s.acted
	s.deciding = decided
	go func() {
		stray := s.stray(from, acted)
		s.mu.Lock()
		if s.follow == from && s.current == from && !stray && !t.isLost() {
			t.from = from
			s.current, s.follow, s.followed = t, nil, t
		}
		s.deciding = nil
		s.mu.Unlock()
		close(decided)
		s.event()
	}()
}

// strayTime is how long the opener of a window may take to say how it came to open it.
const strayTime = 2 * time.Second

// stray reports whether a timer opened the last window that a tab's script opened.
func (s *Session) stray(t *tab, acted playwright.Frame) bool {
	ctx, cancel := context.WithTimeout(context.Background(), strayTime)
	defer cancel()
	frames := []playwright.Frame{t.page.MainFrame()}
	if acted != nil && acted != frames[0] {
		frames = append(frames, acted)
	}
	for _, f := range frames {
		v, err := call(ctx, t, func() (any, error) { return f.Evaluate(s.b.script.call("opened")) })
		if err == nil && v == "stray" {
			return true
		}
	}
	return false
}

// decided waits until it is known whether a window that has just opened is to be followed.
func (s *Session) decided() {
	s.mu.Lock()
	d := s.deciding
	s.mu.Unlock()
	if d != nil {
		<-d
	}
}

// navigated notes a navigation. When a click leads on in its own tab, a window that it also opens is an advertisement.
func (s *Session) navigated(t *tab, f playwright.Frame) {
	if f == t.page.MainFrame() {
		s.mu.Lock()
		if s.follow == t {
			s.follow = nil
		}
		if s.followed != nil && s.followed.from == t && s.current == s.followed {
			s.current = t
		}
		s.mu.Unlock()
	}
	s.event()
}

// closed forgets a tab; the one that opened it, or else the newest, becomes the current one.
func (s *Session) closed(t *tab) {
	s.mu.Lock()
	s.tabs = slices.DeleteFunc(s.tabs, func(o *tab) bool { return o == t })
	if s.current == t {
		s.current = nil
		switch {
		case slices.Contains(s.tabs, t.from):
			s.current = t.from
		case len(s.tabs) > 0:
			s.current = s.tabs[len(s.tabs)-1]
		}
	}
	s.mu.Unlock()
	s.event()
}

// tab is the current tab; when there is none any more, the error is ErrBrowserLost.
func (s *Session) tab() (*tab, error) {
	s.mu.Lock()
	t := s.current
	s.mu.Unlock()
	if t == nil || t.isLost() {
		return nil, s.lostError(false, "")
	}
	return t, nil
}

// lostError names what was lost.
func (s *Session) lostError(touched bool, during string) *engine.ActionError {
	what := "the tab was closed"
	s.mu.Lock()
	if s.current != nil && s.current.crash {
		what = "the page crashed"
	}
	s.mu.Unlock()
	select {
	case <-s.b.gone:
		what = "the browser ended"
	default:
	}
	if during != "" {
		what += " during " + during
	}
	return fail(engine.ErrBrowserLost, touched, "%s", what)
}

// switchTab goes to a tab by its 1-based number, or by a part of its title or address.
func (x *action) switchTab(ctx context.Context) *engine.ActionError {
	s := x.s
	s.mu.Lock()
	open := slices.Clone(s.tabs)
	s.mu.Unlock()
	var found *tab
	if n, err := strconv.Atoi(x.a.Value); err == nil {
		if n < 1 || n > len(open) {
			return fail(engine.ErrNotFound, false, "there is no tab %d: %d are open", n, len(open))
		}
		found = open[n-1]
	} else {
		var hits []*tab
		want := strings.ToLower(x.a.Value)
		for _, t := range open {
			title, _ := call(ctx, t, t.page.Title)
			if strings.Contains(strings.ToLower(title), want) || strings.Contains(strings.ToLower(t.page.URL()), want) {
				hits = append(hits, t)
			}
		}
		switch len(hits) {
		case 0:
			return fail(engine.ErrNotFound, false, "none of %d tabs has %q in its title or address", len(open), x.a.Value)
		case 1:
			found = hits[0]
		default:
			return fail(engine.ErrAmbiguous, false, "%d tabs have %q in their title or address", len(hits), x.a.Value)
		}
	}
	if err := do(ctx, found, found.page.BringToFront); err != nil {
		return x.outcome(ctx, err, func(error) bool { return false })
	}
	s.mu.Lock()
	s.current = found
	s.mu.Unlock()
	s.event()
	return nil
}
