// Package pack gathers the files of a flow: the flow itself, its packs (standard ones from the binary, others from
// folders) and the flows that it calls. It checks only what it needs to find them; compile checks the rest.
//
// Start reading at Loader.Load.
package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
	stdlib "github.com/nth-dev/nth/stdlib-skills"
)

// FileName is the name of a pack's main file in its folder.
const FileName = "pack.yaml"

// maxFile bounds what is read of one file: one byte more than schema.Parse takes, so that it can say so.
const maxFile = 1<<20 + 1

// maxCallDepth bounds flows that call flows.
const maxCallDepth = 8

// Loader gathers flows.
type Loader struct {
	// Read reads a file; nil reads from the disk. Names are slash-separated and relative to the working folder.
	Read func(name string) ([]byte, error)
	// Parsed gives a file that was parsed before; nil knows none.
	Parsed func(name string) (compile.File, bool)
	// AllowEval is the project's eval setting.
	AllowEval bool
	// Cache keeps what flows share; nil keeps nothing.
	Cache *Cache
}

// Cache keeps packs that were read and compiled, for as long as their files do not change. The zero Cache is ready; it may
// be shared by Loaders and used by several goroutines.
type Cache struct {
	compiled compile.PackCache
	mu       sync.Mutex
	files    map[string]compile.File
	lists    map[string][]schema.String // the further files of packs, by their main file
	standard map[string]compile.File    // the packs of the binary that were asked for, by name
	allowed  map[string]bool            // constraints on standard packs that are met, as "std@^1"
}

// further lists the files that a pack names beside its main one.
func (c *Cache) further(main compile.File) []schema.String {
	decode := func() []schema.String {
		node, _ := main.Parse()
		if node == nil {
			return nil
		}
		p, _ := schema.DecodePack(node)
		if p == nil {
			return nil
		}
		return p.Files
	}
	if c == nil {
		return decode()
	}
	c.mu.Lock()
	list, ok := c.lists[main.Name]
	c.mu.Unlock()
	if !ok {
		list = decode()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.lists == nil {
			c.lists = map[string][]schema.String{}
		}
		c.lists[main.Name] = list
	}
	return list
}

// file is NewFile, but parsed once as long as the text is the same.
func (c *Cache) file(name string, data []byte) compile.File {
	if c == nil {
		return compile.NewFile(name, data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.files[name]; ok && bytes.Equal(f.Data, data) {
		return f
	}
	if c.files == nil {
		c.files = map[string]compile.File{}
	}
	f := compile.NewFile(name, data)
	c.files[name] = f
	delete(c.lists, name)
	return f
}

// meets reports whether the standard pack of a source is known to meet the constraint in it.
func (c *Cache) meets(source string) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allowed[source]
}

// maxAllowed bounds the constraints that are remembered.
const maxAllowed = 100

func (c *Cache) met(source string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.allowed == nil || len(c.allowed) >= maxAllowed {
		c.allowed = map[string]bool{}
	}
	c.allowed[source] = true
}

// FromFS reads from a file system, such as an embedded one.
func FromFS(fsys fs.FS) *Loader {
	return &Loader{Read: func(name string) ([]byte, error) { return fs.ReadFile(fsys, path.Clean(name)) }}
}

// Load gathers a flow and everything that it names. The error is only about the flow's own file; what is wrong
// with the files that it names is in Input.Findings.
func (l *Loader) Load(name string) (*compile.Input, error) { return l.load(name, nil) }

// LoadFile gathers everything that a flow names whose text has been read.
func (l *Loader) LoadFile(flow compile.File) *compile.Input { return l.loadFile(flow, nil) }

func (l *Loader) load(name string, callers []string) (*compile.Input, error) {
	file, err := l.File(name)
	if err != nil {
		return nil, err
	}
	return l.loadFile(file, callers), nil
}

// File reads a file as Load does, to be parsed once.
func (l *Loader) File(name string) (compile.File, error) {
	if l.Parsed != nil {
		if f, ok := l.Parsed(name); ok {
			return f, nil
		}
	}
	data, err := l.read(name)
	if err != nil {
		return compile.File{}, err
	}
	if filepath.Base(name) == FileName { // flows want it too
		return l.Cache.file(name, data), nil
	}
	return compile.NewFile(name, data), nil
}

func (l *Loader) loadFile(file compile.File, callers []string) *compile.Input {
	name := file.Name
	in := &compile.Input{Flow: file, AllowEval: l.AllowEval}
	if l.Cache != nil {
		in.Cache = &l.Cache.compiled
	}
	node, _ := file.Parse()
	if node == nil {
		return in // compile reports what is wrong
	}
	flow, _ := file.Flow()
	if flow == nil {
		return in
	}
	hasStd := false
	for _, ref := range flow.Packs {
		hasStd = hasStd || ref.Alias.Value == "std"
		if files, ok := l.pack(in, name, ref); ok {
			in.Packs = append(in.Packs, files)
		} else {
			in.BadPacks = append(in.BadPacks, ref.Alias.Value)
		}
	}
	if !hasStd {
		if files, ok := l.standard("std", "std"); ok {
			files.Implicit = true
			in.Packs = append(in.Packs, files)
		}
	}
	for _, st := range flow.Stages {
		if st.Call != nil {
			l.call(in, name, st.Call.Flow, append(callers, path.Clean(filepath.ToSlash(name))))
		}
	}
	return in
}

// ReadFile reads a file as Load does: at most one byte more than a file may have.
func (l *Loader) ReadFile(name string) ([]byte, error) { return l.read(name) }

// read reads at most maxFile bytes, and words the usual mistakes.
func (l *Loader) read(name string) ([]byte, error) {
	if l.Read != nil {
		return l.Read(name)
	}
	f, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: there is no such file", name)
		}
		return nil, err
	}
	defer f.Close()
	var data bytes.Buffer
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; give the flow file in it, such as %s", name, filepath.Join(name, "flow.yaml"))
		}
		data.Grow(int(min(info.Size(), maxFile)) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(io.LimitReader(f, maxFile)); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data.Bytes(), nil
}

// Pack gathers the pack in a folder (dir/pack.yaml).
func (l *Loader) Pack(dir, alias string) (compile.PackFiles, error) {
	files := compile.PackFiles{Alias: alias}
	main := path.Join(filepath.ToSlash(dir), FileName)
	data, err := l.read(main)
	if err != nil {
		return files, err
	}
	files.Pack = l.Cache.file(main, data)
	for _, f := range l.Cache.further(files.Pack) {
		if !filepath.IsLocal(f.Value) {
			return files, fmt.Errorf("%s: %q lies outside the pack", f.Range, f.Value)
		}
		sub := path.Join(filepath.ToSlash(dir), f.Value)
		data, err := l.read(sub)
		if err != nil {
			return files, fmt.Errorf("%s: %w", f.Range, err)
		}
		files.Skills = append(files.Skills, l.Cache.file(sub, data))
	}
	return files, nil
}

// pack finds one pack of a flow; what is wrong becomes a finding.
func (l *Loader) pack(in *compile.Input, flowName string, ref schema.PackRef) (compile.PackFiles, bool) {
	src := ref.Source.Value
	fail := func(fix, format string, args ...any) (compile.PackFiles, bool) {
		in.Findings.Errorf(ref.Source.Range, "pack-source", fix, format, args...)
		return compile.PackFiles{}, false
	}
	if strings.HasPrefix(src, "./") || strings.HasPrefix(src, "../") {
		dir := path.Join(path.Dir(filepath.ToSlash(flowName)), src)
		files, err := l.Pack(dir, ref.Alias.Value)
		if err != nil {
			return fail("a pack is a folder with a "+FileName, "pack %q: %v", src, err)
		}
		return files, true
	}
	name, constraint, _ := strings.Cut(src, "@")
	if name == "std" || strings.HasPrefix(name, "std/") {
		files, ok := l.standard(name, ref.Alias.Value)
		if !ok {
			return fail("the standard packs are: "+strings.Join(Standard(), ", "), "there is no standard pack %q", name)
		}
		if constraint != "" && !l.Cache.meets(src) {
			c, err := semver.NewConstraint(constraint)
			if err != nil {
				return fail(`write a version constraint, such as "std@^1"`, "pack %q: %q is not a version constraint", name, constraint)
			}
			if v := version(files); v != nil && !c.Check(v) {
				return fail("", "pack %q: this nth has version %s, which %q does not allow", name, v, constraint)
			}
			l.Cache.met(src)
		}
		return files, true
	}
	return fail(`use a standard pack ("std@^1") or a folder ("./packs/flights")`, "pack %q is neither a standard pack nor a folder", src)
}

// Open gathers a standard pack by its name (std, std/dates), or the one in a folder.
func (l *Loader) Open(name string) (compile.PackFiles, error) {
	if files, ok := l.standard(name, path.Base(name)); ok && (name == "std" || strings.HasPrefix(name, "std/")) {
		return files, nil
	}
	files, err := l.Pack(name, path.Base(filepath.ToSlash(name)))
	if err != nil {
		return files, fmt.Errorf("%q is neither a standard pack (%s) nor a folder with a %s: %w", name, strings.Join(Standard(), ", "), FileName, err)
	}
	return files, nil
}

// standard gathers a pack of the binary.
func (l *Loader) standard(name, alias string) (compile.PackFiles, bool) {
	file, ok := l.Cache.embedded(name)
	return compile.PackFiles{Alias: alias, Pack: file}, ok
}

// embedded is the main file of a pack of the binary, which is read once.
func (c *Cache) embedded(name string) (compile.File, bool) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if f, ok := c.standard[name]; ok {
			return f, true
		}
	}
	dir := strings.ReplaceAll(strings.TrimPrefix(name, "std/"), "/", "_")
	data, err := stdlib.FS.ReadFile(dir + "/" + FileName)
	if err != nil {
		return compile.File{}, false
	}
	f := compile.NewFile(name+":"+FileName, data)
	if c != nil {
		if c.standard == nil {
			c.standard = map[string]compile.File{}
		}
		c.standard[name] = f
	}
	return f, true
}

// Standard lists the names of the standard packs.
func Standard() []string {
	entries, _ := stdlib.FS.ReadDir(".")
	var out []string
	for _, e := range entries {
		name := e.Name()
		if name != "std" {
			name = "std/" + name
		}
		out = append(out, name)
	}
	return out
}

// version is the pack's version, nil when the pack does not say it right, which compile reports.
func version(p compile.PackFiles) *semver.Version {
	node, _ := p.Pack.Parse()
	field := node.Field("version")
	if field == nil {
		return nil
	}
	v, err := semver.NewVersion(field.Text)
	if err != nil {
		return nil
	}
	return v
}

// call gathers a flow that a stage calls.
func (l *Loader) call(in *compile.Input, flowName string, ref schema.String, callers []string) {
	if in.Calls[ref.Value] != nil || ref.Value == "" {
		return
	}
	name := path.Join(path.Dir(filepath.ToSlash(flowName)), ref.Value)
	for _, c := range callers {
		if c == name {
			in.Findings.Errorf(ref.Range, "call-cycle", "", "flow %q calls itself: %s", ref.Value, strings.Join(append(callers, name), " → "))
			return
		}
	}
	if len(callers) >= maxCallDepth {
		in.Findings.Errorf(ref.Range, "call-depth", "", "flows call each other more than %d deep", maxCallDepth)
		return
	}
	sub, err := l.load(name, callers)
	if err != nil {
		in.Findings.Errorf(ref.Range, "unknown-flow", "give the path of a flow file, relative to this one", "call: %v", err)
		return
	}
	if in.Calls == nil {
		in.Calls = map[string]*compile.Input{}
	}
	in.Calls[ref.Value] = sub
}
