package enginetest

import (
	"strings"

	"github.com/nth-dev/nth/engine"
)

// block reads one line of a page's text; false when it is none.
func (p *Page) block(key, val string) bool {
	s := &p.Snapshot
	b := engine.Block{Text: val}
	switch key {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		level := int(key[1] - '0')
		for len(p.levels) > 0 && p.levels[len(p.levels)-1] >= level {
			p.levels, p.path = p.levels[:len(p.levels)-1], p.path[:len(p.path)-1]
		}
		b.Kind = "heading"
		defer func() { p.levels, p.path = append(p.levels, level), append(p.path, val) }()
	case "p":
		b.Kind = "text"
	case "list", "table":
		p.group++
		p.groupName = strings.TrimPrefix(val, "-")
		return true
	case "li":
		b.Kind, b.Group, b.Name = "item", p.group, p.groupName
	case "th", "tr":
		b.Kind, b.Head, b.Group, b.Name = "row", key == "th", p.group, p.groupName
		for c := range strings.SplitSeq(val, "|") {
			b.Cells = append(b.Cells, strings.TrimSpace(c))
		}
	case "dt":
		name, value, _ := strings.Cut(val, " = ")
		b.Kind, b.Cells, b.Text = "pair", []string{name, value}, name+": "+value
	default:
		return false
	}
	b.Path = append([]string{}, p.path...)
	s.Blocks = append(s.Blocks, b)
	s.Text = strings.TrimSpace(s.Text + " " + b.Text)
	return true
}
