package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes an executable shell script.
func shell(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrowserThatDoesNotServe(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"missing":        {"/no/such/browser", "/no/such/browser does not exist"},
		"not executable": {plain, "is not executable"},
		"a directory":    {t.TempDir(), "is a directory"},
		"exits":          {shell(t, "exit 1"), "exit status 1"},
		"no browser":     {shell(t, "echo hello"), `says "hello"`},
		"too old":        {shell(t, `case "$1" in --version) echo Chromium 90.0.4430.72;; *) exit 1;; esac`), "is version 90.0.4430.72, and 120 or newer is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Launch(testContext(t), Options{Executable: c.path})
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v", err)
			}
			t.Setenv(envBrowser, c.path)
			f := Check(testContext(t))
			if b := f[len(f)-1]; b.What != "browser" || b.OK || !strings.Contains(b.Detail, c.says) || b.Fix == "" {
				t.Errorf("check: %+v", b)
			}
			if _, err := Launch(testContext(t), Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("from the environment: %v", err)
			}
		})
	}
}

func TestNothingFound(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(envBrowser, "")
	t.Setenv("PLAYWRIGHT_BROWSERS_PATH", t.TempDir())
	_, err := Launch(testContext(t), Options{})
	if err == nil {
		t.Fatal("a browser was found")
	}
	for _, want := range []string{"Playwright's own", "chromium", "google-chrome", "on PATH", "run: nth doctor --fix"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	t.Setenv("PLAYWRIGHT_DRIVER_PATH", t.TempDir())
	f := Check(testContext(t))
	if f[1].What != "driver" || f[1].OK || f[1].Fix == "" {
		t.Errorf("check: %+v", f)
	}
	if _, err := Launch(testContext(t), Options{Executable: shared.Executable()}); err == nil || !strings.Contains(err.Error(), doctor) {
		t.Errorf("no driver: %v", err)
	}
}

func TestCheckFindsAll(t *testing.T) {
	for _, f := range Check(testContext(t)) {
		if !f.OK || f.Detail == "" || f.Fix != "" {
			t.Errorf("%+v", f)
		}
	}
	if _, err := os.Stat(filepath.Join(DriverDir(), "package", "cli.js")); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	if err := Fix(testContext(t), &out); err != nil || !strings.Contains(out.String(), "browser: ") {
		t.Errorf("fixing what is whole: %v, %q", err, out.String())
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if f := Check(done); f[0].OK {
		t.Error("a check that was called off says that all is well")
	}
}
