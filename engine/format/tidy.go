package format

import (
	"strings"

	"github.com/nth-dev/nth/schema"
)

// tidy removes blanks at the end of lines, empty lines at the beginning and the end of the file, and all but one where
// several stand together. What lies inside a text of several lines stays as it is.
func tidy(f *file) string {
	inside := f.insideTexts()
	var out []string
	for n := 1; n <= f.Lines(); n++ {
		l := f.Line(n)
		if !inside[n] {
			l = strings.TrimRight(l, " \t")
			if l == "" && (len(out) == 0 || out[len(out)-1] == "" && !inside[n-1]) {
				continue
			}
		}
		out = append(out, l)
	}
	for last := f.Lines(); len(out) > 0 && out[len(out)-1] == "" && !inside[last]; {
		out = out[:len(out)-1]
	}
	return strings.Join(out, "\n") + "\n"
}

// insideTexts are the lines that begin inside a text.
func (f *file) insideTexts() map[int]bool {
	inside := map[int]bool{}
	eachScalar(f.root, func(s *schema.Node) {
		for n := s.Range.Start.Line + 1; n <= f.lastLine(s); n++ {
			inside[n] = true
		}
	})
	return inside
}

// eachScalar calls do for every key and every value that is a scalar, in the order of the file.
func eachScalar(n *schema.Node, do func(*schema.Node)) {
	if n.Kind == schema.Scalar {
		do(n)
	}
	for _, x := range n.Fields {
		do(x.Key)
		eachScalar(x.Value, do)
	}
	for _, item := range n.Items {
		eachScalar(item, do)
	}
}
