package browser

import (
	"context"
	"errors"
	"time"
)

// errLost is returned by calls when the tab or the browser is gone.
var errLost = errors.New("the tab or the browser was closed, or crashed")

func isLost(err error) bool { return errors.Is(err, errLost) || lostMessage(err.Error()) }

// grace is how long a call may take to fail by itself after its tab was lost: its own reason is worth having.
const grace = 250 * time.Millisecond

// call runs f, which talks to the browser, and returns as soon as it is done, ctx ends, or the tab is lost,
// whichever is first. f goes on in the background until the browser answers it, at the latest until the session is
// closed; its result is then dropped.
func call[T any](ctx context.Context, t *tab, f func() (T, error)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return zero, ctx.Err()
	case <-t.lost:
	case <-t.gone:
	}
	end := time.NewTimer(grace)
	defer end.Stop()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return zero, ctx.Err()
	case <-end.C:
		return zero, errLost
	}
}

// do is call for functions without a value.
func do(ctx context.Context, t *tab, f func() error) error {
	_, err := call(ctx, t, func() (struct{}, error) { return struct{}{}, f() })
	return err
}
