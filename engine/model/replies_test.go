package model

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/model/modeltest"
)

// TestReplies puts every recorded reply of testdata/replies through its wire, and text.txtar through every chat wire.
func TestReplies(t *testing.T) {
	files, err := filepath.Glob("testdata/replies/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	shapes := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wire := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			shapes++
			want, body, _ := strings.Cut(string(f.Data), "\n")
			body = replyText(t, strings.TrimSuffix(body, "\n"))
			reply := modeltest.Reply{Body: []byte(body)}
			for _, d := range drivers {
				if wire == "text" && !d.odds {
					reply = modeltest.Text(body)
				} else if d.spec != wire+":stub" {
					continue
				}
				t.Run(wire+"/"+f.Name+"/"+d.spec, func(t *testing.T) {
					t.Parallel()
					checkReply(t, d.spec, d.base, reply, want)
				})
			}
		}
	}
	if shapes < 150 {
		t.Errorf("%d shapes", shapes)
	}
}

var repeated = regexp.MustCompile(`\{\{(\d+) x (.*)\}\}`)

// replyText expands what a text file cannot hold.
func replyText(t *testing.T, s string) string {
	t.Helper()
	if strings.HasPrefix(s, `"`) {
		u, err := strconv.Unquote(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return u
	}
	return repeated.ReplaceAllStringFunc(s, func(m string) string {
		part := repeated.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[1])
		return strings.Repeat(part[2], n)
	})
}

func checkReply(t *testing.T, spec string, base func(*modeltest.Server) string, reply modeltest.Reply, want string) {
	s := modeltest.Start(t, func(modeltest.ChatRequest) modeltest.Reply { return reply })
	p := driver(t, spec, Config{BaseURL: base(s), Timeout: time.Minute})
	modes := []bool{false, true}
	if rest, ok := strings.CutPrefix(want, "one "); ok {
		modes, want = []bool{false}, rest
	} else if rest, ok := strings.CutPrefix(want, "many "); ok {
		modes, want = []bool{true}, rest
	}
	for _, many := range modes {
		a, err := pickOne(t, p, five(many))
		got := ""
		var ce *CallError
		switch u, unreadable := errors.AsType[*engine.UnreadableError](err); {
		case unreadable:
			got = "unreadable"
			if u.Usage.Calls != 1 || len(u.Reply) > rawLimit {
				t.Errorf("usage %+v, %d bytes of the reply", u.Usage, len(u.Reply))
			}
		case errors.As(err, &ce):
			got = "error " + ce.Reason
			if !strings.HasPrefix(want, "error ") || !strings.Contains(ce.Reason, strings.TrimPrefix(want, "error ")) {
				break
			}
			got = want
		case err != nil:
			got = err.Error()
		case a.Refused:
			got = "refused"
		default:
			got = "keys " + strings.Join(a.Keys, ",")
			if best := argmax(a.P); best != "" && strings.Contains(want, "argmax") {
				got += " argmax " + best
			}
			if a.Usage.Calls != 1 || len(a.Raw) > rawLimit {
				t.Errorf("usage %+v, %d bytes of the reply", a.Usage, len(a.Raw))
			}
			if a.P != nil && !strings.Contains(want, "argmax") {
				t.Errorf("probabilities %v", a.P)
			}
		}
		if got != want {
			t.Errorf("many %v: %s, want %s (%v)", many, got, want, err)
		}
	}
}

func argmax(p map[string]float64) string {
	best := ""
	for key, v := range p {
		if best == "" || v > p[best] {
			best = key
		}
	}
	return best
}
