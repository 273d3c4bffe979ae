package compile

import (
	"slices"
	"testing"

	"github.com/nth-dev/nth/schema"
)

// What is checked here is what editors are told of.
func TestKeywords(t *testing.T) {
	told := schema.Keywords()
	slices.Sort(told)
	if !slices.Equal(told, keywordNames) {
		t.Errorf("package schema documents %q, and %q are checked", told, keywordNames)
	}
}
