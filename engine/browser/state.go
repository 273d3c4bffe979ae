package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine/atomicfile"
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
	if err := atomicfile.Write(file, data, 0o600, true); err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	return nil
}
