package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nth-dev/nth/engine"
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
	read     reader
	breaker  *breaker
	backoff  func(attempt int) time.Duration // the wait before a repetition, from 1
	sleep    func(context.Context, time.Duration) error
}

// reader checks a body of status 200 and brings it into the shape that whoever asked can read. What that shape has no
// place for goes to seen.
type reader func(e endpoint, body []byte, seen *exchange) ([]byte, *wireError)

// exchange goes along with one call. set is for the transport: members of the request's body that the client library
// cannot say, nil to take one away. The rest is what RoundTrip has seen.
type exchange struct {
	set map[string]any

	err                *CallError // why there is no reply
	calls              int        // requests that reached the server
	refusal            string     // the model's own words for not answering
	prompt, completion int        // tokens
	cached             int        // of prompt
	noChoices          bool
}

// usage is what the call cost so far.
func (x *exchange) usage(since time.Time) engine.Usage {
	return engine.Usage{Calls: x.calls, PromptTokens: x.prompt, CachedTokens: x.cached, CompletionTokens: x.completion, Time: time.Since(since)}
}

type exchangeKey struct{}

func newTransport(client *http.Client, e endpoint, read reader) *transport {
	t := &transport{endpoint: e, read: read, breaker: newBreaker(), backoff: jitter, sleep: sleep}
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

// client is an http.Client over the transport. It follows no redirects: a key must not travel on.
func (t *transport) client(lent *http.Client) *http.Client {
	c := &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if lent != nil {
		c.Jar = lent.Jar
	}
	return c
}

// RoundTrip returns a reply of status 200 as the reader wrote it, or an error that is also in the exchange.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	seen, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if seen == nil {
		seen = &exchange{}
	}
	if req.Body != nil {
		defer req.Body.Close() // every try sends a fresh copy
	}
	start := time.Now()
	resp, err := t.repeat(req, start, seen)
	if seen.err = err; err != nil {
		err.Calls = seen.calls
		return nil, err
	}
	return resp, nil
}

// repeat tries until there is a reply, a failure that will not pass, or no time left.
func (t *transport) repeat(req *http.Request, start time.Time, seen *exchange) (*http.Response, *CallError) {
	ctx := req.Context()
	body, err := t.body(req, seen.set)
	if err != nil {
		return nil, err
	}
	var last *CallError // of the latest try
	for attempt := 1; ; {
		wait, err := t.breaker.enter()
		switch {
		case err != nil && last != nil: // the breaker opened between two tries
			return nil, last
		case err != nil:
			return nil, err
		case wait > 0 && !enough(ctx, wait) && last == nil:
			return nil, &CallError{Reason: fmt.Sprintf("the endpoint asked for a pause that lasts %s more, longer than the pick may take", wait.Round(time.Second))}
		case wait == 0:
			again, err := t.try(req, body, start, seen)
			if err == nil {
				return again.resp, nil
			}
			if last != nil && ctx.Err() != nil { // what the endpoint said tells more than that the time is up
				err.Reason += "; before that: " + last.Reason
				err.Status = cmp.Or(err.Status, last.Status)
			}
			err.Attempts, last = attempt, err
			if !again.worthIt || attempt > retries {
				return nil, err
			}
			wait = max(again.after, t.backoff(attempt))
			if again.after > 0 && !enough(ctx, wait) {
				err.Reason += fmt.Sprintf("; it asks to wait %s, longer than the pick may take", again.after)
			}
			attempt++
		}
		if !enough(ctx, wait) {
			return nil, last
		}
		if t.sleep(ctx, wait) != nil {
			doing := "waiting because the endpoint asked for a pause"
			if last != nil {
				doing = "waiting to try again: " + last.Reason
			}
			err := endedError(ctx, start, doing)
			err.Attempts = attempt - 1
			return nil, err
		}
	}
}

// enough says whether the deadline leaves time for a wait.
func enough(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > wait
}

// body is the request's body with the members of set in it.
func (t *transport) body(req *http.Request, set map[string]any) ([]byte, *CallError) {
	if req.GetBody == nil {
		return nil, nil
	}
	r, err := req.GetBody()
	if err != nil {
		return nil, &CallError{Err: err, Reason: "the request could not be repeated"}
	}
	body, err := io.ReadAll(r)
	if err != nil || len(set) == 0 {
		return body, nil
	}
	var members map[string]any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err = dec.Decode(&members); err != nil {
		return nil, &CallError{Err: err, Reason: "the request is not a JSON object"}
	}
	for name, value := range set {
		if value == nil {
			delete(members, name)
		} else {
			members[name] = value
		}
	}
	if body, err = json.Marshal(members); err != nil {
		return nil, &CallError{Err: err, Reason: "the request could not be written"}
	}
	return body, nil
}

// outcome of one try: a reply, or whether and when to repeat.
type outcome struct {
	resp    *http.Response
	worthIt bool
	after   time.Duration
}

func (t *transport) try(req *http.Request, body []byte, start time.Time, seen *exchange) (again outcome, ce *CallError) {
	health := ill
	defer func() {
		if req.Context().Err() == context.Canceled {
			health = unknown
		}
		t.breaker.leave(health, again.after)
	}()
	var connected, written atomic.Bool
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(w httptrace.WroteRequestInfo) { written.Store(w.Err == nil) },
	})
	sent := req.Clone(ctx)
	t.endpoint.authorize(sent.Header)
	if body != nil {
		sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	resp, err := t.base.RoundTrip(sent)
	if written.Load() || err == nil {
		seen.calls++
	}
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
	reply, err := io.ReadAll(io.LimitReader(resp.Body, bodyLimit+1))
	switch {
	case len(reply) > bodyLimit:
		return outcome{}, &CallError{Status: resp.StatusCode, Reason: fmt.Sprintf("the reply is larger than %d KiB and was not read further", bodyLimit>>10)}
	case ctx.Err() != nil && err != nil:
		ce := endedError(ctx, start, fmt.Sprintf("%d bytes into the reply", len(reply)))
		ce.Status = resp.StatusCode
		return outcome{}, ce
	case err != nil && resp.StatusCode == http.StatusOK:
		return outcome{worthIt: true}, &CallError{Status: resp.StatusCode, Err: err, Reason: fmt.Sprintf("the connection broke %d bytes into the reply", len(reply))}
	}
	if resp.StatusCode != http.StatusOK {
		if resp.StatusCode < 500 && resp.StatusCode != http.StatusRequestTimeout {
			health = healthy
		}
		said, quota := t.endpoint.errorText(reply)
		again := outcome{worthIt: passing(resp.StatusCode) && !quota}
		if again.worthIt {
			again.after = retryAfter(resp.Header, reply, time.Now())
		}
		return again, t.endpoint.statusError(resp.StatusCode, resp.Header, said)
	}
	health = healthy
	clean, we := t.read(t.endpoint, reply, seen)
	if we != nil {
		we.Status = resp.StatusCode
		return outcome{worthIt: we.passing}, &we.CallError
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

// retryAfter is how long the endpoint asks to wait: Retry-After (RFC 9110 §10.2.3) in seconds or as a date,
// Retry-After-Ms as OpenAI and Azure send it, or the RetryInfo in the body of Google's errors.
func retryAfter(h http.Header, body []byte, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now)).Round(time.Second)
	}
	var in struct {
		Error struct {
			Details []struct {
				RetryDelay string `json:"retryDelay"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &in) == nil {
		for _, detail := range in.Error.Details {
			if d, err := time.ParseDuration(detail.RetryDelay); err == nil && d > 0 {
				return d
			}
		}
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
