package lint

import (
	"fmt"
	"maps"
	"path/filepath"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// Loader gathers the files that a flow or pack is made of; pack.Loader is one.
type Loader interface {
	ReadFile(name string) ([]byte, error)
	Load(flow string) (*compile.Input, error)
	Pack(dir, alias string) (compile.PackFiles, error)
}

// Checker checks files as nth validate does: parse, decode, compile, lint, ignore comments. It may be used by several
// goroutines at once when its Loader may.
type Checker struct {
	Loader    Loader
	AllowEval bool // the project's eval setting
}

// Result is what was found in one file and in those that it is made of.
type Result struct {
	Findings schema.Diagnostics // in source order
	Sources  map[string][]byte  // every file that was read, by the name that findings use
}

// File checks one file. The error is about reading it; what is wrong in it is in the Result.
func (c *Checker) File(name string) (*Result, error) {
	data, err := c.Loader.ReadFile(name)
	if err != nil {
		return nil, err
	}
	res := &Result{Sources: map[string][]byte{name: data}}
	node, ds := schema.Parse(name, data)
	if node == nil {
		res.Findings = ds
		return res, nil
	}
	f := &File{Name: name, Node: node}
	switch schema.Kind(node) {
	case "pack/v1":
		err = c.pack(f, data, res)
	case "skills/v1":
		var more schema.Diagnostics
		f.Skills, more = schema.DecodeSkills(node)
		res.Findings = append(ds, more...)
	case "project/v1":
		var more schema.Diagnostics
		f.Project, more = schema.DecodeProject(node)
		res.Findings = append(ds, more...)
	default: // flows, and files of an unknown kind, for which the flow decoder says so
		err = c.flow(f, res)
	}
	if err != nil {
		return nil, err
	}
	res.Findings = append(res.Findings, Check(f)...)
	res.Findings.Sort()
	return res, nil
}

func (c *Checker) flow(f *File, res *Result) error {
	in, err := c.Loader.Load(f.Name)
	if err != nil {
		return err
	}
	maps.Copy(res.Sources, in.Sources())
	f.Program, res.Findings = compile.Compile(in)
	if f.Program != nil {
		f.Flow = f.Program.Source
	} else if schema.Kind(f.Node) == "flow/v1" {
		f.Flow, _ = schema.DecodeFlow(f.Node)
	}
	return nil
}

func (c *Checker) pack(f *File, data []byte, res *Result) error {
	files, err := c.Loader.Pack(filepath.Dir(f.Name), "pack")
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	files.Pack = compile.File{Name: f.Name, Data: data} // which may have another name than pack.yaml
	for _, s := range files.Skills {
		res.Sources[s.Name] = s.Data
	}
	f.Compiled, res.Findings = compile.CompilePack(files, c.AllowEval)
	if f.Compiled != nil {
		f.Pack = f.Compiled.Source
	} else {
		f.Pack, _ = schema.DecodePack(f.Node)
	}
	return nil
}
