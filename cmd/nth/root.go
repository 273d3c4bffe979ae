package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nth-dev/nth/engine"
)

// Exit codes.
const (
	exitOK          = 0
	exitFindings    = 1
	exitUsage       = 2
	exitInternal    = 3
	exitFailed      = 10
	exitInDoubt     = 11
	exitDenied      = 12
	exitInterrupted = 130
)

// exitError is an error that carries its exit code. An empty message prints nothing: it has been printed already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usageErrorf(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// app is what the commands share: where they read and write.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// Main runs the command line and returns the exit code. It never panics.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "nth: internal error: %v\nThis is a bug in nth; please report it with the command that you ran.\n", r)
			if os.Getenv("NTH_DEBUG") != "" {
				fmt.Fprintf(stderr, "%s\n", debug.Stack())
			}
			code = exitInternal
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { // a second Ctrl-C ends the program at once
		<-ctx.Done()
		stop()
	}()
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	cmd := a.root()
	cmd.SetArgs(args)
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var ee *exitError
	if errors.As(err, &ee) {
		if msg := ee.Error(); msg != "" {
			fmt.Fprintf(stderr, "nth: %s\n", msg)
		}
		return ee.code
	}
	fmt.Fprintf(stderr, "nth: %s\nRun 'nth help' for the commands.\n", err)
	return exitUsage // cobra's own errors: unknown command or flag, wrong number of arguments
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "nth",
		Short: "Run browser flows from YAML: a model only picks a number",
		Long: `nth runs bookings, forms and portals from YAML. A flow declares stages; each stage lists the typed skills that
are relevant there. At every step nth takes one snapshot of the page, turns the relevant skills into a short
numbered menu of what is possible and allowed now, and a model (or a rule, or you) picks a number.

Start with 'nth demo', then 'nth init'.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(a.runCmd(), a.demoCmd(), a.menuCmd(), a.snapshotCmd(), a.validateCmd(), a.fmtCmd(), a.lspCmd(), a.cacheCmd(), a.packCmd(), a.schemaCmd(), a.doctorCmd(), a.initCmd(), a.versionCmd(), a.expressions())
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageErrorf("%w\nRun 'nth %s --help' for its flags.", err, strings.TrimPrefix(c.CommandPath(), "nth "))
	})
	return root
}

// terminal reports whether w is a terminal that may be coloured.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(*cobra.Command, []string) { fmt.Fprintln(a.stdout, "nth "+version()) },
	}
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v += " " + s.Value[:12]
		}
	}
	return v + " " + info.GoVersion
}

// statusCode is the exit code of a run's status.
func statusCode(s engine.Status) int {
	switch s {
	case engine.Done:
		return exitOK
	case engine.InDoubt:
		return exitInDoubt
	case engine.Denied:
		return exitDenied
	case engine.Interrupted:
		return exitInterrupted
	}
	return exitFailed
}
