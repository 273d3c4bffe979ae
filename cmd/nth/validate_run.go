package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/nth-dev/nth/engine/atomicfile"
	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/engine/report"
	"github.com/nth-dev/nth/schema"
	stdlib "github.com/nth-dev/nth/stdlib-skills"
)

// validator checks files, several at a time, and gathers what it finds. A pack that several flows use is told once.
type validator struct {
	app   *app
	flags validateFlags
	names []string        // to check, in order; after run, those that are nth's
	maybe map[string]bool // the names that were found in folders, and may be those of other files
	files *fileSet
	cache *validateCache
	packs *pack.Cache

	mu       sync.Mutex
	projects map[string]*schema.Project // by folder
	found    schema.Diagnostics
}

func newValidator(a *app, f validateFlags) *validator {
	v := &validator{app: a, flags: f, files: newFileSet(), packs: &pack.Cache{}, projects: map[string]*schema.Project{}}
	if !f.noCache {
		v.cache = openValidateCache(v.files)
	}
	return v
}

// validateMemory is how much memory garbage may take part in, in bytes, however many files there are.
const validateMemory = 128 << 20

// add adds files that were named, and YAML files that were found in folders.
func (v *validator) add(named, found []string) {
	v.maybe = map[string]bool{}
	for _, name := range found {
		v.maybe[name] = true
	}
	for _, name := range slices.Concat(v.names, named) {
		delete(v.maybe, name)
	}
	named = slices.AppendSeq(named, maps.Keys(v.maybe))
	slices.Sort(named)
	v.names = append(v.names, slices.Compact(named)...)
}

// run checks all files.
func (v *validator) run() error {
	// Most of what a check makes is garbage when it ends: collecting it less often saves time, as long as there is little of
	// it. Still less often saves none: fresh memory has its price too.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(validateMemory))
	results := make([]schema.Diagnostics, len(v.names))
	other := make([]bool, len(v.names)) // no file of nth's
	errs := make([]error, len(v.names))
	next := make(chan int)
	var wg sync.WaitGroup
	var crash any
	for range min(runtime.GOMAXPROCS(0), len(v.names)) {
		wg.Go(func() {
			for i := range next {
				func() {
					defer func() { // Main turns a panic into exit code 3, but only one of its own goroutine
						if r := recover(); r != nil {
							v.mu.Lock()
							crash = fmt.Sprintf("%v (while checking %s)\n%s", r, v.names[i], debug.Stack())
							v.mu.Unlock()
						}
					}()
					if other[i] = v.other(v.names[i]); !other[i] {
						results[i], errs[i] = v.file(v.names[i])
					}
				}()
			}
		})
	}
	for i := range v.names {
		next <- i
	}
	close(next)
	wg.Wait()
	if crash != nil {
		panic(firstLine(fmt.Sprint(crash)))
	}
	v.found = nil
	names := v.names[:0]
	for i, name := range v.names {
		if errs[i] != nil {
			return errs[i]
		}
		v.found = append(v.found, results[i]...)
		if !other[i] {
			names = append(names, name)
		}
	}
	v.names = names
	v.found.Sort()
	v.cache.save()
	return nil
}

func firstLine(s string) string {
	if os.Getenv("NTH_DEBUG") != "" {
		return s
	}
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// other reports whether a file that was found in a folder is none of nth's.
func (v *validator) other(name string) bool {
	if !v.maybe[name] {
		return false
	}
	f := v.files.read(name)
	if f.err == nil && isOurs(bytes.NewReader(f.data)) {
		return false
	}
	v.files.forget(name)
	return true
}

// file checks one file, or takes what was found the last time.
func (v *validator) file(name string) (schema.Diagnostics, error) {
	project, err := v.project(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	found, ok := v.cache.get(name, project.Eval)
	if !ok {
		read := v.files.tracker()
		l := &pack.Loader{Read: read.read, AllowEval: project.Eval, Cache: v.packs}
		res, err := (&lint.Checker{Loader: l, AllowEval: project.Eval}).File(name)
		if err != nil {
			return nil, usageErrorf("%w", err)
		}
		found = res.Findings
		v.cache.put(name, project.Eval, read, found)
	}
	dir := "."
	if project.Node != nil {
		dir = filepath.Dir(project.Node.Range.File)
	}
	if !v.flags.fix && filepath.Base(name) != pack.FileName { // packs are read by many; --fix wants the text that was checked
		v.files.forget(name)
	}
	found = lint.Configure(found, project, dir)
	if len(v.flags.rules) > 0 {
		found = slices.DeleteFunc(slices.Clone(found), func(d schema.Diagnostic) bool { return !slices.Contains(v.flags.rules, d.Rule) })
	}
	return found, nil
}

// project is the project file of a folder, read once.
func (v *validator) project(dir string) (*schema.Project, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p, ok := v.projects[dir]; ok {
		return p, nil
	}
	p, err := v.app.loadProject(dir)
	if err == nil {
		v.projects[dir] = p
	}
	return p, err
}

func (v *validator) report() *report.Findings {
	dir, _ := os.Getwd()
	f := &report.Findings{Found: v.found, Files: v.names, Sources: map[string][]byte{}, Version: version(), Dir: dir, Color: terminal(v.app.stdout)}
	for _, r := range lint.All() {
		f.Rules = append(f.Rules, report.Rule{ID: r.ID, Summary: r.Summary, Doc: r.Doc, Severity: r.Severity})
	}
	want := map[string]bool{}
	for _, d := range v.found {
		want[d.Range.File] = true
		for _, r := range d.Related {
			want[r.Range.File] = true
		}
	}
	for name := range maps.Keys(want) {
		if data, ok := v.source(name); ok {
			f.Sources[name] = data
		}
	}
	return f
}

// source is the text of a file that a finding names: on disk, or a pack of the binary ("std:pack.yaml").
func (v *validator) source(name string) ([]byte, bool) {
	if folder, file, ok := strings.Cut(name, ":"); ok && !filepath.IsAbs(name) {
		folder = strings.ReplaceAll(strings.TrimPrefix(folder, "std/"), "/", "_")
		if data, err := stdlib.FS.ReadFile(folder + "/" + file); err == nil {
			return data, true
		}
	}
	f := v.files.read(name)
	return f.data, f.err == nil
}

// maxFixRounds bounds how often files are fixed and checked again: a finding may hide others, such as a misspelt
// "relevance" those of its skills.
const maxFixRounds = 8

// fix carries out the fixes that are certain, in the files that were checked, and checks again, until there are none.
func (v *validator) fix() error {
	done, files := 0, map[string]bool{}
	for range maxFixRounds {
		n, err := v.fixOnce(files)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		done += n
	}
	if done > 0 {
		fmt.Fprintf(v.app.stderr, "%s made in %s\n", report.N(done, "correction"), report.N(len(files), "file"))
	}
	return nil
}

// fixOnce is one round of fix. It returns how many fixes were carried out, and adds the files that it has changed.
func (v *validator) fixOnce(changed map[string]bool) (int, error) {
	edits := map[string][]schema.Edit{}
	for _, d := range v.found {
		for _, e := range d.Edits {
			if slices.Contains(v.names, e.Range.File) {
				edits[e.Range.File] = append(edits[e.Range.File], e)
			}
		}
	}
	done := 0
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		data := v.files.read(name).data
		fixed, n := lint.Apply(data, edits[name])
		if err := replaceFile(name, fixed); err != nil {
			return done, fmt.Errorf("fix %s: %w", name, err)
		}
		done += n
		changed[name] = true
	}
	if done == 0 {
		return 0, nil
	}
	again := newValidator(v.app, v.flags)
	again.names = v.names
	if err := again.run(); err != nil {
		return done, err
	}
	v.found, v.files = again.found, again.files
	return done, nil
}

// replaceFile writes a file so that a crash leaves the old one or the new one. Its mode is kept.
func replaceFile(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return atomicfile.Write(name, data, info.Mode().Perm(), true)
}
