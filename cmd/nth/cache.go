package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/report"
)

func (a *app) cacheCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "cache",
		Short: "Show or forget the picks that are not asked for again",
		Long: `When a pick did what it promised and its run ended well, nth keeps it, and the next run does not ask a model about the
same menu. What is kept holds no values, no secrets and no text of pages, and never a commit.

It lies in the user's cache folder, or in the folder that NTH_CACHE names. 'nth run --no-cache' neither uses nor adds to it.`,
	}
	c.AddCommand(a.cacheLsCmd(), a.cacheExplainCmd(), a.cacheRmCmd())
	return c
}

func (a *app) cacheLsCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "ls", Short: "List the kept picks, oldest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := a.pickCache().List(c.Context())
			if err != nil {
				return &exitError{exitFailed, err}
			}
			if asJSON {
				if list == nil {
					list = []*engine.CachedPick{}
				}
				return a.printJSON(list)
			}
			if len(list) == 0 {
				fmt.Fprintln(a.stderr, "no picks are kept")
				return nil
			}
			w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "KEY\tSTAGE\tPICK\tBY\tWHEN")
			for _, e := range list {
				fmt.Fprintf(w, "%s\t%s/%s\t%s of %d\t%s\t%s\n", e.Key[:min(12, len(e.Key))], e.Flow, e.Stage, strings.Join(e.Keys, ","), len(e.Menu), e.By, e.Time.Local().Format(time.DateTime))
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the entries as a JSON list")
	return c
}

func (a *app) cacheExplainCmd() *cobra.Command {
	return &cobra.Command{
		Use: "explain KEY", Short: "Say what a kept pick is about, and when it is used", Args: exactArgs(1, "a key, or its beginning"),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.findCached(c.Context(), args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "key      %s\nflow     %s, stage %s\nprogram  %s\n", e.Key, e.Flow, e.Stage, e.Program)
			fmt.Fprintf(a.stdout, "picked   %s by %s in run %s, %s\n", strings.Join(e.Keys, ", "), e.By, e.Run, e.Time.Local().Format(time.DateTime))
			fmt.Fprintf(a.stdout, "saves    %s each time\nmenu\n", report.Spent(e.Saved))
			for _, l := range foldLines(e.Menu) {
				fmt.Fprintf(a.stdout, "  %s\n", l)
			}
			fmt.Fprintln(a.stdout, "It is used while the flow and its packs stay as they are and the stage offers this menu; where one line is of\nseveral, also only while those say the same. It is forgotten when its action fails, or a run that used it does.")
			return nil
		},
	}
}

// foldLines joins lines of a menu that are the same but for their numbers: "1-8 flights.take_fare(…) listitem".
func foldLines(menu []string) []string {
	var out []string
	for i := 0; i < len(menu); {
		first, what, numbered := strings.Cut(menu[i], " ")
		last := i
		for numbered && last+1 < len(menu) {
			if _, next, _ := strings.Cut(menu[last+1], " "); next != what {
				break
			}
			last++
		}
		line := menu[i]
		if last > i {
			end, _, _ := strings.Cut(menu[last], " ")
			line = first + "-" + end + " " + what
		}
		out = append(out, line)
		i = last + 1
	}
	return out
}

func (a *app) cacheRmCmd() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "rm [KEY...]", Short: "Forget kept picks",
		Example: "  nth cache rm 3fa91c02\n  nth cache rm --all",
		RunE: func(c *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return usageErrorf("nth cache rm takes keys, or --all")
			}
			cache := a.pickCache()
			var list []*engine.CachedPick
			var err error
			if all {
				if list, err = cache.List(c.Context()); err != nil {
					return &exitError{exitFailed, err}
				}
			}
			for _, key := range args {
				e, err := a.findCached(c.Context(), key)
				if err != nil {
					return err
				}
				list = append(list, e)
			}
			for _, e := range list {
				if err := cache.Delete(c.Context(), e.Key); err != nil {
					return &exitError{exitFailed, err}
				}
			}
			fmt.Fprintf(a.stderr, "%d forgotten\n", len(list))
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "forget every kept pick")
	return c
}

// findCached finds the entry whose key begins like that.
func (a *app) findCached(ctx context.Context, prefix string) (*engine.CachedPick, error) {
	list, err := a.pickCache().List(ctx)
	if err != nil {
		return nil, &exitError{exitFailed, err}
	}
	var found []*engine.CachedPick
	for _, e := range list {
		if prefix != "" && strings.HasPrefix(e.Key, prefix) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, usageErrorf("no kept pick has a key that begins with %q; 'nth cache ls' lists them", prefix)
	}
	return nil, usageErrorf("%d keys begin with %q: give more of it", len(found), prefix)
}
