package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
)

var (
	kindRE = regexp.MustCompile(`(?m)^kind:[ \t]*["']?([a-z]+/v[0-9]+)`)
	// chainRE is the names before the cursor, with the one that is being written.
	chainRE = regexp.MustCompile(`((?:[A-Za-z_][A-Za-z0-9_]*\??\.)*)([A-Za-z_][A-Za-z0-9_]*)?$`)
)

// completer makes the list for one place.
type completer struct {
	*Server
	*view
	cursor *cursor
	where
	steps []string
	items []completionItem
}

// complete lists what can be written at a place. The list is always complete: the editor filters it.
func (s *Server) complete(c *cursor) *completionList {
	if c.doc.foreign {
		return &completionList{Items: []completionItem{}}
	}
	data := c.doc.text.data
	w := locate(data, c.offset)
	kind := "flow/v1"
	if m := kindRE.FindStringSubmatch(data); m != nil {
		kind = m[1]
	}
	x := &completer{Server: s, view: s.lenient(c), cursor: c, where: w, steps: w.keys()}
	p := w.place(kind)
	switch expr, ok := x.expression(p); {
	case strings.HasPrefix(w.typed, "#") && w.quote == 0 || w.quote == '|' && !ok:
	case ok:
		x.members(expr)
	case x.lastStep() == "$ref" && !w.key:
		x.typeRefs()
	case w.key:
		x.keys(p)
	default:
		x.values(p)
	}
	if x.items == nil {
		x.items = []completionItem{}
	}
	for i := range x.items {
		x.items[i].SortText = fmt.Sprintf("%04d", i)
	}
	return &completionList{Items: x.items}
}

// lenient is the view of a text in which one is writing: without the line of the cursor, if it is no YAML with it, or as
// it was before.
func (s *Server) lenient(c *cursor) *view {
	d := c.doc
	if v := s.current(d); v != nil {
		s.good[d.name] = v
		return v
	}
	line := d.text.LineOf(c.offset)
	from, to := d.text.Start(line), d.text.Start(line+1)
	if v := s.view(d.name, newText(d.text.data[:from]+d.text.data[to:])); v != nil {
		s.good[d.name] = v
		return v
	}
	if v := s.good[d.name]; v != nil {
		return v
	}
	return &view{name: d.name, text: d.text, catalog: &editor.Catalog{}}
}

func (x *completer) lastStep() string {
	if len(x.steps) == 0 {
		return ""
	}
	return x.steps[len(x.steps)-1]
}

// expression is the expression that is being written, up to the cursor.
func (x *completer) expression(p schema.Place) (string, bool) {
	marked, ok := strings.CutPrefix(x.typed, "=")
	switch {
	case ok && !strings.HasPrefix(marked, "="):
		return marked, true
	case p.IsCondition() && (!x.key || x.lastStep() == "-"):
		return x.typed, true
	}
	return "", false
}

// add adds an item that replaces what has been typed since from.
func (x *completer) add(from int, label, insert string, kind int, detail, doc string) {
	t := x.cursor.doc.text
	if from > 0 && t.data[from-1] == ':' && x.quote == 0 {
		insert = " " + insert
	}
	item := completionItem{
		Label: label, Kind: kind, Detail: detail,
		TextEdit: &textEdit{t.bytes(from, max(from, x.cursor.offset)), insert},
	}
	if doc != "" {
		item.Documentation = &markup{"markdown", doc}
	}
	if strings.Contains(insert, "${") || strings.Contains(insert, "$0") {
		item.Format = 2
	}
	x.items = append(x.items, item)
}

// members completes an expression.
func (x *completer) members(expr string) {
	m := chainRE.FindStringSubmatch(expr)
	from := x.cursor.offset - len(m[2])
	sc := x.scopeAt(x.steps)
	list := sc.members
	if m[1] != "" {
		names := strings.FieldsFunc(m[1], func(r rune) bool { return r == '.' || r == '?' })
		found, ok := sc.lookup(x.view, names)
		if !ok {
			return
		}
		list = found.members(x.view)
	} else if head := strings.TrimSuffix(expr, m[2]); strings.HasSuffix(head, ".") {
		return // a field of something that has no name
	}
	for _, f := range list {
		kind := fieldItem
		if m[1] == "" {
			kind = variableItem
		}
		x.add(from, f.name, f.name, kind, f.detail, f.doc)
	}
	if m[1] == "" {
		for _, f := range functions {
			x.add(from, f.name, f.name, functionItem, f.signature, f.doc)
		}
	}
}

// keys completes the keys of a mapping, and what can stand alone instead.
func (x *completer) keys(p schema.Place) {
	from := x.from
	if x.typed == "-" {
		from = x.cursor.offset
	}
	switch {
	case p.IsEntry():
		x.skills(from)
	case x.isWith():
		for _, m := range x.bindings() {
			x.addKey(from, m.name, m.detail, m.doc)
		}
		return
	}
	for _, k := range p.Keys() {
		if p.IsEntry() && x.lastStep() == "-" && len(x.beside) == 0 && k.Name != "use" {
			continue // the long form begins with use
		}
		doc := k.Doc
		if words := k.Place.Words(); words != nil {
			doc += "\n\nOne of: " + strings.Join(words, ", ")
		}
		detail := ""
		if k.Required {
			detail = "required"
		}
		x.addKey(from, k.Name, detail, doc)
	}
	for _, k := range p.Keywords() {
		x.addKey(from, k.Name, "", k.Doc)
	}
	if n := len(x.steps); n >= 2 && x.steps[n-1] == "-" && x.steps[n-2] == "sets" {
		x.factWords(from)
	}
	if x.lastStep() == "-" {
		for _, w := range p.Words() {
			x.add(from, w, w, enumItem, "", "")
		}
	}
}

// addKey adds a key that is not there yet. Before the rest of a key, it replaces that.
func (x *completer) addKey(from int, name, detail, doc string) {
	if _, ok := x.beside[name]; ok {
		return
	}
	t := x.cursor.doc.text
	end := x.cursor.offset
	for end < len(t.data) && isWordByte(t.data[end]) {
		end++
	}
	insert := name + ": "
	if strings.HasPrefix(t.data[end:], ":") {
		insert = name
	} else {
		end = x.cursor.offset
	}
	x.add(from, name, insert, propertyItem, detail, doc)
	x.items[len(x.items)-1].TextEdit.Range = t.bytes(from, max(from, end))
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// skills completes an entry of a relevance list.
func (x *completer) skills(from int) {
	fallback := slices.Contains(x.steps, "fallback")
	for _, p := range x.catalog.Packs {
		if p.Implicit && !fallback {
			continue
		}
		for _, s := range p.Skills {
			x.add(from, s.FullName(), x.call(s), functionItem, s.Effect.Value, x.skillDoc(s))
			x.items[len(x.items)-1].Deprecated = s.Deprecated.Value != ""
		}
	}
}

// call is a skill with the params that it must have.
func (x *completer) call(s *editor.Skill) string {
	var with []string
	for i := range s.Params {
		if p := &s.Params[i]; s.Required(p) {
			with = append(with, fmt.Sprintf("%s: ${%d}", p.Name.Value, len(with)+1))
		}
	}
	switch {
	case len(with) == 0:
		return s.FullName()
	case !x.snippets:
		return s.FullName() + ": "
	}
	return s.FullName() + ": {" + strings.Join(with, ", ") + "}"
}

// isWith reports whether params of a skill, inputs of a flow, or outputs are being bound.
func (x *completer) isWith() bool {
	last := x.lastStep()
	return last == "with" || last == "collect" || strings.Contains(last, ".")
}

// bindings are the names that can be bound here.
func (x *completer) bindings() []member {
	last := x.lastStep()
	n := len(x.steps)
	switch {
	case last == "collect" && x.flow != nil:
		return x.paramMembers(x.flow.Outputs, x.flow.Types)
	case last == "with" && n > 1 && x.steps[n-2] == "call":
		return x.callInputs(x.path[n-1].fields["flow"])
	}
	skill := x.skillHere()
	if skill == nil {
		return nil
	}
	out := x.paramMembers(skill.Params, skill.Pack.Types)
	for i := range out {
		if skill.Required(&skill.Params[i]) {
			out[i].detail = "required, " + out[i].detail
		}
	}
	return out
}

// skillHere is the skill of the entry that the path leads into.
func (x *completer) skillHere() *editor.Skill {
	for i := len(x.path) - 1; i >= 0; i-- {
		switch key := x.path[i].key; {
		case strings.Contains(key, "."):
			return x.catalog.Skill(key)
		case key == "with":
			return x.catalog.Skill(x.path[i].fields["use"])
		}
	}
	return nil
}
