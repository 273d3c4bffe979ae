package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/compile"
)

// Everything that can be called is explained, and nothing else.
func TestFunctions(t *testing.T) {
	var told []string
	for _, f := range functions {
		told = append(told, f.name)
		if !strings.HasPrefix(f.signature, f.name+"(") || f.doc == "" {
			t.Errorf("%+v", f)
		}
	}
	slices.Sort(told)
	if want := compile.Functions(); !slices.Equal(told, want) {
		t.Errorf("explained are %q, want %q", told, want)
	}
}
