package lsp

import "strings"

// word is one name of a chain, with its place in the expression, in bytes.
type word struct {
	name     string
	from, to int
}

// chains are the names of an expression that follow each other: inputs.trip.from, facts["paid"], run?.id.
func chains(src string) [][]word {
	var out [][]word
	var open []word
	flush := func() {
		if open != nil {
			out = append(out, open)
		}
		open = nil
	}
	joined := false // a dot has come, and the next name belongs to the chain
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case isLetter(c):
			end := i
			for end < len(src) && (isLetter(src[end]) || src[end] >= '0' && src[end] <= '9') {
				end++
			}
			if !joined {
				flush()
				if i > 0 && src[i-1] == '.' { // the field of something that has no name
					i = end
					continue
				}
			}
			open = append(open, word{src[i:end], i, end})
			joined = false
			i = end
		case c == '.' && open != nil && !joined:
			joined = true
			i++
		case c == '?' && strings.HasPrefix(src[i:], "?."):
			i++
		case c == '[' && open != nil && i+1 < len(src) && (src[i+1] == '"' || src[i+1] == '\''):
			end := stringEnd(src, i+1)
			if name := src[i+2 : max(i+2, end-1)]; isName(name) && strings.HasPrefix(src[end:], "]") {
				open = append(open, word{name, i + 2, end - 1})
				i = end + 1
				continue
			}
			flush()
			i = end
		case c == '"' || c == '\'' || c == '`':
			flush()
			i = stringEnd(src, i)
		default:
			flush()
			joined = false
			i++
		}
	}
	flush()
	return out
}

// stringEnd is the place behind the string that begins at i.
func stringEnd(src string, i int) int {
	q := src[i]
	for i++; i < len(src); i++ {
		switch {
		case src[i] == '\\' && q != '`':
			i++
		case src[i] == q:
			return i + 1
		}
	}
	return len(src)
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
