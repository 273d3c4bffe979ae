package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/nth-dev/nth/engine/pack"
)

// Server is one language server for one editor.
type Server struct {
	// Version is told to the editor.
	Version string
	// Find lists nth's files in a folder; it is asked when a name is looked for in the whole workspace. nil finds none.
	Find func(folder string) ([]string, error)
	// Log is told what goes wrong inside; nil tells nobody.
	Log func(format string, args ...any)

	out      *writer
	cache    *pack.Cache
	docs     map[string]*document // by URI
	files    files                // the texts of docs, by name
	changes  int                  // goes up when a text changes
	views    map[string]cachedView
	good     map[string]*view // by name: the last view of a text in which one writes that was YAML
	folders  []string
	snippets bool
	started  bool
	stopping bool
	checks   *diagnoser
}

type cachedView struct {
	text    *text
	changes int
	view    *view
}

// ErrNoShutdown is returned when the editor ended the server without asking it to shut down before.
var ErrNoShutdown = errors.New("the editor left without a shutdown request")

// Run serves until the editor says exit, the input ends, or ctx is done. It is called once.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	s.out, s.cache = &writer{w: out}, &pack.Cache{}
	s.docs, s.views = map[string]*document{}, map[string]cachedView{}
	s.good = map[string]*view{}
	s.checks = newDiagnoser(s.out, s.cache, s.logf)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.checks.run(ctx)
	}()
	defer func() {
		cancel()
		<-done
	}()
	messages, failed := read(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			if errors.Is(err, io.EOF) && s.stopping {
				return nil
			}
			return err
		case data := <-messages:
			exit, err := s.handle(data)
			if err != nil {
				return err
			}
			if exit && !s.stopping {
				return ErrNoShutdown
			}
			if exit {
				return nil
			}
		}
	}
}

// read reads messages until the input ends; its goroutine may outlive Run, as long as the input blocks.
func read(ctx context.Context, in io.Reader) (<-chan []byte, <-chan error) {
	messages, failed := make(chan []byte), make(chan error, 1)
	go func() {
		r := bufio.NewReader(in)
		for {
			data, err := readMessage(r)
			if err != nil {
				failed <- err
				return
			}
			select {
			case messages <- data:
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages, failed
}

// handle answers one message. The error is about the connection.
func (s *Server) handle(data []byte) (exit bool, err error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return false, s.out.write(failure{"2.0", json.RawMessage("null"), &rpcError{parseError, "this is no JSON-RPC message: " + err.Error()}})
	}
	switch {
	case m.Method == "exit":
		return true, nil
	case m.Method == "": // an answer to a request; none was asked
		return false, nil
	case m.ID == nil || string(m.ID) == "null":
		s.notified(m)
		return false, nil
	}
	result, rerr := s.requested(m)
	if rerr != nil {
		return false, s.out.write(failure{"2.0", m.ID, rerr})
	}
	return false, s.out.write(answer{"2.0", m.ID, result})
}

// requests are the methods that have an answer.
var requests = map[string]func(*Server, json.RawMessage) (any, *rpcError){
	"shutdown":                    func(s *Server, _ json.RawMessage) (any, *rpcError) { s.stopping = true; return nil, nil },
	"textDocument/hover":          at(func(s *Server, c *cursor) (any, *rpcError) { return orNull(s.hover(c)), nil }),
	"textDocument/completion":     at(func(s *Server, c *cursor) (any, *rpcError) { return s.complete(c), nil }),
	"textDocument/definition":     at(func(s *Server, c *cursor) (any, *rpcError) { return s.definition(c), nil }),
	"textDocument/prepareRename":  at(func(s *Server, c *cursor) (any, *rpcError) { return s.prepareRename(c) }),
	"textDocument/references":     with(func(s *Server, p referenceParams) (any, *rpcError) { return s.references(p) }),
	"textDocument/rename":         with(func(s *Server, p renameParams) (any, *rpcError) { return s.rename(p) }),
	"textDocument/documentSymbol": with(func(s *Server, p placeParams) (any, *rpcError) { return s.symbols(p) }),
	"textDocument/formatting":     with(func(s *Server, p placeParams) (any, *rpcError) { return s.formatting(p) }),
	"textDocument/codeAction":     with(func(s *Server, p actionParams) (any, *rpcError) { return s.actions(p) }),
}

// with decodes the params of a request.
func with[P any](f func(*Server, P) (any, *rpcError)) func(*Server, json.RawMessage) (any, *rpcError) {
	return func(s *Server, raw json.RawMessage) (any, *rpcError) {
		var p P
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, &rpcError{invalidParams, err.Error()}
		}
		return f(s, p)
	}
}

// at finds the place that a request is about.
func at(f func(*Server, *cursor) (any, *rpcError)) func(*Server, json.RawMessage) (any, *rpcError) {
	return with(func(s *Server, p placeParams) (any, *rpcError) {
		c, err := s.cursor(p)
		if err != nil {
			return nil, err
		}
		return f(s, c)
	})
}

// orNull makes the JSON null of a nil pointer.
func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

func (s *Server) requested(m message) (result any, rerr *rpcError) {
	defer func() { // a bug in one answer must not take the editor's other files with it
		if r := recover(); r != nil {
			s.logf("%s: internal error: %v", m.Method, r)
			result, rerr = nil, &rpcError{internalError, fmt.Sprintf("internal error: %v", r)}
		}
	}()
	if m.Method == "initialize" {
		return with((*Server).initialize)(s, m.Params)
	}
	f, ok := requests[m.Method]
	switch {
	case !ok:
		return nil, &rpcError{methodNotFound, fmt.Sprintf("%q is not known here", m.Method)}
	case !s.started:
		return nil, &rpcError{notInitialized, "the first request must be initialize"}
	case s.stopping && m.Method != "shutdown":
		return nil, &rpcError{invalidRequest, "the server is shutting down"}
	}
	return f(s, m.Params)
}

func (s *Server) initialize(p initializeParams) (any, *rpcError) {
	s.started = true
	s.snippets = p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport
	for _, f := range p.WorkspaceFolders {
		s.folders = append(s.folders, nameOf(f.URI))
	}
	if len(s.folders) == 0 && p.RootURI != "" {
		s.folders = []string{nameOf(p.RootURI)}
	}
	return capabilities(s.Version), nil
}

// notified takes messages that have no answer.
func (s *Server) notified(m message) {
	defer func() {
		if r := recover(); r != nil {
			s.logf("%s: internal error: %v", m.Method, r)
		}
	}()
	if !s.started {
		return
	}
	bad := func(err error) {
		if err != nil {
			s.logf("%s: %v", m.Method, err)
		}
	}
	switch m.Method {
	case "textDocument/didOpen":
		var p openParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			bad(err)
			return
		}
		s.set(&document{uri: p.TextDocument.URI, name: nameOf(p.TextDocument.URI), version: p.TextDocument.Version, text: newText(p.TextDocument.Text)})
	case "textDocument/didChange":
		var p changeParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			bad(err)
			return
		}
		s.change(p)
	case "textDocument/didClose":
		var p placeParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			bad(err)
			return
		}
		s.close(p.TextDocument.URI)
	case "textDocument/didSave", "workspace/didChangeWatchedFiles": // what lies on the disk may be new
		s.changes++
		s.checks.everything()
	}
}

// oursRE is how a file says that it is one of nth's; startedRE is a key at the beginning of a line.
var (
	oursRE    = regexp.MustCompile(`(?m)^\x{feff}?kind:[ \t]*["']?(flow|pack|skills|project)\b`)
	startedRE = regexp.MustCompile(`(?m)^[^\s#:]+:`)
)

// set opens a document, or gives it a new text. Editors open all their YAML files here: one that has keys and does not say
// that it is nth's, and never did, is left alone.
func (s *Server) set(d *document) {
	old := s.docs[d.uri]
	d.foreign = !oursRE.MatchString(d.text.data) && (startedRE.MatchString(d.text.data) && (old == nil || old.foreign))
	s.docs[d.uri] = d
	s.files = s.files.with(d.name, d.text)
	s.changes++
	s.checks.changed(s.files, d)
}

func (s *Server) change(p changeParams) {
	old := s.docs[p.TextDocument.URI]
	if old == nil {
		s.logf("a text that is not open was changed: %s", p.TextDocument.URI)
		return
	}
	d := *old
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			d.text = newText(c.Text)
		} else {
			d.text = newText(d.text.replaced(*c.Range, c.Text))
		}
	}
	if p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	s.set(&d)
}

func (s *Server) close(uri string) {
	d := s.docs[uri]
	if d == nil {
		return
	}
	delete(s.docs, uri)
	delete(s.views, d.name)
	delete(s.good, d.name)
	s.files = s.files.with(d.name, nil)
	s.changes++
	s.checks.closed(s.files, d)
}

// cursor is the place that a request is about.
func (s *Server) cursor(p placeParams) (*cursor, *rpcError) {
	d, err := s.doc(p.TextDocument)
	if err != nil {
		return nil, err
	}
	return &cursor{doc: d, offset: d.text.byteOf(p.Position)}, nil
}

func (s *Server) doc(id documentID) (*document, *rpcError) {
	d := s.docs[id.URI]
	if d == nil {
		return nil, &rpcError{invalidParams, "the text is not open: " + id.URI}
	}
	return d, nil
}

// cursor is a place in an open text.
type cursor struct {
	doc    *document
	offset int
}

// current is the view of an open text as it is now; nil when it is not YAML, or not nth's.
func (s *Server) current(d *document) *view {
	if d.foreign {
		return nil
	}
	if c, ok := s.views[d.name]; ok && c.text == d.text && c.changes == s.changes {
		return c.view
	}
	v := s.view(d.name, d.text)
	s.views[d.name] = cachedView{d.text, s.changes, v}
	return v
}

func (s *Server) logf(format string, args ...any) {
	if s.Log != nil {
		s.Log(format, args...)
	}
}
