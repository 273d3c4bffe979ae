package lint

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// Configure sets the severities that a project file gives to rules, and drops the findings of rules that are off. dir is
// the folder of the project file; findings name their files relative to the working folder, or absolutely. What stops a
// flow from running keeps its severity: it is not found by a rule.
func Configure(found schema.Diagnostics, p *schema.Project, dir string) schema.Diagnostics {
	if p == nil || len(p.Lint) == 0 {
		return found
	}
	c := configuration{dir: dir, levels: map[[2]string]string{}}
	for _, l := range p.Lint {
		c.globs = append(c.globs, globRE(l.Files.Value))
	}
	var out schema.Diagnostics
	for _, d := range found {
		switch level := c.level(p, d); level {
		case "off":
			continue
		case "warning", "error":
			d.Severity = schema.Severity(level)
		}
		out = append(out, d)
	}
	return out
}

type configuration struct {
	dir    string
	globs  []*regexp.Regexp
	levels map[[2]string]string // by file and rule
}

// level is what the last entry that fits says, "" when none does.
func (c *configuration) level(p *schema.Project, d schema.Diagnostic) string {
	if Find(d.Rule) == nil {
		return ""
	}
	key := [2]string{d.Range.File, d.Rule}
	if l, ok := c.levels[key]; ok {
		return l
	}
	name := relative(c.dir, d.Range.File)
	level := ""
	for i, l := range p.Lint {
		if !c.globs[i].MatchString(name) {
			continue
		}
		for _, r := range l.Rules {
			if r.Rule.Value == d.Rule {
				level = r.Severity.Value
			}
		}
	}
	c.levels[key] = level
	return level
}

// relative is a file's name seen from a folder, with slashes.
func relative(dir, name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(rel)
}

// globRE compiles a glob: * and ? stay within one folder, ** goes through any number of them; a glob without a slash fits
// the file's own name, in any folder. An empty glob fits all.
func globRE(glob string) *regexp.Regexp {
	glob = strings.TrimPrefix(filepath.ToSlash(glob), "./")
	switch {
	case glob == "":
		glob = "**"
	case !strings.Contains(glob, "/"):
		glob = "**/" + glob
	case strings.HasSuffix(glob, "/"):
		glob += "**"
	}
	var b strings.Builder
	b.WriteString("^")
	for glob := path.Clean(glob); glob != ""; {
		switch {
		case strings.HasPrefix(glob, "**/"):
			b.WriteString("(?:.*/)?")
			glob = glob[3:]
		case strings.HasPrefix(glob, "**"):
			b.WriteString(".*")
			glob = glob[2:]
		case glob[0] == '*':
			b.WriteString("[^/]*")
			glob = glob[1:]
		case glob[0] == '?':
			b.WriteString("[^/]")
			glob = glob[1:]
		default:
			b.WriteString(regexp.QuoteMeta(glob[:1]))
			glob = glob[1:]
		}
	}
	b.WriteString("$")
	return regexp.MustCompile(b.String())
}
