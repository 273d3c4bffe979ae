package lsp

import (
	"unicode/utf8"

	"github.com/nth-dev/nth/engine/format"
)

// formatting is the change that gives a file its canonical form.
func (s *Server) formatting(p placeParams) (any, *rpcError) {
	d, rerr := s.doc(p.TextDocument)
	if rerr != nil {
		return nil, rerr
	}
	if d.foreign {
		return []textEdit{}, nil
	}
	file := d.text.file(d.name)
	root, found := file.Parse()
	out, ds, err := format.Tree(d.name, file.Data, root, found)
	switch {
	case err != nil:
		return nil, refusal("%v", err)
	case len(ds) > 0:
		return nil, refusal("line %d: %s", ds[0].Range.Start.Line, ds[0].Summary)
	}
	if string(out) == d.text.data {
		return []textEdit{}, nil
	}
	from, to, with := changed(d.text.data, string(out))
	return []textEdit{{d.text.bytes(from, to), with}}, nil
}

// changed is the stretch in which two texts differ, and what stands there in the second; it does not begin or end inside a
// line end or a character.
func changed(a, b string) (from, to int, with string) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for from > 0 && (from < len(a) && !utf8.RuneStart(a[from]) || from < len(b) && !utf8.RuneStart(b[from]) || a[from-1] == '\r') {
		from--
	}
	end := 0
	for end < len(a)-from && end < len(b)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for end > 0 && (!utf8.RuneStart(a[len(a)-end]) || a[len(a)-end] == '\n') {
		end--
	}
	return from, len(a) - end, b[from : len(b)-end]
}

// actions are the fixes that are certain, of the findings in a stretch of a text. A text that has not been checked since
// it changed has none.
func (s *Server) actions(p actionParams) (any, *rpcError) {
	d, rerr := s.doc(p.TextDocument)
	if rerr != nil {
		return nil, rerr
	}
	out := []codeAction{}
	c := s.checks.of(d)
	if c == nil {
		return out, nil
	}
	from, to := d.text.byteOf(p.Range.Start), d.text.byteOf(p.Range.End)
	for _, f := range c.found {
		if f.Range.File != d.name || len(f.Edits) == 0 || d.text.Offset(f.Range.Start) > to || d.text.Offset(f.Range.End) < from {
			continue
		}
		a := codeAction{Title: f.Fix, Kind: "quickfix", IsPreferred: true, Diagnostics: []diagnostic{c.diagnostic(f)}, Edit: workspaceEdit{map[string][]textEdit{}}}
		if a.Title == "" {
			a.Title = "Fix: " + f.Summary
		}
		stale := false
		for _, e := range f.Edits {
			// Another file may have changed since it was read.
			t, open := s.files[e.Range.File]
			stale = stale || c.sources[e.Range.File] == nil || open && t != c.sources[e.Range.File]
			uri := s.uri(e.Range.File)
			a.Edit.Changes[uri] = append(a.Edit.Changes[uri], textEdit{c.span(e.Range), e.Text})
		}
		if !stale {
			out = append(out, a)
		}
	}
	return out, nil
}
