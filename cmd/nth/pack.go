package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

func (a *app) packCmd() *cobra.Command {
	c := &cobra.Command{Use: "pack", Short: "Work with packs of skills"}
	c.AddCommand(a.packDocsCmd())
	return c
}

func (a *app) packDocsCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "docs PACK",
		Short:   "Print what a pack's skills do, their params and an example of each, as Markdown",
		Long:    "Print what a pack's skills do, their params and an example of each, as Markdown.\n\nPACK is a standard pack (" + strings.Join(pack.Standard(), ", ") + ") or a folder with a " + pack.FileName + ".",
		Example: "  nth pack docs std/dates\n  nth pack docs ./packs/flights > SKILLS.md",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.packDocs(args[0]) },
	}
}

func (a *app) packDocs(name string) error {
	files, err := (&pack.Loader{}).Open(name)
	if err != nil {
		return usageErrorf("%w", err)
	}
	node, ds := files.Pack.Parse()
	if ds.HasErrors() {
		a.printFindings(ds, map[string][]byte{files.Pack.Name: files.Pack.Data})
		return &exitError{code: exitFindings}
	}
	p := editor.ReadPack(files)
	if p == nil || schema.Kind(node) != "pack/v1" {
		return usageErrorf("%s is no pack; run 'nth validate %s'", files.Pack.Name, name)
	}
	p.Alias = path.Base(p.Name.Value) // what flows mostly call it
	fmt.Fprint(a.stdout, editor.Markdown(p))
	return nil
}
