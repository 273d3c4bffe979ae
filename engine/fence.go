package engine

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/nth-dev/nth/engine/compile"
)

// fence is the only way for page text into a prompt: folded to one line, cut, stripped of anything that looks like
// the marker, and put between two copies of a marker that the page cannot have guessed.
func fence(marker, text string, maxRunes int) string {
	text = cut(oneLine(WithoutMarker(oneLine(text), marker)), maxRunes)
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

// WithoutMarker removes a fence's marker from a text, also where taking it out would put another one together, and where
// it is written with letters that look the same or with characters in it that cannot be seen.
func WithoutMarker(text, marker string) string {
	want, _ := shapeOf([]rune(marker))
	if len(want) == 0 {
		return text
	}
	for {
		runes := []rune(text)
		shape, at := shapeOf(runes)
		found := -1
		for i := 0; i+len(want) <= len(shape) && found < 0; i++ {
			if slices.Equal(shape[i:i+len(want)], want) {
				found = i
			}
		}
		if found < 0 {
			return text
		}
		text = string(runes[:at[found]]) + string(runes[at[found+len(want)-1]+1:])
	}
}

// shapeOf is what a text looks like, and which of its runes each rune of that comes from.
func shapeOf(text []rune) (shape []rune, at []int) {
	for i, r := range text {
		compatible := []rune{r}
		if r >= 0x80 {
			if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
				continue
			}
			compatible = []rune(norm.NFKC.String(string(r)))
		}
		for _, c := range compatible {
			if plain, ok := lookalikes[c]; ok {
				c = plain
			}
			shape, at = append(shape, unicode.ToLower(c)), append(at, i)
		}
	}
	return shape, at
}

// lookalikes are the letters of other scripts that are drawn as the characters of a marker are, besides those that
// Unicode itself calls compatible with them.
var lookalikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'с': 'c', 'ԁ': 'd', 'Ь': 'b', 'ь': 'b', 'Ƅ': 'b', 'ƅ': 'b', 'А': 'a', 'В': 'b', 'С': 'c', 'Е': 'e', 'З': '3', 'з': '3', 'О': '0', 'о': '0', 'б': '6',
	'α': 'a', 'Α': 'a', 'Β': 'b', 'Ε': 'e', 'ϲ': 'c', 'Ϲ': 'c', 'ϝ': 'f', 'Ϝ': 'f', 'ο': '0', 'Ο': '0', 'O': '0', 'o': '0', 'l': '1', 'I': '1', 'ǀ': '1', '♯': '#', '⌗': '#',
}
