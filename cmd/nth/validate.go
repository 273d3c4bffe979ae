package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/report"
	"github.com/nth-dev/nth/schema"
)

// validateFlags are the flags of nth validate.
type validateFlags struct {
	format, failOn, explain, stdinName string
	rules                              []string
	fix, noCache                       bool
}

func (a *app) validateCmd() *cobra.Command {
	var f validateFlags
	c := &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Check flows, packs and project files without running anything",
		Long: `Check flow, pack, skills and project files: what cannot run, and what runs but is probably wrong. A folder is searched
for .yaml and .yml files with a "kind:" of nth; without a path, the working folder is; "-" is the standard input.

A finding of a rule is silenced by a comment in its line, or in the one above: # nth:ignore RULE REASON
nth.yaml sets the severities of rules, for some files or all: lint: [{files: "old/**", rules: {unused: off}}]

Exit codes: 0 nothing to say, or only warnings; 1 findings; 2 wrong usage; 3 a bug in nth.`,
		Example: `  nth validate
  nth validate flows/ --format sarif > nth.sarif
  nth validate - --stdin-filename flows/book.yaml < draft.yaml
  nth validate --explain commit-unapproved`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			if f.explain != "" {
				return a.explain(f.explain)
			}
			return a.validate(args, f)
		},
	}
	c.Flags().StringVar(&f.format, "format", "text", strings.Join(report.Formats, ", "))
	c.Flags().StringVar(&f.failOn, "fail-on", "error", "which findings make the exit code 1: error, warning or none")
	c.Flags().StringSliceVar(&f.rules, "rule", nil, "only findings of these rules")
	c.Flags().StringVar(&f.explain, "explain", "", "explain a rule; all lists the rules")
	c.Flags().StringVar(&f.stdinName, "stdin-filename", stdinName, "what the standard input is called; packs are looked for beside it")
	c.Flags().BoolVar(&f.fix, "fix", false, "carry out the fixes that are certain")
	c.Flags().BoolVar(&f.noCache, "no-cache", false, "check everything again")
	return c
}

// stdinName is what the standard input is called when it has no other name.
const stdinName = "<stdin>"

// check refuses what the flags cannot mean.
func (f *validateFlags) check(args []string) error {
	if !slices.Contains(report.Formats, f.format) {
		return usageErrorf("--format %q: known formats are %s", f.format, strings.Join(report.Formats, ", "))
	}
	if !slices.Contains([]string{"error", "warning", "none"}, f.failOn) {
		return usageErrorf("--fail-on %q: write error, warning or none", f.failOn)
	}
	for _, r := range f.rules {
		if lint.Explain(r) == nil {
			return unknownRule("--rule", r)
		}
	}
	if f.stdinName != stdinName && !slices.Contains(args, "-") {
		return usageErrorf("--stdin-filename names the standard input, which is read for the argument -")
	}
	if f.fix && slices.Contains(args, "-") {
		return usageErrorf("--fix changes files, and the standard input is none")
	}
	return nil
}

// explain prints what a rule is about.
func (a *app) explain(id string) error {
	if id == "all" {
		for _, r := range lint.All() {
			fmt.Fprintf(a.stdout, "%-22s %-8s %s\n", r.ID, r.Severity, r.Summary)
		}
		return nil
	}
	r := lint.Explain(id)
	if r == nil {
		return unknownRule("--explain", id)
	}
	fmt.Fprintf(a.stdout, "%s (%s)\n%s.\n\n%s\n", r.ID, r.Severity, strings.ToUpper(r.Summary[:1])+r.Summary[1:], r.Doc)
	return nil
}

func unknownRule(flag, id string) error {
	if s := schema.Suggest(id, lint.AllIDs()); s != "" {
		return usageErrorf("%s: there is no rule %q; did you mean %q?", flag, id, s)
	}
	return usageErrorf("%s: there is no rule %q; nth validate --explain all lists them", flag, id)
}

func (a *app) validate(args []string, f validateFlags) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	v := newValidator(a, f)
	if i := slices.Index(args, "-"); i >= 0 {
		data, err := io.ReadAll(io.LimitReader(a.stdin, schema.MaxBytes+1))
		if err != nil {
			return fmt.Errorf("read the standard input: %w", err)
		}
		v.files.give(f.stdinName, data)
		args = slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "-" })
		v.names = append(v.names, f.stdinName)
	}
	named, found, err := listFiles(args)
	if err != nil {
		return usageErrorf("%w", err)
	}
	v.add(named, found)
	if err := v.run(); err != nil {
		return err
	}
	if len(v.names) == 0 {
		return usageErrorf("no nth file in %s", strings.Join(args, ", "))
	}
	if f.fix {
		if err := v.fix(); err != nil {
			return err
		}
	}
	if err := v.report().Write(a.stdout, f.format); err != nil {
		return err
	}
	if f.failOn != "none" && v.found.HasErrors() || f.failOn == "warning" && len(v.found) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// findFiles lists the files to work on. Files that were named must be there; in folders, only nth's own kinds count.
func findFiles(paths []string) ([]string, error) {
	out, found, err := listFiles(paths)
	if err != nil {
		return nil, err
	}
	for _, name := range found {
		if f, err := os.Open(name); err == nil {
			if isOurs(f) {
				out = append(out, name)
			}
			f.Close()
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// listFiles gives the files that were named, which must be there, and the YAML files in the folders that were.
func listFiles(paths []string) (named, found []string, err error) {
	for _, p := range paths {
		info, err := os.Stat(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s: there is no such file", p)
		}
		if err != nil {
			return nil, nil, err
		}
		if !info.IsDir() {
			named = append(named, filepath.Clean(p))
			continue
		}
		err = filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if base := d.Name(); name != p && (strings.HasPrefix(base, ".") || base == "node_modules") {
					return filepath.SkipDir
				}
				return nil
			}
			if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
				found = append(found, name)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return named, found, nil
}

// isOurs reports whether a file says that it is one of nth's, even if it does not parse.
func isOurs(f io.Reader) bool {
	for in := bufio.NewReaderSize(f, 1<<10); ; { // the kind is usually in the first line
		line, err := in.ReadString('\n')
		if kind, ok := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "kind:"); ok {
			kind = strings.Trim(strings.TrimSpace(kind), `"'`)
			word, _, _ := strings.Cut(kind, "/")
			return slices.ContainsFunc(schema.Kinds(), func(k string) bool { return strings.HasPrefix(k, word+"/") })
		}
		if err != nil {
			return false
		}
	}
}
