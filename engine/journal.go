package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// JSONL is a Journal that writes one JSON object per line.
type JSONL struct {
	mu sync.Mutex
	f  *os.File
}

// CreateJSONL makes the artifacts folder and an empty steps.jsonl in it. It never overwrites one.
func CreateJSONL(dir string) (*JSONL, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create artifacts folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "steps.jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	return &JSONL{f: f}, nil
}

// Append implements Journal.
func (j *JSONL) Append(_ context.Context, r *Record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode record: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.f.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if r.Type == "intent" || r.Type == "end" {
		if err := j.f.Sync(); err != nil {
			return fmt.Errorf("flush journal: %w", err)
		}
	}
	return nil
}

// Close closes the file.
func (j *JSONL) Close() error { return j.f.Close() }

// ReadJSONL reads the records of a journal. A last line that was cut off by a crash is ignored; any other line
// that does not parse is an error that names it.
func ReadJSONL(in io.Reader) ([]Record, error) {
	var out []Record
	br := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return out, fmt.Errorf("read journal: %w", err)
		}
		if errors.Is(err, io.EOF) {
			return out, nil // what stands after the last newline was never finished
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return out, fmt.Errorf("read journal: line %d: %w", n, err)
		}
		out = append(out, r)
	}
}

// Discard is a Journal that keeps nothing; for dry runs and tests.
type Discard struct{}

// Append implements Journal.
func (Discard) Append(context.Context, *Record) error { return nil }

var (
	_ Journal = (*JSONL)(nil)
	_ Journal = Discard{}
)
