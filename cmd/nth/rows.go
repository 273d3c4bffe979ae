package main

import (
	"os"
	"strings"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
)

// readRows reads the file of --rows: into the input that the flow's for_each goes through, so that its schema bounds and
// types them, or else in place of the rows that the flow names.
func (f *runFlags) readRows(prog *compile.Program, in *inputFlags) error {
	if in.rows == "" {
		return nil
	}
	each := prog.ForEach
	if each == nil {
		return usageErrorf("--rows: %s has no for_each", prog.File)
	}
	data, err := os.ReadFile(in.rows)
	if err != nil {
		return usageErrorf("--rows: %w", err)
	}
	rows, err := engine.ParseRows(in.rows, data, each.Item)
	if err != nil {
		return usageErrorf("--rows: %w", err)
	}
	if each.Rows != nil {
		if name, ok := strings.CutPrefix(each.Rows.Source, "inputs."); ok && each.List != nil {
			in.given = map[string]any{name: rows}
			return nil
		}
	}
	f.rows = rows
	return nil
}
