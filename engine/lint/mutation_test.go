package lint_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// project is a set of files that belong together, as nth validate sees them in a folder.
type project struct {
	name   string
	files  map[string][]byte
	names  map[string]bool
	skills []string
}

func (p *project) texts() [][]byte {
	var out [][]byte
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		out = append(out, p.files[name])
	}
	return out
}

// loadProject reads files of a folder; skills are those of the packs, by the alias that the flow gives them.
func loadProject(t *testing.T, dir string, files ...string) *project {
	t.Helper()
	p := &project{name: filepath.Base(dir), files: map[string][]byte{}, names: map[string]bool{}}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		p.files[f] = data
		node, _ := schema.Parse(f, data)
		declared(node, p.names)
	}
	return p
}

// check validates the whole project with one file changed.
func (p *project) check(t *testing.T, file string, data []byte, cache *pack.Cache) (schema.Diagnostics, map[string][]byte) {
	t.Helper()
	var found schema.Diagnostics
	sources := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		l := &pack.Loader{Cache: cache, Read: func(f string) ([]byte, error) {
			if f == file {
				return data, nil
			}
			if d, ok := p.files[f]; ok {
				return d, nil
			}
			return nil, os.ErrNotExist
		}}
		res, err := (&lint.Checker{Loader: l}).File(name)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, res.Findings...)
		maps.Copy(sources, res.Sources)
	}
	found.Sort()
	return found, sources
}

var _ = fmt.Sprint
var dumpMutants = flag.String("mutants", "", "TestMutation: write every mutant that is not reported at its place into this file")

// sameMeaning reports whether a mutant reads as the same tree: nothing has changed.
func sameMeaning(file string, a, b []byte) bool {
	x, _ := schema.Parse(file, a)
	y, ds := schema.Parse(file, b)
	if x == nil || y == nil || len(ds) > 0 {
		return false
	}
	xj, _ := json.Marshal(x)
	yj, _ := json.Marshal(y)
	return string(xj) == string(yj)
}

// shows reports whether a finding is at the mutant's place.
func (x *mutant) shows(d schema.Diagnostic, sources map[string][]byte) bool {
	places := []schema.Range{d.Range}
	for _, r := range d.Related {
		places = append(places, r.Range)
	}
	for _, r := range places {
		if r.File == x.at.File {
			if r.Start.Line >= x.at.Start.Line && r.Start.Line <= x.at.End.Line+1 {
				return true
			}
			if x.around.File != "" && x.around.Start.Line > 3 && r.Start.Line >= x.around.Start.Line-1 && r.Start.Line <= x.around.End.Line {
				return true
			}
			if x.around.File != "" && x.around.Start.Line <= 3 && r.Start.Line <= 3 {
				return true
			}
		}
		lines := strings.Split(string(sources[r.File]), "\n")
		if r.Start.Line >= 1 && r.Start.Line <= len(lines) {
			for _, w := range identifier.FindAllString(lines[r.Start.Line-1], -1) {
				if slices.Contains(x.words, w) {
					return true
				}
			}
		}
	}
	return false
}

func TestMutation(t *testing.T) {
	projects := []*project{
		loadProject(t, "../../flows/flights", "flow.yaml", "pack/pack.yaml"),
		loadProject(t, "../../flows/contact", "flow.yaml"),
		loadProject(t, "../../stdlib-skills/std", "pack.yaml"),
	}
	projects[0].skills = []string{"flights.book", "flights.search", "flights.set_date", "std.dismiss"}
	projects[1].skills = []string{"std.click", "std.check", "std.wait"}
	var out *os.File
	if *dumpMutants != "" {
		out, _ = os.Create(*dumpMutants)
		defer out.Close()
	}
	byOp := map[string][3]int{}
	total, reported, missed := 0, 0, 0
	cache := &pack.Cache{}
	for _, p := range projects {
		for _, file := range slices.Sorted(maps.Keys(p.files)) {
			for i, x := range p.mutants(file) {
				if testing.Short() && i%10 != 0 {
					continue
				}
				if sameMeaning(file, p.files[file], x.data) {
					continue
				}
				total++
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("PANIC %s:%d %s: %s: %v", file, x.at.Start.Line, x.op, x.was, r)
						}
					}()
					found, sources := p.check(t, file, x.data, cache)
					c := byOp[x.op]
					c[0]++
					switch {
					case slices.ContainsFunc(found, func(d schema.Diagnostic) bool { return x.shows(d, sources) }):
						reported++
						c[1]++
					case len(found) > 0:
						missed++
						c[2]++
						if out != nil {
							fmt.Fprintf(out, "ELSEWHERE %s/%s:%d %s: %s\n      %s\n", p.name, file, x.at.Start.Line, x.op, x.was, found[0])
						}
					default:
						missed++
						if out != nil {
							fmt.Fprintf(out, "SURVIVES %s/%s:%d %s: %s\n", p.name, file, x.at.Start.Line, x.op, x.was)
						}
					}
					byOp[x.op] = c
				}()
			}
		}
	}
	for _, op := range slices.Sorted(maps.Keys(byOp)) {
		c := byOp[op]
		t.Logf("%-20s %5d reported %5d (elsewhere %d, survive %d)", op, c[0], c[1], c[2], c[0]-c[1]-c[2])
	}
	t.Logf("%d mutants, %d reported at their place (%.1f %%), %d missed", total, reported, 100*float64(reported)/float64(total), missed)
}
