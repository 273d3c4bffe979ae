package model

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nth-dev/nth/engine"
)

// refused marks a reply in which no pick may be seen.
const refused = "unreadable"

// parseCases are shapes of replies; the wanted keys are comma separated. All menus have 5 options.
var parseCases = []struct {
	name, reply string
	one, many   string // "" means the same as the other
}{
	// The plain forms.
	{name: "number", reply: "3", one: "3"},
	{name: "full stop", reply: "3.", one: "3"},
	{name: "white space", reply: " \n 3\n\n", one: "3"},
	{name: "bold", reply: "**3**", one: "3"},
	{name: "bold with stop", reply: "**3.**", one: "3"},
	{name: "code", reply: "`3`", one: "3"},
	{name: "round brackets", reply: "(3)", one: "3"},
	{name: "one bracket", reply: "3)", one: "3"},
	{name: "square brackets", reply: "[3]", one: "3"},
	{name: "curly brackets", reply: "{3}", one: "3"},
	{name: "hash", reply: "#3", one: "3"},
	{name: "quoted", reply: `"3"`, one: "3"},
	{name: "curly quotes", reply: "“3”", one: "3"},
	{name: "bullet", reply: "- 3", one: "3"},
	{name: "quote mark", reply: "> 3", one: "3"},
	{name: "heading", reply: "### 3", one: "3"},
	{name: "leading zero", reply: "03", one: "3"},
	{name: "full width", reply: "３", one: "3"},
	{name: "full width with stop", reply: "３。", one: "3"},
	{name: "circled", reply: "③", one: "3"},
	{name: "keycap emoji", reply: "3️⃣", one: "3"},
	{name: "arabic digits", reply: "٣", one: "3"},
	{name: "devanagari digits", reply: "३", one: "3"},
	{name: "zero width space", reply: "\u200b3\u200b", one: "3"},
	{name: "byte order mark", reply: "\ufeff3", one: "3"},
	{name: "windows line end", reply: "3\r\n", one: "3"},
	{name: "invalid UTF-8 around", reply: "\xff3\xfe", one: "3"},
	{name: "latex", reply: `The result is $\boxed{3}$`, one: "3"},
	{name: "twice the same", reply: "3\n3", one: "3"},
	{name: "out of range is the gate's", reply: "17", one: "17"},
	{name: "negative is the gate's", reply: "-1", one: "-1"},

	// Words around.
	{name: "option", reply: "Option 3", one: "3"},
	{name: "option with label", reply: "Option 3: Take SAS", one: "3"},
	{name: "option stuck", reply: "option3", one: "3"},
	{name: "answer", reply: "Answer: 3", one: "3"},
	{name: "bold answer", reply: "**Answer:** 3", one: "3"},
	{name: "final answer", reply: "Final answer: **3**", one: "3"},
	{name: "the answer is", reply: "The answer is 3.", one: "3"},
	{name: "No. 3", reply: "No. 3", one: "3"},
	{name: "because", reply: "I pick 3 because it is the cheapest.", one: "3"},
	{name: "go for", reply: "I'd go for 3!", one: "3"},
	{name: "prose before", reply: "The form still lacks the date, so the next step is (3)", one: "3"},
	{name: "label repeated", reply: "3 Take SAS at €120, 14:30, 14 March", one: "3"},
	{name: "label with a count", reply: "3. Rooms and guests", one: "3"},
	{name: "label quoted", reply: `I choose 3 ("Buy 2 get 1")`, one: "3"},
	{name: "german", reply: "Ich wähle 3, weil es am günstigsten ist.", one: "3"},
	{name: "french", reply: "Réponse : 3", one: "3"},
	{name: "chinese", reply: "我选择第3个选项", one: "3"},
	{name: "japanese", reply: "３番を選びます。", one: "3"},
	{name: "final line after talk", reply: "2 looks good, but 3 is cheaper.\n\n3", one: "3"},
	{name: "final answer after talk", reply: "Options 1 and 2 cost more.\nAnswer: 3", one: "3"},
	{name: "answer with reason", reply: "Answer: 3 (it is the cheapest, €120)", one: "3"},
	{name: "thinking", reply: "<think>2? No, 1 is done. So 3.</think>\n3", one: "3"},
	{name: "range beside", reply: "Options 1-2 cost more; take 3", one: "3", many: refused},

	// JSON.
	{name: "json", reply: `{"pick":3}`, one: "3"},
	{name: "json with text", reply: `{"pick":"3"}`, one: "3"},
	{name: "json with option", reply: `{"pick":"Option 3"}`, one: "3"},
	{name: "json with menu line", reply: `{"answer":"3. Take SAS"}`, one: "3"},
	{name: "json float", reply: `{"pick": 3.0}`, one: "3"},
	{name: "json list of one", reply: `{"picks":[3]}`, one: "3"},
	{name: "json and other members", reply: `{"reason":"2 is taken","pick":3,"confidence":0.9}`, one: "3"},
	{name: "json under another name", reply: `{"menu_item":3}`, one: "3"},
	{name: "json in capitals", reply: `{"PICK": 3}`, one: "3"},
	{name: "json trailing comma", reply: `{"pick":3,}`, one: "3"},
	{name: "json single quotes", reply: `{'pick': 3}`, one: "3"},
	{name: "json bare names", reply: `{pick: 3}`, one: "3"},
	{name: "json fenced", reply: "```json\n{\"pick\": 3}\n```", one: "3"},
	{name: "number fenced", reply: "```\n3\n```", one: "3"},
	{name: "json in prose", reply: `Here you are: {"pick": 3}. Option 2 is worse.`, one: "3"},
	{name: "json null", reply: `{"pick": null}`, one: "0"},
	{name: "tool call", reply: `{"name":"pick","arguments":{"pick":3}}`, one: "3"},
	{name: "tool call with wrong name", reply: `{"name":"click_element","arguments":"{\"index\": 3}"}`, one: "3"},
	{name: "tool calls", reply: `{"tool_calls":[{"id":"call_12","function":{"name":"x","arguments":"{\"pick\":3}"}}]}`, one: "3"},

	// None.
	{name: "zero", reply: "0", one: "0"},
	{name: "None", reply: "None", one: "0"},
	{name: "none of these", reply: "none of these.", one: "0"},
	{name: "none of the above", reply: "None of the above options apply", one: "0"},
	{name: "none with reason", reply: "None of the 5 options helps, the page is an error page.", one: "0"},
	{name: "none and zero", reply: "None of these (0)", one: "0"},
	{name: "german none", reply: "Keine davon", one: "0"},
	{name: "chinese none", reply: "以上都不是", one: "0"},
	{name: "empty list", reply: `{"picks":[]}`, one: "0"},

	// Several.
	{name: "list", reply: "1, 2, 4", one: refused, many: "1,2,4"},
	{name: "list without spaces", reply: "1,2,4", one: refused, many: "1,2,4"},
	{name: "list of words", reply: "4 then 1 and 2", one: refused, many: "4,1,2"},
	{name: "arrows", reply: "4 -> 1 → 2", one: refused, many: "4,1,2"},
	{name: "first then", reply: "First 1, then 3.", one: refused, many: "1,3"},
	{name: "json list", reply: `{"picks":[2,1]}`, one: refused, many: "2,1"},
	{name: "bare json list", reply: `[2, 1]`, one: refused, many: "2,1"},
	{name: "json list of text", reply: `["2","1",]`, one: refused, many: "2,1"},
	{name: "json objects", reply: `[{"pick":2},{"pick":1}]`, one: refused, many: "2,1"},
	{name: "lines", reply: "1\n2\n4", one: refused, many: "1,2,4"},
	{name: "menu lines", reply: "1. Enter Oslo\n2. Enter Bergen, 14 March", one: refused, many: "1,2"},
	{name: "answer list", reply: "Answer: 2, 1", one: refused, many: "2,1"},
	{name: "chinese list", reply: "１、２、４", one: refused, many: "1,2,4"},
	{name: "repeated", reply: "1, 2, 1", one: refused, many: "1,2"},
	{name: "two agreeing lists", reply: "1, 2\nFinal answer: 1, 2", one: refused, many: "1,2"},
	{name: "or", reply: "1 or 2", one: refused},
	{name: "list with a reason", reply: "1 and 2, because 3 is done", one: refused},
	{name: "list with an exception", reply: "I'd do 1 and 4 and skip 2", one: refused},
	{name: "numbered list of numbers", reply: "1. 3\n2. 4", one: refused},
	{name: "steps in a sentence", reply: "I will do 1, then option 3, and finally (4).", one: refused, many: "1,3,4"},
	{name: "numbers apart", reply: "Step 1 fills the city and then comes 3", one: refused},
	{name: "label with a number", reply: "1. Enter Oslo\n2. Choose seat number 12", one: refused},
	{name: "out of", reply: "**Option 2** – the cheapest of 5", one: "2"},
	{name: "zero beside others", reply: "0, 1", one: refused},
	{name: "more than the menu has", reply: "1, 2, 3, 4, 5, 6", one: refused},
	{name: "two lists", reply: "1, 2\n2, 1", one: refused},

	// Not to be guessed.
	{name: "two numbers", reply: "I am torn between 2 and 3", one: refused},
	{name: "two numbers in an answer", reply: "Answer: 2 or 3", one: refused},
	{name: "two final lines", reply: "2\n3", one: refused, many: "2,3"},
	{name: "two answers", reply: "Answer: 2\nAnswer: 3", one: refused},
	{name: "two objects", reply: `{"pick":2} {"pick":3}`, one: refused},
	{name: "two members", reply: `{"pick":2,"choice":3}`, one: refused},
	{name: "not", reply: "Do not choose 3", one: refused},
	{name: "not suitable", reply: "3 is not possible", one: refused},
	{name: "chinese not", reply: "不选3", one: refused},
	{name: "none but", reply: "None really, maybe 3", one: refused},
	{name: "range", reply: "1-3", one: refused},
	{name: "fraction", reply: "3/5", one: refused},
	{name: "decimal", reply: "3.5", one: refused},
	{name: "price", reply: "It costs €120", one: refused},
	{name: "price only", reply: "$3", one: refused},
	{name: "thousands", reply: "1,249", one: refused},
	{name: "date", reply: "14 March", one: refused},
	{name: "ISO date", reply: "2026-05-01", one: refused},
	{name: "time", reply: "at 14:30", one: refused},
	{name: "percent", reply: "I am 3% sure", one: refused},
	{name: "ordinal", reply: "the 3rd", one: refused},
	{name: "code", reply: "SAS1204 or BA-117", one: refused},
	{name: "count", reply: "There are 5 options", one: refused},
	{name: "label only", reply: `"Buy 2 get 1"`, one: refused},
	{name: "word", reply: "three", one: refused},
	{name: "empty", reply: "", one: refused},
	{name: "blank", reply: " \n\t", one: refused},
	{name: "punctuation", reply: "...", one: refused},
	{name: "refusal", reply: "I'm sorry, I can't help with that.", one: refused},
	{name: "wrong language", reply: "Je ne comprends pas la question.", one: refused},
	{name: "truncated json", reply: `{"pick": 1`, one: refused},
	{name: "truncated json text", reply: `{"reason":"the cheapest is`, one: refused},
	{name: "truncated list", reply: `[1, 2`, one: refused},
	{name: "truncated thinking", reply: "<think>3 is cheap and 3", one: refused},
	{name: "json without a number", reply: `{"pick":"the cheapest"}`, one: refused},
	{name: "json true", reply: `{"pick":true}`, one: refused},
	{name: "json fraction", reply: `{"pick":2.5}`, one: refused},
	{name: "json NaN", reply: `{"pick":NaN}`, one: refused},
	{name: "json huge", reply: `{"pick":1e300}`, one: refused},
	{name: "json deep", reply: strings.Repeat(`{"pick":`, 20) + "3" + strings.Repeat("}", 20), one: refused},
	{name: "long digits", reply: strings.Repeat("3", 100), one: refused},
	{name: "invalid UTF-8", reply: "\xff\xfe\xfd", one: refused},
	{name: "html", reply: "<html><body>404</body></html>", one: "404"}, // off the menu: the gate's
}

func TestParse(t *testing.T) {
	if len(parseCases) < 60 {
		t.Fatalf("%d shapes, want at least 60", len(parseCases))
	}
	for _, c := range parseCases {
		t.Run(c.name, func(t *testing.T) {
			if c.many == "" {
				c.many = c.one
			}
			if got := parsed(t, c.reply, 5, false); got != c.one {
				t.Errorf("one: %q gave %s, want %s", c.reply, got, c.one)
			}
			if got := parsed(t, c.reply, 5, true); got != c.many {
				t.Errorf("many: %q gave %s, want %s", c.reply, got, c.many)
			}
		})
	}
}

func parsed(t *testing.T, reply string, n int, many bool) string {
	t.Helper()
	keys, err := Parse(reply, n, many)
	if err == nil {
		return strings.Join(keys, ",")
	}
	if u, ok := errors.AsType[*engine.UnreadableError](err); !ok || len(u.Reply) > 1024 || !utf8.ValidString(u.Reply) {
		t.Errorf("%q: error %v (%T)", reply, err, err)
	}
	return refused
}

func TestParseIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"text": "no number here, ", "numbers": "1, 2, 3, ", "quotes": `"'“`, "brackets": "{\"[", "objects": `{"a":1} `, "digits": "9", "commas": "1,",
		"spaces": "1 ", "lines": "Answer: 3\n", "fences": "``` ", "not": "not 3 ",
	} {
		for _, size := range []int{parseLimit, 10 << 20} {
			reply := strings.Repeat(unit, size/len(unit))
			start := time.Now()
			if got := parsed(t, reply, 5, true); got != refused && got != "3" {
				t.Errorf("%s: %s", name, got)
			}
			if took := time.Since(start); took > 3*time.Second { // measured: below 0.1 s without -race
				t.Errorf("%s of %d bytes took %s", name, size, took)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add(c.reply, false)
		f.Add(c.reply, true)
	}
	key := regexp.MustCompile(`^(0|-?[1-9][0-9]{0,5})$`)
	f.Fuzz(func(t *testing.T, reply string, many bool) {
		keys, err := Parse(reply, 5, many)
		if err != nil {
			if u, ok := errors.AsType[*engine.UnreadableError](err); !ok || keys != nil || len(u.Reply) > rawLimit || !utf8.ValidString(u.Reply) {
				t.Fatalf("%q, %v", keys, err)
			}
			return
		}
		if len(keys) == 0 || len(keys) > 5 || !many && len(keys) != 1 || len(keys) > 1 && slices.Contains(keys, noneKey) {
			t.Fatalf("keys %q", keys)
		}
		for i, k := range keys {
			if !key.MatchString(k) || slices.Contains(keys[:i], k) {
				t.Fatalf("keys %q", keys)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, reply string }{
		{"number", "3"}, {"list", "1, 2, 4"}, {"json", `{"pick":3}`}, {"prose", "I pick 3 because it is the cheapest at €120 on 14 March."},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(c.reply, 5, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
