package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// bodyLimit is the largest reply that is read. An answer has a few bytes; a long chain of thought some 20 KiB.
	bodyLimit = 1 << 20
	// retries is how often a call is repeated after a status or a connection error that may pass.
	retries = 2
)

// transport carries the client library's requests: it retries, reads the reply within the size limit, and notes in
// the exchange of the request's context what the library would hide.
type transport struct {
	base     http.RoundTripper
	endpoint endpoint
	backoff  func(attempt int) time.Duration // the wait before a repetition, from 1
	sleep    func(context.Context, time.Duration) error
}

// exchange is what was seen during one call; RoundTrip fills it.
type exchange struct {
	err       *CallError     // why there is no reply
	refusal   string         // the model's own words for not answering
	usage     map[string]any // token counts as the endpoint named them
	noChoices bool
}

type exchangeKey struct{}

func newTransport(client *http.Client, e endpoint) *transport {
	t := &transport{endpoint: e, backoff: jitter, sleep: sleep}
	switch {
	case client != nil && client.Transport != nil:
		t.base = client.Transport
	case client != nil:
		t.base = http.DefaultTransport
	default:
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 4
		own.TLSHandshakeTimeout = 10 * time.Second
		t.base = own
	}
	return t
}

// CloseIdleConnections does so if the base can.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok && t.base != http.DefaultTransport {
		c.CloseIdleConnections()
	}
}

// RoundTrip returns a reply of status 200 in the one shape that the client library reads, or an error that is also
// in the exchange.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	seen, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if seen == nil {
		seen = &exchange{}
	}
	if req.Body != nil {
		defer req.Body.Close() // every try sends a fresh copy
	}
	start := time.Now()
	for attempt := 1; ; attempt++ {
		again, err := t.try(req, start, seen)
		if err == nil {
			seen.err = nil
			return again.resp, nil
		}
		err.Attempts = attempt
		seen.err = err
		if !again.worthIt || attempt > retries {
			return nil, err
		}
		wait := max(again.after, t.backoff(attempt))
		if deadline, ok := req.Context().Deadline(); ok && time.Until(deadline) <= wait {
			if again.after > 0 {
				err.Reason += fmt.Sprintf("; it asks to wait %s, longer than the pick may take", again.after)
			}
			return nil, err
		}
		if t.sleep(req.Context(), wait) != nil {
			err := endedError(req.Context(), start, "waiting to try again: "+err.Reason)
			err.Attempts, seen.err = attempt, err
			return nil, err
		}
	}
}

// outcome of one try: a reply, or whether and when to repeat.
type outcome struct {
	resp    *http.Response
	worthIt bool
	after   time.Duration
}

func (t *transport) try(req *http.Request, start time.Time, seen *exchange) (outcome, *CallError) {
	var connected atomic.Bool
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	sent := req.Clone(ctx)
	sent.Header.Set("User-Agent", "nth")
	if t.endpoint.key == "" {
		sent.Header.Del("Authorization")
	}
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return outcome{}, &CallError{Err: err, Reason: "the request could not be repeated"}
		}
		sent.Body = body
	}
	resp, err := t.base.RoundTrip(sent)
	if err != nil {
		if ctx.Err() != nil {
			doing := "connecting to " + t.endpoint.baseURL
			if connected.Load() {
				doing = "waiting for the first byte of the reply"
			}
			return outcome{}, endedError(ctx, start, doing)
		}
		ce, permanent := t.endpoint.connectError(err)
		return outcome{worthIt: !permanent}, ce
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, bodyLimit+1))
	switch {
	case len(body) > bodyLimit:
		return outcome{}, &CallError{Status: resp.StatusCode, Reason: fmt.Sprintf("the reply is larger than %d KiB and was not read further", bodyLimit>>10)}
	case ctx.Err() != nil && err != nil:
		ce := endedError(ctx, start, fmt.Sprintf("%d bytes into the reply", len(body)))
		ce.Status = resp.StatusCode
		return outcome{}, ce
	case err != nil && resp.StatusCode == http.StatusOK:
		return outcome{worthIt: true}, &CallError{Status: resp.StatusCode, Err: err, Reason: fmt.Sprintf("the connection broke %d bytes into the reply", len(body))}
	}
	if resp.StatusCode != http.StatusOK {
		said, quota := t.endpoint.errorText(body)
		again := outcome{worthIt: passing(resp.StatusCode) && !quota, after: retryAfter(resp.Header, time.Now())}
		return again, t.endpoint.statusError(resp.StatusCode, resp.Header, said)
	}
	clean, ce := t.endpoint.canonical(body, seen)
	if ce != nil {
		ce.Status = resp.StatusCode
		return outcome{worthIt: ce.passing}, &ce.CallError
	}
	return outcome{resp: &http.Response{
		Status: resp.Status, StatusCode: resp.StatusCode, Proto: resp.Proto, ProtoMajor: resp.ProtoMajor, ProtoMinor: resp.ProtoMinor,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(clean)),
		ContentLength: int64(len(clean)), Request: req,
	}}, nil
}

// passing says whether a status may be gone after a moment. Some endpoints say 529 when they are overloaded.
func passing(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500 && status <= 599
}

// retryAfter reads the Retry-After header (RFC 9110 §10.2.3): seconds or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now)).Round(time.Second)
	}
	return 0
}

// jitter waits about 0.25 s, then about 1 s, each between half and the whole.
func jitter(attempt int) time.Duration {
	full := 250 * time.Millisecond << (2 * (attempt - 1))
	return full/2 + rand.N(full/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
