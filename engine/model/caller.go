package model

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"time"

	"github.com/nth-dev/nth/engine"
)

// caller asks endpoints that no client library speaks to.
type caller struct {
	title     string // "systemone:jev-latest", for errors
	transport *transport
	client    *http.Client
	timeout   time.Duration
}

func newCaller(p provider, name string, cfg Config) (caller, error) {
	e, err := resolveEndpoint(p, cfg)
	if err != nil {
		return caller{}, err
	}
	t := newTransport(cfg.HTTPClient, e, readJSON)
	return caller{p.name + ":" + name, t, t.client(cfg.HTTPClient), cfg.timeout()}, nil
}

// post sends in to a path below the base URL, decodes the reply into out, and adds what that cost. An error is a
// *CallError with every call of the pick so far.
func (c caller) post(ctx context.Context, path string, in, out any, spent *engine.Usage) error {
	start, seen := time.Now(), &exchange{}
	err := post(context.WithValue(ctx, exchangeKey{}, seen), c.client, c.transport.endpoint.baseURL+path, in, out)
	*spent = spent.Add(seen.usage(start))
	switch {
	case seen.err != nil:
		seen.err.Model, seen.err.Calls = c.title, spent.Calls
		return seen.err
	case err != nil:
		return &CallError{Model: c.title, Reason: "the reply has another shape than this wire: " + short(err.Error(), 160), Calls: spent.Calls, Err: err}
	}
	return nil
}

// Close closes idle connections. The picker stays usable.
func (c caller) Close() error {
	c.transport.CloseIdleConnections()
	return nil
}

// post sends JSON and decodes the reply, which the transport has checked.
func post(ctx context.Context, client *http.Client, url string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(out)
}

// notNumber matches what Python writes for numbers that JSON does not have.
var notNumber = regexp.MustCompile(`([:\[,]\s*)(?:NaN|-?Infinity)\b`)

// readJSON lets an object through that is no error, and takes the token counts from its usage or from beside it.
func readJSON(e endpoint, body []byte, seen *exchange) ([]byte, *wireError) {
	if !json.Valid(body) {
		body = notNumber.ReplaceAll(body, []byte("${1}null"))
	}
	var in struct {
		Error *json.RawMessage `json:"error"`
		Usage counts           `json:"usage"`
	}
	if we := e.decode(body, &in); we != nil {
		return nil, we
	}
	if we := e.errorIn200(in.Error, body, false); we != nil {
		return nil, we
	}
	if in.Usage == nil {
		_ = json.Unmarshal(body, &in.Usage) // llama.cpp counts beside the answer
	}
	seen.count(in.Usage, promptNames, completionNames)
	return body, nil
}
