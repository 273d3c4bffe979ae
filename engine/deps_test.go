package engine_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Arrows point one way: cmd → adapters → engine → compile → schema. No package may depend on one above it, and the
// heavy libraries stay behind their fences.
func TestDirection(t *testing.T) {
	const module = "github.com/nth-dev/nth/"
	adapters := []string{"engine/browser", "engine/model", "engine/pack", "engine/report", "engine/trace", "engine/enginetest", "cmd/", "flows", "stdlib-skills"}
	for pkg, banned := range map[string][]string{
		"schema":          append([]string{"engine"}, adapters...),
		"engine/compile":  append([]string{"engine$"}, adapters...),
		"engine":          adapters,
		"engine/browser":  {"engine/model", "engine/pack", "engine/report", "cmd/", "flows", "stdlib-skills"},
		"engine/model":    {"engine/browser", "engine/pack", "engine/report", "cmd/", "flows", "stdlib-skills"},
		"engine/pack":     {"engine$", "engine/browser", "engine/model", "engine/report", "cmd/", "flows"},
		"engine/report":   {"engine/browser", "engine/model", "engine/pack", "cmd/", "flows", "stdlib-skills"},
		"engine/...":      {"cmd/", "flows"},
		"stdlib-skills":   {"engine", "schema", "flows", "cmd/"},
		"flows/...":       {"engine", "schema", "cmd/"},
		"engine/pack/...": {"github.com/mxschmitt/playwright-go", "github.com/tmc/langchaingo"},
	} {
		out, err := exec.Command("go", "list", "-deps", module+pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("go list %s: %v\n%s", pkg, err, out)
		}
		for dep := range strings.FieldsSeq(string(out)) {
			for _, b := range banned {
				full := b
				if !strings.HasPrefix(b, "github.com/") {
					full = module + b
				}
				exact, isExact := strings.CutSuffix(full, "$")
				if isExact && dep == exact || !isExact && strings.HasPrefix(dep, full) && dep != module+strings.TrimSuffix(pkg, "/...") {
					t.Errorf("%s depends on %s", pkg, dep)
				}
			}
		}
	}
}
