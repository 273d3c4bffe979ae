package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/nth-dev/nth/schema"
)

// JUnit's XML as Jenkins, GitLab and GitHub's test reporters read it: a suite per file, a case per finding. It keeps to the
// strictest of the published schemas, junit-10.xsd of Jenkins' xunit plugin: a case has no attributes for its place there,
// so that is in its name.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"` // always 0: the checks themselves did not break
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	File     string      `xml:"file,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (f *Findings) junit(w io.Writer) error {
	found := map[string]schema.Diagnostics{}
	names := append([]string{}, f.Files...)
	listed := map[string]bool{}
	for _, name := range names {
		listed[name] = true
	}
	for _, d := range f.Found {
		if found[d.Range.File] == nil && !listed[d.Range.File] {
			names = append(names, d.Range.File) // a pack that was checked with a flow
		}
		found[d.Range.File] = append(found[d.Range.File], d)
	}
	all := junitSuites{Failures: len(f.Found)}
	for _, name := range names {
		rel, _ := f.inside(name)
		s := junitSuite{Name: rel, File: rel, Failures: len(found[name])}
		for _, d := range found[name] {
			s.Cases = append(s.Cases, junitCase{
				Name: fmt.Sprintf("%s at %d:%d", d.Rule, d.Range.Start.Line, d.Range.Start.Col), Class: rel,
				Failure: &junitFailure{Message: d.Summary, Type: string(d.Severity), Text: d.String()},
			})
		}
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "no findings", Class: rel}}
		}
		s.Tests = len(s.Cases)
		all.Tests += s.Tests
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
