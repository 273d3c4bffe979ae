package engine

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
)

// fence is the only way for page text into a prompt: folded to one line, cut, stripped of anything that looks like
// the marker, and put between two copies of a marker that the page cannot have guessed.
func fence(marker, text string, maxRunes int) string {
	text = cut(oneLine(without(oneLine(text), marker)), maxRunes)
	return marker + " " + text + " " + marker
}

func randomMarker() string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand, Go 1.24)
	return "#" + hex.EncodeToString(b[:])
}

// maxPageText bounds the page's part of a prompt, in runes: about 60 tokens.
const maxPageText = 240

// instructions is the trusted part of a question: the goal and the author's hint.
func (r *run) instructions(v *view, st *compile.Stage) string {
	goal := strings.ReplaceAll(st.Name, "_", " ")
	if st.Goal != nil {
		if g, err := st.Goal.Text(r.env(v)); err == nil {
			goal = r.redact(g)
		}
	}
	if st.Hint != "" {
		goal += "\n" + st.Hint
	}
	return goal
}

// promptState is the page's part of a question: title and path, what has been done, what the last step changed.
func (r *run) promptState(v *view) string {
	where := v.Title
	if u, err := url.Parse(v.URL); err == nil {
		where += " (" + u.Path + ")"
	}
	p := progress{where: where, failed: r.lastFailed, news: r.lastDiff[:min(len(r.lastDiff), 3)], done: r.did}
	for _, n := range r.hist.tried {
		p.fails += n
	}
	if len(r.lastDiff) == 0 {
		p.failed = ""
	}
	p.where, p.failed, p.news, p.done = r.redact(p.where), r.redact(p.failed), r.redactAll(p.news), r.redactAll(p.done)
	return fence(r.marker(), p.compact(maxPageText), maxPageText)
}

// without removes a marker from a text, also where taking it out would put another one together.
func without(text, marker string) string {
	for strings.Contains(text, marker) {
		text = strings.ReplaceAll(text, marker, "")
	}
	return text
}
