package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/schema"
)

func (a *app) doctorCmd() *cobra.Command {
	var fix bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that a browser and its driver are there; --fix installs them",
		Long: `Check what nth needs to run flows: Node.js, Playwright's driver, and a browser. With --fix, what is missing is
installed: the driver from the npm registry; the browser by Playwright, or as the system's package when root.

Where nth.yaml says how models are reached, it also says where each of them is asked, and with which key.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if fix {
				if err := browser.Fix(c.Context(), a.stderr); err != nil {
					return &exitError{exitFailed, err}
				}
			}
			ok := true
			for _, f := range browser.Check(c.Context()) {
				mark := "ok  "
				if !f.OK {
					mark, ok = "FAIL", false
				}
				fmt.Fprintf(a.stdout, "%s %s: %s\n", mark, f.What, f.Detail)
				if !f.OK && f.Fix != "" {
					fmt.Fprintf(a.stdout, "     fix: %s\n", f.Fix)
				}
			}
			project, err := a.loadProject(".")
			if err != nil {
				return err
			}
			a.checkRoutes(project)
			if !ok {
				return &exitError{exitFindings, errors.New("something is missing; 'nth doctor --fix' installs what it can")}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "install what is missing")
	return c
}

func (a *app) schemaCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of a file kind, or list the kinds",
		Long: `Print the JSON Schema (2020-12) of a file kind, for editors. To use it in an editor with yaml-language-server,
save it and begin the file with:  # yaml-language-server: $schema=PATH`,
		Example:   "  nth schema\n  nth schema flow/v1 > flow.v1.json",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: schema.Kinds(),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(a.stdout, strings.Join(schema.Kinds(), "\n"))
				return nil
			}
			kind := args[0]
			if !strings.Contains(kind, "/") {
				kind += "/v1"
			}
			data, err := schema.JSONSchema(kind)
			if err != nil {
				return usageErrorf("%w", err)
			}
			_, err = a.stdout.Write(data)
			return err
		},
	}
	c.AddCommand(a.schemaEmitCmd())
	return c
}

const starterFlow = `# A starter flow. Run it:      nth run flow.yaml -i name="Ada Lindqvist" --approve send
#                See the menu:  nth menu flow.yaml --stage fill --page page.html -i name=Ada
#                Check it:      nth validate
kind: flow/v1
name: sign_up
summary: Sign up for the newsletter on page.html.

packs: {std: std@^1}              # skills for forms and navigation; "std.fill" below

inputs:                           # JSON Schema; give them with -i NAME=VALUE
  site: {type: string, format: uri, default: "%s"}
  name: {type: string, minLength: 1}
  country: {type: string, minLength: 1, default: Norway}

outputs:
  title: {type: string}

stages:
  open:
    do: [{goto: =inputs.site}]    # "=" begins an expression

  fill:                           # a menu of what is possible now; a model, a rule or you pick
    goal: Fill in the form
    relevance:
      - std.fill: {field: Name, value: =inputs.name}
      - std.choose: {field: Country, option: =inputs.country}
      - std.check: {field: Terms}

  send:                           # pressing the button cannot be undone: it is done once, after a yes
    goal: Send the form
    approve: {ask: "Send the form?", show: [=inputs.name, =inputs.country]}
    relevance:
      - std.submit: {button: Sign up, expect: Welcome}
    collect: {title: =page.title}
`

const starterPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Newsletter</title>
<body style="font: 16px/1.6 sans-serif; max-width: 30em; margin: 3em auto">
<h1>Newsletter</h1>
<form id="form">
  <p><label>Name <input name="name" required></label></p>
  <p><label>Country <select name="country"><option>Choose</option><option>Denmark</option><option>Norway</option><option>Sweden</option></select></label></p>
  <p><label><input type="checkbox" name="terms"> Terms accepted</label></p>
  <p><button>Sign up</button></p>
</form>
<script>
  document.getElementById("form").addEventListener("submit", (e) => {
    e.preventDefault();
    const name = new FormData(e.target).get("name");
    document.title = "Welcome";
    document.body.textContent = "Welcome, " + name + "!";
  });
</script>
`

const starterProject = `# Settings of this project; every key is optional. Keys for models belong into the environment.
kind: project/v1
# model: openai:gpt-5-mini        # who picks; without it, rules do (the first entry of the menu)
# models:
#   openai: {base_url: "http://localhost:8080/v1", key_env: MY_KEY, headers: {X-Team: web}}
#   ollama: {base_url: "http://localhost:11434", timeout: 60s}
# ladder: {stronger: "openai:gpt-5"}             # who is asked when the model's answer will not do
# prices: {"openai:gpt-5-mini": {prompt: 0.25, cached: 0.025, completion: 2}}   # per million tokens, for limits: {cost: 0.50}
# browser: {headed: true}
`

func (a *app) initCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "init [FOLDER]",
		Short:   "Write a commented starter flow that runs",
		Example: "  nth init my-flow && cd my-flow && nth run flow.yaml -i name=Ada --approve send",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			abs, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			page := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(abs, "page.html"))}).String()
			files := []struct{ name, text string }{
				{"flow.yaml", fmt.Sprintf(starterFlow, page)}, {"page.html", starterPage}, {projectFile, starterProject},
			}
			for _, f := range files { // nothing is overwritten, and nothing half-written
				if _, err := os.Stat(filepath.Join(abs, f.name)); err == nil {
					return usageErrorf("%s is there already; nth init overwrites nothing", filepath.Join(dir, f.name))
				}
			}
			if err := os.MkdirAll(abs, 0o755); err != nil {
				return usageErrorf("%w", err)
			}
			for _, f := range files {
				if err := os.WriteFile(filepath.Join(abs, f.name), []byte(f.text), 0o644); err != nil {
					return usageErrorf("%w", err)
				}
				fmt.Fprintln(a.stdout, filepath.Join(dir, f.name))
			}
			cd := ""
			if dir != "." {
				cd = "cd " + dir + " && "
			}
			fmt.Fprintf(a.stderr, "Now: %snth run flow.yaml -i name=Ada --approve send\n", cd)
			return nil
		},
	}
}
