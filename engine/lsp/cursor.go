package lsp

import (
	"strings"

	"github.com/nth-dev/nth/schema"
)

// where says at which place of a file something is being written. It is worked out from the text up to there, line by
// line, because a file in which one is writing is often no YAML.
type where struct {
	path  []level // from the whole file inwards
	key   bool    // a key is being written, or a text that stands alone: "flights.sea", "- go"
	typed string  // what stands before the cursor of the key or value
	from  int     // byte offset at which typed begins
	quote byte    // the quote that typed stands in, 0 for none
	inKey string  // the key whose value is being written, "" in a list
	// beside are the keys of the mapping in which a key is being written that stand above or before it, with their texts.
	beside map[string]string
}

// level is one level of a path: the value of a key, or an item of a list (key is "" then).
type level struct {
	key    string
	col    int               // block levels: where the key or the dash stands, from 0
	fields map[string]string // the keys beside it that stand above or before it, with their texts
	flow   bool
}

// scanner goes through a text up to the cursor.
type scanner struct {
	text   string // up to the cursor
	pos    int
	levels []level
	fields []map[string]string // by depth: the keys of the mapping that is open there
}

// locate finds where a byte offset of a text lies.
func locate(data string, offset int) where {
	s := &scanner{text: data[:offset]}
	for {
		if w, done := s.line(); done {
			w.path = s.levels
			if len(s.fields) > len(s.levels) {
				w.beside = s.fields[len(s.levels)]
			}
			return w
		}
	}
}

// rest is the line from pos on, without its end.
func (s *scanner) rest() string {
	l, _, _ := strings.Cut(s.text[s.pos:], "\n")
	return strings.TrimSuffix(l, "\r")
}

// last reports whether the cursor is in the line at pos.
func (s *scanner) last() bool { return !strings.Contains(s.text[s.pos:], "\n") }

func (s *scanner) nextLine() {
	if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		s.pos += i + 1
	} else {
		s.pos = len(s.text)
	}
}

// line takes one line that begins outside of brackets and quotes, with all that belongs to it.
func (s *scanner) line() (where, bool) {
	l := s.rest()
	indent := len(l) - len(strings.TrimLeft(l, " "))
	body := l[indent:]
	if !s.last() && (strings.TrimSpace(body) == "" || body[0] == '#') {
		s.nextLine()
		return where{}, false
	}
	col := indent
	s.pos += indent
	for strings.HasPrefix(body, "- ") || body == "-" && !s.last() {
		s.pop(col, true)
		s.push(level{col: col})
		cut := len(body) - len(strings.TrimLeft(body[1:], " "))
		col, body = col+cut, body[cut:]
		s.pos += cut
	}
	if strings.HasPrefix(body, "#") {
		if s.last() {
			return where{from: len(s.text), typed: "#"}, true
		}
		s.nextLine()
		return where{}, false
	}
	name, colon := keyIn(body)
	if colon < 0 {
		s.pop(col, body != "" && body[0] == '-')
		if s.last() && !strings.HasPrefix(body, "[") && !strings.HasPrefix(body, "{") {
			return s.alone(body), true
		}
		return s.value(col)
	}
	s.pop(col, false)
	s.push(level{key: name, col: col})
	s.pos += colon + 1
	return s.value(col)
}

// alone is a word in a line of its own, up to the cursor: a key that will be, or an item of a list.
func (s *scanner) alone(body string) where {
	w := where{key: true, typed: body, from: s.pos}
	if body != "" && (body[0] == '"' || body[0] == '\'') {
		w.quote, w.typed, w.from = body[0], body[1:], w.from+1
	}
	return w
}

// pop leaves the levels that end where something begins at a column. A dash may stand below its key.
func (s *scanner) pop(col int, dash bool) {
	for len(s.levels) > 0 {
		top := s.levels[len(s.levels)-1]
		if !top.flow && (top.col < col || dash && top.col == col && top.key != "") {
			return
		}
		s.levels = s.levels[:len(s.levels)-1]
	}
}

func (s *scanner) push(l level) {
	depth := len(s.levels)
	for len(s.fields) <= depth {
		s.fields = append(s.fields, nil)
	}
	s.fields = s.fields[:depth+1]
	if l.key != "" {
		if s.fields[depth] == nil {
			s.fields[depth] = map[string]string{}
		}
		s.fields[depth][l.key] = ""
	} else {
		s.fields[depth] = nil
	}
	l.fields = s.fields[depth]
	s.levels = append(s.levels, l)
}

// keyIn is the key with which a text begins, and where its colon stands; -1 when there is none.
func keyIn(body string) (string, int) {
	if body == "" || strings.ContainsRune("[{#", rune(body[0])) {
		return "", -1
	}
	if q := body[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(body[1:], q)
		if end < 0 {
			return "", -1
		}
		rest := body[end+2:]
		trimmed := strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(trimmed, ":") {
			return "", -1
		}
		return body[1 : end+1], end + 2 + len(rest) - len(trimmed)
	}
	for i := range len(body) {
		switch {
		case body[i] == ':' && (i+1 == len(body) || body[i+1] == ' '):
			return strings.TrimSpace(body[:i]), i
		case body[i] == '#' && i > 0 && body[i-1] == ' ':
			return "", -1
		}
	}
	return "", -1
}

// value goes through the value behind a key or a dash in column col.
func (s *scanner) value(col int) (where, bool) {
	l := s.rest()
	body := strings.TrimLeft(l, " ")
	s.pos += len(l) - len(body)
	switch {
	case body != "" && (body[0] == '|' || body[0] == '>'):
		return s.block(col)
	case body != "" && (body[0] == '[' || body[0] == '{'):
		return s.brackets()
	case body != "" && (body[0] == '"' || body[0] == '\''):
		from := s.pos + 1
		if !s.quoted() {
			return s.written(s.text[from:], from, body[0]), true
		}
		s.note(s.text[from : s.pos-1])
		if s.last() {
			return where{from: len(s.text)}, true
		}
		s.nextLine()
		return where{}, false
	case s.last():
		return s.written(body, s.pos, 0), true
	}
	s.note(strings.TrimSpace(body))
	s.nextLine()
	return where{}, false
}

// note remembers the text of the key that is open.
func (s *scanner) note(value string) {
	if n := len(s.levels); n > 0 && s.levels[n-1].key != "" {
		s.levels[n-1].fields[s.levels[n-1].key] = value
	}
}

// written is a value that is being written.
func (s *scanner) written(typed string, from int, quote byte) where {
	w := where{typed: typed, from: from, quote: quote}
	if n := len(s.levels); n > 0 {
		w.inKey = s.levels[n-1].key
	}
	return w
}

// block goes through a block scalar that belongs to something in column col.
func (s *scanner) block(col int) (where, bool) {
	if s.last() {
		return where{from: len(s.text)}, true
	}
	s.nextLine()
	from := s.pos
	for {
		l := s.rest()
		if strings.TrimSpace(l) != "" && len(l)-len(strings.TrimLeft(l, " ")) <= col {
			return where{}, false
		}
		if s.last() {
			return s.written(s.text[from:], from, '|'), true
		}
		s.nextLine()
	}
}

// quoted goes behind a quoted text, and reports whether it ends before the cursor.
func (s *scanner) quoted() bool {
	q := s.text[s.pos]
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '\\' && q == '"':
			s.pos++
		case c == q && q == '\'' && s.pos+1 < len(s.text) && s.text[s.pos+1] == q:
			s.pos++
		case c == q:
			s.pos++
			return true
		}
	}
	s.pos = len(s.text)
	return false
}

// brackets goes through [ ] and { } up to the one that closes the first.
func (s *scanner) brackets() (where, bool) {
	base := len(s.levels)
	type frame struct {
		open  byte
		depth int // of levels outside
		from  int // where the key or value begins
		key   bool
	}
	var open []frame
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if len(open) > 0 && (c == '"' || c == '\'') && strings.TrimSpace(s.text[open[len(open)-1].from:s.pos]) == "" {
			from := s.pos + 1
			if !s.quoted() {
				top := open[len(open)-1]
				w := s.written(s.text[from:], from, c)
				w.key = top.open == '{' && !top.key
				return w, true
			}
			continue
		}
		switch {
		case c == '[' || c == '{':
			open = append(open, frame{open: c, depth: len(s.levels), from: s.pos + 1})
			if c == '[' {
				s.push(level{flow: true})
			} else if len(s.fields) > len(s.levels) {
				s.fields = s.fields[:len(s.levels)]
			}
		case (c == ']' || c == '}') && len(open) > 0:
			s.levels = s.levels[:open[len(open)-1].depth]
			open = open[:len(open)-1]
			if len(open) == 0 {
				s.levels = s.levels[:base]
				s.pos++
				if s.last() {
					return where{from: len(s.text)}, true
				}
				s.nextLine()
				return where{}, false
			}
		case c == ',' && len(open) > 0:
			top := &open[len(open)-1]
			if top.open == '{' {
				if top.key {
					s.note(unquoted(s.text[top.from:s.pos]))
				}
				s.levels = s.levels[:top.depth]
			}
			top.from, top.key = s.pos+1, false
		case c == ':' && len(open) > 0 && (s.pos+1 == len(s.text) || strings.IndexByte(" \n\r", s.text[s.pos+1]) >= 0 || s.text[s.pos-1] == '"'):
			top := &open[len(open)-1]
			if top.open == '{' && !top.key {
				if name := unquoted(s.text[top.from:s.pos]); name != "" {
					s.push(level{key: name, flow: true})
					top.from, top.key = s.pos+1, true
				}
			}
		case c == '#' && s.pos > 0 && strings.IndexByte(" \n", s.text[s.pos-1]) >= 0:
			s.nextLine()
			continue
		}
		s.pos++
	}
	if len(open) == 0 {
		return where{from: len(s.text)}, true
	}
	top := open[len(open)-1]
	typed := strings.TrimLeft(s.text[top.from:], " \r\n")
	w := s.written(typed, len(s.text)-len(typed), 0)
	w.key = top.open == '{' && !top.key
	if top.open == '[' {
		w.key, w.inKey = true, ""
	}
	return w, true
}

func unquoted(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }

// place is what may stand at the path.
func (w where) place(kind string) schema.Place {
	p := schema.Root(kind)
	for _, l := range w.path {
		if l.key == "" {
			p = p.Item()
		} else {
			p = p.Child(l.key)
		}
	}
	return p
}

// keys are the keys of the path, with "-" for items.
func (w where) keys() []string {
	out := make([]string, len(w.path))
	for i, l := range w.path {
		if out[i] = l.key; l.key == "" {
			out[i] = "-"
		}
	}
	return out
}
