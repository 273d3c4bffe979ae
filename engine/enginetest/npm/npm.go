// Package npm has npm fetch what tests of this repository need.
package npm

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Install fetches what dir/package-lock.json states into dir/node_modules, unless that is there already. No script of a
// package is run.
func Install(dir string) error {
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(dir, "node_modules", ".installed-lock.json")
	if had, err := os.ReadFile(stamp); err == nil && bytes.Equal(had, lock) {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", dir, err, out)
	}
	return os.WriteFile(stamp, lock, 0o600)
}
