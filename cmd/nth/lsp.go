package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/lsp"
)

func (a *app) lspCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors over the Language Server Protocol",
		Long: `Serve an editor over standard input and output: findings while one types, completion, hover, definitions, references,
renaming, an outline, formatting and quick fixes, for the files that nth validate checks.

The editor starts it. Neovim:
  vim.lsp.start({name = "nth", cmd = {"nth", "lsp"}, root_dir = vim.fn.getcwd()})
Helix, in languages.toml:
  [language-server.nth]
  command = "nth"
  args = ["lsp"]`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s := &lsp.Server{
				Version: version(),
				Find:    func(folder string) ([]string, error) { return findFiles([]string{filepath.Clean(folder)}) },
				Log:     func(format string, args ...any) { fmt.Fprintf(a.stderr, "nth lsp: "+format+"\n", args...) },
			}
			if err := s.Run(c.Context(), a.stdin, a.stdout); err != nil {
				return &exitError{exitFindings, fmt.Errorf("lsp: %w", err)}
			}
			return nil
		},
	}
}
