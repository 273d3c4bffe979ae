//go:build race

package browser

// slow is how much longer things may take under the race detector.
const slow = 3
