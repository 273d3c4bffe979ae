package lint

import (
	"regexp"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var templateText = &Rule{
	ID: "template-text", Severity: schema.Warning,
	Summary: "a template in a text, where nth has none",
	Doc: `{{ name }}, ${name} and ${{ name }} come from other tools. Here they stay in the text as they are. A value that begins
with "=" is an expression: ="Hello " + inputs.name. A skill's summary takes {param} and {match.field}.`,
	Check: func(p *pass) {
		eachNode(p.Node, func(n *schema.Node, isKey bool) {
			if isKey || n.Kind != schema.Scalar || !strings.Contains(n.Text, "{") || strings.HasPrefix(n.Text, "=") {
				return
			}
			if m := templateForm.FindString(n.Text); m != "" && !p.saidTemplate(n) {
				p.report(n.Range, `write an expression: ="Hello " + inputs.name`, "%q: there are no %s templates in nth", n.Text, m[:2])
			}
		})
	},
}

var cutByComment = &Rule{
	ID: "cut-by-comment", Severity: schema.Warning,
	Summary: "an expression that YAML seems to have cut at a #",
	Doc: `In YAML " #" begins a comment, in an expression too when it is written without quotes: what stands behind it is not a part
of the condition. Here the comment reads like the rest of the expression. Put the whole expression into single quotes; or
let the comment begin with another word.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			rest := s.expr.Comment()
			if rest != "" && restForm.MatchString(rest) {
				p.report(s.expr.Range, "put the whole expression into single quotes", "the expression ends here for YAML; %q is a comment", rest)
			}
		}
	},
}

// restForm are comments that go on with an expression: by an operator, or by a # that stands for an item.
var restForm = regexp.MustCompile(`^#(?:\w*[\])"']|\.\w|\s*(?:(?:and|or|not|in|contains|matches|startsWith|endsWith)\s+(?:not\s+)?(?:\w+[.(\[]\w|["'(!])|[=!<>]=|&&|\|\||\?\?))`)

var templateForm = regexp.MustCompile(`\{\{.*?\}\}|\$\{[^}]*\}`)

// saidTemplate reports whether the shape of the file has said it already.
func (p *pass) saidTemplate(n *schema.Node) bool {
	return p.Program == nil && p.Compiled == nil && strings.Contains(n.Text, "{{")
}

var ambiguousText = &Rule{
	ID: "ambiguous-text", Severity: schema.Warning,
	Summary: "a value that reads as a text here, and as something else elsewhere",
	Doc: `Nothing says which type is wanted here, and the value is spelled so that YAML tools disagree: 02134, 0x1F, 1_000 and
12:30 (numbers for some), yes, no, on, off, y and n (true or false for some), 2027-03-14 (a date for some). nth takes
it as text. Put it into quotes, or give the place a schema with a type. Where a schema says type: string there is nothing
to fear, and nothing is reported.`,
	Check: func(p *pass) {
		p.eachSubschema(func(n *schema.Node) {
			if n.Field("type") != nil || n.Field("$ref") != nil {
				return
			}
			if n.Field("enum") == nil { // else the enum says what the default may be
				p.ambiguous(n.Field("default"))
			}
			p.ambiguous(n.Field("const"))
			for _, key := range []string{"enum", "examples"} {
				if list := n.Field(key); list != nil && mixed(list) {
					for _, item := range list.Items {
						p.ambiguous(item)
					}
				}
			}
		})
		for _, st := range p.stages() {
			for _, e := range append(append([]*compile.Entry{}, st.Entries...), st.Fallback...) {
				for _, b := range e.Source.With {
					if param := e.Skill.Param(b.Name.Value); param != nil && param.Schema.Kind == "" {
						p.ambiguous(b.Value.Node)
					}
				}
			}
		}
	},
}

// mixed reports whether a list holds something that nth takes as a number or truth value, or text that others would.
func mixed(list *schema.Node) bool {
	for _, item := range list.Items {
		if ambiguousForm.MatchString(item.Text) && item.Style == schema.Plain && countryNO(list, item) {
			return true
		}
	}
	return false
}

// countryNO keeps [NO, DE] as it is: among other words in capitals, NO is a word in capitals.
func countryNO(list, item *schema.Node) bool {
	if item.Text != "NO" {
		return true
	}
	for _, other := range list.Items {
		if len(other.Text) != 2 || strings.ToUpper(other.Text) != other.Text {
			return true
		}
	}
	return len(list.Items) < 2
}

// ambiguousForm are the spellings of YAML 1.1 that YAML 1.2 took back, and those of JSON that look like numbers.
var ambiguousForm = regexp.MustCompile(`^([-+]?0[0-9]+|[-+]?0[xob][0-9A-Fa-f_]+|[-+]?[0-9][0-9]*_[0-9_]+|[0-9]{1,2}(:[0-5]?[0-9])+|\d{4}-\d{2}-\d{2}([Tt ].*)?|[+-]?\.[0-9]+|[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF|[yYnN])$`)

func (p *pass) ambiguous(n *schema.Node) {
	if n == nil || n.Kind != schema.Scalar || n.Style != schema.Plain || !ambiguousForm.MatchString(n.Text) {
		return
	}
	d := p.report(n.Range, "put it into quotes", "%q is a text here, and something else to other YAML tools", n.Text)
	d.Edits = []schema.Edit{{Range: n.Range, Text: quoted(n.Text)}}
}
