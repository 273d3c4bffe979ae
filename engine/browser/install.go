package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// Fix installs what Check misses, and tells w what it does: the driver, then a browser by the first way that works
// (`playwright install chromium`, then the Debian package when root). The error names each way that failed.
func Fix(ctx context.Context, w io.Writer) error {
	if err := fixDriver(ctx, w); err != nil {
		return err
	}
	return fixBrowser(ctx, w)
}

func fixDriver(ctx context.Context, w io.Writer) error {
	nodeOnce.Lock()
	defer nodeOnce.Unlock()
	if driverInstalled() == nil {
		return useNode()
	}
	// Without a Node.js on PATH, playwright-go fetches one of its own.
	_ = useNode()
	fmt.Fprintf(w, "driver: installing playwright %s in %s\n", driverVersion, driverDir())
	done := make(chan error, 1)
	go func() { done <- installDriver(driverDir()) }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("install browser driver: %w", err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("install browser driver: %w", ctx.Err())
	}
}

// installDriver fills a directory with the driver, or leaves it as it was.
func installDriver(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "driver-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	err = playwright.Install(&playwright.RunOptions{
		DriverDirectory: fresh, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

func fixBrowser(ctx context.Context, w io.Writer) error {
	path, missing := executable(ctx, "")
	if missing == nil {
		if err := checkExecutable(ctx, path); err == nil {
			fmt.Fprintf(w, "browser: %s\n", path)
			return nil
		} else if os.Getenv(envBrowser) != "" {
			return fmt.Errorf("%s: %w", envBrowser, err)
		} else {
			fmt.Fprintf(w, "browser: %v\n", err)
			missing = err
		}
	} else if os.Getenv(envBrowser) != "" {
		return missing
	}
	failed := []error{missing}
	for _, way := range []struct {
		name string
		run  func(context.Context, io.Writer) error
	}{{"playwright install chromium", playwrightInstall}, {"apt-get install chromium", aptInstall}} {
		fmt.Fprintf(w, "browser: %s\n", way.name)
		err := way.run(ctx, w)
		if err == nil {
			if path, err = executable(ctx, ""); err == nil {
				err = checkExecutable(ctx, path)
			}
		}
		if err == nil {
			fmt.Fprintf(w, "browser: %s\n", path)
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("install browser: %w", ctx.Err())
		}
		fmt.Fprintf(w, "browser: %s: %v\n", way.name, err)
		failed = append(failed, fmt.Errorf("%s: %w", way.name, err))
	}
	return fmt.Errorf("install browser: %w", errors.Join(failed...))
}

func playwrightInstall(ctx context.Context, w io.Writer) error {
	if err := driverReady(); err != nil {
		return err
	}
	d, err := playwright.NewDriver(&playwright.RunOptions{DriverDirectory: driverDir(), Stdout: w, Stderr: w, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	cmd := d.Command("install", "--no-shell", "chromium")
	return runQuietly(ctx, cmd)
}

func aptInstall(ctx context.Context, _ io.Writer) error {
	if os.Geteuid() != 0 {
		return errors.New("needs root")
	}
	apt, err := exec.LookPath("apt-get")
	if err != nil {
		return errors.New("no apt-get here")
	}
	if err := runQuietly(ctx, exec.Command(apt, "update")); err != nil {
		return err
	}
	return runQuietly(ctx, exec.Command(apt, "install", "-y", "--no-install-recommends", "chromium"))
}

// runQuietly runs a command to its end, or to ctx's; its last words are part of the error.
func runQuietly(ctx context.Context, cmd *exec.Cmd) error {
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err == nil {
			return nil
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			if l := strings.TrimSpace(lines[i]); strings.Contains(l, "rror") || strings.HasPrefix(l, "E:") {
				return fmt.Errorf("%w: %s", err, firstLine(l))
			}
		}
		return fmt.Errorf("%w: %s", err, firstLine(lines[len(lines)-1]))
	case <-ctx.Done():
		_ = cmd.Process.Kill()
		<-done
		return ctx.Err()
	}
}
