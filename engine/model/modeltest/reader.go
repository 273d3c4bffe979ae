package modeltest

import (
	"regexp"
	"strconv"
	"strings"
)

// Option is one line of a menu as the prompt shows it.
type Option struct {
	Key   string
	Label string
	Alt   int // from 1, the same for alternatives of each other; 0 if there are none
}

var (
	menuLine = regexp.MustCompile(`^(\d+) (.*)$`)
	severals = regexp.MustCompile(`(?i)comma[- ]separated`)
	altSets  = regexp.MustCompile(`one of (\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)`)
)

// Menu reads the menu out of a prompt, and whether several numbers may be answered. It is the last run of lines
// numbered from 1 upwards: text of the page stands before it. A prompt without a menu gives none.
func Menu(prompt string) (menu []Option, many bool) {
	var run []Option
	rest := ""
	for line := range strings.Lines(prompt) {
		m := menuLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m != nil && m[1] == strconv.Itoa(len(run)+1):
			run = append(run, Option{Key: m[1], Label: m[2]})
		case m != nil && m[1] == "1":
			run = []Option{{Key: m[1], Label: m[2]}}
		default:
			if run != nil {
				menu, run, rest = run, nil, ""
			}
			rest += line
		}
	}
	if run != nil {
		menu, rest = run, ""
	}
	question, _, _ := strings.Cut(rest, "\n")
	for i, set := range altSets.FindAllStringSubmatch(question, -1) {
		for part := range strings.SplitSeq(set[1], ", ") {
			from, to, ranged := strings.Cut(part, "-")
			if !ranged {
				to = from
			}
			first, _ := strconv.Atoi(from) // digits, and out of bounds if too many
			last, _ := strconv.Atoi(to)
			for n := max(first, 1); n <= min(last, len(menu)); n++ {
				menu[n-1].Alt = i + 1
			}
		}
	}
	return menu, severals.MatchString(question)
}

// Reader is a brain that knows only the prompt: it reads the menu and answers with the keys that prefer names, or
// with the first of them where one number is asked for. prefer may be nil: the first option, or, where several are
// allowed, every option but the second and later ones of a set of alternatives. No key is answered as 0, no menu with words.
func Reader(prefer func(menu []Option) []string) func(ChatRequest) Reply {
	if prefer == nil {
		prefer = firstOfEach
	}
	return func(req ChatRequest) Reply {
		menu, many := Menu(req.Prompt())
		if len(menu) == 0 {
			return Text("I see no menu in this prompt.")
		}
		keys := prefer(menu)
		switch {
		case len(keys) == 0:
			return Text("0")
		case !many:
			keys = keys[:1]
		}
		return Text(strings.Join(keys, ", "))
	}
}

func firstOfEach(menu []Option) (keys []string) {
	taken := map[int]bool{}
	for _, o := range menu {
		if o.Alt != 0 && taken[o.Alt] {
			continue
		}
		taken[o.Alt] = true
		keys = append(keys, o.Key)
	}
	return keys
}
