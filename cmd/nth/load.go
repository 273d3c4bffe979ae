package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// projectFile is the name of the project file, looked for in the flow's folder and above it.
const projectFile = "nth.yaml"

// loadProject finds and reads the project file; without one, the zero Project.
func (a *app) loadProject(dir string) (*schema.Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for {
		name := filepath.Join(dir, projectFile)
		data, err := os.ReadFile(name)
		if err == nil {
			node, ds := schema.Parse(name, data)
			p := &schema.Project{}
			if node != nil {
				var more schema.Diagnostics
				p, more = schema.DecodeProject(node)
				ds = append(ds, more...)
			}
			if ds.HasErrors() {
				a.printFindings(ds, map[string][]byte{name: data})
				return nil, &exitError{code: exitFindings}
			}
			return p, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read project file: %w", err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return &schema.Project{}, nil
		}
		dir = parent
	}
}

// compileFlow loads and compiles a flow, and prints what is wrong with it.
func (a *app) compileFlow(loader *pack.Loader, name string) (*compile.Program, error) {
	in, err := loader.Load(name)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	prog, ds := compile.Compile(in)
	if len(ds) > 0 {
		a.printFindings(ds, in.Sources())
	}
	if prog == nil {
		return nil, &exitError{exitFindings, fmt.Errorf("%s: %s", name, countErrors(ds))}
	}
	return prog, nil
}

func countErrors(ds schema.Diagnostics) string {
	n := 0
	for _, d := range ds {
		if d.Severity == schema.Error {
			n++
		}
	}
	if n == 1 {
		return "1 error; nothing was run"
	}
	return fmt.Sprintf("%d errors; nothing was run", n)
}

func (a *app) printFindings(ds schema.Diagnostics, sources map[string][]byte) {
	ds.Print(a.stderr, sources, terminal(a.stderr))
}

// inputFlags are the flags that give a flow its inputs.
type inputFlags struct {
	pairs []string
	file  string
	rows  string
	given map[string]any // before all others: the rows, where they are an input
}

// inputs puts the inputs together: those of the file, then those of -i.
func (f *inputFlags) inputs(p *compile.Program) (map[string]any, error) {
	given := map[string]any{}
	maps.Copy(given, f.given)
	if f.file != "" {
		data, err := os.ReadFile(f.file)
		if err != nil {
			return nil, usageErrorf("read inputs: %w", err)
		}
		if err := json.Unmarshal(data, &given); err != nil {
			return nil, usageErrorf("read inputs: %s is not a JSON object: %w", f.file, err)
		}
	}
	for _, pair := range f.pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usageErrorf("-i %q: write -i NAME=VALUE", pair)
		}
		i := slices.IndexFunc(p.Inputs, func(in *compile.Param) bool { return in.Name == name })
		if i < 0 {
			given[name] = text // Inputs reports it
			continue
		}
		v, err := p.Inputs[i].Schema.ParseText(text)
		if err != nil {
			return nil, usageErrorf("-i %s: %w", name, err)
		}
		given[name] = v
	}
	inputs, err := engine.Inputs(p, given)
	if err != nil {
		return nil, usageErrorf("%w\nThe flow's inputs: %s", err, describeInputs(p))
	}
	return inputs, nil
}

func describeInputs(p *compile.Program) string {
	if len(p.Inputs) == 0 {
		return "none"
	}
	var out []string
	for _, in := range p.Inputs {
		s := in.Name
		if in.Schema.Kind != "" {
			s += " (" + in.Schema.Kind
			if !in.Required {
				s += ", optional"
			}
			s += ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// secretSource reads the flow's secrets: from the environment, or from files beside the flow.
func secretSource(flowDir string) func(compile.Secret) (string, error) {
	return func(s compile.Secret) (string, error) {
		if s.Env != "" {
			v, ok := os.LookupEnv(s.Env)
			if !ok || v == "" {
				return "", fmt.Errorf("the environment variable %s is not set", s.Env)
			}
			return v, nil
		}
		name := s.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(flowDir, name)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		return strings.TrimRight(string(data), "\r\n"), nil
	}
}

// checkSecrets makes sure that every secret is there before a browser is started.
func checkSecrets(p *compile.Program, source func(compile.Secret) (string, error)) error {
	var errs []error
	for _, s := range p.Secrets {
		if _, err := source(s); err != nil {
			errs = append(errs, fmt.Errorf("secret %q: %w", s.Name, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}
