package model

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/nth-dev/nth/engine"
)

// CallError is a model call that gave no reply. Its text never holds the key.
type CallError struct {
	Model    string // "openai:gpt-5-mini"
	Status   int    // the last HTTP status, 0 if there was none
	Attempts int    // requests sent or tried
	Calls    int    // requests that reached the server, which may be billed all the same
	Reason   string // what went wrong, and what to do about it
	Err      error  // the cause, may be nil; context errors can be found with errors.Is

	said string // what the endpoint said, cleaned
}

func (e *CallError) Error() string {
	s := e.Reason
	if e.Model != "" {
		s = e.Model + ": " + s
	}
	if e.Attempts > 1 {
		s += fmt.Sprintf(" (tried %d times)", e.Attempts)
	}
	return s
}

func (e *CallError) Unwrap() error { return e.Err }

// Spent is what the failed call cost all the same, for budgets: requests that reached the server.
func (e *CallError) Spent() engine.Usage { return engine.Usage{Calls: e.Calls} }

// statusError puts an HTTP status that is not 200 into words.
func (e endpoint) statusError(status int, header http.Header, said string) *CallError {
	reason := ""
	switch {
	case status == http.StatusUnauthorized && e.withheld != "":
		reason = fmt.Sprintf("a key is needed (401), and %s is not sent to a base URL from a project file; set %s", e.withheld, e.provider.ownEnv("API_KEY"))
	case status == http.StatusUnauthorized && e.key == "":
		reason = "a key is needed (401); set " + e.provider.keyHint()
	case status == http.StatusUnauthorized:
		// What the endpoint says is left out: it often repeats a part of the key.
		return &CallError{Status: status, Reason: fmt.Sprintf("the key was refused (401); set %s to a valid one", e.provider.keyHint())}
	case status == http.StatusForbidden:
		reason = "the key may not use this model or endpoint (403)"
	case status == http.StatusNotFound && strings.Contains(strings.ToLower(said), "model"):
		reason = "the endpoint does not know this model (404)"
	case status == http.StatusNotFound:
		reason = fmt.Sprintf("nothing of that kind at %s (404); %s", e.baseURL, e.provider.baseAdvice())
	case status >= 300 && status < 400:
		reason = fmt.Sprintf("the endpoint redirects (%d)", status)
		if to := short(header.Get("Location"), 120); to != "" {
			reason += " to " + e.redact(to)
		}
		reason += "; set the base URL to the final address"
	case status == http.StatusRequestTimeout:
		reason = "the endpoint gave up waiting (408)"
	case status == http.StatusTooManyRequests:
		reason = "the endpoint limits the rate (429)"
	case status == 529:
		reason = "the endpoint is overloaded (529)"
	case status >= 500:
		reason = fmt.Sprintf("the endpoint failed (%d)", status)
	default:
		reason = fmt.Sprintf("the endpoint refused the request (%d)", status)
	}
	if said != "" {
		reason += ": " + said
	}
	return &CallError{Status: status, Reason: reason, said: said}
}

// connectError puts a failed request into words. permanent says that another try would end the same way.
func (e endpoint) connectError(err error) (ce *CallError, permanent bool) {
	host := strings.TrimPrefix(strings.TrimPrefix(e.baseURL, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	ce = &CallError{Err: err}
	_, badCert := errors.AsType[*tls.CertificateVerificationError](err)
	record, notTLS := errors.AsType[tls.RecordHeaderError](err)
	dns, badName := errors.AsType[*net.DNSError](err)
	switch {
	case badName && dns.IsNotFound:
		ce.Reason, permanent = fmt.Sprintf("there is no host %s; check the base URL", host), true
	case badCert:
		ce.Reason, permanent = fmt.Sprintf("the certificate of %s is not trusted", host), true
	case notTLS && record.Conn != nil, strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		ce.Reason, permanent = fmt.Sprintf("%s does not speak TLS; the base URL may need http://", host), true
	case errors.Is(err, syscall.ECONNREFUSED):
		ce.Reason = fmt.Sprintf("nothing listens at %s; is the server running?", host)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), strings.HasSuffix(err.Error(), "EOF"):
		ce.Reason = fmt.Sprintf("%s closed the connection without an answer", host)
	default:
		ce.Reason = fmt.Sprintf("cannot reach %s: %s", host, e.redact(short(err.Error(), 200)))
	}
	return ce, permanent
}

// endedError says that the deadline passed or the caller gave up, and during what.
func endedError(ctx context.Context, since time.Time, doing string) *CallError {
	cause := context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &CallError{Err: cause, Reason: fmt.Sprintf("no answer within %s, %s", time.Since(since).Round(10*time.Millisecond), doing)}
	}
	return &CallError{Err: cause, Reason: "the call was given up, " + doing}
}

// keyLike matches what providers' keys look like, also shortened ones.
var keyLike = regexp.MustCompile(`\b(?:(?:sk|pk|key|gsk|xai)-[\w*.-]{6,}|AIza[\w*-]{6,})`)

// redact takes the key, the values of configured headers and what looks like a key out of text from outside.
func (e endpoint) redact(s string) string {
	for _, value := range e.headers {
		if len(value) >= 8 { // shorter ones are words, not secrets
			s = strings.ReplaceAll(s, value, "[header]")
		}
	}
	if e.key != "" {
		s = strings.ReplaceAll(s, e.key, "[key]")
	}
	return keyLike.ReplaceAllString(s, "[key]")
}
