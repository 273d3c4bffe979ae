package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

func (a *app) validateCmd() *cobra.Command {
	var format, failOn string
	c := &cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Check flows, packs and project files without running anything",
		Long: `Check flow, pack, skills and project files. A folder is searched for .yaml and .yml files with a "kind:" of nth;
without a path, the working folder is. Exit codes: 0 nothing to say; 1 findings; 2 wrong usage.`,
		Example: "  nth validate\n  nth validate flows/ --format json",
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json", "jsonl"}, format) {
				return usageErrorf("--format %q: known formats are text, json, jsonl", format)
			}
			if failOn != "error" && failOn != "warning" {
				return usageErrorf("--fail-on %q: write error or warning", failOn)
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			files, err := findFiles(args)
			if err != nil {
				return usageErrorf("%w", err)
			}
			if len(files) == 0 {
				return usageErrorf("no nth file in %s", strings.Join(args, ", "))
			}
			v := &validator{app: a, sources: map[string][]byte{}}
			for _, f := range files {
				if err := v.file(f); err != nil {
					return err
				}
			}
			v.found.Sort()
			if err := a.printValidation(v, len(files), format); err != nil {
				return err
			}
			if v.found.HasErrors() || failOn == "warning" && len(v.found) > 0 {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, json or jsonl")
	c.Flags().StringVar(&failOn, "fail-on", "error", "which findings make the exit code 1: error or warning")
	return c
}

// findFiles lists the files to check. Files that were named must be there; in folders, only nth's own kinds count.
func findFiles(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, filepath.Clean(p))
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
			if ext := filepath.Ext(name); (ext == ".yaml" || ext == ".yml") && isOurs(name) {
				out = append(out, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// isOurs reports whether a file says that it is one of nth's, even if it does not parse.
func isOurs(name string) bool {
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(data)) {
		if kind, ok := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "kind:"); ok {
			kind = strings.Trim(strings.TrimSpace(kind), `"'`)
			word, _, _ := strings.Cut(kind, "/")
			return slices.ContainsFunc(schema.Kinds(), func(k string) bool { return strings.HasPrefix(k, word+"/") })
		}
	}
	return false
}

// validator checks files one by one and gathers what it finds; a pack that several flows use is told once.
type validator struct {
	app     *app
	found   schema.Diagnostics
	sources map[string][]byte
}

func (v *validator) file(name string) error {
	project, err := v.app.loadProject(filepath.Dir(name))
	if err != nil {
		return err
	}
	c := &lint.Checker{Loader: &pack.Loader{AllowEval: project.Eval}, AllowEval: project.Eval}
	res, err := c.File(name)
	if err != nil {
		return usageErrorf("%w", err)
	}
	maps.Copy(v.sources, res.Sources)
	v.found = append(v.found, res.Findings...)
	return nil
}

func (a *app) printValidation(v *validator, files int, format string) error {
	switch format {
	case "json":
		if v.found == nil {
			v.found = schema.Diagnostics{}
		}
		return a.printJSON(map[string]any{"files": files, "findings": v.found})
	case "jsonl":
		enc := json.NewEncoder(a.stdout)
		enc.SetEscapeHTML(false)
		for _, d := range v.found {
			if err := enc.Encode(d); err != nil {
				return err
			}
		}
		return nil
	}
	v.found.Print(a.stdout, v.sources, terminal(a.stdout))
	if len(v.found) == 0 {
		fmt.Fprintf(a.stdout, "%d files checked, nothing to say\n", files)
	} else {
		fmt.Fprintf(a.stdout, "%d files checked, %d findings\n", files, len(v.found))
	}
	return nil
}
