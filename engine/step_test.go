package engine_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nth-dev/nth/engine/enginetest"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/step")

// Every testdata/step/*.txtar is a flow, its pages, the picks, and what must happen (want).
func TestSteps(t *testing.T) {
	files, err := filepath.Glob("../testdata/step/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no step tests", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := enginetest.Run(ar)
			if err != nil {
				t.Fatal(err)
			}
			for i := range ar.Files {
				if f := &ar.Files[i]; f.Name == "want" {
					if *update {
						f.Data = []byte(got)
						if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
							t.Fatal(err)
						}
						return
					}
					if got != string(f.Data) {
						t.Errorf("got:\n%s\nwant:\n%s\nif the change is meant, run: go test ./engine -run TestSteps -update", got, f.Data)
					}
					return
				}
			}
			t.Fatal("no part want")
		})
	}
}
