package lint

import (
	"fmt"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// File is one file to check. At most one of Flow, Pack, Skills and Project is set: what the file was decoded to.
type File struct {
	Name    string
	Node    *schema.Node // the whole file; nil when it is no YAML
	Flow    *schema.Flow
	Pack    *schema.Pack
	Skills  *schema.Skills
	Project *schema.Project

	Program  *compile.Program // of a Flow; nil when it has errors
	Draft    *compile.Program // Program, also when it has errors that leave stages, skills and edges as they are
	Compiled *compile.Pack    // of a Pack; nil when it has errors
}

// Check runs the rules over a file. The findings are in source order.
func Check(f *File) schema.Diagnostics { return CheckRules(f, Rules()) }

// CheckRules is Check with some rules only.
func CheckRules(f *File, rules []*Rule) schema.Diagnostics {
	var found schema.Diagnostics
	if f.Draft == nil && f.Program != nil {
		whole := *f
		whole.Draft = f.Program
		f = &whole
	}
	if f.Draft != nil && len(f.Draft.Stages) > maxStages { // tooManyStages says so
		small := *f
		small.Program, small.Draft = nil, nil
		f = &small
	}
	p := &pass{File: f, shared: &shared{}, found: &found}
	for _, p.rule = range rules {
		if p.rule.Check != nil {
			p.rule.Check(p)
		}
	}
	found.Sort()
	return found
}

// pass is one rule over one file.
type pass struct {
	*File
	*shared
	rule  *Rule
	found *schema.Diagnostics
}

// shared is what the rules of one file work out together; each part is made when it is first asked for.
type shared struct {
	graphMemo *graph
	factsMemo *factFlow
	sitesMemo []*site

	mentionsMemo mentioned       // by all sites
	taintedMemo  map[string]bool // outputs with text of a page in them
}

// report adds a finding of the pass's rule. The Diagnostic may be added to until the next report.
func (p *pass) report(at schema.Range, fix, format string, args ...any) *schema.Diagnostic {
	*p.found = append(*p.found, schema.Diagnostic{Severity: p.rule.Severity, Rule: p.rule.ID, Summary: fmt.Sprintf(format, args...), Fix: fix, Range: at})
	return &(*p.found)[len(*p.found)-1]
}

// skills are those that the file itself declares, compiled; nil when it has errors.
func (p *pass) skills() []*compile.Skill {
	if p.Compiled == nil {
		return nil
	}
	return p.Compiled.Skills
}

// stages are those of the file, compiled; nil when it has errors.
func (p *pass) stages() []*compile.Stage {
	if p.Program == nil {
		return nil
	}
	return p.Program.Stages
}

// draft are the stages of the file, compiled as far as they could be; nil when errors leave open where they lead.
func (p *pass) draft() []*compile.Stage {
	if p.Draft == nil {
		return nil
	}
	return p.Draft.Stages
}

func related(at schema.Range, format string, args ...any) schema.Related {
	return schema.Related{Range: at, Message: fmt.Sprintf(format, args...)}
}
