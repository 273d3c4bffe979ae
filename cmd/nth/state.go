package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nth-dev/nth/engine/browser"
)

// openSession opens a session with the state of a file, "" is none.
func (a *app) openSession(ctx context.Context, br *browser.Browser, state string) (*browser.Session, error) {
	if state == "" {
		session, err := br.NewSession(ctx)
		if err != nil {
			return nil, a.browserError(ctx, err)
		}
		return session, nil
	}
	if data, err := os.ReadFile(state); err == nil && !json.Valid(data) {
		return nil, usageErrorf("--state: %s is not a storage state", state)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, usageErrorf("--state: %w", err)
	}
	if info, err := os.Stat(state); err == nil && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(a.stderr, "  %s can be read by others (mode %o): whoever has it is logged in\n", state, info.Mode().Perm())
	}
	session, err := br.NewSessionFrom(ctx, state)
	if err != nil {
		return nil, a.browserError(ctx, err)
	}
	return session, nil
}
