package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

func TestCacheCommands(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NTH_CACHE", dir)
	for i, key := range []string{"aa11bb22cc33dd44", "aa99bb22cc33dd44"} {
		e := &engine.CachedPick{
			Key: key, Flow: "book", Program: "p1", Stage: "choose", Menu: []string{"1 air.take(ceiling: number) listitem, one of 2", "2 air.take(ceiling: number) listitem, one of 2"},
			Keys: []string{"2"}, By: "openai:mini", Run: "r1", Saved: engine.Usage{Calls: 1, PromptTokens: 200, CompletionTokens: 1}, Time: time.Unix(int64(1000+i), 0),
		}
		if err := (engine.DirCache{Dir: filepath.Join(dir, "picks")}).Put(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args string
		code int
		want []string // on stdout, or on stderr
	}{
		{"cache ls", exitOK, []string{"aa11bb22cc33  book/choose  2 of 2  openai:mini"}},
		{"cache explain aa1", exitOK, []string{"flow     book, stage choose", "saves    1 model call, 201 tokens each time", "  1-2 air.take(ceiling: number) listitem, one of 2"}},
		{"cache explain aa", exitUsage, []string{"2 keys begin with"}},
		{"cache explain", exitUsage, []string{"takes a key"}},
		{"cache rm", exitUsage, []string{"takes keys, or --all"}},
		{"cache rm --all aa1", exitUsage, []string{"takes keys, or --all"}},
		{"cache rm zz", exitUsage, []string{"no kept pick has a key"}},
		{"cache rm aa1", exitOK, []string{"1 forgotten"}},
		{"cache rm --all", exitOK, []string{"1 forgotten"}},
		{"cache ls --json", exitOK, []string{"[]"}},
		{"cache ls", exitOK, []string{"no picks are kept"}},
	} {
		var out, errs bytes.Buffer
		code := Main(strings.Fields(tt.args), strings.NewReader(""), &out, &errs)
		if code != tt.code {
			t.Errorf("nth %s: exit code %d, want %d\n%s", tt.args, code, tt.code, errs.String())
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String()+errs.String(), want) {
				t.Errorf("nth %s: no %q in\n%s%s", tt.args, want, out.String(), errs.String())
			}
		}
	}
}
