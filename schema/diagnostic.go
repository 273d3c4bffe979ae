package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file. Line and Col are 1-based; Col counts runes. The zero Pos means "no place".
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

// Range is a stretch of a file; End is exclusive.
type Range struct {
	File  string `json:"file"`
	Start Pos    `json:"start"`
	End   Pos    `json:"end"`
}

func (r Range) String() string {
	if r.Start.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Col)
}

// Severity says whether a finding stops the flow from running (Error) or not.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is one finding about a user's file.
type Diagnostic struct {
	Severity Severity  `json:"severity"`
	Rule     string    `json:"rule"`    // stable id, kebab-case: "unknown-key"
	Summary  string    `json:"summary"` // one line that quotes the offending value
	Fix      string    `json:"fix,omitempty"`
	Range    Range     `json:"range"`
	Related  []Related `json:"related,omitempty"` // "first declared here"
	// Edits carry out Fix where it is certain; they do not overlap. Only nth validate --fix applies them.
	Edits []Edit `json:"edits,omitempty"`
}

// Edit replaces a stretch of a file.
type Edit struct {
	Range Range  `json:"range"`
	Text  string `json:"text"`
}

// Related is a second place that explains a finding.
type Related struct {
	Range   Range  `json:"range"`
	Message string `json:"message"`
}

// Diagnostics is a list of findings; it is an error when it is not empty.
type Diagnostics []Diagnostic

// Errorf adds a finding of severity Error, which may be added to until the next one.
func (ds *Diagnostics) Errorf(at Range, rule, fix, format string, args ...any) *Diagnostic {
	*ds = append(*ds, Diagnostic{Severity: Error, Rule: rule, Summary: fmt.Sprintf(format, args...), Fix: fix, Range: at})
	return &(*ds)[len(*ds)-1]
}

// Has reports whether something has been found in the name of a rule at a place.
func (ds Diagnostics) Has(rule string, at Range) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Rule == rule && d.Range == at })
}

// HasErrors reports whether any finding is an Error.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort puts the findings in source order (file, line, column, rule, summary) and drops exact repeats.
func (ds *Diagnostics) Sort() {
	slices.SortStableFunc(*ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Range.File, b.Range.File),
			cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Col, b.Range.Start.Col),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Summary, b.Summary))
	})
	*ds = slices.CompactFunc(*ds, func(a, b Diagnostic) bool {
		return a.Range == b.Range && a.Rule == b.Rule && a.Summary == b.Summary
	})
}

func (d Diagnostic) String() string {
	s := fmt.Sprintf("%s: %s: %s [%s]", d.Range, d.Severity, d.Summary, d.Rule)
	if d.Fix != "" {
		s += " (" + d.Fix + ")"
	}
	return s
}

func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}
