package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// passage is a block of the page that a term has found, with what is read from it.
type passage struct {
	block  *Block
	term   int            // index of the first term that matches
	how    int            // how well: one of the constants below
	more   int            // how many of the other terms match too
	values map[string]any // by field
	at     int            // where in the text the term, or the value, begins; in bytes
	order  int            // of the block, then of the value in it
	label  string
}

// How a term matches, the better the higher.
const (
	byHeading = iota + 1 // only a heading above the passage holds it
	byPart               // inside a word
	byWord
)

// search finds the passages that the terms match, ranked: the term's place, how well it matches, how many of the other
// terms match, reading order. why tells of a passage that matched but could not be read.
func search(blocks []Block, terms []compile.Matcher, f *compile.Find, match func(m *compile.Matcher, text string) (at, how int)) (out []passage, why string) {
	seen := map[string]bool{}
	for i := range blocks {
		b := &blocks[i]
		if b.Head {
			continue // of a table: it names what stands below it
		}
		hit := passage{block: b, term: -1, order: i * maxValues}
		above := strings.Join(headingsOf(b, f.Parents), " ")
		for t := range terms {
			at, how := match(&terms[t], b.Text)
			if how == 0 && above != "" && b.Kind != "heading" {
				if _, up := match(&terms[t], above); up > 0 {
					at, how = 0, byHeading
				}
			}
			switch {
			case how == 0:
			case hit.term < 0:
				hit.term, hit.at, hit.how = t, at, how
			default:
				hit.more++
			}
		}
		if hit.term < 0 {
			continue
		}
		read, unread := readPassage(hit, f.Read)
		if len(read) == 0 {
			why = unread
		}
		for _, p := range read {
			key := b.Text + "\x00" + show(p.values) + "\x00" + above
			if !seen[key] {
				seen[key] = true
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, func(a, b passage) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(b.how, a.how), cmp.Compare(b.more, a.more), cmp.Compare(a.order, b.order))
	})
	return out, why
}

// headingsOf are the n headings nearest above a block, the outermost first.
func headingsOf(b *Block, n int) []string {
	path := b.Path
	if b.Name != "" && (len(path) == 0 || path[len(path)-1] != b.Name) {
		path = append(slices.Clip(path), b.Name)
	}
	return path[max(0, len(path)-n):]
}

// exactly matches a term as it is written, in any case.
func exactly(m *compile.Matcher, text string) (at, how int) {
	from, to, ok := m.Find(text, strings.ToLower(text))
	if !ok {
		return 0, 0
	}
	if letterBefore(text, from) || letterAfter(text, to) {
		return from, byPart
	}
	return from, byWord
}

func letterBefore(s string, i int) bool {
	r := []rune(s[:min(i, len(s))])
	return len(r) > 0 && wordRune(r[len(r)-1])
}

func letterAfter(s string, i int) bool {
	for _, r := range s[min(i, len(s)):] {
		return wordRune(r)
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// nearly matches a term whose every word stands in the text with at most a slip or two: one in words of four letters
// or more, two in those of eight or more, none in numbers. Accents do not count.
func nearly(m *compile.Matcher, text string) (at, how int) {
	wanted := foldWords(m.Literal())
	if len(wanted) == 0 {
		return 0, 0
	}
	words := foldWords(text)
	first := -1
	for _, w := range wanted {
		i := slices.IndexFunc(words, func(x word) bool { return near(w.text, x.text) })
		if i < 0 {
			return 0, 0
		}
		if first < 0 {
			first = words[i].at
		}
	}
	return first, byPart
}

// word is a word of a text, without case and accents, and where it begins in bytes.
type word struct {
	text string
	at   int
}

func foldWords(s string) []word {
	var out []word
	start := -1
	add := func(to int) {
		if start >= 0 {
			plain := strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return unicode.ToLower(r)
			}, norm.NFKD.String(s[start:to]))
			out = append(out, word{plain, start})
			start = -1
		}
	}
	for i, r := range s {
		if wordRune(r) {
			if start < 0 {
				start = i
			}
		} else {
			add(i)
		}
	}
	add(len(s))
	return out
}

func near(want, got string) bool {
	if want == got {
		return true
	}
	a, b := []rune(want), []rune(got)
	if strings.ContainsFunc(want, unicode.IsDigit) || len(a) < 4 {
		return false
	}
	slips := 1
	if len(a) >= 8 {
		slips = 2
	}
	return schema.EditDistance(a, b, slips+1) <= slips
}

// maxValues bounds how many values of one passage are offered.
const maxValues = 10

// readPassage takes the fields out of a passage. When there is one field, and it matches several times with different
// values, each is a choice of its own. Nothing comes back when a field cannot be read; why says so.
func readPassage(p passage, fields []compile.FindField) (out []passage, why string) {
	if len(fields) == 1 && fields[0].Match != nil {
		var values []any
		for _, at := range fields[0].Match.FindAllStringSubmatchIndex(p.block.Text, -1) {
			v, err := readAs(group(p.block.Text, at), fields[0].As, anyOrder)
			if err != nil {
				why = fmt.Sprintf("%s: %v", fields[0].Name, err)
				continue
			}
			if slices.Contains(values, v) || len(values) == maxValues {
				continue
			}
			q := p
			q.values, q.order = map[string]any{fields[0].Name: v}, p.order+len(values)
			if len(values) > 0 || p.how == byHeading {
				q.at = at[0]
			}
			values = append(values, v)
			out = append(out, q)
		}
		if len(out) == 0 && why == "" {
			why = fmt.Sprintf("%s: %q does not match %s", fields[0].Name, cut(p.block.Text, 40), fields[0].Match)
		}
		return out, why
	}
	p.values = map[string]any{}
	for _, f := range fields {
		text := p.block.Text
		if f.Match != nil {
			at := f.Match.FindStringSubmatchIndex(text)
			if at == nil {
				return nil, fmt.Sprintf("%s: %q does not match %s", f.Name, cut(text, 40), f.Match)
			}
			text = group(text, at)
		} else if len(p.block.Cells) == 2 {
			text = p.block.Cells[1] // the name stands before the value
		}
		v, err := readAs(text, f.As, anyOrder)
		if err != nil {
			return nil, fmt.Sprintf("%s: %v", f.Name, err)
		}
		p.values[f.Name] = v
	}
	return []passage{p}, ""
}

// group is the first group of a match, or all of it when the expression has none, or the group is not part of it.
func group(s string, at []int) string {
	if len(at) > 2 && at[2] >= 0 {
		return s[at[2]:at[3]]
	}
	return s[at[0]:at[1]]
}
