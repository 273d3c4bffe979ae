package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// maxMessage bounds one message; a text of schema.MaxBytes is far below it, even with every character escaped.
const maxMessage = 32 << 20

// message is a request, a notification (no ID) or an answer (no Method).
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
}

// readMessage reads one message: header lines, an empty line, and as many bytes as Content-Length says.
func readMessage(r *bufio.Reader) ([]byte, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := r.ReadSlice('\n')
		if err != nil {
			if err == io.EOF && n == 0 && len(line) == 0 {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("read header: %w", err)
		}
		header := strings.TrimSpace(string(line))
		if header == "" {
			break
		}
		if name, value, ok := strings.Cut(header, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("read header: %q is no length of a message", value)
			}
		}
		if n > 32 {
			return nil, fmt.Errorf("read header: it does not end")
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("read header: there is no Content-Length")
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	return data, nil
}

// writer writes messages; it may be used by several goroutines.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *writer) write(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = fmt.Fprintf(w.w, "Content-Length: %d\r\n\r\n%s", len(data), data)
	return err
}

// Error codes of JSON-RPC and the protocol.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603
	notInitialized = -32002
	requestFailed  = -32803
)

// rpcError is an answer that something cannot be done.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

func refusal(format string, args ...any) *rpcError {
	return &rpcError{requestFailed, fmt.Sprintf(format, args...)}
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type failure struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *rpcError       `json:"error"`
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}
