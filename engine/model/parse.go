package model

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine"
)

// parseLimit is the longest reply that is read, in bytes; a longer one is not an answer to "which number?".
const parseLimit = 32 << 10

// Parse reads the menu keys out of a model's reply to a menu of n options. many says whether several keys, in the
// order to do them, were asked for; otherwise exactly one key comes back. Keys are decimal without leading zeros;
// ["0"] means none of these. They need not be on the menu: that is for the engine's gate to check.
//
// A reply is read as JSON if it is or holds JSON; else by its clear final forms (a line that is only numbers,
// "Answer: 3"); else as prose, in which numbers that belong to prices, dates, times, counts or quoted labels do not
// count. What could mean two things, lists more keys than the menu has, or speaks against its only number is an
// *engine.UnreadableError without usage.
func Parse(reply string, n int, many bool) ([]string, error) {
	keys, ok := parse(reply, many)
	if !ok || len(keys) == 0 || !many && len(keys) > 1 || len(keys) > max(n, 1) ||
		len(keys) > 1 && slices.Contains(keys, noneKey) {
		return nil, &engine.UnreadableError{Reply: cut(reply, rawLimit)}
	}
	return keys, nil
}

// parse gives the distinct keys in order. Not ok means that the reply must not be read any further.
func parse(reply string, many bool) (keys []string, ok bool) {
	if len(reply) > parseLimit {
		return nil, false
	}
	text, ok := withoutThinking(normalise(reply))
	if !ok {
		return nil, false
	}
	if strings.Count(text, "[") > strings.Count(text, "]") || strings.Count(text, "{") > strings.Count(text, "}") {
		return nil, false // broken off: 1 may have been the start of 12
	}
	if keys, found, ok := parseJSON(text); found || !ok {
		return keys, ok
	}
	if keys, found, ok := parseFinal(text, many); found || !ok {
		return keys, ok
	}
	return parseProse(text, many)
}

// withoutThinking drops the <think>…</think> that local servers leave in the text. Thinking that never ends holds
// no answer.
func withoutThinking(s string) (string, bool) {
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if i := strings.LastIndex(s, "</"+tag+">"); i >= 0 {
			s = s[i+len(tag)+3:]
		}
		if strings.Contains(s, "<"+tag+">") {
			return "", false
		}
	}
	return strings.TrimSpace(s), true
}

const (
	number = `-?\d{1,6}`
	// between is what may stand between the numbers of a list.
	between = `(?:\s*(?:,|;|&|\+|->|=>|→|>)\s*` + joiner + `|\s+` + joiner + `)`
	joiner  = `(?:(?:and|then|und|dann|et|puis|y|luego|e|poi|og|så)\s+)*`
	label   = `(?:the\s+)?(?:final\s+)?(?:answer|choice|pick|selection|selected|option|number|action|item|step|no|nr|` +
		`choose|select|antwort|auswahl|nummer|réponse|respuesta|opción|risposta|scelta|svar|答案|回答|选择|選択|选项)`
)

var (
	listLine   = regexp.MustCompile(`(?i)^(?:` + label + `s?\b)?\s*(?:is|are|ist|est|es|är|er)?[\s:=#.*_]*(` + number + `(?:` + between + `[#(\[]?` + number + `[)\].]?)*)$`)
	answerLine = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + label + `)s?[*_]*(?:\s*[:=]+|\s+(?:is|are|ist|est|es)\b[\s:]*)\s*(.*)$`)
	boxed      = regexp.MustCompile(`\\boxed\{([^{}]*)\}`)
	digits     = regexp.MustCompile(number)
	joined     = regexp.MustCompile(`\d\s*[-–~]\s*\d|\d,\d{3}\b`)
	bullet     = regexp.MustCompile(`^(?:[-*•+]|>)\s+`)
	noneLine   = regexp.MustCompile(`(?i)^(?:none|nothing|null|nil|n/a|no (?:suitable |matching |valid )?(?:option|action|match|choice)s?|` +
		`keine[rs]?|nichts|aucune?|ninguno|ninguna|nessuno|nessuna|nenhuma?|ingen|inget|żadn[ae]|なし|該当なし|无|無|都不是|以上都不是)` +
		`(?:[\s,:]+(?:of|fits?|match(?:es)?|apply|applies|these|the|them|those|above|options?|actions?|listed|davon|de|ces|estos|questi|disse)\b)*$`)
)

// trimLine takes away what decorates a line that is otherwise only an answer.
func trimLine(line string) string {
	line = bullet.ReplaceAllString(strings.TrimSpace(line), "")
	return strings.Trim(line, " \t*_~`\"'“”„«»()[]{}<>.:;,!|#")
}

// parseFinal looks for the clear final forms. Several of them must agree, except that lines of one number each are
// a list where one was asked for.
func parseFinal(text string, many bool) (keys []string, found, ok bool) {
	var finals [][]string
	single := true // every final form so far is a line with one number
	for line := range strings.Lines(text) {
		keys, bare, ok := finalForm(line)
		if !ok {
			return nil, true, false
		}
		if keys == nil {
			continue
		}
		single = single && bare && len(keys) == 1
		finals = append(finals, keys)
	}
	switch {
	case len(finals) == 0:
		return nil, false, true
	case many && single:
		for _, f := range finals {
			keys = addKey(keys, f[0])
		}
		return keys, true, true
	}
	for _, f := range finals[1:] {
		if !slices.Equal(f, finals[0]) {
			return nil, true, false
		}
	}
	return finals[0], true, true
}

// finalForm reads one line. bare says that the line holds nothing but the keys and is not called the answer; not ok, that it is an answer form
// which names more than it may.
func finalForm(line string) (keys []string, bare, ok bool) {
	if m := boxed.FindStringSubmatch(line); m != nil {
		line = m[1]
	}
	core := trimLine(line)
	if noneLine.MatchString(core) {
		return []string{noneKey}, true, true
	}
	if m := listLine.FindStringSubmatch(core); m != nil && !joined.MatchString(core) {
		keys := listKeys(m[1])
		return keys, !answerLine.MatchString(core), keys != nil
	}
	m := answerLine.FindStringSubmatch(line)
	if m == nil {
		return nil, false, true
	}
	rest := trimLine(m[1])
	if noneLine.MatchString(rest) {
		return []string{noneKey}, false, true
	}
	if m := listLine.FindStringSubmatch(rest); m != nil && !joined.MatchString(rest) {
		keys := listKeys(m[1])
		return keys, false, keys != nil
	}
	// "Answer: 3 (Take SAS at 120)", "Answer: 3 because …": one number, and nothing that speaks against it.
	p := scanProse(m[1])
	if len(p.picks) == 0 {
		return nil, false, true
	}
	keys = p.keys()
	return keys, false, len(keys) == 1 && !p.unsure(m[1])
}

// listKeys splits a list. It gives nil for a list so long that the model must have lost itself in it.
func listKeys(s string) (keys []string) {
	all := digits.FindAllString(s, maxPicks+1)
	if len(all) > maxPicks {
		return nil
	}
	for _, d := range all {
		keys = addKey(keys, d)
	}
	return keys
}

// addKey appends a key without leading zeros unless it is there.
func addKey(keys []string, d string) []string {
	sign := ""
	if strings.HasPrefix(d, "-") {
		sign, d = "-", d[1:]
	}
	if d = strings.TrimLeft(d, "0"); d == "" {
		sign, d = "", noneKey
	}
	if slices.Contains(keys, sign+d) {
		return keys
	}
	return append(keys, sign+d)
}
