package model

import (
	"encoding/json"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answerNames are the members under which models put the answer, the plainest first; callNames hold a tool call's
// arguments, as an object or as text. Members of one row must agree; the first row with an answer counts.
var answerNames = [][]string{
	{"pick", "picks", "answer", "answers", "final_answer", "number", "numbers", "choice", "choices", "option", "options", "selection", "selected"},
	{"select", "index", "key", "keys", "action", "actions", "id", "ids", "step", "steps", "result", "value", "output"},
	callNames,
}

var callNames = []string{"arguments", "parameters", "args", "input", "function", "function_call", "tool_calls"}

// jsonDepth bounds how deep an answer may hide.
const jsonDepth = 6

var (
	objectStart   = regexp.MustCompile(`\{\s*["'“]`)
	fence         = regexp.MustCompile("(?s)```[a-zA-Z0-9]*[ \t]*\n?(.*?)```")
	trailingComma = regexp.MustCompile(`,\s*([}\]])`)
	wordNumber    = regexp.MustCompile(`(?i)^(?:` + label + `s?\b)?[\s:#]*(\d{1,6})[.)]?$`)
)

// parseJSON reads replies that are JSON or hold a JSON object. found says that there is JSON with an answer; not
// ok, that there is JSON which is broken off or contradicts itself.
func parseJSON(text string) (keys []string, found, ok bool) {
	body := text
	if m := fence.FindAllStringSubmatch(text, 2); len(m) == 1 {
		body = strings.TrimSpace(m[0][1])
	}
	if whole, ok := decodeJSON(body); ok {
		switch whole.(type) {
		case map[string]any, []any, nil:
			keys, ok := answerIn(whole, 0)
			return keys, true, ok
		}
		return nil, false, true // a bare number or a quoted text: the final forms know better
	}
	rest := text
	for range 8 { // objects in prose; one that explains and one that answers are common, many are not an answer
		at := objectStart.FindStringIndex(rest)
		if at == nil {
			return keys, keys != nil, true
		}
		length := objectLength(rest[at[0]:])
		if length == 0 {
			return nil, true, false
		}
		v, good := decodeJSON(rest[at[0] : at[0]+length])
		if !good {
			return nil, true, false
		}
		more, good := answerIn(v, 0)
		if !good || keys != nil && more != nil && !slices.Equal(keys, more) {
			return nil, true, false
		}
		if more != nil {
			keys = more
		}
		rest = rest[at[0]+length:]
	}
	return nil, true, false
}

// decodeJSON decodes one value that fills s, with the slips that models make: trailing commas, single quotes.
func decodeJSON(s string) (any, bool) {
	if s == "" || !strings.ContainsRune("{[\"n0123456789", rune(s[0])) {
		return nil, false
	}
	tries := []string{s, trailingComma.ReplaceAllString(s, "$1")}
	if !strings.Contains(s, `"`) {
		tries = append(tries, trailingComma.ReplaceAllString(strings.NewReplacer("'", `"`, "None", "null").Replace(s), "$1"))
	}
	if strings.ContainsAny(s, "“”") {
		tries = append(tries, strings.NewReplacer("“", `"`, "”", `"`).Replace(s))
	}
	for _, t := range tries {
		dec := json.NewDecoder(strings.NewReader(t))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			continue
		}
		if _, err := dec.Token(); err == io.EOF {
			return v, true
		}
	}
	return nil, false
}

// objectLength is the length of the object that s starts with, 0 if it never ends.
func objectLength(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// answerIn finds the keys in a JSON value. nil and ok means that it holds no answer; not ok, that it holds a
// contradiction or something that is no menu number where one belongs.
func answerIn(v any, depth int) (keys []string, ok bool) {
	if depth > jsonDepth {
		return nil, false
	}
	switch v := v.(type) {
	case nil:
		return []string{noneKey}, true
	case json.Number:
		return wholeNumber(v)
	case string:
		return textAnswer(v, depth)
	case []any:
		for _, item := range v {
			some, ok := answerIn(item, depth+1)
			if !ok || len(some) == 0 {
				return nil, false
			}
			for _, k := range some {
				keys = addKey(keys, k)
			}
		}
		if len(v) == 0 {
			return []string{noneKey}, true
		}
		return keys, true
	case map[string]any:
		return memberAnswer(v, depth)
	}
	return nil, false // true, false
}

// memberAnswer looks under the usual names, then into a tool call, then at the only member. Names count without
// regard to case; members that have another meaning (reason, confidence) are not looked at.
func memberAnswer(m map[string]any, depth int) (keys []string, ok bool) {
	for _, names := range answerNames {
		for name, value := range m {
			if !slices.Contains(names, strings.ToLower(strings.TrimSpace(name))) {
				continue
			}
			some, ok := answerIn(value, depth+1)
			if !ok || keys != nil && some != nil && !slices.Equal(keys, some) {
				return nil, false
			}
			if some != nil {
				keys = some
			}
		}
		if keys != nil {
			return keys, true
		}
	}
	if len(m) == 1 {
		for _, value := range m {
			switch value.(type) {
			case json.Number, []any:
				return answerIn(value, depth+1)
			}
		}
	}
	return nil, true
}

// textAnswer reads a string value: a number ("3", "Option 3"), none, a list, or JSON as text (arguments).
func textAnswer(s string, depth int) ([]string, bool) {
	s = strings.TrimSpace(s)
	if m := wordNumber.FindStringSubmatch(s); m != nil {
		return addKey(nil, m[1]), true
	}
	if v, ok := decodeJSON(s); ok {
		switch v.(type) {
		case map[string]any, []any:
			return answerIn(v, depth+1)
		}
	}
	if keys, _, ok := finalForm(s); keys != nil || !ok {
		return keys, ok
	}
	// A menu line repeated with its key, "3. Take SAS"; a number further on belongs to the label.
	p := scanProse(s)
	if keys := p.keys(); len(keys) == 1 && p.picks[0].from <= 2 && !p.unsure(s) {
		return keys, true
	}
	return nil, len(p.picks) == 0
}

// wholeNumber accepts 3 and 3.0.
func wholeNumber(n json.Number) ([]string, bool) {
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 999_999 {
		return nil, false
	}
	return addKey(nil, strconv.Itoa(int(f))), true
}
