package lint

import (
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// Loader gathers the files that a flow is made of; pack.Loader is one.
type Loader interface {
	File(name string) (compile.File, error)
	ReadFile(name string) ([]byte, error)
	LoadFile(flow compile.File) *compile.Input
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
	file, err := c.Loader.File(name)
	if err != nil {
		return nil, err
	}
	res := &Result{Sources: map[string][]byte{name: file.Data}}
	node, ds := file.Parse()
	ds = slices.Clone(ds) // others may have the file too
	if node == nil {
		res.Findings = ds
		return res, nil
	}
	f := &File{Name: name, Node: node}
	own := []string{name} // the files whose ignore comments count
	switch schema.Kind(node) {
	case "pack/v1":
		own = append(own, c.pack(f, file, res)...)
	case "skills/v1":
		var more schema.Diagnostics
		f.Skills, more = schema.DecodeSkills(node)
		res.Findings = append(ds, more...)
	case "project/v1":
		var more schema.Diagnostics
		f.Project, more = schema.DecodeProject(node)
		res.Findings = append(ds, more...)
	default: // flows, and files of an unknown kind, for which the flow decoder says so
		c.flow(f, file, res)
	}
	res.Findings = append(res.Findings, Check(f)...)
	for _, n := range own {
		res.Findings = applyIgnores(res.Findings, n, res.Sources[n])
	}
	res.Findings.Sort()
	return res, nil
}

func (c *Checker) flow(f *File, file compile.File, res *Result) {
	in := c.Loader.LoadFile(file)
	maps.Copy(res.Sources, in.Sources())
	prog, found := compile.Draft(in)
	res.Findings = found
	if !found.HasErrors() {
		f.Program = prog
	}
	if prog != nil && edgesKnown(prog, found) {
		f.Draft = prog
	}
	if f.Program != nil {
		f.Flow = f.Program.Source
	} else if schema.Kind(f.Node) == "flow/v1" {
		f.Flow, _ = file.Flow()
	}
}

// pack checks a pack with the further files that it lists, and returns their names.
func (c *Checker) pack(f *File, file compile.File, res *Result) []string {
	src, _ := schema.DecodePack(f.Node)
	files := compile.PackFiles{Alias: "pack", Pack: file}
	var names []string
	var missing schema.Diagnostics
	for _, more := range src.Files {
		if !filepath.IsLocal(more.Value) {
			missing.Errorf(more.Range, "pack-file", "move it into the pack's folder", "%q lies outside the pack", more.Value)
			continue
		}
		name := path.Join(path.Dir(filepath.ToSlash(f.Name)), more.Value)
		text, err := c.Loader.ReadFile(name)
		if err != nil {
			missing.Errorf(more.Range, "pack-file", "give the path of a skills/v1 file, relative to this one", "%v", err)
			continue
		}
		res.Sources[name] = text
		names = append(names, name)
		files.Skills = append(files.Skills, compile.NewFile(name, text))
	}
	f.Compiled, res.Findings = compile.CompilePack(files, c.AllowEval)
	if len(missing) > 0 {
		f.Compiled = nil // rules would miss what is in the files
	}
	res.Findings = append(res.Findings, missing...)
	f.Pack = src
	if f.Compiled != nil {
		f.Pack = f.Compiled.Source
	}
	return names
}
