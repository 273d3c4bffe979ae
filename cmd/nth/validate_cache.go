package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/nth-dev/nth/engine/atomicfile"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// fileSet reads every file once and knows its digest.
type fileSet struct {
	mu    sync.Mutex
	files map[string]*readFile
}

type readFile struct {
	once  sync.Once
	data  []byte
	err   error
	given bool // not on disk
	hash  sync.Once
	sum   string
}

func newFileSet() *fileSet { return &fileSet{files: map[string]*readFile{}} }

func (s *fileSet) entry(name string) *readFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[name]
	if f == nil {
		f = &readFile{}
		s.files[name] = f
	}
	return f
}

// give makes a file that is not on disk.
func (s *fileSet) give(name string, data []byte) {
	f := s.entry(name)
	f.given = true
	f.once.Do(func() { f.set(data, nil) })
}

func (s *fileSet) read(name string) *readFile {
	f := s.entry(name)
	f.once.Do(func() { f.set((&pack.Loader{}).ReadFile(name)) })
	return f
}

// forget lets go of a file's text, so that memory does not grow with the number of files; read gets it again. What was
// given and is not on disk stays.
func (s *fileSet) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[name]; f != nil && !f.given {
		delete(s.files, name)
	}
}

func (f *readFile) set(data []byte, err error) { f.data, f.err = data, err }

// digest is the SHA-256 of the text, hex; "" when it could not be read.
func (f *readFile) digest() string {
	f.hash.Do(func() {
		if f.err == nil {
			sum := sha256.Sum256(f.data)
			f.sum = hex.EncodeToString(sum[:])
		}
	})
	return f.sum
}

// tracker reads for one check, and remembers what it depends on.
func (s *fileSet) tracker() *tracker { return &tracker{set: s, deps: map[string]*readFile{}} }

type tracker struct {
	set  *fileSet
	deps map[string]*readFile // by name
}

func (t *tracker) read(name string) ([]byte, error) {
	f := t.set.read(name)
	t.deps[name] = f
	return f.data, f.err
}

// validateCache keeps what was found in files, as long as neither they, nor the files that they are made of, nor nth
// change. It is one file per working folder in the user's cache folder; whoever writes last wins, and nothing is lost but
// time when it cannot be read or written. A nil cache keeps nothing.
type validateCache struct {
	files *fileSet
	name  string

	mu      sync.Mutex
	entries map[string]cachedFindings
	changed bool
}

type cachedFindings struct {
	Deps  map[string]string  `json:"deps"`
	Eval  bool               `json:"eval,omitempty"`
	Found schema.Diagnostics `json:"found,omitempty"`
}

type cacheFile struct {
	Program string                    `json:"program"`
	Entries map[string]cachedFindings `json:"entries"`
}

// maxCachedFiles bounds the cache file; beyond it, the cache starts again.
const maxCachedFiles = 20000

func openValidateCache(files *fileSet) *validateCache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(wd))
	c := &validateCache{files: files, name: filepath.Join(dir, "nth", "validate", hex.EncodeToString(sum[:16])+".json"), entries: map[string]cachedFindings{}}
	data, err := os.ReadFile(c.name)
	if err != nil {
		return c
	}
	var stored cacheFile
	if json.Unmarshal(data, &stored) == nil && stored.Program == thisProgram() && stored.Entries != nil {
		c.entries = stored.Entries
	}
	return c
}

// thisProgram changes whenever nth does.
var thisProgram = sync.OnceValue(func() string {
	exe, err := os.Executable()
	if err != nil {
		return version()
	}
	info, err := os.Stat(exe)
	if err != nil {
		return version()
	}
	return fmt.Sprintf("%s %d %d", version(), info.Size(), info.ModTime().UnixNano())
})

func (c *validateCache) get(name string, eval bool) (schema.Diagnostics, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	e, ok := c.entries[name]
	c.mu.Unlock()
	if !ok || e.Eval != eval {
		return nil, false
	}
	for dep, digest := range e.Deps {
		if c.files.read(dep).digest() != digest {
			return nil, false
		}
	}
	return e.Found, true
}

func (c *validateCache) put(name string, eval bool, t *tracker, found schema.Diagnostics) {
	if c == nil {
		return
	}
	deps := make(map[string]string, len(t.deps))
	for dep, f := range t.deps {
		deps[dep] = f.digest()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[name] = cachedFindings{Deps: deps, Eval: eval, Found: found}
	c.changed = true
}

// save writes the cache, if there is something new in it.
func (c *validateCache) save() {
	if c == nil || !c.changed {
		return
	}
	if len(c.entries) > maxCachedFiles {
		c.entries = nil
	}
	data, err := json.Marshal(cacheFile{Program: thisProgram(), Entries: c.entries})
	if err != nil || os.MkdirAll(filepath.Dir(c.name), 0o700) != nil {
		return
	}
	_ = atomicfile.Write(c.name, data, 0o600, false) // without it, the next check only takes longer
}
