package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/nth-dev/nth/schema"
)

// Formats lists the forms in which findings can be written.
var Formats = []string{"text", "json", "jsonl", "sarif", "github", "junit"}

// Findings are what a check of files came to.
type Findings struct {
	Found   schema.Diagnostics
	Files   []string          // every file that was checked, in order
	Sources map[string][]byte // by the names that findings use, for excerpts; may be empty where Format needs none
	Rules   []Rule            // what is known about rules; a finding's rule need not be there
	Version string            // of nth
	Dir     string            // the working folder: file names are relative to it, or absolute
	Color   bool
}

// Rule describes a rule for the formats that carry descriptions.
type Rule struct {
	ID, Summary, Doc string
	Severity         schema.Severity // by default
}

// Write writes the findings in one of Formats.
func (f *Findings) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return f.text(w)
	case "json":
		return f.json(w)
	case "jsonl":
		return f.jsonl(w)
	case "sarif":
		return f.sarif(w)
	case "github":
		return f.github(w)
	case "junit":
		return f.junit(w)
	}
	return fmt.Errorf("unknown format %q; known formats are %s", format, strings.Join(Formats, ", "))
}

func (f *Findings) text(w io.Writer) error {
	f.Found.Print(w, f.Sources, f.Color)
	said := "nothing to say"
	if n := len(f.Found); n > 0 {
		said = N(n, "finding")
	}
	_, err := fmt.Fprintf(w, "%s checked, %s\n", N(len(f.Files), "file"), said)
	return err
}

func (f *Findings) json(w io.Writer) error {
	found := f.Found
	if found == nil {
		found = schema.Diagnostics{}
	}
	return encode(w, map[string]any{"files": len(f.Files), "findings": found}, "  ")
}

func (f *Findings) jsonl(w io.Writer) error {
	for _, d := range f.Found {
		if err := encode(w, d, ""); err != nil {
			return err
		}
	}
	return nil
}

func encode(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
