package compile

import (
	"bytes"
	"slices"
	"sync"

	"github.com/nth-dev/nth/schema"
)

// Cache keeps compiled Programs by the digest of their inputs. The zero Cache is ready; it is safe for
// concurrent use. A *vm.Program cannot be written to disk, so the cache lives in memory.
type Cache struct {
	mu    sync.Mutex
	byKey map[string]cached
	order []string // oldest first
}

type cached struct {
	prog  *Program
	diags schema.Diagnostics
}

const maxCached = 256

// Compile is Compile, but the same inputs are compiled once.
func (c *Cache) Compile(in *Input) (*Program, schema.Diagnostics) {
	key := in.Digest()
	c.mu.Lock()
	hit, ok := c.byKey[key]
	c.mu.Unlock()
	if ok {
		return hit.prog, hit.diags
	}
	prog, diags := Compile(in)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[string]cached{}
	}
	if _, ok := c.byKey[key]; !ok {
		c.byKey[key] = cached{prog, diags}
		c.order = append(c.order, key)
		if len(c.order) > maxCached {
			delete(c.byKey, c.order[0])
			c.order = c.order[1:]
		}
	}
	return prog, diags
}

// PackCache keeps compiled packs, so that flows that share them compile them once. The zero PackCache is ready, a nil one
// keeps nothing; it is safe for concurrent use.
type PackCache struct {
	mu    sync.Mutex
	packs map[packKey]*cachedPack

	schemas schemaCache
}

type packKey struct {
	file      string
	allowEval bool
}

type cachedPack struct {
	files PackFiles
	once  sync.Once
	pack  *pack
	diags schema.Diagnostics

	mu    sync.Mutex
	named map[packName]*pack // pack, as flows call it
}

type packName struct {
	alias    string
	implicit bool
}

func (c *PackCache) get(in PackFiles, allowEval bool) (*pack, schema.Diagnostics) {
	entry := &cachedPack{files: in}
	if c != nil {
		key := packKey{in.Pack.Name, allowEval}
		c.mu.Lock()
		if old := c.packs[key]; old != nil && old.files.equal(in) {
			entry = old
		} else {
			if c.packs == nil {
				c.packs = map[packKey]*cachedPack{}
			}
			c.packs[key] = entry
		}
		c.mu.Unlock()
	}
	entry.once.Do(func() {
		u := &unit{diags: &entry.diags, schemas: newSchemas(&entry.diags), allowEval: allowEval}
		if c != nil {
			u.schemas.shared = &c.schemas
		}
		entry.pack = u.compilePack(in)
	})
	return entry.as(packName{in.Alias, in.Implicit}), entry.diags
}

// as is the pack as a flow calls it; nil when there is none.
func (c *cachedPack) as(name packName) *pack {
	if c.pack == nil || c.pack.alias == name.alias && c.pack.implicit == name.implicit {
		return c.pack
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.named[name]
	if p == nil {
		if c.named == nil {
			c.named = map[packName]*pack{}
		}
		p = c.pack.as(name)
		c.named[name] = p
	}
	return p
}

// equal reports whether two packs are the same files.
func (p PackFiles) equal(o PackFiles) bool {
	same := func(a, b File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }
	return same(p.Pack, o.Pack) && slices.EqualFunc(p.Skills, o.Skills, same)
}
