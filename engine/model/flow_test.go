package model

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nth-dev/nth/engine/enginetest"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

var pickedBy = regexp.MustCompile(`(pick \S+ by) \S+`)

// TestSameFlows runs whole flows with each driver against a stub of its wire: they do the same, record by record. The
// model behind every wire takes the last line of a menu that is not "Show more".
func TestSameFlows(t *testing.T) {
	for _, name := range []string{"fares", "more", "several"} {
		ar, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "step", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		want, asked := "", 0
		for _, d := range drivers {
			s := modeltest.Start(t, modeltest.Reader(func(menu []modeltest.Option) []string {
				last := menu[len(menu)-1]
				if strings.HasPrefix(last.Label, "Show ") && len(menu) > 1 {
					last = menu[len(menu)-2]
				}
				return []string{last.Key}
			}))
			got, err := enginetest.RunWith(ar, driver(t, d.spec, Config{BaseURL: d.base(s)}))
			if err != nil {
				t.Fatalf("%s with %s: %v", name, d.spec, err)
			}
			asked += len(s.Log())
			got = pickedBy.ReplaceAllString(got, "$1 model")
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s with %s:\n%s\nwith %s:\n%s", name, d.spec, got, drivers[0].spec, want)
			}
		}
		if asked < len(drivers) {
			t.Errorf("%s: only %d calls; this flow asks no model", name, asked)
		}
		t.Logf("%s: %d calls; %s", name, asked, want[strings.Index(want, "did:"):])
	}
}
