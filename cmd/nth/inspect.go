package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// openTimeout bounds opening a page for a look.
const openTimeout = 30 * time.Second

// withPage opens a page in a browser and hands the tab to f.
func (a *app) withPage(ctx context.Context, project *schema.Project, headed bool, address string, f func(*browser.Session) error) error {
	br, err := browser.Launch(ctx, browserOptions(project, headed))
	if err != nil {
		return a.browserError(ctx, err)
	}
	defer br.Close()
	s, err := br.NewSession(ctx)
	if err != nil {
		return a.browserError(ctx, err)
	}
	defer s.Close()
	if err := s.Do(ctx, engine.Action{Verb: "goto", Value: address, Timeout: openTimeout}); err != nil {
		if ctx.Err() != nil {
			return &exitError{exitInterrupted, errors.New("interrupted")}
		}
		return &exitError{exitFailed, err}
	}
	return f(s)
}

// pageAddress makes a file path into a file URL and leaves URLs alone.
func pageAddress(s string) (string, error) {
	if u, err := url.Parse(s); err == nil && len(u.Scheme) > 1 {
		return s, nil
	}
	abs, err := filepath.Abs(s)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || info.IsDir() {
		return "", fmt.Errorf("%s is neither a URL (https://…) nor a page file", s)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String(), nil
}

func (a *app) snapshotCmd() *cobra.Command {
	var asJSON, headed, follow bool
	c := &cobra.Command{
		Use:     "snapshot URL|FILE",
		Short:   "Print a page as the engine sees it",
		Example: "  nth snapshot https://example.com/\n  nth snapshot form.html --json\n  nth snapshot https://example.com/ --headed --follow",
		Args:    exactArgs(1, "a URL or an HTML file"),
		RunE: func(c *cobra.Command, args []string) error {
			address, err := pageAddress(args[0])
			if err != nil {
				return usageErrorf("%w", err)
			}
			project, err := a.loadProject(".")
			if err != nil {
				return err
			}
			return a.withPage(c.Context(), project, headed, address, func(s *browser.Session) error {
				probes := &compile.Probes{Roles: []string{"dialog", "alertdialog", "listitem", "row", "article", "heading"}}
				snap, err := s.Snapshot(c.Context(), probes)
				if err != nil {
					return &exitError{exitFailed, err}
				}
				switch {
				case asJSON:
					return a.printJSON(snap)
				case follow:
					return a.follow(c.Context(), s, probes, snap)
				}
				_, err = fmt.Fprint(a.stdout, snap.Format(nil))
				return err
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print everything that was seen, as JSON")
	c.Flags().BoolVar(&headed, "headed", false, "show the browser window")
	c.Flags().BoolVar(&follow, "follow", false, "stay, and print what changes: * is new, - is gone")
	c.MarkFlagsMutuallyExclusive("json", "follow")
	return c
}

// follow prints a page, and then what changes on it, until it is interrupted or the window is closed.
func (a *app) follow(ctx context.Context, s *browser.Session, probes *compile.Probes, snap *engine.Snapshot) error {
	if _, err := fmt.Fprint(a.stdout, snap.Format(nil)); err != nil {
		return err
	}
	for {
		err := s.Changed(ctx, snap)
		next := snap
		if err == nil {
			next, err = s.Snapshot(ctx, probes)
		}
		var lost *engine.ActionError
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &lost) && lost.Kind == engine.ErrBrowserLost:
			return nil
		case err != nil:
			return &exitError{exitFailed, err}
		}
		if text := next.Changes(snap); text != "" {
			if _, err := fmt.Fprintf(a.stdout, "\n%s", text); err != nil {
				return err
			}
		}
		snap = next
	}
}

func (a *app) menuCmd() *cobra.Command {
	var in inputFlags
	var stage, page string
	var facts []string
	var asJSON, headed bool
	c := &cobra.Command{
		Use:   "menu FLOW --stage STAGE --page FILE|URL",
		Short: "Print the menu that a picker would see, and why each other skill is absent",
		Example: `  nth menu contact.yaml --stage fill --page http://localhost:8080/ -i name=Ada
  nth menu flow.yaml --stage choose --page results.html --fact results_ready`,
		Args: exactArgs(1, "a flow file"),
		RunE: func(c *cobra.Command, args []string) error {
			if stage == "" || page == "" {
				return usageErrorf("nth menu needs --stage and --page")
			}
			project, err := a.loadProject(filepath.Dir(args[0]))
			if err != nil {
				return err
			}
			prog, err := a.compileFlow(&pack.Loader{AllowEval: project.Eval}, args[0])
			if err != nil {
				return err
			}
			inputs, err := in.inputs(prog)
			if err != nil {
				return err
			}
			if st := prog.Stage(stage); st == nil || st.Kind != compile.MenuStage {
				return usageErrorf("--stage %q: the flow's stages with a menu are: %s", stage, menuStages(prog))
			}
			address, err := pageAddress(page)
			if err != nil {
				return usageErrorf("--page: %w", err)
			}
			return a.withPage(c.Context(), project, headed, address, func(s *browser.Session) error {
				p, err := engine.PreviewMenu(c.Context(), s, prog, stage, inputs, facts)
				if err != nil {
					return &exitError{exitFailed, err}
				}
				if asJSON {
					return a.printJSON(p)
				}
				a.printPreview(p)
				return nil
			})
		},
	}
	fl := c.Flags()
	fl.StringVar(&stage, "stage", "", "the stage whose menu to print")
	fl.StringVar(&page, "page", "", "the page: a URL or an HTML file")
	fl.StringVar(&page, "url", "", "the same as --page")
	fl.StringArrayVarP(&in.pairs, "input", "i", nil, "an input, NAME=VALUE; repeatable")
	fl.StringVar(&in.file, "inputs", "", "a JSON file with the inputs")
	fl.StringArrayVar(&facts, "fact", nil, "a fact that shall hold; repeatable")
	fl.BoolVar(&asJSON, "json", false, "print as JSON")
	fl.BoolVar(&headed, "headed", false, "show the browser window")
	return c
}

func menuStages(p *compile.Program) string {
	s := ""
	for _, st := range p.Stages {
		if st.Kind == compile.MenuStage {
			if s != "" {
				s += ", "
			}
			s += st.Name
		}
	}
	return s
}

func (a *app) printPreview(p *engine.Preview) {
	if p.Done {
		fmt.Fprintln(a.stdout, "The stage's done condition already holds on this page.")
	}
	if len(p.Menu) == 0 {
		fmt.Fprintln(a.stdout, "The menu is empty.")
	}
	for _, l := range p.Menu {
		fmt.Fprintln(a.stdout, l)
	}
	if len(p.Absent) > 0 {
		fmt.Fprintln(a.stdout, "\nabsent:")
		for _, ab := range p.Absent {
			fmt.Fprintf(a.stdout, "  %s: %s\n", ab.Skill, ab.Reason)
		}
	}
}
