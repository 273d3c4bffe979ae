package modeltest

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Reply is how a request is answered. The zero value is an empty message with status 200; Text(s) and Status(code)
// are the common ones.
type Reply struct {
	// Text is the message's content; Choices, if set, are the contents of several choices instead.
	Text    string
	Choices []string
	// ToolName and ToolArguments, if set, make the first choice call a tool.
	ToolName, ToolArguments string
	// Refusal is the message's refusal.
	Refusal string
	// FinishReason is "stop" if empty.
	FinishReason string
	// P are the probabilities of the keys on wires that report them; without it, the answer's is 0.9.
	P map[string]float64
	// Usage replaces the real counts.
	Usage *Usage

	// Status replaces 200; without a Body, the body is then the wire's error object whose message is Text.
	Status int
	Header map[string]string
	// Body replaces the whole body, ContentType its type.
	Body        []byte
	ContentType string

	// Fault is what goes wrong on the way.
	Fault Fault
	// Every is the time between two bytes of a Drip; 0 means 10 ms.
	Every time.Duration
}

// Fault is a failure below HTTP.
type Fault int

const (
	NoFault     Fault = iota
	HangHeaders       // the request is read and nothing comes
	HangStart         // the headers come, the body never
	HangBody          // half of the body comes
	HalfClose         // half of the announced body comes, then the connection is closed
	Truncate          // half of the body comes, and is announced as all of it
	Reset             // the connection is reset without an answer
	Drip              // the body comes byte by byte
)

// Text replies with a message.
func Text(s string) Reply { return Reply{Text: s} }

// Status replies with an error; header is pairs of name and value.
func Status(code int, header ...string) Reply {
	r := Reply{Status: code, Text: http.StatusText(code), Header: map[string]string{}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header[header[i]] = header[i+1]
	}
	return r
}

// HTML replies with a web page and status 200, as proxies and wrong base URLs do.
func HTML() Reply {
	return Reply{Body: []byte("<!doctype html><html><head><title>Welcome</title></head><body>Sign in</body></html>"), ContentType: "text/html; charset=utf-8"}
}

// Redirect replies with a redirection to the same address, which is a loop.
func Redirect() Reply {
	return Status(http.StatusTemporaryRedirect, "Location", "/v1/chat/completions")
}

// Sequence answers the first request with the first reply, and so on; the last reply stays.
func Sequence(replies ...Reply) func(ChatRequest) Reply {
	next := make(chan int, 1)
	next <- 0
	return func(ChatRequest) Reply {
		i := <-next
		next <- min(i+1, len(replies)-1)
		return replies[i]
	}
}

func (r Reply) status() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// usage is what the exchange counts as: nothing for an error.
func (r Reply) usage(req ChatRequest) (u Usage, err error) {
	switch {
	case r.Usage != nil:
		return *r.Usage, nil
	case r.status() != http.StatusOK || r.Body != nil:
		return Usage{}, nil
	}
	if u.PromptTokens, err = PromptTokens(req.Messages...); err != nil {
		return Usage{}, err
	}
	for _, text := range slices.Concat(r.Choices, []string{r.Text, r.ToolArguments, r.Refusal}) {
		n, err := Tokens(text)
		if err != nil {
			return Usage{}, err
		}
		u.CompletionTokens += n
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return u, nil
}

// send writes the reply with its fault.
func (s *Server) send(w http.ResponseWriter, r *http.Request, reply Reply, body []byte) {
	out := http.NewResponseController(w)
	hang := func() {
		select {
		case <-r.Context().Done():
		case <-s.ctx.Done():
		}
	}
	switch reply.Fault {
	case HangHeaders:
		hang()
		return
	case Reset:
		reset(out)
		return
	case Truncate:
		body = body[:len(body)/2]
	}
	contentType := "application/json"
	if reply.ContentType != "" {
		contentType = reply.ContentType
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.status())
	switch reply.Fault {
	case HangStart:
		_ = out.Flush()
		hang()
	case HangBody:
		_, _ = w.Write(body[:len(body)/2])
		_ = out.Flush()
		hang()
	case HalfClose:
		_, _ = w.Write(body[:len(body)/2]) // net/http closes a connection that got less than was announced
	case Drip:
		every := reply.Every
		if every <= 0 {
			every = 10 * time.Millisecond
		}
		for i := range body {
			if _, err := w.Write(body[i : i+1]); err != nil || out.Flush() != nil || !s.wait(r, every) {
				return
			}
		}
	default:
		_, _ = w.Write(body)
	}
}

// reset makes the kernel answer with RST instead of FIN.
func reset(out *http.ResponseController) {
	c, _, err := out.Hijack()
	if err != nil {
		return
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
