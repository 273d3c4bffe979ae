package browser

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

var _ engine.Driver = (*Session)(nil)

// Session is one isolated browser context with its tabs: an engine.Driver for one run. Its methods are called by one
// goroutine at a time; Close may be called at any time.
type Session struct {
	b   *Browser
	ctx playwright.BrowserContext

	mu      sync.Mutex
	tabs    []*tab // open ones, oldest first
	current *tab   // nil when the last one was closed
	follow  *tab   // a popup of this tab becomes the current one, because we have just acted on it
	// followed is the popup that did so.
	followed *tab
	// deciding is closed when it is known whether a window that has opened is to be followed; acted is the frame that the
	// last action was in.
	deciding chan struct{}
	acted    playwright.Frame
	frames   frameTable
	pulse    chan struct{} // closed and replaced whenever something happens
	events   int64         // counts navigations, frames, tabs and dialogs
	dialogs  []engine.Dialog
	answer   *answer // for the next native dialog
	// choosing: an upload waits for the file chooser.
	choosing bool
	last     look
	waiters  map[playwright.Frame]*waiter

	keepDir   string // of downloads
	downloads []engine.Download
	coming    sync.WaitGroup // downloads that are not complete
	closing   bool           // no more of them are waited for

	closeOnce sync.Once
	closeErr  error
}

// look is what the session remembers of its latest snapshot.
type look struct {
	probes   *compile.Probes
	document string
	version  int64
	events   int64
	digest   uint64     // of all frames' answers
	read     []readMark // the frames that could be read
}

type readMark struct {
	frame playwright.Frame
	mark  string // document and version of the frame, as the page's wait function takes it
}

// newSession opens a context with one empty tab, with that state (nil: none).
func (b *Browser) newSession(ctx context.Context, state *playwright.OptionalStorageState) (*Session, error) {
	s := &Session{b: b, pulse: make(chan struct{}), waiters: map[playwright.Frame]*waiter{}}
	opts := playwright.BrowserNewContextOptions{
		Viewport:        &playwright.Size{Width: b.opts.Width, Height: b.opts.Height},
		AcceptDownloads: playwright.Bool(true),
		StorageState:    state,
	}
	if b.opts.Locale != "" {
		opts.Locale = &b.opts.Locale
	}
	if b.opts.Timezone != "" {
		opts.TimezoneId = &b.opts.Timezone
	}
	err := do(ctx, &tab{lost: b.gone, gone: b.gone}, func() error { return s.open(opts) })
	if err != nil {
		go func() { _ = s.Close() }()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("open session: %w", err)
		}
		return nil, fmt.Errorf("open session: %s", headline(err))
	}
	return s, nil
}

func (s *Session) open(opts playwright.BrowserNewContextOptions) error {
	c, err := s.b.browser.NewContext(opts)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.ctx = c
	s.mu.Unlock()
	c.OnPage(s.opened)
	c.OnDialog(s.dialog)
	if err := c.AddInitScript(playwright.Script{Content: &s.b.script.source}); err != nil {
		return err
	}
	p, err := c.NewPage()
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.current = s.adopt(p)
	s.mu.Unlock()
	return nil
}

// Close ends the session and its tabs. It may be called twice, and when the browser is gone already.
func (s *Session) Close() error {
	s.closeOnce.Do(func() {
		s.mu.Lock()
		c := s.ctx
		s.closing = true
		s.mu.Unlock()
		if c == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		complete := make(chan struct{})
		go func() { s.coming.Wait(); close(complete) }()
		select { // what has begun to come down is kept whole
		case <-complete:
		case <-s.b.gone:
		case <-time.After(5 * time.Second):
		}
		err := do(ctx, &tab{lost: s.b.gone, gone: s.b.gone}, func() error { return c.Close() })
		if err != nil && !isLost(err) {
			s.closeErr = fmt.Errorf("close session: %s", headline(err))
		}
	})
	return s.closeErr
}

// Screenshot returns the viewport as PNG.
func (s *Session) Screenshot(ctx context.Context) ([]byte, error) {
	t, err := s.tab()
	if err != nil {
		return nil, err
	}
	png, err := call(ctx, t, func() ([]byte, error) {
		return t.page.Screenshot(playwright.PageScreenshotOptions{Timeout: playwright.Float(15_000)})
	})
	switch {
	case err == nil:
		return png, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case isLost(err):
		return nil, s.lostError(false, "the screenshot")
	}
	return nil, fmt.Errorf("screenshot: %s", headline(err))
}

// happened wakes everyone who waits for the page. s.mu is held.
func (s *Session) happened() {
	close(s.pulse)
	s.pulse = make(chan struct{})
}

// event notes something that no document can tell of: a navigation, a tab, a dialog.
func (s *Session) event() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	s.happened()
}
