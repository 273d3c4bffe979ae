package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A full disk stops the run before it does anything more, above all before a commit.
func TestJournalFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	j := &JSONL{f: f}
	defer j.Close()
	err = j.Append(context.Background(), &Record{Type: "intent"})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Fatalf("got %v, want an error that says that the disk is full", err)
	}
}

func TestJournalReadBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	j, err := CreateJSONL(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []string{"run", "step", "end"} {
		if err := j.Append(context.Background(), &Record{Type: typ, Run: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	if _, err := CreateJSONL(dir); err == nil {
		t.Error("a journal was written over")
	}
	data, err := os.ReadFile(filepath.Join(dir, "steps.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	// The last line was cut off by a crash: the ones before it count.
	records, err := ReadJSONL(strings.NewReader(string(data) + `{"type":"st`))
	if err != nil || len(records) != 3 || records[2].Type != "end" {
		t.Errorf("got %d records, %v", len(records), err)
	}
	if _, err := ReadJSONL(strings.NewReader("{\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("got %v, want an error that names line 1", err)
	}
}
