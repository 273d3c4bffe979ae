package lsp

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nth-dev/nth/engine/lint"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// A file is checked when nothing has been typed for so long, or when something has been typed all the time for the longer
// time.
const (
	quiet    = 100 * time.Millisecond
	patience = time.Second
)

// diagnoser checks the open files in a goroutine of its own, and publishes what it finds.
type diagnoser struct {
	out   *writer
	cache *pack.Cache
	log   func(string, ...any)
	wake  chan struct{}

	mu      sync.Mutex
	files   files
	docs    map[string]*document // by name
	due     map[string]bool      // names to check
	closing []string             // URIs whose findings are to be cleared
	checked map[string]*checked  // by name

	published map[string]bool // URIs that have findings; only run uses it
}

// checked is what one check found.
type checked struct {
	doc     *document
	found   schema.Diagnostics // in all files
	sources map[string]*text   // of all files
}

func newDiagnoser(out *writer, cache *pack.Cache, log func(string, ...any)) *diagnoser {
	return &diagnoser{
		out: out, cache: cache, log: log, wake: make(chan struct{}, 1),
		docs: map[string]*document{}, due: map[string]bool{}, checked: map[string]*checked{}, published: map[string]bool{},
	}
}

func (g *diagnoser) changed(f files, d *document) {
	g.mu.Lock()
	g.files, g.docs[d.name] = f, d
	g.touch(d.name)
	g.mu.Unlock()
	g.poke()
}

func (g *diagnoser) closed(f files, d *document) {
	g.mu.Lock()
	g.files = f
	delete(g.docs, d.name)
	delete(g.checked, d.name)
	g.touch(d.name)
	delete(g.due, d.name)
	g.closing = append(g.closing, d.uri)
	g.mu.Unlock()
	g.poke()
}

// everything checks all open files again.
func (g *diagnoser) everything() {
	g.mu.Lock()
	for name := range g.docs {
		g.due[name] = true
	}
	g.mu.Unlock()
	g.poke()
}

// touch makes a file due, and those that were made of it; and a project file, all. mu is held.
func (g *diagnoser) touch(name string) {
	g.due[name] = true
	for other, c := range g.checked {
		if _, ok := c.sources[name]; ok || path.Base(name) == "nth.yaml" || broken(c) {
			g.due[other] = true
		}
	}
}

// broken reports whether a file that was checked names others that could not be read: one of them may be there now.
func broken(c *checked) bool {
	return slices.ContainsFunc(c.found, func(d schema.Diagnostic) bool {
		return d.Rule == "pack-source" || d.Rule == "pack-file" || d.Rule == "unknown-flow"
	})
}

func (g *diagnoser) poke() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// run checks what is due until ctx is done.
func (g *diagnoser) run(ctx context.Context) {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	var since time.Time // something has been waiting
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.wake:
			if since.IsZero() {
				since = time.Now()
			}
			timer.Reset(min(quiet, max(0, patience-time.Since(since))))
		case <-timer.C:
			since = time.Time{}
			if g.checkDue(ctx) {
				timer.Reset(quiet) // the text changed meanwhile
			}
		}
	}
}

// checkDue checks and publishes what is due. It reports whether something became due meanwhile.
func (g *diagnoser) checkDue(ctx context.Context) bool {
	g.mu.Lock()
	f, due := g.files, slices.Sorted(maps.Keys(g.due))
	g.due = map[string]bool{}
	todo := map[string]*document{}
	for _, name := range due {
		if d := g.docs[name]; d != nil {
			todo[name] = d
		}
	}
	g.mu.Unlock()
	for _, name := range due {
		d := todo[name]
		if d == nil || ctx.Err() != nil {
			continue
		}
		c := g.check(f, d)
		g.mu.Lock()
		if g.docs[name] != nil {
			g.checked[name] = c
		}
		g.mu.Unlock()
	}
	g.publish()
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.due) > 0
}

// check checks one file as nth validate does.
func (g *diagnoser) check(f files, d *document) (c *checked) {
	c = &checked{doc: d, sources: map[string]*text{d.name: d.text}}
	if d.foreign {
		return c
	}
	defer func() {
		if r := recover(); r != nil {
			g.log("check %s: internal error: %v", d.name, r)
			c.found = schema.Diagnostics{{
				Severity: schema.Warning, Rule: "internal-error", Range: schema.Range{File: d.name, Start: schema.Pos{Line: 1, Col: 1}, End: schema.Pos{Line: 1, Col: 1}},
				Summary: fmt.Sprintf("nth could not check this file: %v", r), Fix: "this is a bug in nth; please report it",
			}}
		}
	}()
	project, dir := f.project(path.Dir(d.name))
	res, err := (&lint.Checker{Loader: f.loader(g.cache, project.Eval), AllowEval: project.Eval}).File(d.name)
	if err != nil {
		g.log("check %s: %v", d.name, err)
		return c
	}
	for name, data := range res.Sources {
		if t, ok := f[name]; ok {
			c.sources[name] = t
		} else {
			c.sources[name] = newText(string(data))
		}
	}
	c.found = lint.Configure(res.Findings, project, dir)
	return c
}

// publish tells the editor the findings of all files that are open or have some, and clears those of others.
func (g *diagnoser) publish() {
	g.mu.Lock()
	byURI := map[string]*publishParams{}
	for _, d := range g.docs {
		if g.checked[d.name] != nil {
			version := g.checked[d.name].doc.version
			byURI[d.uri] = &publishParams{URI: d.uri, Version: &version, Diagnostics: []diagnostic{}}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.checked)) {
		c := g.checked[name]
		for _, d := range c.found {
			if !g.shown(d.Range.File) {
				continue
			}
			uri := g.uri(d.Range.File)
			if byURI[uri] == nil {
				byURI[uri] = &publishParams{URI: uri, Diagnostics: []diagnostic{}}
			}
			if x := c.diagnostic(d); !slices.ContainsFunc(byURI[uri].Diagnostics, func(y diagnostic) bool { return x.Range == y.Range && x.Code == y.Code && x.Message == y.Message }) {
				byURI[uri].Diagnostics = append(byURI[uri].Diagnostics, x)
			}
		}
	}
	for _, uri := range g.closing {
		g.published[uri] = true
	}
	g.closing = nil
	g.mu.Unlock()
	for uri := range g.published {
		if byURI[uri] == nil {
			byURI[uri] = &publishParams{URI: uri, Diagnostics: []diagnostic{}}
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(byURI)) {
		p := byURI[uri]
		g.published[uri] = true
		if len(p.Diagnostics) == 0 && p.Version == nil {
			delete(g.published, uri)
		}
		if err := g.out.write(notification{"2.0", "textDocument/publishDiagnostics", p}); err != nil {
			g.log("publish: %v", err)
		}
	}
}

// shown reports whether the editor can open a file: those of the packs in the binary it cannot. mu is held.
func (g *diagnoser) shown(name string) bool { return g.docs[name] != nil || filepath.IsAbs(name) }

// uri is the URI of a file, as the editor calls it if it is open. mu is held.
func (g *diagnoser) uri(name string) string {
	if d := g.docs[name]; d != nil {
		return d.uri
	}
	return uriOf(name)
}

// diagnostic is the protocol's form of a finding.
func (c *checked) diagnostic(d schema.Diagnostic) diagnostic {
	out := diagnostic{Severity: 1, Code: d.Rule, Source: "nth", Message: d.Summary, Range: c.span(d.Range)}
	if d.Severity == schema.Warning {
		out.Severity = 2
	}
	if d.Fix != "" {
		out.Message += "\n" + d.Fix
	}
	for _, r := range d.Related {
		if c.sources[r.Range.File] == nil || !filepath.IsAbs(r.Range.File) && r.Range.File != c.doc.name {
			continue // in a pack of the binary
		}
		out.Related = append(out.Related, relatedInfo{location{uriOf(r.Range.File), c.span(r.Range)}, r.Message})
	}
	return out
}

func (c *checked) span(r schema.Range) span {
	if t := c.sources[r.File]; t != nil {
		return t.span(r)
	}
	return span{}
}

// of returns what the last check of a text found in it; nil when it was not checked since it changed.
func (g *diagnoser) of(d *document) *checked {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := g.checked[d.name]; c != nil && c.doc.text == d.text {
		return c
	}
	return nil
}
