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
	lines := lineStarts(data)
	for _, e := range edits {
		from, ok := offset(data, lines, e.Range.Start)
		to, okEnd := offset(data, lines, e.Range.End)
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

// lineStarts are the byte offsets at which lines begin, behind a byte order mark.
func lineStarts(data []byte) []int {
	starts := []int{0}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		starts[0] = len("\ufeff")
	}
	for i, b := range data {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// offset is the byte offset of a place; columns count runes.
func offset(data []byte, lines []int, p schema.Pos) (int, bool) {
	if p.Line < 1 || p.Line > len(lines) || p.Col < 1 {
		return 0, false
	}
	at := lines[p.Line-1]
	for range p.Col - 1 {
		r, size := utf8.DecodeRune(data[at:])
		if size == 0 || r == '\n' {
			return 0, false
		}
		at += size
	}
	return at, true
}
