package lint_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// A mutant is a file with one mistake in it.
type mutant struct {
	op   string // what kind of mistake: "typo-key"
	was  string // what it was made of, and what of: "effect: write → efect"
	at   schema.Range
	data []byte
	// around is the mapping or list that lost a part: what is missing shows at it. Its File is "" for other mistakes.
	around schema.Range
	// words are the names that the mistake touches: a finding that names one of them is at a place where it shows.
	words []string
}

// role is what a scalar is to the language.
type role uint8

const (
	prose   role = iota // for people, or for a site: nothing in the files can tell whether it is right
	exprIs              // an expression
	nameIs              // refers to something declared elsewhere
	enumIs              // one of a few words
	countIs             // a number or a duration
	boolIs              // true or false
	dataIs              // typed by a schema of the same project
)

// What a scalar is follows from the key that it stands under.
var roles = map[string]role{
	"requires": exprIs, "ensures": exprIs, "verify": exprIs, "done": exprIs, "when": exprIs, "until": exprIs, "wait": exprIs, "order": exprIs, "assert": exprIs,
	"next": nameIs, "go": nameIs, "use": nameIs, "relevance": nameIs, "fallback": nameIs, "sets": nameIs, "optional": nameIs, "required": nameIs, "$ref": nameIs,
	"flow": nameIs, "call": nameIs, "packs": nameIs,
	"is": enumIs, "kind": enumIs, "effect": enumIs, "as": enumIs, "end": enumIs, "on_timeout": enumIs, "on_error": enumIs, "pick": enumIs, "type": enumIs, "format": enumIs,
	"role": enumIs, "click": enumIs, "within": enumIs, "target": enumIs, "check": enumIs, "uncheck": enumIs, "hover": enumIs, "scroll": enumIs, "do": enumIs,
	"max": countIs, "limit": countIs, "index": countIs, "picks": countIs, "tokens": countIs, "model_calls": countIs, "wall": countIs, "timeout": countIs, "minimum": countIs,
	"maximum": countIs, "exclusiveMinimum": countIs, "exclusiveMaximum": countIs, "minLength": countIs, "maxLength": countIs, "minItems": countIs, "maxItems": countIs,
	"each": boolIs, "exact": boolIs, "repeat": boolIs, "additionalProperties": boolIs, "x-secret": boolIs,
	"default": dataIs,
}

// freeKeys are the mappings whose keys are names of the author's.
var freeKeys = map[string]bool{
	"packs": true, "types": true, "inputs": true, "secrets": true, "outputs": true, "stages": true, "skills": true, "params": true, "properties": true,
	"with": true, "collect": true, "read": true,
}

// mutator makes the mutants of one file.
type mutator struct {
	file    string
	data    []byte
	starts  []int           // offset of each line
	names   map[string]bool // all that the project declares
	skills  []string        // that can stand in a relevance list
	all     []byte          // the text of the whole project
	inText  map[int]bool    // lines of texts that go over several
	owners  []string        // the names that enclose the place
	judged  map[string]int  // how many were not made, and why
	mutants []*mutant
}

// What a mutant would be no mistake in, or one that no file can tell. Each is decided by what a key is to the language.
const (
	bySite    = "only the site can tell which elements are found, and which steps they need"
	byDefault = "left out, a documented default applies"
	byRange   = "left out, the schema allows more; whatever reads the value is still checked against it"
	byLabel   = "nothing refers to the name: it is a label"
)

var judgedBy = map[string]string{
	"role": bySite, "name": bySite, "text": bySite, "label": bySite, "placeholder": bySite, "css": bySite, "test_id": bySite, "within": bySite, "near": bySite,
	"has": bySite, "frame": bySite, "index": bySite, "exact": bySite, "each": bySite, "attr": bySite,
	"goal": byDefault, "limits": byDefault, "model_calls": byDefault, "tokens": byDefault, "wall": byDefault, "budget": byDefault, "picks": byDefault,
	"wait": byDefault, "timeout": byDefault, "limit": byDefault, "engine": byDefault, "default": byDefault, "description": byDefault, "reason": byDefault, "fallback": byDefault,
	"order": byDefault, "repeat": byDefault, "hint": byDefault, "pick": byDefault, "as": byDefault,
	"minLength": byRange, "maxLength": byRange, "pattern": byRange, "format": byRange, "minimum": byRange, "maximum": byRange, "exclusiveMinimum": byRange,
	"exclusiveMaximum": byRange, "minItems": byRange, "maxItems": byRange, "required": byRange,
}

func (m *mutator) offset(p schema.Pos) int {
	o := m.starts[min(p.Line, len(m.starts))-1]
	for range p.Col - 1 {
		if o >= len(m.data) || m.data[o] == '\n' {
			break
		}
		_, size := decodeRune(m.data[o:])
		o += size
	}
	return o
}

func decodeRune(b []byte) (rune, int) {
	for i, r := range string(b[:min(len(b), 4)]) {
		if i == 0 {
			return r, len(string(r))
		}
	}
	return 0, 1
}

func (m *mutator) pos(offset int) schema.Pos {
	line := 1 + bytes.Count(m.data[:offset], []byte("\n"))
	return schema.Pos{Line: line, Col: 1 + len([]rune(string(m.data[m.starts[line-1]:offset])))}
}

func (m *mutator) text(r schema.Range) string {
	return string(m.data[m.offset(r.Start):m.offset(r.End)])
}

// replace makes a mutant by replacing what lies between two offsets.
func (m *mutator) replace(op string, from, to int, with string, around schema.Range) {
	old := string(m.data[from:to])
	if old == with {
		return
	}
	x := &mutant{op: op, was: oneLine(old) + " → " + oneLine(with), around: around, data: slices.Concat(m.data[:from], []byte(with), m.data[to:])}
	x.at = schema.Range{File: m.file, Start: m.pos(from), End: m.pos(to)}
	x.words = append(x.words, m.owners...)
	for _, w := range identifier.FindAllString(old+" "+with, -1) {
		if m.names[w] || !strings.Contains(old, w) {
			x.words = append(x.words, w)
		}
	}
	m.mutants = append(m.mutants, x)
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}

// typos are words that a hand makes of one.
func typos(word string) []string {
	r := []rune(word)
	if len(r) < 3 {
		return []string{word + "x"}
	}
	i := len(r) / 2
	out := []string{string(slices.Concat(r[:i], r[i+1:]))} // a letter is missing
	if r[i-1] != r[i] {
		s := slices.Clone(r)
		s[i-1], s[i] = s[i], s[i-1] // two are exchanged
		out = append(out, string(s))
	}
	return out
}

// drop takes out a field or item: list are the ranges of all of them, i the one.
func (m *mutator) drop(op string, n *schema.Node, list []schema.Range, i int) {
	start, end := m.offset(list[i].Start), m.offset(list[i].End)
	empty := map[schema.NodeKind]string{schema.Mapping: "{}", schema.Sequence: "[]"}[n.Kind]
	switch {
	case len(list) == 1:
		start, end = m.offset(n.Range.Start), m.offset(n.Range.End)
		m.replace(op, start, end, empty, n.Range)
	case i+1 < len(list):
		m.replace(op, start, m.offset(list[i+1].Start), "", n.Range)
	default:
		m.replace(op, m.offset(list[i-1].End), end, "", n.Range)
	}
}

// mapping makes mutants of a mapping. under is the key that it stands under; free, that its keys are the author's names.
func (m *mutator) mapping(n *schema.Node, under string, free bool) {
	list := make([]schema.Range, len(n.Fields))
	for i, f := range n.Fields {
		list[i] = schema.Range{File: m.file, Start: f.Key.Range.Start, End: f.Value.Range.End}
	}
	for i, f := range n.Fields {
		from, to := m.offset(f.Key.Range.Start), m.offset(f.Key.Range.End)
		op := "typo-key"
		if free {
			op = "typo-name"
			m.owners = append(m.owners, f.Key.Text)
		}
		if free && m.isLabel(under, f.Key.Text) {
			m.judged[byLabel]++
		} else {
			for _, t := range typos(f.Key.Text) {
				m.replace(op, from, to, t, schema.Range{})
			}
		}
		if !free {
			m.replace("case-key", from, to, strings.ToUpper(f.Key.Text[:1])+f.Key.Text[1:], schema.Range{})
		}
		if why := judgedBy[f.Key.Text]; why != "" && !free && (f.Key.Text != "name" || n.Field("kind") == nil) {
			m.judged[why]++
		} else if under == "skills" && free && m.isLabel(under, f.Key.Text) {
			m.judged[byLabel]++
		} else {
			m.drop("drop-"+op[5:], n, list, i)
		}
		m.twice(n, f)
		if v := f.Value; v.Kind != schema.Scalar {
			m.replace("type-of-value", m.offset(v.Range.Start), m.offset(v.Range.End), "7", schema.Range{})
		}
		if colon := m.data[to:min(to+2, len(m.data))]; string(colon) == ": " && n.BlockStyle() {
			m.replace("no-colon", to, to+1, "", schema.Range{})
			m.replace("no-blank", to+1, to+2, "", schema.Range{})
		}
		switch {
		case strings.Contains(f.Key.Text, "."): // a skill with bindings
			for _, other := range m.skills {
				m.replace("swap-skill", from, to, other, schema.Range{})
			}
			m.node(f.Value, "with", true)
		case under == "sets":
			m.scalar(f.Value, "when")
		case free:
			m.node(f.Value, under, false)
		default:
			m.node(f.Value, f.Key.Text, freeKeys[f.Key.Text])
		}
		if free {
			m.owners = m.owners[:len(m.owners)-1]
		}
	}
}

// isLabel reports whether nothing in the project refers to a declared name.
func (m *mutator) isLabel(under, name string) bool {
	form := `\b` + name + `\b`
	switch under {
	case "stages":
		form = `\bstages\??\.` + name + `\b|\b(go|next): *` + name + `\b`
	case "skills":
		form = `[a-z0-9_]\.` + name + `\b`
		return !regexp.MustCompile(form).Match(m.all)
	default:
		return len(regexp.MustCompile(form).FindAllIndex(m.all, -1)) < 2
	}
	return !regexp.MustCompile(form).Match(m.all)
}

// twice repeats a field before itself.
func (m *mutator) twice(n *schema.Node, f schema.Field) {
	from := m.offset(f.Key.Range.Start)
	text := m.text(schema.Range{Start: f.Key.Range.Start, End: f.Value.Range.End})
	glue := ", "
	if n.BlockStyle() {
		glue = "\n" + strings.Repeat(" ", f.Key.Range.Start.Col-1)
	}
	m.replace("twice-key", from, from, text+glue, n.Range)
}

func (m *mutator) node(n *schema.Node, under string, free bool) {
	switch n.Kind {
	case schema.Mapping:
		if under == "default" || under == "enum" {
			return
		}
		m.mapping(n, under, free)
	case schema.Sequence:
		list := make([]schema.Range, len(n.Items))
		for i, x := range n.Items {
			list[i] = x.Range
		}
		for i, x := range n.Items {
			if why := judgedBy[under]; why != "" {
				m.judged[why]++
			} else {
				m.drop("drop-item", n, list, i)
			}
			m.node(x, under, under == "sets")
		}
	default:
		m.scalar(n, under)
	}
}

// scalar makes mutants of a text, by what it is to the language.
func (m *mutator) scalar(n *schema.Node, under string) {
	from, to := m.offset(n.Range.Start), m.offset(n.Range.End)
	put := func(op, with string) { m.replace(op, from, to, with, schema.Range{}) }
	if n.Style == schema.Block {
		for l := n.Range.Start.Line; l <= n.Range.End.Line; l++ {
			m.inText[l+1] = true // its own first line has the key
		}
		return
	}
	r := roles[under]
	if _, ok := n.IsExpr(); ok {
		r = exprIs
	}
	if r == prose && m.names[n.Text] && under == "facts" {
		r = nameIs
	}
	switch r {
	case prose:
	case exprIs:
		m.expression(n)
	case nameIs:
		for _, t := range typos(n.Text) {
			put("typo-reference", t)
		}
		m.swap(n, under)
	case enumIs:
		for _, t := range typos(n.Text) {
			put("typo-enum", t)
		}
		put("number-for-word", "7")
	case countIs:
		put("text-for-number", "many")
		if n.Text != "0" {
			put("minus", "-"+n.Text)
		}
		put("list-for-number", "["+n.Text+"]")
	case boolIs:
		put("text-for-bool", "maybe")
		put("number-for-bool", "1")
	case dataIs:
		put("mapping-for-value", "{x: 1}")
	}
	if r != prose && r != exprIs {
		put("mapping-for-value", "{x: "+m.text(n.Range)+"}")
		if judgedBy[under] != bySite {
			put("no-value", "")
		}
	}
}

// swap puts another of the same kind in the place of a reference.
func (m *mutator) swap(n *schema.Node, under string) {
	from, to := m.offset(n.Range.Start), m.offset(n.Range.End)
	if under == "relevance" || under == "fallback" || under == "use" {
		for _, other := range m.skills {
			m.replace("swap-skill", from, to, other, schema.Range{})
		}
	}
}

var word = regexp.MustCompile(`"[^"]*"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*|[0-9.]+|==|!=|<=|>=|[-+*/<>?:()\[\],.]`)

// expression makes mutants of an expression: each of its words and signs is mistaken in the ways of its kind.
func (m *mutator) expression(n *schema.Node) {
	runes := func(i int) int { return len([]rune(n.Text[:i])) }
	hits := word.FindAllStringIndex(n.Text, -1)
	for i, h := range hits {
		w := n.Text[h[0]:h[1]]
		from, to := m.offset(n.PosAt(runes(h[0]))), m.offset(n.PosAt(runes(h[1])))
		if string(m.data[from:to]) != w {
			continue // escaped or folded
		}
		put := func(op string, with ...string) {
			for _, x := range with {
				m.replace(op, from, to, x, schema.Range{})
			}
		}
		switch {
		case w == "and" || w == "or" || w == "not" || w == "contains" || w == "matches":
			put("typo-in-expr", typos(w)...)
		case identifier.MatchString(w) && w[0] != '"' && w[0] != '\'':
			put("typo-in-expr", typos(w)...)
			if w == "params" || w == "inputs" || w == "stages" || w == "facts" || w == "match" || w == "secrets" || w == "outputs" {
				for _, root := range []string{"params", "inputs", "facts"} {
					put("swap-root", root)
				}
			}
			if i > 1 && m.names[w] {
				m.swapMember(n, from, to, w, n.Text[:h[0]])
			}
		case w[0] == '"' || w[0] == '\'':
			put("quote", w[:len(w)-1])
			put("number-for-text", "7")
		case w == "==":
			put("operator", "=", "=>", "<")
		case w == "<=" || w == ">=" || w == "<" || w == ">":
			put("operator", "=", "and", "contains")
		case w == "(" || w == ")" || w == "[" || w == "]" || w == "?" || w == ".":
			put("cut-in-expr", "")
		case w[0] >= '0' && w[0] <= '9':
			put("text-for-number", `"x"`)
		}
	}
	from, to := m.offset(n.Range.Start), m.offset(n.Range.End)
	if n.Text != "" && n.Text[0] != '=' {
		m.replace("list-for-expr", from, to, "[x]", schema.Range{})
		m.replace("no-value", from, to, "", schema.Range{})
		m.replace("constant", from, to, "true", schema.Range{})
	} else {
		m.replace("mapping-for-value", from, to, "{x: 1}", schema.Range{})
	}
}

// swapMember exchanges a member of a root for another that the project declares there.
func (m *mutator) swapMember(n *schema.Node, from, to int, w, before string) {
	root := identifier.FindAllString(before, -1)
	if len(root) == 0 || !strings.HasSuffix(before, root[len(root)-1]+".") {
		return
	}
	seen := map[string]bool{w: true}
	for _, hit := range regexp.MustCompile(regexp.QuoteMeta(root[len(root)-1])+`\.([a-z_][a-z0-9_]*)`).FindAllSubmatch(m.all, -1) {
		if other := string(hit[1]); !seen[other] {
			seen[other] = true
			m.replace("swap-member", from, to, other, schema.Range{})
		}
	}
}

// lines makes the mistakes of an editor: a line is moved to the right or left, or has a tab.
func (m *mutator) lines() {
	for i, start := range m.starts {
		end := len(m.data)
		if i+1 < len(m.starts) {
			end = m.starts[i+1]
		}
		line := string(m.data[start:end])
		body := strings.TrimLeft(line, " ")
		if m.inText[i+1] {
			continue
		}
		if strings.TrimSpace(body) == "" || body[0] == '#' {
			continue
		}
		indent := len(line) - len(body)
		m.replace("indent", start, start, " ", schema.Range{})
		if indent >= 2 {
			m.replace("unindent", start, start+1, "", schema.Range{})
			m.replace("unindent", start, start+2, "", schema.Range{})
			m.replace("tab", start, start+2, "\t", schema.Range{})
		}
		if i+1 < len(m.starts) && end > start+1 {
			m.replace("join-lines", end-1, end, " ", schema.Range{File: m.file, Start: schema.Pos{Line: i + 1, Col: 1}, End: schema.Pos{Line: i + 2, Col: 1}})
		}
	}
}

// declared collects the names that a file declares.
func declared(n *schema.Node, into map[string]bool) {
	var walk func(n *schema.Node, under string)
	walk = func(n *schema.Node, under string) {
		for _, f := range n.Fields {
			if freeKeys[under] {
				into[f.Key.Text] = true
			}
			walk(f.Value, f.Key.Text)
		}
		for _, x := range n.Items {
			if under == "facts" {
				into[x.Text] = true
			}
			walk(x, under)
		}
	}
	walk(n, "")
}

// mutants makes all mutants of a file.
func (p *project) mutants(file string, judged map[string]int) []*mutant {
	data := p.files[file]
	m := &mutator{file: file, data: data, starts: []int{0}, names: p.names, skills: p.skills, all: bytes.Join(p.texts(), nil), judged: judged, inText: map[int]bool{}}
	for i, b := range data {
		if b == '\n' && i+1 < len(data) {
			m.starts = append(m.starts, i+1)
		}
	}
	node, ds := schema.Parse(file, data)
	if len(ds) > 0 {
		panic(fmt.Sprint(ds))
	}
	m.node(node, "", false)
	m.lines()
	return m.mutants
}
