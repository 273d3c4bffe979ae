//go:build race

package lint_test

// raced: under the race detector the mutation proof takes minutes, and finds nothing that a sample does not find.
const raced = true
