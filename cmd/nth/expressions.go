package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine/compile"
)

// expressions is the help topic of that name.
func (a *app) expressions() *cobra.Command {
	cmd := &cobra.Command{Use: "expressions", Short: "What conditions and values can say"}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprintln(a.stdout, aboutExpressions()) })
	return cmd
}

func aboutExpressions() string {
	var b strings.Builder
	b.WriteString(`Conditions (when, done, requires, ensures, verify, assert) are expressions. Elsewhere a value that begins with "=" is
one. nth validate checks their names and types.

  done: page.text contains "Thank you"
  requires: not target.checked and params.seats <= 9
  with: {rows: '=filter(stages.read, .net > 1000)', day: =inputs.trip.from}

The language is expr (expr-lang.org): and, or, not, == != < > in, contains, startsWith, endsWith, matches, a ? b : c,
a ?? b, len(), filter(list, .x > 1), find(), map(), any(), all(), lower(), trim(), int(), string(), date() and so on.
Put an expression with ": ", " #", a leading "!" or a comma in braces into quotes, as YAML wants it.

What they can name:

  inputs.NAME      what the flow was given
  stages.NAME      what the stage's skill returned
  outputs.NAME     what stages have collected
  facts.NAME       what skills have set
  secrets.NAME     a secret, for params with x-secret alone
  params.NAME      in a skill: its params
  match.NAME       in a skill: what target.read took from its element
`)
	for _, of := range []struct {
		name, what string
		kind       reflect.Type
	}{
		{"page", "the page as it was last seen", reflect.TypeFor[compile.Page]()},
		{"target", "in a skill: its element", reflect.TypeFor[compile.Element]()},
		{"run", "the run", reflect.TypeFor[compile.Run]()},
	} {
		fmt.Fprintf(&b, "\n  %s: %s\n", of.name, of.what)
		for _, f := range compile.Fields(of.kind) {
			fmt.Fprintf(&b, "    %-20s %-14s %s\n", of.name+"."+f.Name, f.Kind, f.Doc)
		}
	}
	b.WriteString(`
Functions of nth:

  same_text(a, b)              a field holds a text, as it is or as the field formats it
  same_number(text, number)    a text of the page is that number: "€1,200" is 1200
  same_date(text, date)        a text of the page is that date, YYYY-MM-DD
  same_range(text, from, to)   a text of the page is that range of dates
  totp(secret)                 the one-time password of this half minute (RFC 6238)

There is no now(): run.now and run.today are the recorded clock, so that a replay is exact.`)
	return b.String()
}
