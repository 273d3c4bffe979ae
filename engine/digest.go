package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// linesDigest identifies the menu of a stage by its lines, as Menu.digest does.
func linesDigest(stage string, lines []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", stage)
	for _, l := range lines {
		fmt.Fprintf(h, "%s\n", l)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
