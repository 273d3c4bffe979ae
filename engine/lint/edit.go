package lint

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/nth-dev/nth/schema"
)

// Apply carries out edits of one file, and returns the new text and how many were carried out. Of edits that overlap, only
// the first is.
func Apply(data []byte, edits []schema.Edit) ([]byte, int) {
	type cut struct {
		from, to int
		text     string
	}
	var cuts []cut
	for _, e := range edits {
		from, ok := offset(data, e.Range.Start)
		to, okEnd := offset(data, e.Range.End)
		if ok && okEnd && from <= to {
			cuts = append(cuts, cut{from, to, e.Text})
		}
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	done, n := 0, 0
	for _, c := range cuts {
		if c.from < done {
			continue
		}
		out.Write(data[done:c.from])
		out.WriteString(c.text)
		done, n = c.to, n+1
	}
	out.Write(data[done:])
	return out.Bytes(), n
}

// offset is the byte offset of a place: lines end with "\n", columns count runes, and a byte order mark is no column.
func offset(data []byte, p schema.Pos) (int, bool) {
	at := 0
	for range p.Line - 1 {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	if p.Line == 1 && bytes.HasPrefix(data, []byte("\ufeff")) {
		at += len("\ufeff")
	}
	for range p.Col - 1 {
		r, size := utf8.DecodeRune(data[at:])
		if size == 0 || r == '\n' {
			return 0, false
		}
		at += size
	}
	return at, p.Line > 0 && p.Col > 0
}
