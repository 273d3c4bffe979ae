package lsp

import (
	"sort"
	"sync"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// text is the text of one file, and the places in it. It is not changed.
type text struct {
	*schema.Offsets
	data string
	rows []int // byte offsets at which lines begin for the protocol: they end with "\n", "\r\n" or "\r"

	once   sync.Once
	parsed compile.File // what file gives, under the name it was first asked by
}

// file is the text as the file of that name, parsed once for all that ask.
func (t *text) file(name string) compile.File {
	t.once.Do(func() { t.parsed = compile.NewFile(name, []byte(t.data)) })
	if t.parsed.Name != name {
		return compile.NewFile(name, []byte(t.data))
	}
	return t.parsed
}

func newText(data string) *text {
	t := &text{Offsets: schema.NewOffsets(data), data: data, rows: []int{0}}
	for i := range len(data) {
		if data[i] == '\n' || data[i] == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			t.rows = append(t.rows, i+1)
		}
	}
	return t
}

// position is the protocol's place of a byte offset.
func (t *text) position(offset int) position {
	n := sort.Search(len(t.rows), func(i int) bool { return t.rows[i] > offset }) - 1
	return position{n, t.Units(t.rows[n], offset)}
}

// byteOf is the byte offset of the protocol's place, clamped to the text and to its line.
func (t *text) byteOf(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.rows):
		return len(t.data)
	}
	end := len(t.data)
	if p.Line+1 < len(t.rows) {
		end = t.rows[p.Line+1] - 1
		if t.data[end] == '\n' && end > t.rows[p.Line] && t.data[end-1] == '\r' {
			end--
		}
	}
	return min(end, t.AfterUnits(t.rows[p.Line], p.Character))
}

// span is the protocol's form of a range.
func (t *text) span(r schema.Range) span {
	from := t.Offset(r.Start)
	return t.bytes(from, max(from, t.Offset(r.End)))
}

func (t *text) bytes(from, to int) span { return span{t.position(from), t.position(to)} }

// replaced is the text with a stretch of it replaced.
func (t *text) replaced(s span, with string) string {
	from := t.byteOf(s.Start)
	to := max(from, t.byteOf(s.End))
	return t.data[:from] + with + t.data[to:]
}
