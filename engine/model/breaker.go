package model

import (
	"fmt"
	"sync"
	"time"
)

const (
	// tripAfter is how many tries in a row must fail before an endpoint is left alone: two picks with their
	// repetitions, less one.
	tripAfter = 5
	// tripPause is how long it is left alone. Then one request goes through; what becomes of it decides.
	tripPause = 20 * time.Second
)

// breaker guards one endpoint. It opens after failures in a row (no connection, no answer in time, a status that says
// that the server is ill), and holds requests back for as long as the endpoint asked for. It is shared by everything
// that uses the endpoint's transport.
type breaker struct {
	now func() time.Time

	mu      sync.Mutex
	failed  int       // tries in a row
	until   time.Time // open until then; the zero value while closed
	probing bool      // half open, and a request is on its way
	limited time.Time // the endpoint asked not to be called before
}

func newBreaker() *breaker { return &breaker{now: time.Now} }

// enter asks to send a request. wait is how long the endpoint wants to be left alone; a nil error with wait 0 must be
// followed by leave.
func (b *breaker) enter() (wait time.Duration, err *CallError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if b.limited.After(now) {
		return b.limited.Sub(now), nil
	}
	if b.until.IsZero() {
		return 0, nil
	}
	if left := b.until.Sub(now); left > 0 || b.probing {
		when := "a request that looks whether it is back is on its way"
		if left > 0 {
			when = fmt.Sprintf("it is tried again in %s", left.Round(time.Second))
		}
		return 0, &CallError{Reason: fmt.Sprintf("the endpoint failed %d times in a row and is left alone; %s", b.failed, when)}
	}
	b.probing = true
	return 0, nil
}

// verdict says what a try tells about the endpoint's health.
type verdict int

const (
	unknown verdict = iota // the caller gave up
	healthy                // it answered, whatever it said
	ill
)

// leave reports how the request ended, and how long the endpoint asks to wait.
func (b *breaker) leave(v verdict, after time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	if at := b.now().Add(after); after > 0 && at.After(b.limited) {
		b.limited = at
	}
	switch v {
	case healthy:
		b.failed, b.until = 0, time.Time{}
	case ill:
		if b.failed++; b.failed >= tripAfter {
			b.until = b.now().Add(tripPause)
		}
	}
}
