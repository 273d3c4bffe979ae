package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mxschmitt/playwright-go"
)

// NewSession opens a fresh context with one empty tab. It obeys ctx.
func (b *Browser) NewSession(ctx context.Context) (*Session, error) { return b.newSession(ctx, nil) }

// NewSessionFrom is NewSession with the cookies and local storage that SaveState has kept in a file; a file that is not
// there is an empty one.
func (b *Browser) NewSessionFrom(ctx context.Context, file string) (*Session, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b.newSession(ctx, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("read state: %w", err)
	}
	var state playwright.OptionalStorageState
	if err := json.Unmarshal(data, &state); err != nil {
		return nil, fmt.Errorf("read state: %s is not a storage state: %w", file, err)
	}
	return b.newSession(ctx, &state)
}

// SaveState keeps the cookies and the local storage of all sites in a file that only its owner can read: whoever has
// it is logged in. The file is replaced as a whole or not at all.
func (s *Session) SaveState(ctx context.Context, file string) error {
	t, err := s.tab()
	if err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	state, err := call(ctx, t, func() (*playwright.StorageState, error) { return s.ctx.StorageState() })
	if err != nil {
		return fmt.Errorf("save state: %s", headline(err))
	}
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // mode 0600
	if err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	defer os.Remove(tmp.Name()) // fails when it has been renamed
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	return nil
}
