package lint

import (
	"regexp"
	"strings"

	"github.com/nth-dev/nth/schema"
)

var joinedLines = &Rule{
	ID: "joined-lines", Severity: schema.Warning,
	Summary: "a text that goes on over what looks like an item or key",
	Doc: `In YAML a text without quotes goes on in the next line when that is indented further, even when it begins with "- ":
so one item of a list becomes a part of the item above it. Start the items in the same column, or put a text that is meant
to hold such a line into quotes.`,
	Check: func(p *pass) {
		eachNode(p.Node, func(n *schema.Node, isKey bool) {
			if isKey || n.Kind != schema.Scalar || n.Style != schema.Plain {
				return
			}
			at := n.Range
			if n.Range.End.Line > n.Range.Start.Line {
				if i := strings.Index(n.Text, " - "); i >= 0 {
					at.Start = n.PosAt(len([]rune(n.Text[:i])) + 1)
					p.report(at, "start it in the column of the other items", "this continues the text in the line above: it is no item of its own")
					return
				}
			}
			if m := joinedPatterns.FindStringIndex(n.Text); m != nil {
				at.Start = n.PosAt(len([]rune(n.Text[:m[1]])) - 1)
				p.report(at, "write one item in each line", "%q is one regular expression, not several", n.Text)
			}
		})
	},
}

// joinedPatterns are two texts of the form /regex/ that have become one.
var joinedPatterns = regexp.MustCompile(`^/[^/]*[^\\]/[a-z]* +(?:- +)?/`)
