package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/nth-dev/nth/engine/report"
	"github.com/nth-dev/nth/schema"
)

// sample has what is hard to write: names that need escapes, several lines, a file outside of the folder, edits.
func sample() *report.Findings {
	at := func(file string, line, from, to int) schema.Range {
		return schema.Range{File: file, Start: schema.Pos{Line: line, Col: from}, End: schema.Pos{Line: line, Col: to}}
	}
	return &report.Findings{
		Dir: "/home/ada/shop", Version: "1.2.3", Files: []string{"a b/ü,1%.yaml", "clean.yaml", "../other/pack.yaml"},
		Sources: map[string][]byte{"a b/ü,1%.yaml": []byte("kind: flow/v1\nname: \"<x>\"\nname: y\n")},
		Rules:   []report.Rule{{ID: "unused", Summary: "not used", Doc: "Something\nis not used.", Severity: schema.Warning}},
		Found: schema.Diagnostics{
			{Severity: schema.Error, Rule: "duplicate-key", Summary: "100% of \"name\"\nis there twice", Fix: "remove one", Range: at("a b/ü,1%.yaml", 3, 1, 5), Related: []schema.Related{{Range: at("a b/ü,1%.yaml", 2, 1, 5), Message: "the first"}}},
			{Severity: schema.Warning, Rule: "unused", Summary: "<x> & y", Range: at("../other/pack.yaml", 1, 1, 2), Edits: []schema.Edit{{Range: at("../other/pack.yaml", 1, 1, 2), Text: "z"}}},
			{Severity: schema.Warning, Rule: "unused", Summary: "whole", Range: schema.Range{File: "a b/ü,1%.yaml", Start: schema.Pos{Line: 1, Col: 1}, End: schema.Pos{Line: 3, Col: 2}}},
		},
	}
}

func write(t *testing.T, f *report.Findings, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The published schema of SARIF 2.1.0 takes what is written, with and without findings.
func TestSARIFFitsItsSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	file, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := c.AddResource("sarif.json", file); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*report.Findings{"findings": sample(), "none": {Dir: "/", Files: []string{"a.yaml"}}} {
		var v any
		if err := json.Unmarshal([]byte(write(t, f, "sarif")), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

func TestSARIF(t *testing.T) {
	out := write(t, sample(), "sarif")
	for _, want := range []string{
		`"uri": "a%20b/%C3%BC,1%25.yaml"`, `"uriBaseId": "%SRCROOT%"`, `"uri": "file:///home/ada/other/pack.yaml"`,
		`"columnKind": "unicodeCodePoints"`, `"ruleIndex": 1`, `"insertedContent"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// A finding keeps its fingerprint when lines are put in above it, and two in like lines have different ones.
func TestFingerprints(t *testing.T) {
	prints := func(text string, lines ...int) []string {
		f := &report.Findings{Dir: "/", Files: []string{"a"}, Sources: map[string][]byte{"a": []byte(text)}}
		for _, ln := range lines {
			f.Found = append(f.Found, schema.Diagnostic{Severity: schema.Error, Rule: "r", Range: schema.Range{File: "a", Start: schema.Pos{Line: ln, Col: 1}, End: schema.Pos{Line: ln, Col: 2}}})
		}
		return regexp.MustCompile(`"nthFinding/v1": "(.*)"`).FindAllString(write(t, f, "sarif"), -1)
	}
	before, after := prints("x: 1\nx: 1\n", 1, 2), prints("# new\n\n  x:  1\nx: 1\n", 3, 4)
	if len(before) != 2 || !slices.Equal(before, after) || before[0] == before[1] {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestGitHub(t *testing.T) {
	want := `::error file=a b/ü%2C1%25.yaml,line=3,col=1,endLine=3,endColumn=4,title=nth%3A duplicate-key::100%25 of "name"%0Ais there twice (remove one)
::warning file=../other/pack.yaml,line=1,col=1,endLine=1,endColumn=1,title=nth%3A unused::<x> & y
::warning file=a b/ü%2C1%25.yaml,line=1,col=1,endLine=3,title=nth%3A unused::whole
`
	if got := write(t, sample(), "github"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestJUnit(t *testing.T) {
	out := write(t, sample(), "junit")
	var v struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if v.Tests != 4 || v.Failures != 3 || len(v.Suites) != 3 {
		t.Fatalf("%d tests, %d failures, %d suites, want 4, 3 and 3:\n%s", v.Tests, v.Failures, len(v.Suites), out)
	}
	for _, s := range v.Suites {
		failed := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed {
			t.Errorf("suite %s counts wrong:\n%s", s.Name, out)
		}
	}
	if got := v.Suites[0].Cases[0].Failure.Message; got != "100% of \"name\"\nis there twice" {
		t.Errorf("message %q", got)
	}
}

// junitRules is what junit-10.xsd of Jenkins' xunit plugin says of the elements that are written.
var junitRules = map[string]struct{ required, allowed, children string }{
	"testsuites": {"", "name time tests failures errors", "testsuite"},
	"testsuite":  {"name tests failures errors", "name tests failures errors group time skipped timestamp hostname id package file log url", "testsuite properties testcase system-out system-err"},
	"testcase":   {"name", "name time classname group", "skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err"},
	"failure":    {"", "type message", ""},
}

func TestJUnitFitsItsSchema(t *testing.T) {
	for name, f := range map[string]*report.Findings{"findings": sample(), "none": {Dir: "/", Files: []string{"a.yaml"}}} {
		dec := xml.NewDecoder(strings.NewReader(write(t, f, "junit")))
		var open []string
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch tok := tok.(type) {
			case xml.EndElement:
				open = open[:len(open)-1]
			case xml.StartElement:
				rule, ok := junitRules[tok.Name.Local]
				if len(open) == 0 && tok.Name.Local != "testsuites" || len(open) > 0 && !slices.Contains(strings.Fields(junitRules[open[len(open)-1]].children), tok.Name.Local) || !ok {
					t.Fatalf("%s: <%s> cannot stand in %v", name, tok.Name.Local, open)
				}
				var has []string
				for _, a := range tok.Attr {
					has = append(has, a.Name.Local)
					if !slices.Contains(strings.Fields(rule.allowed), a.Name.Local) {
						t.Errorf("%s: <%s> has no attribute %q", name, tok.Name.Local, a.Name.Local)
					}
				}
				for _, want := range strings.Fields(rule.required) {
					if !slices.Contains(has, want) {
						t.Errorf("%s: <%s> needs the attribute %q", name, tok.Name.Local, want)
					}
				}
				open = append(open, tok.Name.Local)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	var v struct {
		Files    int
		Findings schema.Diagnostics
	}
	if err := json.Unmarshal([]byte(write(t, sample(), "json")), &v); err != nil || v.Files != 3 || len(v.Findings) != 3 {
		t.Errorf("%v %+v", err, v)
	}
	if got := write(t, &report.Findings{}, "json"); !strings.Contains(got, `"findings": []`) {
		t.Errorf("no findings: %s", got)
	}
	for line := range strings.Lines(write(t, sample(), "jsonl")) {
		var d schema.Diagnostic
		if err := json.Unmarshal([]byte(line), &d); err != nil || d.Rule == "" {
			t.Errorf("%v: %s", err, line)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := sample().Write(&bytes.Buffer{}, "xml"); err == nil {
		t.Error("want an error")
	}
}
