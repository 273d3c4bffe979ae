package modeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultModel is the model that GET /v1/models lists when Server.Models is empty.
const DefaultModel = "stub"

// requestLimit bounds a request's body.
const requestLimit = 4 << 20

// Server is a model server. Set the fields before Listen and do not change them afterwards.
type Server struct {
	// Answer is the brain; nil means Reader(nil). It is called from several goroutines when requests overlap.
	Answer func(ChatRequest) Reply
	// Latency is how long an answer takes; the zero value is no time.
	Latency Latency
	// Models are the known models; a request for another is refused with 404. Empty means every model is known.
	Models []string
	// NoTemplate makes the server one without a chat template.
	NoTemplate bool
	// Key is the key that requests must bring; empty means none is needed.
	Key string

	root   string
	http   *http.Server
	ctx    context.Context
	cancel context.CancelFunc
	served chan struct{}
	conns  atomic.Int64
	mu     sync.Mutex
	log    []Exchange
}

// Exchange is one entry of the log: one HTTP request.
type Exchange struct {
	Request   ChatRequest // the first question's
	Questions int         // several on wires of typed questions
	Reply     Reply       // to the first question
	Usage     Usage
	Header    http.Header // of the request
}

// Latency is a simple model of a model: TTFT + prompt/Prefill + completion/Decode, rates in tokens per second. A
// rate of 0 takes no time.
type Latency struct {
	TTFT            time.Duration
	Prefill, Decode float64
}

// Declared is the latency that nth's figures are measured with.
var Declared = Latency{TTFT: 250 * time.Millisecond, Prefill: 8000, Decode: 80}

// Of is the time that an answer of so many tokens takes.
func (l Latency) Of(u Usage) time.Duration {
	d := l.TTFT
	if l.Prefill > 0 {
		d += time.Duration(float64(u.PromptTokens) / l.Prefill * float64(time.Second))
	}
	if l.Decode > 0 {
		d += time.Duration(float64(u.CompletionTokens) / l.Decode * float64(time.Second))
	}
	return d
}

// TB is the part of testing.TB that Start needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Start starts a server on a free loopback port for the length of a test. A nil answer means Reader(nil).
func Start(t TB, answer func(ChatRequest) Reply) *Server {
	t.Helper()
	s := &Server{Answer: answer}
	s.Start(t)
	return s
}

// Start is Listen on a free loopback port for the length of a test.
func (s *Server) Start(t TB) {
	t.Helper()
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatalf("start model server: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
}

// Listen starts a server with the default brain at addr ("127.0.0.1:0" for a free port). Close it.
func Listen(addr string) (*Server, error) {
	s := &Server{}
	return s, s.Listen(addr)
}

// Listen starts the server at addr and returns when it accepts connections.
func (s *Server) Listen(addr string) error {
	if s.Answer == nil {
		s.Answer = Reader(nil)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("model server: %w", err)
	}
	s.root = "http://" + l.Addr().String()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.served = make(chan struct{})
	mux := http.NewServeMux()
	for pattern, w := range wires {
		mux.HandleFunc(pattern, func(rw http.ResponseWriter, r *http.Request) { s.serve(w, rw, r) })
	}
	mux.HandleFunc("POST /apply-template", s.template)
	mux.HandleFunc("GET /v1/models", s.models)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ConnState: s.count}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l)
	}()
	return nil
}

// URL is the base URL of OpenAI's wire, with /v1.
func (s *Server) URL() string { return s.root + "/v1" }

// Root is the server's address, for the wires whose base URL has no version in it.
func (s *Server) Root() string { return s.root }

// Close ends every connection, also those that hang on purpose.
func (s *Server) Close() error {
	s.cancel()
	err := s.http.Close()
	<-s.served
	return err
}

// Conns is the number of open connections.
func (s *Server) Conns() int { return int(s.conns.Load()) }

func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked: // a hijacked connection is counted by whoever took it
		s.conns.Add(-1)
	}
}

// Log is a copy of the exchanges so far, in the order of their arrival. Requests that no Answer saw (wrong key,
// unknown model) are not in it.
func (s *Server) Log() []Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Exchange(nil), s.log...)
}

// Total sums the usage of the log.
func (s *Server) Total() (calls int, total Usage) {
	for _, e := range s.Log() {
		calls++
		total.PromptTokens += e.Usage.PromptTokens
		total.CompletionTokens += e.Usage.CompletionTokens
	}
	total.TotalTokens = total.PromptTokens + total.CompletionTokens
	return calls, total
}

func (s *Server) serve(wire wire, w http.ResponseWriter, r *http.Request) {
	fail := func(status int, code, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(wire.failure(status, code, text))
	}
	if key := sentKey(r.Header); s.Key != "" && key != s.Key {
		fail(http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+key)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestLimit))
	var reqs []ChatRequest
	if err == nil {
		reqs, err = wire.decode(r, body)
	}
	switch {
	case err != nil:
		fail(http.StatusBadRequest, "invalid_request", "We could not parse the JSON body of your request: "+err.Error())
		return
	case len(reqs) == 0 || len(reqs[0].Messages) == 0:
		fail(http.StatusBadRequest, "invalid_request", "[] is too short - 'messages'")
		return
	case reqs[0].Stream:
		fail(http.StatusBadRequest, "unsupported_value", "'stream' is not supported by this server")
		return
	case !s.knows(reqs[0].Model):
		fail(http.StatusNotFound, "model_not_found", fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", reqs[0].Model))
		return
	}
	replies := make([]Reply, len(reqs))
	var usage Usage
	for i := range reqs {
		reqs[i].Path, reqs[i].Body = r.URL.RequestURI(), body
		replies[i] = s.Answer(reqs[i])
		u, err := replies[i].usage(reqs[i])
		if err != nil {
			fail(http.StatusInternalServerError, "server_error", err.Error())
			return
		}
		usage = Usage{usage.PromptTokens + u.PromptTokens, usage.CompletionTokens + u.CompletionTokens, usage.TotalTokens + u.TotalTokens}
	}
	reply := replies[0]
	s.mu.Lock()
	s.log = append(s.log, Exchange{reqs[0], len(reqs), reply, usage, r.Header.Clone()})
	n := len(s.log)
	s.mu.Unlock()
	if !s.wait(r, s.Latency.Of(usage)) {
		return
	}
	switch {
	case reply.Body != nil:
		body = reply.Body
	case reply.status() != http.StatusOK:
		body = wire.failure(reply.Status, strconv.Itoa(reply.Status), reply.Text)
	default:
		body = wire.encode(n, reqs, replies, usage)
	}
	s.send(w, r, reply, body)
}

// sentKey is the key of a request, wherever its wire puts it.
func sentKey(h http.Header) string {
	for _, name := range []string{"X-Api-Key", "Api-Key", "X-Goog-Api-Key"} {
		if key := h.Get(name); key != "" {
			return key
		}
	}
	return strings.TrimPrefix(h.Get("Authorization"), "Bearer ")
}

// wait reports whether d passed before the client left or the server was closed.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
	return false
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		OwnedBy string `json:"owned_by"`
	}
	names := s.Models
	if len(names) == 0 {
		names = []string{DefaultModel}
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list"}
	for _, name := range names {
		list.Data = append(list.Data, entry{name, "model", "modeltest"})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list)
}

func (s *Server) knows(model string) bool {
	if len(s.Models) == 0 {
		return true
	}
	for _, m := range s.Models {
		if m == model {
			return true
		}
	}
	return false
}

// Blackhole starts an endpoint that accepts connections and never reads or writes. It returns its base URL.
func Blackhole(t TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("start black hole: %v", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "http://" + l.Addr().String() + "/v1"
}
