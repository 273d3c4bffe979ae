package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nth-dev/nth/schema"
)

// The rules about the comments themselves. Their findings come from ignores, after all others.
var (
	unusedIgnore = &Rule{
		ID: "unused-ignore", Severity: schema.Warning,
		Summary: "an ignore comment that ignores nothing",
		Doc: `The comment # nth:ignore RULE REASON stands where RULE finds nothing (any more): in its own line, or for a comment
alone in a line, in the next one. Remove it, so that a later finding there is not hidden. Errors of the compiler cannot be
ignored: what has them cannot run.`,
	}
	ignoreReason = &Rule{
		ID: "ignore-reason", Severity: schema.Warning,
		Summary: "an ignore comment without a reason",
		Doc: `Say behind the rule why it does not apply here: # nth:ignore commit-unapproved the form only filters a list. Without
a reason nobody can tell later whether it still holds, so a comment without one ignores nothing.`,
	}
	unknownRule = &Rule{
		ID: "unknown-rule", Severity: schema.Warning,
		Summary: "the name of a rule that does not exist",
		Doc: `An ignore comment, or lint: in nth.yaml, names a rule that nth validate does not have, so it does nothing.
nth validate --explain RULE explains a rule; the names are also in the brackets behind each finding.`,
	}
)

func init() {
	// Here and not above, because the check asks for the list that the rule is in.
	unknownRule.Check = func(p *pass) {
		if p.Project == nil {
			return
		}
		for _, c := range p.Project.Lint {
			for _, r := range c.Rules {
				if Find(r.Rule.Value) == nil {
					p.report(r.Rule.Range, suggestRule(r.Rule.Value), "there is no rule %q", r.Rule.Value)
				}
			}
		}
	}
}

func suggestRule(word string) string {
	if s := schema.Suggest(word, IDs()); s != "" {
		return `did you mean "` + s + `"?`
	}
	return "nth validate --explain all lists the rules"
}

// ignoreForm is "# nth:ignore RULE REASON" at the end of a line.
var ignoreForm = regexp.MustCompile(`(?:^|\s)(#\s*nth:ignore(?:\s+(\S+))?(?:\s+(\S.*?))?)\s*$`)

// ignore is one such comment.
type ignore struct {
	rule, reason string
	line         int // whose findings it ignores
	at           schema.Range
	cut          schema.Range // at, with the blanks or the line that would be left over
	used         bool
}

// ignores finds the comments of a file.
func ignores(name string, data []byte) []*ignore {
	if !bytes.Contains(data, []byte("nth:ignore")) {
		return nil
	}
	node, _ := schema.Parse(name, data)
	src := schema.NewSource(name, data)
	lines := strings.Count(string(data), "\n") + 1
	texts := textsWithIgnore(node)
	var out []*ignore
	for ln := 1; ln <= lines; ln++ {
		text := src.Line(ln)
		m := ignoreForm.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		col := utf8.RuneCountInString(text[:m[2]]) + 1
		start := schema.Pos{Line: ln, Col: col}
		if insideAny(texts, start) {
			continue
		}
		ig := &ignore{line: ln, at: schema.Range{File: name, Start: start, End: schema.Pos{Line: ln, Col: col + utf8.RuneCountInString(text[m[2]:m[3]])}}}
		if m[4] >= 0 {
			ig.rule = text[m[4]:m[5]]
		}
		if m[6] >= 0 {
			ig.reason = text[m[6]:m[7]]
		}
		ig.cut = ig.at
		ig.cut.Start.Col = utf8.RuneCountInString(strings.TrimRight(text[:m[2]], " \t")) + 1
		if ig.cut.Start.Col == 1 && ln < lines {
			ig.cut.End = schema.Pos{Line: ln + 1, Col: 1}
		}
		if strings.TrimSpace(text[:m[2]]) == "" { // alone in its line
			for ig.line++; ig.line < lines && commentOrBlank(src.Line(ig.line)); ig.line++ {
			}
		}
		out = append(out, ig)
	}
	return out
}

func commentOrBlank(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

// textsWithIgnore are the texts that hold what looks like such a comment: in them, a "#" begins none.
func textsWithIgnore(n *schema.Node) []schema.Range {
	var out []schema.Range
	eachNode(n, func(n *schema.Node, _ bool) {
		if n.Kind == schema.Scalar && strings.Contains(n.Text, "nth:ignore") {
			out = append(out, n.Range)
		}
	})
	return out
}

func insideAny(texts []schema.Range, p schema.Pos) bool {
	return slices.ContainsFunc(texts, func(r schema.Range) bool { return !before(p, r.Start) && before(p, r.End) })
}

func before(a, b schema.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// applyIgnores takes out the findings that a comment ignores, and adds what is wrong with the comments.
func applyIgnores(found schema.Diagnostics, name string, data []byte) schema.Diagnostics {
	all := ignores(name, data)
	if len(all) == 0 {
		return found
	}
	byLine := map[int][]*ignore{}
	for _, ig := range all {
		byLine[ig.line] = append(byLine[ig.line], ig)
	}
	found = slices.DeleteFunc(found, func(d schema.Diagnostic) bool {
		if d.Range.File != name || Find(d.Rule) == nil {
			return false
		}
		for _, ig := range byLine[d.Range.Start.Line] {
			if ig.rule == d.Rule && ig.reason != "" {
				ig.used = true
				return true
			}
		}
		return false
	})
	report := func(r *Rule, ig *ignore, fix, summary string, edits ...schema.Edit) {
		found = append(found, schema.Diagnostic{Severity: r.Severity, Rule: r.ID, Range: ig.at, Summary: summary, Fix: fix, Edits: edits})
	}
	for _, ig := range all {
		switch {
		case ig.rule == "" || ig.reason == "" && Find(ig.rule) != nil:
			report(ignoreReason, ig, "write # nth:ignore RULE and why it does not apply here", "the comment does not say why, so it ignores nothing")
		case Find(ig.rule) == nil:
			report(unknownRule, ig, suggestRule(ig.rule), `there is no rule "`+ig.rule+`" that can be ignored`)
		case !ig.used:
			report(unusedIgnore, ig, "remove the comment", "nothing is found here by the rule "+ig.rule, schema.Edit{Range: ig.cut})
		}
	}
	return found
}
