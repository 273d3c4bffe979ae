package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a golden file, or rewrites it with -update.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; if the change is meant, run: go test ./schema -update\n--- got\n%s\n--- want\n%s", file, got, want)
	}
}

// The embedded JSON Schemas are those that the shapes make.
func TestEmbeddedSchemas(t *testing.T) {
	for _, k := range kinds {
		golden(t, schemaFile(k.name), generate(k))
	}
}

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestKindFindings(t *testing.T) {
	for text, want := range map[string]string{
		"kind: flow/v2\nname: a\nstages: {s: {end: ok}}":   `did you mean "flow/v1"?`,
		"kind: job\nname: a\nstages: {s: {end: ok}}":       "known kinds: flow/v1, pack/v1, skills/v1, project/v1",
		"name: a\nstages: {s: {end: ok}}":                  "the file does not say what kind it is",
		"kind:\nname: a\nstages: {s: {end: ok}}":           "the file does not say what kind it is",
		"kind: [flow/v1]\nname: a\nstages: {s: {end: ok}}": "kind must be a text, not a list",
		"- a": "the file must be a mapping",
	} {
		_, ds := DecodeFlow(parse(t, text))
		if len(ds) != 1 || !strings.Contains(ds.Error(), want) {
			t.Errorf("%q: got %v", text, ds)
		}
	}
	if _, err := JSONSchema("flow/v2"); err == nil || !strings.Contains(err.Error(), "known kinds") {
		t.Errorf("got %v", err)
	}
}
