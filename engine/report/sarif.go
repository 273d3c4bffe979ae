package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// SARIF 2.1.0 (OASIS), as far as findings need it. testdata/sarif-schema-2.1.0.json is the published schema that the
// output is tested against.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string      `json:"id"`
	ShortDescription *sarifText  `json:"shortDescription,omitempty"`
	FullDescription  *sarifText  `json:"fullDescription,omitempty"`
	Help             *sarifText  `json:"help,omitempty"`
	Default          *sarifLevel `json:"defaultConfiguration,omitempty"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
}

type sarifLocation struct {
	ID       *int          `json:"id,omitempty"`
	Message  *sarifText    `json:"message,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

func (f *Findings) sarif(w io.Writer) error {
	rules, index := f.sarifRules()
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "nth", Version: f.Version, Rules: rules}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	prints := f.fingerprints()
	for i, d := range f.Found {
		r := sarifResult{
			RuleID: d.Rule, RuleIndex: index[d.Rule], Level: string(d.Severity), Message: sarifText{sentence(d)},
			Locations: []sarifLocation{{Physical: f.physical(d.Range)}}, Fingerprints: map[string]string{"nthFinding/v1": prints[i]},
		}
		for n, rel := range d.Related {
			r.Related = append(r.Related, sarifLocation{ID: &n, Message: &sarifText{rel.Message}, Physical: f.physical(rel.Range)})
		}
		if len(d.Edits) > 0 {
			r.Fixes = []sarifFix{f.sarifFix(d)}
		}
		run.Results = append(run.Results, r)
	}
	return encode(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}, "  ")
}

// sentence is a finding in words, with its way out.
func sentence(d schema.Diagnostic) string {
	if d.Fix == "" {
		return d.Summary
	}
	return d.Summary + " (" + d.Fix + ")"
}

// sarifRules describes the known rules, and names the others that were found.
func (f *Findings) sarifRules() ([]sarifRule, map[string]int) {
	rules := []sarifRule{} // the schema wants a list, be it empty
	index := map[string]int{}
	add := func(r sarifRule) {
		if _, ok := index[r.ID]; !ok {
			index[r.ID] = len(rules)
			rules = append(rules, r)
		}
	}
	for _, r := range f.Rules {
		doc := strings.Join(strings.Fields(r.Doc), " ")
		add(sarifRule{ID: r.ID, ShortDescription: &sarifText{r.Summary}, FullDescription: &sarifText{doc}, Help: &sarifText{doc}, Default: &sarifLevel{string(r.Severity)}})
	}
	var others []string
	for _, d := range f.Found {
		others = append(others, d.Rule)
	}
	slices.Sort(others)
	for _, id := range others {
		add(sarifRule{ID: id})
	}
	return rules, index
}

func (f *Findings) physical(r schema.Range) sarifPhysical {
	p := sarifPhysical{Artifact: f.artifact(r.File)}
	if r.Start.Line > 0 {
		region := region(r)
		p.Region = &region
	}
	return p
}

func region(r schema.Range) sarifRegion {
	return sarifRegion{StartLine: r.Start.Line, StartColumn: r.Start.Col, EndLine: r.End.Line, EndColumn: r.End.Col}
}

// artifact names a file by a URI relative to the working folder, or absolutely when it lies outside of it.
func (f *Findings) artifact(name string) sarifArtifact {
	rel, inside := f.inside(name)
	if inside {
		return sarifArtifact{URI: (&url.URL{Path: rel}).EscapedPath(), Base: "%SRCROOT%"}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(f.Dir, name)
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()}
}

// inside is a file's name relative to the working folder, with slashes, and whether it lies in it.
func (f *Findings) inside(name string) (string, bool) {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(f.Dir, name)
		if err != nil {
			return filepath.ToSlash(name), false
		}
		name = rel
	}
	name = filepath.ToSlash(filepath.Clean(name))
	return name, name != ".." && !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "/")
}

// fingerprints tell a finding again when lines have moved: by rule, file, the text of its line, and which of several
// such it is.
func (f *Findings) fingerprints() []string {
	seen := map[string]int{}
	lines := map[string]*schema.Source{}
	out := make([]string, len(f.Found))
	for i, d := range f.Found {
		src, ok := lines[d.Range.File]
		if !ok {
			src = schema.NewSource(d.Range.File, f.Sources[d.Range.File])
			lines[d.Range.File] = src
		}
		rel, _ := f.inside(d.Range.File)
		key := fmt.Sprintf("%s\x00%s\x00%s", d.Rule, rel, strings.Join(strings.Fields(src.Line(d.Range.Start.Line)), " "))
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		seen[key]++
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}

func (f *Findings) sarifFix(d schema.Diagnostic) sarifFix {
	fix := sarifFix{Description: sarifText{d.Fix}}
	for _, e := range d.Edits {
		a := f.artifact(e.Range.File)
		i := slices.IndexFunc(fix.Changes, func(c sarifChange) bool { return c.Artifact == a })
		if i < 0 {
			fix.Changes = append(fix.Changes, sarifChange{Artifact: a})
			i = len(fix.Changes) - 1
		}
		fix.Changes[i].Replacements = append(fix.Changes[i].Replacements, sarifReplacement{Deleted: region(e.Range), Inserted: sarifText{e.Text}})
	}
	return fix
}
