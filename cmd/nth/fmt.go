package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/format"
	"github.com/nth-dev/nth/schema"
)

// fmtFlags are the flags of nth fmt.
type fmtFlags struct {
	check, diff bool
}

func (a *app) fmtCmd() *cobra.Command {
	var f fmtFlags
	c := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Write files in their canonical form",
		Long: `Write flow, pack, skills and project files in their canonical form: known keys in the order of the schema, two blanks
per level, at most one empty line in a row. Comments, texts and the order of stages, skills and params stay. A file is
only written when it says the same as before.

A folder is searched like nth validate does; without a path, the working folder is; "-" formats the standard input to
the standard output. The names of files that were changed are printed.

Exit codes: 0 done, or nothing to do; 1 a file cannot be read as YAML, or with --check, a file would change; 2 wrong usage.`,
		Example: `  nth fmt
  nth fmt --check flows/
  nth fmt --diff flows/book.yaml
  nth fmt - < draft.yaml`,
		RunE: func(_ *cobra.Command, args []string) error { return a.fmt(args, f) },
	}
	c.Flags().BoolVar(&f.check, "check", false, "change nothing; exit with 1 when a file would change")
	c.Flags().BoolVar(&f.diff, "diff", false, "change nothing; print what would change")
	return c
}

func (a *app) fmt(args []string, f fmtFlags) error {
	if slices.Contains(args, "-") {
		if len(args) > 1 {
			return usageErrorf("- stands alone: the standard input is formatted to the standard output")
		}
		return a.fmtStdin(f)
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	names, err := findFiles(args)
	if err != nil {
		return usageErrorf("%w", err)
	}
	if len(names) == 0 {
		return usageErrorf("no nth file in %s", strings.Join(args, ", "))
	}
	failed := false
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return usageErrorf("%w", err)
		}
		out := a.canonical(name, data)
		switch {
		case out == nil:
			failed = true
		case bytes.Equal(out, data):
		case f.diff:
			failed = failed || f.check
			a.printDiff(name, data, out)
		case f.check:
			failed = true
			fmt.Fprintln(a.stdout, name)
		default:
			if err := replaceFile(name, out); err != nil {
				return fmt.Errorf("write %s: %w", name, err)
			}
			fmt.Fprintln(a.stdout, name)
		}
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (a *app) fmtStdin(f fmtFlags) error {
	data, err := io.ReadAll(io.LimitReader(a.stdin, schema.MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read the standard input: %w", err)
	}
	out := a.canonical(stdinName, data)
	changed := !bytes.Equal(out, data)
	switch {
	case out == nil:
		return &exitError{code: exitFindings}
	case f.diff:
		a.printDiff(stdinName, data, out)
	case !f.check:
		if _, err := a.stdout.Write(out); err != nil {
			return err
		}
	}
	if f.check && changed {
		return &exitError{code: exitFindings}
	}
	return nil
}

// canonical is the canonical form of a file; nil when there is none, which has been printed then.
func (a *app) canonical(name string, data []byte) []byte {
	out, ds, err := format.Source(name, data)
	if err != nil {
		fmt.Fprintf(a.stderr, "nth: %s: %v; it is left as it is\n", name, err)
		return nil
	}
	if len(ds) > 0 {
		a.printFindings(ds, map[string][]byte{name: data})
		return nil
	}
	return out
}

func (a *app) printDiff(name string, old, new []byte) {
	a.stdout.Write(diff.Diff(name+" (now)", old, name+" (formatted)", new))
}
