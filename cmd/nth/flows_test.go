package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	expenses "github.com/nth-dev/nth/flows/expenses/site"
	hotel "github.com/nth-dev/nth/flows/hotel/site"
	listing "github.com/nth-dev/nth/flows/listing/site"
	portal "github.com/nth-dev/nth/flows/portal/site"
	wiki "github.com/nth-dev/nth/flows/wiki/site"
)

// Every flows/NAME/test.txtar runs the flow beside it ($FLOW) against its site ($SITE).
func TestFlows(t *testing.T) {
	for name, site := range map[string]func() http.Handler{
		"expenses": func() http.Handler { return expenses.New() },
		"hotel":    func() http.Handler { return hotel.New() },
		"listing":  func() http.Handler { return listing.New() },
		"portal":   func() http.Handler { return portal.New() },
		"wiki":     wiki.New,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(site())
			t.Cleanup(server.Close) // the scripts run after this function
			dir, err := filepath.Abs("../../flows/" + name)
			if err != nil {
				t.Fatal(err)
			}
			testscript.Run(t, testscript.Params{
				Files: []string{filepath.Join(dir, "test.txtar")},
				Cmds:  map[string]func(*testscript.TestScript, bool, []string){"exit": exitCmd},
				Setup: func(e *testscript.Env) error {
					e.Vars = append(e.Vars, "FLOW="+filepath.Join(dir, "flow.yaml"), "SITE="+server.URL+"/")
					for _, name := range []string{"HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_NODEJS_PATH", "PLAYWRIGHT_BROWSERS_PATH", "NTH_BROWSER"} {
						if v, ok := os.LookupEnv(name); ok {
							e.Vars = append(e.Vars, name+"="+v)
						}
					}
					return nil
				},
			})
		})
	}
}
