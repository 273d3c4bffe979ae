package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/nth-dev/nth/engine"
)

// terminalApprover asks at the terminal; stages in given are approved without asking.
type terminalApprover struct {
	given []string
	in    io.Reader // nil: there is nobody to ask
	out   io.Writer
	line  *bufio.Reader
}

func (a *app) approver(f *runFlags) engine.Approver {
	t := &terminalApprover{given: f.approve, out: a.stderr}
	if in, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		t.in, t.line = in, bufio.NewReader(in)
	}
	return t
}

// Approve implements engine.Approver.
func (t *terminalApprover) Approve(ctx context.Context, q engine.Approval) (engine.Decision, error) {
	fmt.Fprintf(t.out, "  approval: %s\n", q.Ask)
	for _, s := range q.Show {
		fmt.Fprintf(t.out, "    %s: %s\n", s.Label, s.Value)
	}
	if slices.Contains(t.given, q.Stage) || slices.Contains(t.given, "all") {
		fmt.Fprintf(t.out, "  approved beforehand (--approve)\n")
		return engine.Decision{OK: true, By: "--approve"}, nil
	}
	if t.in == nil {
		return engine.Decision{}, fmt.Errorf("stage %s needs a person's approval and there is no terminal to ask at; approve it beforehand with --approve %s", q.Stage, q.Stage)
	}
	fmt.Fprintf(t.out, "  Type yes to go on, anything else to stop: ")
	s, err := t.answer(ctx)
	if err != nil {
		return engine.Decision{}, err
	}
	if strings.EqualFold(s, "yes") || strings.EqualFold(s, "y") {
		return engine.Decision{OK: true, By: "terminal"}, nil
	}
	return engine.Decision{By: "terminal", Why: fmt.Sprintf("the answer at the terminal was %q", s)}, nil
}

// Ask implements engine.Asker.
func (t *terminalApprover) Ask(ctx context.Context, question string) (string, error) {
	if t.in == nil {
		return "", fmt.Errorf("a person must be asked %q, and there is no terminal to ask at", question)
	}
	fmt.Fprintf(t.out, "  %s ", question)
	return t.answer(ctx)
}

// answer reads a line.
func (t *terminalApprover) answer(ctx context.Context) (string, error) {
	answer := make(chan string, 1)
	go func() { // ends with the line, or with the program
		s, _ := t.line.ReadString('\n')
		answer <- strings.TrimSpace(s)
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return "", errors.New("nobody answered")
	case s := <-answer:
		return s, nil
	}
}

var (
	_ engine.Approver = (*terminalApprover)(nil)
	_ engine.Asker    = (*terminalApprover)(nil)
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
