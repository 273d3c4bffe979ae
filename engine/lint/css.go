package lint

import (
	"github.com/expr-lang/expr/ast"

	"github.com/nth-dev/nth/schema"
)

var badCSS = &Rule{
	ID: "bad-css", Severity: schema.Error,
	Summary: "a CSS selector that no browser takes",
	Doc: `The browser refuses this selector, so the target is never found and page.has is never true. Frequent causes: a value
that needs quotes ([data-id=12] must be [data-id="12"]), an id or class that begins with a digit, an XPath, and
pseudo-classes of jQuery or Playwright (:contains, :visible, :has-text), for which a target has name:, text: and has:.`,
	Check: func(p *pass) {
		check := func(s schema.String) {
			if bad, ok := checkSelector(s.Value); !ok {
				p.report(s.Range, bad.fix, "CSS selector %q: %s", s.Value, bad.what)
			}
		}
		fields := func(list []schema.ReadField) {
			for _, f := range list {
				if f.CSS.Value != "" {
					check(f.CSS)
				}
			}
		}
		if p.Program == nil && p.Compiled == nil {
			return // compile says some of it
		}
		p.eachTarget(func(t *schema.Target) {
			if t.CSS.Value != "" {
				check(t.CSS)
			}
			fields(t.Read)
		})
		for _, s := range p.sourceSkills() {
			if s.Returns != nil {
				fields(s.Returns.Read)
			}
		}
		for _, s := range p.sites() {
			s.tree().each(func(n ast.Node) {
				sel, ok := probeSelector(n)
				if !ok {
					return
				}
				if bad, ok := checkSelector(sel.Value); !ok {
					p.report(s.spot(sel), bad.fix, "CSS selector %q: %s", sel.Value, bad.what)
				}
			})
		}
	},
}

// probeSelector returns the selector of page.has("…") and page.count("…").
func probeSelector(n ast.Node) (*ast.StringNode, bool) {
	c, ok := n.(*ast.CallNode)
	if !ok || len(c.Arguments) != 1 {
		return nil, false
	}
	m, ok := c.Callee.(*ast.MemberNode)
	if !ok {
		return nil, false
	}
	root, ok := m.Node.(*ast.IdentifierNode)
	sel, isText := c.Arguments[0].(*ast.StringNode)
	return sel, ok && isText && root.Value == "page"
}
