package browser

import (
	"context"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// waiter is one evaluation, left outstanding in a document until it changes. Every change resolves it, so there is
// never more than one per document, and one that a wait has left behind serves the next.
type waiter struct {
	mark string // the document and version that it waits to be left
	done bool   // s.mu
}

// Changed returns when the page has changed since the snapshot (DOM, values, navigation, frames, dialogs, tabs), or
// with ctx.Err() when ctx ends, or with an *engine.ActionError when the browser is lost. It does not poll.
func (s *Session) Changed(ctx context.Context, snap *engine.Snapshot) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, err := s.tab()
	if err != nil {
		return err
	}
	s.mu.Lock()
	if snap.Version != s.last.version || snap.Document != s.last.document {
		s.mu.Unlock()
		return nil
	}
	own := make([]*waiter, len(s.last.read))
	for i, r := range s.last.read {
		own[i] = s.await(r.frame, r.mark)
	}
	for {
		if s.events != s.last.events || s.current != t {
			s.mu.Unlock()
			return nil
		}
		for _, w := range own {
			if w.done && !t.isLost() {
				s.mu.Unlock()
				return nil
			}
		}
		pulse := s.pulse
		s.mu.Unlock()
		select {
		case <-pulse:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.lost:
			_, err := s.tab()
			return err // nil when another tab has taken its place
		case <-t.gone:
			return s.lostError(false, "")
		}
		s.mu.Lock()
	}
}

// await has a frame's document report its next change. s.mu is held.
func (s *Session) await(f playwright.Frame, mark string) *waiter {
	if w := s.waiters[f]; w != nil && w.mark == mark {
		return w
	}
	w := &waiter{mark: mark}
	s.waiters[f] = w
	go func() {
		_, _ = f.Evaluate(s.b.script.call("wait"), mark) // a document that goes away has changed, too
		s.mu.Lock()
		w.done = true
		s.happened()
		s.mu.Unlock()
	}()
	return w
}
