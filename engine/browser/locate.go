package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Finding is one thing that was looked for, for nth doctor.
type Finding struct {
	OK     bool
	What   string // "node", "driver", "browser"
	Detail string // where it is and its version, or why it does not serve
	Fix    string // what to do about it; "" when OK
}

// driverVersion is the version of Playwright that playwright-go speaks to.
const driverVersion = "1.64.1"

// oldestNode is the first major version of Node.js that this Playwright runs on.
const oldestNode = 20

const doctor = "run: nth doctor --fix"

// Check looks for everything that a session needs, and changes nothing.
func Check(ctx context.Context) []Finding {
	found := []Finding{{What: "node"}, {What: "driver"}, {What: "browser"}}
	if path, version, err := node(ctx); err != nil {
		found[0].Detail, found[0].Fix = err.Error(), fmt.Sprintf("install Node.js %d or newer", oldestNode)
	} else {
		found[0].OK, found[0].Detail = true, path+" "+version
	}
	if err := driverInstalled(); err != nil {
		found[1].Detail, found[1].Fix = err.Error(), doctor
	} else {
		found[1].OK, found[1].Detail = true, "playwright "+driverVersion+" in "+driverDir()
	}
	path, err := executable(ctx, "")
	if err == nil {
		err = checkExecutable(ctx, path)
	}
	if err != nil {
		found[2].Detail, found[2].Fix = err.Error(), doctor
		if os.Getenv(envBrowser) != "" {
			found[2].Fix = "correct or unset " + envBrowser
		}
		return found
	}
	version, _ := browserVersion(ctx, path)
	found[2].OK, found[2].Detail = true, path+" "+version
	return found
}

const envBrowser = "NTH_BROWSER"

// DriverDir is the directory of Playwright's own files: the JavaScript package playwright-core is its folder "package".
// It is named by PLAYWRIGHT_DRIVER_PATH, or else lies in the user's cache; Fix fills it.
func DriverDir() string { return driverDir() }

func driverDir() string {
	if dir := os.Getenv("PLAYWRIGHT_DRIVER_PATH"); dir != "" {
		return dir
	}
	cache, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "ms-playwright-go", driverVersion)
	}
	switch runtime.GOOS { // as playwright-go chooses it
	case "windows":
		cache = filepath.Join(cache, "AppData", "Local")
	case "darwin":
		cache = filepath.Join(cache, "Library", "Caches")
	default:
		cache = filepath.Join(cache, ".cache")
	}
	return filepath.Join(cache, "ms-playwright-go", driverVersion)
}

func driverInstalled() error {
	if os.Getenv("PLAYWRIGHT_CLI_PATH") != "" {
		return nil // somebody manages it otherwise
	}
	text, err := os.ReadFile(filepath.Join(driverDir(), "package", "package.json"))
	for _, name := range []string{"cli.js", "browsers.json", filepath.Join("lib", "coreBundle.js")} {
		if err == nil {
			_, err = os.Stat(filepath.Join(driverDir(), "package", name))
		}
	}
	if err != nil {
		return fmt.Errorf("playwright %s is not installed in %s", driverVersion, driverDir())
	}
	var pkg struct{ Version string }
	if err := json.Unmarshal(text, &pkg); err != nil || pkg.Version != driverVersion {
		return fmt.Errorf("%s holds playwright %s, and %s is needed", driverDir(), pkg.Version, driverVersion)
	}
	return nil
}

var nodeOnce sync.Mutex

// driverReady checks the driver and tells playwright-go which Node.js to use.
func driverReady() error {
	nodeOnce.Lock()
	defer nodeOnce.Unlock()
	if err := driverInstalled(); err != nil {
		return fmt.Errorf("no browser driver: %w; %s", err, doctor)
	}
	return useNode()
}

// useNode points playwright-go at a Node.js, unless it has its own or was told. nodeOnce is held.
func useNode() error {
	if os.Getenv("PLAYWRIGHT_NODEJS_PATH") != "" {
		return nil
	}
	if _, err := os.Stat(ownNode()); err == nil {
		return nil
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return fmt.Errorf("no Node.js on PATH, which the browser driver needs: install Node.js %d or newer, or %s", oldestNode, doctor)
	}
	return os.Setenv("PLAYWRIGHT_NODEJS_PATH", path)
}

func ownNode() string {
	name := "node"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(driverDir(), name)
}

// node finds the Node.js that the driver will run on.
func node(ctx context.Context) (path, version string, err error) {
	path = os.Getenv("PLAYWRIGHT_NODEJS_PATH")
	if path == "" {
		path = ownNode()
		if _, err := os.Stat(path); err != nil {
			if path, err = exec.LookPath("node"); err != nil {
				return "", "", errors.New("not on PATH")
			}
		}
	}
	out, err := output(ctx, path, "--version")
	if err != nil {
		return "", "", fmt.Errorf("%s does not run: %w", path, err)
	}
	version = strings.TrimSpace(out)
	major, _ := strconv.Atoi(strings.SplitN(strings.TrimPrefix(version, "v"), ".", 2)[0])
	if major < oldestNode {
		return "", "", fmt.Errorf("%s is version %s, and %d or newer is needed", path, version, oldestNode)
	}
	return path, version, nil
}

// executable finds the browser: the configured one (and no other, when there is one), Playwright's own Chromium,
// then Chrome or Chromium on PATH. The error names everything that was tried.
func executable(ctx context.Context, configured string) (string, error) {
	source := "the configured browser"
	if configured == "" {
		configured, source = os.Getenv(envBrowser), envBrowser
	}
	if configured != "" {
		if err := runnable(configured); err != nil {
			return "", fmt.Errorf("%s cannot be used: %w", source, err)
		}
		return configured, nil
	}
	own := ownChromium()
	for _, p := range own {
		if runnable(p) == nil {
			return p, nil
		}
	}
	var tried []string
	if len(own) == 0 {
		tried = append(tried, "Playwright's own Chromium (not installed in "+browsersDir()+")")
	}
	names := browserNames()
	for _, name := range names {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	tried = append(tried, strings.Join(names, ", ")+" on PATH")
	return "", fmt.Errorf("no browser found; tried %s=(unset), %s; %s", envBrowser, strings.Join(tried, ", "), doctor)
}

func browserNames() []string {
	names := []string{"google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"}
	switch runtime.GOOS {
	case "darwin":
		names = append(names, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
	case "windows":
		names = append(names, filepath.Join(os.Getenv("ProgramFiles"), "Google", "Chrome", "Application", "chrome.exe"))
	}
	return names
}

// browsersDir is where `playwright install` puts browsers.
func browsersDir() string {
	if dir := os.Getenv("PLAYWRIGHT_BROWSERS_PATH"); dir != "" && dir != "0" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "ms-playwright")
}

// ownChromium lists the Chromiums that `playwright install` has put down for this version of the driver.
func ownChromium() []string {
	text, err := os.ReadFile(filepath.Join(driverDir(), "package", "browsers.json"))
	if err != nil {
		return nil
	}
	var list struct {
		Browsers []struct{ Name, Revision string }
	}
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	var out []string
	for _, b := range list.Browsers {
		if b.Name != "chromium" {
			continue
		}
		for _, pattern := range []string{"*/chrome", "*/chrome.exe", "*/*.app/Contents/MacOS/*"} {
			found, _ := filepath.Glob(filepath.Join(browsersDir(), "chromium-"+b.Revision, pattern))
			out = append(out, found...)
		}
	}
	return out
}

// runnable checks that a path names a file that can be executed.
func runnable(path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case err != nil:
		return err
	case st.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case runtime.GOOS != "windows" && st.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not executable", path)
	}
	return nil
}

// checkExecutable asks a browser what it is.
func checkExecutable(ctx context.Context, path string) error {
	if err := runnable(path); err != nil {
		return err
	}
	version, err := browserVersion(ctx, path)
	if err != nil {
		return err
	}
	if majorOf(version) < oldest {
		return fmt.Errorf("%s is version %s, and %d or newer is needed", path, version, oldest)
	}
	return nil
}

var versionRE = regexp.MustCompile(`(?i)(?:chrom|edge|brave)\D*(\d+(?:\.\d+)+)`)

func browserVersion(ctx context.Context, path string) (string, error) {
	out, err := output(ctx, path, "--version")
	if err != nil {
		return "", fmt.Errorf("%s is not a browser: `%s --version` failed: %w", path, filepath.Base(path), err)
	}
	m := versionRE.FindStringSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("%s is not a Chrome or Chromium: `%s --version` says %q", path, filepath.Base(path), firstLine(out))
	}
	return m[1], nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 80 {
		s = s[:80]
	}
	return s
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(out), err
}
