package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nth-dev/nth/engine/atomicfile"
)

// MemoryCache is a PickCache that ends with the program. It may be used by several runs at once.
type MemoryCache struct {
	mu      sync.Mutex
	entries map[string]CachedPick
}

// Get implements PickCache.
func (c *MemoryCache) Get(_ context.Context, key string) (*CachedPick, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return nil, ErrNotCached
	}
	return &e, nil
}

// Put implements PickCache.
func (c *MemoryCache) Put(_ context.Context, e *CachedPick) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]CachedPick{}
	}
	c.entries[e.Key] = *e
	return nil
}

// List implements PickCache.
func (c *MemoryCache) List(context.Context) ([]*CachedPick, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*CachedPick
	for _, e := range c.entries {
		out = append(out, &e)
	}
	sortCached(out)
	return out, nil
}

// Delete implements PickCache.
func (c *MemoryCache) Delete(_ context.Context, key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
	return nil
}

func sortCached(list []*CachedPick) {
	slices.SortFunc(list, func(a, b *CachedPick) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Key, b.Key)) })
}

// DirCache is a PickCache with one small file per entry in a folder, which is made when it is first written to. Several
// programs may use it at once. A file that cannot be read as an entry is a miss.
type DirCache struct{ Dir string }

// maxCached bounds the entries of a DirCache; beyond it, the oldest go.
const maxCached = 5000

func (c DirCache) file(key string) (string, error) {
	if key == "" || strings.Trim(key, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%s is no key of the pick cache", quoteShort(key))
	}
	return filepath.Join(c.Dir, key+".json"), nil
}

// Get implements PickCache.
func (c DirCache) Get(_ context.Context, key string) (*CachedPick, error) {
	name, err := c.file(key)
	if err != nil {
		return nil, err
	}
	return readCached(name, key)
}

func readCached(name, key string) (*CachedPick, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotCached
	}
	if err != nil {
		return nil, fmt.Errorf("pick cache: %w", err)
	}
	e := &CachedPick{}
	if json.Unmarshal(data, e) != nil || e.Key != key {
		return nil, ErrNotCached
	}
	return e, nil
}

// Put implements PickCache.
func (c DirCache) Put(ctx context.Context, e *CachedPick) error {
	name, err := c.file(e.Key)
	if err != nil {
		return err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("pick cache: %w", err)
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return fmt.Errorf("pick cache: %w", err)
	}
	if err := atomicfile.Write(name, append(data, '\n'), 0o600, false); err != nil {
		return fmt.Errorf("pick cache: %w", err)
	}
	return c.prune(ctx)
}

func (c DirCache) prune(ctx context.Context) error {
	names, err := os.ReadDir(c.Dir)
	if err != nil || len(names) <= maxCached {
		return err
	}
	list, err := c.List(ctx)
	for i := 0; err == nil && i < len(list)-maxCached*9/10; i++ {
		err = c.Delete(ctx, list[i].Key)
	}
	return err
}

// List implements PickCache.
func (c DirCache) List(context.Context) ([]*CachedPick, error) {
	names, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pick cache: %w", err)
	}
	var out []*CachedPick
	for _, n := range names {
		key, ok := strings.CutSuffix(n.Name(), ".json")
		if !ok {
			continue
		}
		if e, err := readCached(filepath.Join(c.Dir, n.Name()), key); err == nil {
			out = append(out, e)
		}
	}
	sortCached(out)
	return out, nil
}

// Delete implements PickCache.
func (c DirCache) Delete(_ context.Context, key string) error {
	name, err := c.file(key)
	if err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("pick cache: %w", err)
	}
	return nil
}

var (
	_ PickCache = (*MemoryCache)(nil)
	_ PickCache = DirCache{}
)
