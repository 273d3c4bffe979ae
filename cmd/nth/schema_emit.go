package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

func (a *app) schemaEmitCmd() *cobra.Command {
	var dir string
	var settings bool
	c := &cobra.Command{
		Use:   "emit [PATH...]",
		Short: "Write JSON Schemas with the skills and params of this project's flows",
		Long: `Write a JSON Schema for each flow, which knows the skills of the flow's packs with their params, and one for each other
kind of file that is there. yaml-language-server, which most editors have, then completes, documents and checks them.

Printed is the line with which a file names its schema; write it at the top of the file. With --settings, the settings
for VS Code that do the same without touching the files are printed instead; put them into .vscode/settings.json.

Run it again when packs change. 'nth lsp' needs none of this.`,
		Example: "  nth schema emit\n  nth schema emit flows --settings > .vscode/settings.json",
		RunE:    func(_ *cobra.Command, args []string) error { return a.schemaEmit(args, dir, settings) },
	}
	c.Flags().StringVar(&dir, "dir", ".nth/schemas", "where to write them")
	c.Flags().BoolVar(&settings, "settings", false, "print settings for VS Code instead of lines for the files")
	return c
}

func (a *app) schemaEmit(args []string, dir string, settings bool) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	names, err := findFiles(args)
	if err != nil {
		return usageErrorf("%w", err)
	}
	bySchema := map[string][]string{} // files by the schema that they have
	for _, name := range names {
		out, data, err := emitted(dir, name)
		if err != nil {
			return usageErrorf("%w", err)
		}
		if out == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return err
		}
		if err := writeChanged(out, data); err != nil {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(name), out)
		if err != nil {
			return usageErrorf("%w", err)
		}
		key := "./" + filepath.ToSlash(out)
		if filepath.IsAbs(out) {
			key = filepath.ToSlash(out)
		}
		bySchema[key] = append(bySchema[key], filepath.ToSlash(name))
		if !settings {
			fmt.Fprintf(a.stdout, "%s: # yaml-language-server: $schema=%s\n", name, filepath.ToSlash(rel))
		}
	}
	if len(bySchema) == 0 {
		return usageErrorf("no nth file in %s", strings.Join(args, ", "))
	}
	if settings {
		data, err := json.MarshalIndent(map[string]any{"yaml.schemas": bySchema}, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\n", data)
	}
	return nil
}

// emitted is the schema of a file, and its name; "" for files that are none of nth's.
func emitted(dir, name string) (string, []byte, error) {
	l := &pack.Loader{}
	data, err := l.ReadFile(name)
	if err != nil {
		return "", nil, err
	}
	node, _ := schema.Parse(name, data)
	switch kind := schema.Kind(node); {
	case kind == "flow/v1":
		if !filepath.IsLocal(name) {
			return "", nil, fmt.Errorf("%s lies outside the working folder; run nth schema emit in the folder of the project", name)
		}
		in, err := l.Load(name)
		if err != nil {
			return "", nil, err
		}
		out, err := editor.Schema(in)
		return filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name))+".schema.json"), out, err
	default:
		out, err := schema.JSONSchema(kind)
		if err != nil {
			return "", nil, nil
		}
		return filepath.Join(dir, strings.Replace(kind, "/", ".", 1)+".json"), out, nil
	}
}

// writeChanged writes a file, unless it holds the same already: editors read schemas again when they change.
func writeChanged(name string, data []byte) error {
	old, err := os.ReadFile(name)
	if err == nil && string(old) == string(data) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
