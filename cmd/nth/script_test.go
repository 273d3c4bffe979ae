package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nth-dev/nth/engine/model/modeltest"
	contact "github.com/nth-dev/nth/flows/contact/site"
	flights "github.com/nth-dev/nth/flows/flights/site"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"nth": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// Every testdata/script/*.txtar is a session with the nth command. The scripts find the servers that they need in
// their environment: $FLIGHTS and $CONTACT (the example sites), $BROKEN (a site that misbehaves), $DOWN (nobody
// answers), and $MODEL_* (model endpoints that answer well, or badly in one way each).
func TestScripts(t *testing.T) {
	env := servers(t)
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "NTH_CACHE="+filepath.Join(e.WorkDir, ".cache"))
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_NODEJS_PATH", "PLAYWRIGHT_BROWSERS_PATH", "NTH_BROWSER"} {
				if v, ok := os.LookupEnv(name); ok {
					e.Vars = append(e.Vars, name+"="+v) // where the browser and its driver are installed
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"bigfile": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat("# padding\n", 1<<20)), 0o644))
			},
			// waitfor FILE waits until a file is there and is not empty.
			"waitfor": func(ts *testscript.TestScript, _ bool, args []string) {
				for start := time.Now(); time.Since(start) < 2*time.Minute; time.Sleep(20 * time.Millisecond) {
					if info, err := os.Stat(ts.MkAbs(args[0])); err == nil && info.Size() > 0 {
						return
					}
				}
				ts.Fatalf("%s never came", args[0])
			},
			// exit CODE COMMAND… runs a command and wants that exit code.
			"exit": exitCmd,
		},
	})
}

func exitCmd(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
	}
}

func servers(t *testing.T) []string {
	serve := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL + "/"
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := "http://" + ln.Addr().String() + "/"
	ln.Close()
	env := []string{
		"FLIGHTS=" + serve(flights.New()), "CONTACT=" + serve(contact.New()), "BROKEN=" + serve(broken()), "DOWN=" + down,
	}
	for name, answer := range map[string]func(modeltest.ChatRequest) modeltest.Reply{
		"GOOD": modeltest.Reader(nil),
		"PROSE": func(modeltest.ChatRequest) modeltest.Reply {
			return modeltest.Text("I would rather talk about the weather.")
		},
		"EMPTY": func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Text("") },
		"RANGE": func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Text("99") },
		"LIMIT": func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Status(429) },
		"ERROR": func(modeltest.ChatRequest) modeltest.Reply { return modeltest.Status(500) },
		"HALF": func(modeltest.ChatRequest) modeltest.Reply {
			return modeltest.Reply{Text: "1", Fault: modeltest.HalfClose}
		},
		"SILENT": func(modeltest.ChatRequest) modeltest.Reply {
			return modeltest.Reply{Text: "1", Fault: modeltest.HangHeaders}
		},
	} {
		s := modeltest.Start(t, answer)
		env = append(env, "MODEL_"+name+"="+s.URL())
	}
	return env
}

// broken is a site on which things go wrong.
func broken() http.Handler {
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Broken</title>"+body)
		})
	}
	mux.HandleFunc("/500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "out of order", 500) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	page("/cover", `<button onclick="document.title='clicked'">Go</button><div style="position:fixed;inset:0;background:#fffc">Please wait for ever</div>`)
	page("/dialog", `<button onclick="document.title='clicked'">Go</button>
		<div role="dialog" aria-modal="true" aria-label="Newsletter" style="position:fixed;inset:0;background:#fff"><button onclick="this.parentNode.remove()">No thanks</button></div>`)
	page("/vanish", `<button id="b">Go</button><script>let n = 0; b.addEventListener("pointerover", () => { b.remove(); document.title = "gone " + ++n })</script>`)
	return mux
}
