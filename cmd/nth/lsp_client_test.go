package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

// lspClient is an editor: it starts a language server and speaks the protocol over its standard input and output.
type lspClient struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	next int

	mu      sync.Mutex
	answers map[int]chan lspMessage
	found   map[string]lspFindings // last diagnostics by URI
	news    chan struct{}
}

type lspMessage struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type lspFindings struct {
	URI         string          `json:"uri"`
	Version     int             `json:"version"`
	Diagnostics []lspDiagnostic `json:"diagnostics"`
}

type lspDiagnostic struct {
	Range    lspRange `json:"range"`
	Severity int      `json:"severity"`
	Code     lspCode  `json:"code"`
	Message  string   `json:"message"`
}

// lspCode is the code of a finding, which is text or a number.
type lspCode string

func (c *lspCode) UnmarshalJSON(data []byte) error {
	*c = lspCode(strings.Trim(string(data), `"`))
	return nil
}

type lspPosition struct{ Line, Character int }

type lspRange struct{ Start, End lspPosition }

type lspEdit struct {
	Range   lspRange `json:"range"`
	NewText string   `json:"newText"`
}

var buildNth = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "nth-lsp-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "nth")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return bin, nil
})

// startLSP starts nth lsp.
func startLSP(t *testing.T, root string) *lspClient {
	t.Helper()
	bin, err := buildNth()
	if err != nil {
		t.Fatal(err)
	}
	return startServer(t, root, exec.Command(bin, "lsp"))
}

// startServer starts a server and goes through the handshake.
func startServer(t *testing.T, root string, cmd *exec.Cmd) *lspClient {
	t.Helper()
	c := &lspClient{t: t, cmd: cmd, answers: map[int]chan lspMessage{}, found: map[string]lspFindings{}, news: make(chan struct{}, 1)}
	c.cmd.Dir, c.cmd.Stderr = t.TempDir(), os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go c.read(bufio.NewReader(out))
	t.Cleanup(func() {
		c.request("shutdown", nil)
		c.notify("exit", nil)
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	var init struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + root,
		"capabilities": map[string]any{"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": true, "documentationFormat": []string{"markdown"}}}, "hover": map[string]any{"contentFormat": []string{"markdown"}}}},
	}, &init)
	if init.Capabilities["hoverProvider"] != true {
		t.Fatalf("capabilities: %v", init.Capabilities)
	}
	c.notify("initialized", map[string]any{})
	return c
}

func (c *lspClient) read(r *bufio.Reader) {
	for {
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(v)
			}
		}
		data := make([]byte, length)
		if _, err := io.ReadFull(r, data); err != nil {
			return
		}
		var m lspMessage
		if err := json.Unmarshal(data, &m); err != nil {
			c.t.Errorf("the server wrote %q: %v", data, err)
			return
		}
		c.mu.Lock()
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			var f lspFindings
			if err := json.Unmarshal(m.Params, &f); err != nil {
				c.t.Error(err)
			}
			c.found[f.URI] = f
			select {
			case c.news <- struct{}{}:
			default:
			}
		case m.ID != nil && c.answers[*m.ID] != nil:
			c.answers[*m.ID] <- m
		}
		c.mu.Unlock()
	}
}

func (c *lspClient) write(v map[string]any) {
	v["jsonrpc"] = "2.0"
	data, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(data), data); err != nil {
		c.t.Error(err)
	}
}

func (c *lspClient) notify(method string, params any) {
	c.write(map[string]any{"method": method, "params": params})
}

// request asks and waits for the answer.
func (c *lspClient) request(method string, params any) lspMessage {
	c.t.Helper()
	c.next++
	ch := make(chan lspMessage, 1)
	c.mu.Lock()
	c.answers[c.next] = ch
	c.mu.Unlock()
	c.write(map[string]any{"id": c.next, "method": method, "params": params})
	select {
	case m := <-ch:
		return m
	case <-time.After(30 * time.Second):
		c.t.Fatalf("%s: no answer", method)
		return lspMessage{}
	}
}

// call is request for answers that must not be errors.
func (c *lspClient) call(method string, params, result any) {
	c.t.Helper()
	m := c.request(method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		c.t.Fatalf("%s: %v: %s", method, err, m.Result)
	}
}

// wait waits for findings of a version of a text.
func (c *lspClient) wait(uri string, version int) []lspDiagnostic {
	c.t.Helper()
	return c.until(uri, fmt.Sprintf("findings for version %d", version), func(f lspFindings) bool { return f.Version == version })
}

// until waits for findings that are as they should be.
func (c *lspClient) until(uri, want string, ok func(lspFindings) bool) []lspDiagnostic {
	c.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		c.mu.Lock()
		f, told := c.found[uri]
		c.mu.Unlock()
		if told && ok(f) {
			return f.Diagnostics
		}
		select {
		case <-c.news:
		case <-deadline:
			c.t.Fatalf("%s: no %s; the last findings are %v", uri, want, f)
		}
	}
}

// buffer is a text that is open in the editor, as the editor sees it.
type buffer struct {
	c       *lspClient
	uri     string
	text    string
	version int
}

func (c *lspClient) open(name string) *buffer {
	c.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		c.t.Fatal(err)
	}
	b := &buffer{c: c, uri: "file://" + name, text: string(data), version: 1}
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": b.uri, "languageId": "yaml", "version": 1, "text": b.text}})
	return b
}

// place is the position of a byte offset.
func (b *buffer) place(offset int) lspPosition {
	before := b.text[:offset]
	line := strings.LastIndexByte(before, '\n') + 1
	return lspPosition{strings.Count(before, "\n"), len(utf16.Encode([]rune(before[line:])))}
}

func (b *buffer) offset(p lspPosition) int {
	at := 0
	for range p.Line {
		i := strings.IndexByte(b.text[at:], '\n')
		if i < 0 {
			b.c.t.Fatalf("%v lies behind the text", p)
		}
		at += i + 1
	}
	for units := 0; units < p.Character; {
		r := []rune(b.text[at:])[0]
		if r == '\n' {
			b.c.t.Fatalf("%v lies behind its line", p)
		}
		units += len(utf16.Encode([]rune{r}))
		at += len(string(r))
	}
	return at
}

// cut is the text of a range.
func (b *buffer) cut(r lspRange) string { return b.text[b.offset(r.Start):b.offset(r.End)] }

// at is where mark stands in the text; the cursor is at "|" in it, which is not in the text.
func (b *buffer) at(mark string) map[string]any {
	b.c.t.Helper()
	head, tail, ok := strings.Cut(mark, "|")
	i := strings.Index(b.text, head+tail)
	if !ok || i < 0 {
		b.c.t.Fatalf("%q is not in the text", mark)
	}
	p := b.place(i + len(head))
	return map[string]any{"textDocument": map[string]any{"uri": b.uri}, "position": map[string]any{"line": p.Line, "character": p.Character}}
}

// replace types: old becomes new, as an incremental change.
func (b *buffer) replace(old, new string) {
	b.c.t.Helper()
	i := strings.Index(b.text, old)
	if i < 0 {
		b.c.t.Fatalf("%q is not in the text", old)
	}
	from, to := b.place(i), b.place(i+len(old))
	b.text = b.text[:i] + new + b.text[i+len(old):]
	b.version++
	b.c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": b.uri, "version": b.version},
		"contentChanges": []any{map[string]any{"text": new, "range": map[string]any{
			"start": map[string]any{"line": from.Line, "character": from.Character}, "end": map[string]any{"line": to.Line, "character": to.Character},
		}}},
	})
}

// apply carries edits out.
func (b *buffer) apply(edits []lspEdit) string {
	slices.SortFunc(edits, func(x, y lspEdit) int { return b.offset(y.Range.Start) - b.offset(x.Range.Start) })
	out := b.text
	for _, e := range edits {
		out = out[:b.offset(e.Range.Start)] + e.NewText + out[b.offset(e.Range.End):]
	}
	return out
}

func (b *buffer) complete(mark string) (labels []string, items map[string]lspEdit) {
	b.c.t.Helper()
	var list struct {
		Items []struct {
			Label    string  `json:"label"`
			TextEdit lspEdit `json:"textEdit"`
		} `json:"items"`
	}
	b.c.call("textDocument/completion", b.at(mark), &list)
	items = map[string]lspEdit{}
	for _, x := range list.Items {
		labels = append(labels, x.Label)
		items[x.Label] = x.TextEdit
	}
	return labels, items
}

func (b *buffer) hover(mark string) string {
	b.c.t.Helper()
	var h *struct {
		Contents struct{ Value string }
		Range    lspRange
	}
	b.c.call("textDocument/hover", b.at(mark), &h)
	if h == nil {
		return ""
	}
	return b.cut(h.Range) + " → " + h.Contents.Value
}
