package format

import (
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// same reports whether two files say the same, and have the same comments.
func same(a, b *file) bool {
	return sameNode(a.root, b.root, a.place) && slices.Equal(a.comments(), b.comments())
}

// sameNode compares everything but places; the order of keys counts only where the schema gives none.
func sameNode(a, b *schema.Node, p schema.Place) bool {
	if a.Kind != b.Kind || a.Style != b.Style || a.Text != b.Text || len(a.Fields) != len(b.Fields) || len(a.Items) != len(b.Items) {
		return false
	}
	free := keysOf(a, p) == nil
	for i, x := range a.Fields {
		y := b.Fields[i].Value
		if free && b.Fields[i].Key.Text != x.Key.Text {
			return false
		}
		if !free {
			y = b.Field(x.Key.Text)
		}
		if y == nil || !sameNode(x.Value, y, p.Child(x.Key.Text)) {
			return false
		}
	}
	for i, item := range a.Items {
		if !sameNode(item, b.Items[i], p.Item()) {
			return false
		}
	}
	return true
}

// comments are the texts of all comments, sorted.
func (f *file) comments() []string {
	if f.commentMemo == nil {
		f.commentMemo = append([]string{}, f.commentsOf(f.root, 0, len(f.src))...)
		slices.Sort(f.commentMemo)
	}
	return f.commentMemo
}

// commentsOf are the texts of the comments between two byte offsets, around and inside a node that lies between them.
func (f *file) commentsOf(n *schema.Node, pos, to int) []string {
	var out []string
	upTo := func(end int) { // between two texts of the file, a "#" begins a comment
		for pos < end {
			i := strings.IndexByte(f.src[pos:end], '#')
			if i < 0 {
				break
			}
			next := f.Start(f.LineOf(pos+i) + 1)
			out = append(out, strings.TrimRight(f.src[pos+i:next], " \t\n"))
			pos = next
		}
		pos = max(pos, end)
	}
	eachScalar(n, func(s *schema.Node) {
		upTo(f.Offset(s.Range.Start))
		if s.Style == schema.Block { // a comment may stand behind the indicator
			upTo(f.Start(s.Range.Start.Line + 1))
		}
		pos = max(pos, f.Offset(s.Range.End))
	})
	upTo(to)
	return out
}
