package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// github writes workflow commands, which GitHub Actions turns into annotations of the lines.
func (f *Findings) github(w io.Writer) error {
	for _, d := range f.Found {
		name, _ := f.inside(d.Range.File)
		where := "file=" + githubProperty(name)
		if s, e := d.Range.Start, d.Range.End; s.Line > 0 {
			where += fmt.Sprintf(",line=%d,col=%d,endLine=%d", s.Line, s.Col, e.Line)
			if e.Line == s.Line { // GitHub takes an end column only within one line; it counts the last one in
				where += fmt.Sprintf(",endColumn=%d", max(s.Col, e.Col-1))
			}
		}
		level := "warning"
		if d.Severity == schema.Error {
			level = "error"
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, where, githubProperty("nth: "+d.Rule), githubData(sentence(d))); err != nil {
			return err
		}
	}
	return nil
}

// What must be escaped, from the toolkit of GitHub Actions (packages/core/src/command.ts).
var (
	githubDataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubPropertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func githubData(s string) string     { return githubDataEscapes.Replace(s) }
func githubProperty(s string) string { return githubPropertyEscapes.Replace(s) }
