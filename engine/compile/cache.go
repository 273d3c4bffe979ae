package compile

import (
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
