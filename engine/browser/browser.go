package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Options say how to start a browser. The zero value is a headless Chromium of 1280x720 pixels, found by itself.
type Options struct {
	Executable string // path of the browser; "" = NTH_BROWSER, or the first that is found (see Check)
	Headed     bool   // show the window
	Width      int    // of the viewport, in CSS pixels; 0 = 1280
	Height     int    // 0 = 720
	Locale     string // such as "de-DE"; "" = the browser's own
	Timezone   string // IANA name, such as "Europe/Berlin"; "" = the machine's
}

// Browser is one browser process. It is safe for concurrent use.
type Browser struct {
	opts    Options
	path    string
	pw      *playwright.Playwright
	browser playwright.Browser
	script  script
	gone    chan struct{} // closed when the process has ended
	once    sync.Once
	err     error
}

// oldest is the first major version of Chromium that has all that the driver and the injected script use.
const oldest = 120

// Launch starts a browser. When no driver or no browser is found, or the one that was asked for does not work, the
// error names what was tried and how to mend it. It obeys ctx.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	if o.Width == 0 {
		o.Width = 1280
	}
	if o.Height == 0 {
		o.Height = 720
	}
	path, err := executable(ctx, o.Executable)
	if err != nil {
		return nil, err
	}
	type result struct {
		b   *Browser
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := launch(o, path)
		done <- result{b, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			if why := checkExecutable(ctx, path); why != nil {
				r.err = why
			}
			return nil, fmt.Errorf("launch browser: %w", r.err)
		}
		return r.b, nil
	case <-ctx.Done():
		go func() {
			if r := <-done; r.b != nil {
				_ = r.b.Close()
			}
		}()
		return nil, fmt.Errorf("launch browser: %w", ctx.Err())
	}
}

func launch(o Options, path string) (*Browser, error) {
	pw, err := startDriver()
	if err != nil {
		return nil, err
	}
	args := []string{"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox refuses to run as root
	}
	pb, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: &path,
		Headless:       playwright.Bool(!o.Headed),
		Args:           args,
		HandleSIGINT:   playwright.Bool(false), // we close it ourselves, after the record is written
		Timeout:        playwright.Float(30_000),
	})
	if err != nil {
		_ = pw.Stop()
		return nil, fmt.Errorf("%s: %s", path, headline(err))
	}
	if major := majorOf(pb.Version()); major > 0 && major < oldest {
		_ = pb.Close()
		_ = pw.Stop()
		return nil, fmt.Errorf("%s is version %s, and %d or newer is needed", path, pb.Version(), oldest)
	}
	b := &Browser{opts: o, path: path, pw: pw, browser: pb, script: newScript(), gone: make(chan struct{})}
	var once sync.Once
	pb.OnDisconnected(func(playwright.Browser) { once.Do(func() { close(b.gone) }) })
	return b, nil
}

// startDriver starts Playwright's own process, which must be installed.
func startDriver() (*playwright.Playwright, error) {
	if err := driverReady(); err != nil {
		return nil, err
	}
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory: driverDir(), SkipInstallBrowsers: true,
		Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, fmt.Errorf("start browser driver: %s; run: nth doctor --fix", headline(err))
	}
	return pw, nil
}

// Version is the browser's version, such as "156.0.8078.108".
func (b *Browser) Version() string { return b.browser.Version() }

// Executable is the path of the browser's program.
func (b *Browser) Executable() string { return b.path }

// Close ends the browser and all its sessions. It may be called twice, and when the browser is gone already.
func (b *Browser) Close() error {
	b.once.Do(func() {
		done := make(chan error, 1)
		go func() {
			err := b.browser.Close()
			done <- errors.Join(ignoreClosed(err), ignoreExit(b.pw.Stop()))
		}()
		select {
		case b.err = <-done:
		case <-time.After(10 * time.Second):
			b.err = errors.New("close browser: it does not answer")
		}
	})
	return b.err
}

func ignoreClosed(err error) error {
	if err == nil || lostMessage(err.Error()) {
		return nil
	}
	return fmt.Errorf("close browser: %s", headline(err))
}

// ignoreExit drops how the driver's process ended: we have just told it to.
func ignoreExit(err error) error {
	if err == nil || strings.Contains(err.Error(), "exit status") || strings.Contains(err.Error(), "signal:") || lostMessage(err.Error()) ||
		strings.Contains(err.Error(), "file already closed") || strings.Contains(err.Error(), "broken pipe") || strings.Contains(err.Error(), "Wait was already called") {
		return nil
	}
	return fmt.Errorf("stop browser driver: %w", err)
}

func majorOf(version string) int {
	n, _ := strconv.Atoi(strings.SplitN(version, ".", 2)[0])
	return n
}
