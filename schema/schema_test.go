package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
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
