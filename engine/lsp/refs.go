package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/editor"
)

// definition is where what is named at a place is declared; nil when it is not, or in a pack of the binary.
func (s *Server) definition(c *cursor) any {
	v := s.current(c.doc)
	if v == nil {
		return nil
	}
	u, ok := v.at(c.offset)
	if !ok {
		return nil
	}
	switch u.kind {
	case flowName:
		if _, err := s.files.read(u.file); err == nil {
			return location{s.uri(u.file), span{}}
		}
		return nil
	case aliasName:
		if p := v.catalog.Pack(u.name); p != nil && filepath.IsAbs(p.File) {
			return location{s.uri(p.File), span{}}
		}
	}
	for _, x := range s.filesOf(v, u.symbol) {
		for _, y := range x.names() {
			if y.symbol == u.symbol && y.declares {
				return location{s.uri(x.name), x.text.bytes(y.from, y.to)}
			}
		}
	}
	return nil
}

// filesOf are the views of the files in which a symbol can be declared: that of v, or those of the pack or flow that owns
// the symbol.
func (s *Server) filesOf(v *view, sym symbol) []*view {
	if sym.file == v.name && v.kind != "pack/v1" {
		return []*view{v}
	}
	names := []string{sym.file}
	packs := append([]*editor.Pack{v.pack}, v.catalog.Packs...)
	for _, p := range packs {
		if p != nil && p.File == sym.file {
			names = packFiles(p)
		}
	}
	var out []*view
	for _, name := range names {
		if x := s.viewOf(name); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// packFiles are the files of a pack on the disk; none for one in the binary.
func packFiles(p *editor.Pack) []string {
	if !filepath.IsAbs(p.File) {
		return nil
	}
	out := []string{p.File}
	for _, s := range p.Skills {
		out = append(out, s.Name.Range.File)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// viewOf is the view of a file, open or on the disk; nil when it cannot be read.
func (s *Server) viewOf(name string) *view {
	for _, d := range s.docs {
		if d.name == name {
			return s.current(d)
		}
	}
	data, err := s.files.read(name)
	if err != nil {
		return nil
	}
	return s.view(name, newText(string(data)))
}

// uri is the URI of a file, as the editor calls it if it is open.
func (s *Server) uri(name string) string {
	for _, d := range s.docs {
		if d.name == name {
			return d.uri
		}
	}
	return uriOf(name)
}

// uses finds all places that name a symbol: in one file for what a file keeps to itself, else in the whole workspace.
func (s *Server) uses(v *view, sym symbol) map[*view][]use {
	out := map[*view][]use{}
	for _, x := range s.reach(v, sym) {
		for _, u := range x.names() {
			if u.symbol == sym {
				out[x] = append(out[x], u)
			}
		}
	}
	return out
}

// reach are the files in which a symbol may be named.
func (s *Server) reach(v *view, sym symbol) []*view {
	switch sym.kind {
	case stageName, secretName, outputName, rowName, aliasName:
		return []*view{v}
	}
	names := map[string]bool{v.name: true, sym.file: true}
	for _, d := range s.docs {
		names[d.name] = true
	}
	for _, folder := range s.folders {
		if s.Find == nil {
			break
		}
		found, err := s.Find(filepath.FromSlash(folder))
		if err != nil {
			s.logf("find files: %v", err)
		}
		for _, name := range found {
			names[filepath.ToSlash(name)] = true
		}
	}
	var out []*view
	for name := range names {
		if !filepath.IsAbs(name) && name != v.name {
			continue
		}
		if x := s.viewOf(name); x != nil {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b *view) int { return strings.Compare(a.name, b.name) })
	return out
}

func (s *Server) references(p referenceParams) (any, *rpcError) {
	c, err := s.cursor(p.placeParams)
	if err != nil {
		return nil, err
	}
	v := s.current(c.doc)
	out := []location{}
	if v == nil {
		return out, nil
	}
	u, ok := v.at(c.offset)
	if !ok {
		return out, nil
	}
	for x, uses := range s.uses(v, u.symbol) {
		for _, y := range uses {
			if !y.declares || p.Context.IncludeDeclaration {
				out = append(out, location{s.uri(x.name), x.text.bytes(y.from, y.to)})
			}
		}
	}
	slices.SortFunc(out, func(a, b location) int {
		if a.URI != b.URI {
			return strings.Compare(a.URI, b.URI)
		}
		if a.Range.Start.Line != b.Range.Start.Line {
			return a.Range.Start.Line - b.Range.Start.Line
		}
		return a.Range.Start.Character - b.Range.Start.Character
	})
	return out, nil
}

// renamable is what is named at a place, if it can be renamed.
func (s *Server) renamable(c *cursor) (*view, use, *rpcError) {
	v := s.current(c.doc)
	if v == nil {
		return nil, use{}, refusal("the file is not YAML; nothing can be renamed in it")
	}
	u, ok := v.at(c.offset)
	switch {
	case !ok:
		return nil, use{}, refusal("nothing with a name stands here")
	case u.kind == flowName:
		return nil, use{}, refusal("this is the path of a file")
	case !filepath.IsAbs(u.file) && u.file != v.name:
		return nil, use{}, refusal("%s %q belongs to the standard pack, which is part of nth", u.kind, u.name)
	}
	for _, uses := range s.uses(v, u.symbol) {
		for _, y := range uses {
			if y.declares {
				return v, u, nil
			}
		}
	}
	return nil, use{}, refusal("%s %q is not declared anywhere", u.kind, u.name)
}

func (s *Server) prepareRename(c *cursor) (any, *rpcError) {
	v, u, err := s.renamable(c)
	if err != nil {
		return nil, err
	}
	return map[string]any{"range": v.text.bytes(u.from, u.to), "placeholder": u.name}, nil
}

func (s *Server) rename(p renameParams) (any, *rpcError) {
	c, err := s.cursor(p.placeParams)
	if err != nil {
		return nil, err
	}
	v, u, err := s.renamable(c)
	if err != nil {
		return nil, err
	}
	switch {
	case !isName(p.NewName):
		return nil, refusal("%q is not a name: names are lower_snake_case", p.NewName)
	case u.kind == stageName && p.NewName == "end":
		return nil, refusal(`"end" is the end of the flow`)
	case slices.Contains([]string{"true", "false", "null"}, p.NewName):
		return nil, refusal("%q reads as a condition", p.NewName)
	}
	taken := u.symbol
	taken.name = p.NewName
	edits := workspaceEdit{map[string][]textEdit{}}
	if p.NewName == u.name {
		return edits, nil
	}
	if x := s.uses(v, taken); len(x) > 0 {
		return nil, refusal("%s %q is there already", u.kind, p.NewName)
	}
	for x, uses := range s.uses(v, u.symbol) {
		for _, y := range uses {
			uri := s.uri(x.name)
			edits.Changes[uri] = append(edits.Changes[uri], textEdit{x.text.bytes(y.from, y.to), p.NewName})
		}
	}
	if len(edits.Changes) == 0 {
		return nil, &rpcError{internalError, fmt.Sprintf("%s %q was not found again", u.kind, u.name)}
	}
	return edits, nil
}
