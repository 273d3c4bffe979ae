package datetext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Format is how a field wants a date to be written.
type Format struct {
	parts []part
	from  string // what it was found out from, for messages
}

type part struct {
	kind  byte // 'y', 'm', 'd', or 0 for text
	width int
	text  string
}

// Hints is what a field says about the format of its dates.
type Hints struct {
	Samples []string // placeholder, title, description: "MM/DD/YYYY", "e.g. 31.12.2027"
	Pattern string   // attribute pattern
	Value   string   // what it holds now
	Lang    string   // language of the page, BCP 47
}

// mask is one group of the letters that stand for day, month and year in the languages that have their own, as in
// TT.MM.JJJJ and jj/mm/aaaa, and what separates it from the next.
var mask = regexp.MustCompile(`\b(yyyy|jjjj|aaaa|rrrr|yy|d{1,2}|t{1,2}|j{1,2}|g{1,2}|m{1,4})\b([\s./,\-–年月日]*)`)

// latin spells the letters of other scripts with those of mask.
var latin = strings.NewReplacer("д", "d", "м", "m", "г", "y", "å", "y", "年", " 年 ", "月", " 月 ", "日", " 日 ", "η", "d", "μ", "m", "ε", "y")

// Detect finds out the format of a field. ok is false when nothing tells it; the message then says why.
func Detect(h Hints, want Date) (f Format, ok bool) {
	for _, s := range h.Samples {
		if f, ok := parseMask(s); ok {
			return f, true
		}
	}
	for _, s := range append([]string{h.Value}, h.Samples...) {
		if f, ok := fromSample(s); ok {
			return f, true
		}
	}
	if f, ok := fromPattern(h.Pattern, h.Lang); ok {
		return f, true
	}
	return fromLang(h.Lang, want)
}

// From says what the format was found out from.
func (f Format) From() string { return f.from }

// Write writes a date.
func (f Format) Write(d Date) string {
	var b strings.Builder
	for _, p := range f.parts {
		switch p.kind {
		case 'y':
			if p.width == 2 {
				fmt.Fprintf(&b, "%02d", d.Year%100)
			} else {
				fmt.Fprintf(&b, "%04d", d.Year)
			}
		case 'm':
			switch p.width {
			case 3:
				b.WriteString([]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}[d.Month-1])
			case 4:
				b.WriteString([]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}[d.Month-1])
			default:
				fmt.Fprintf(&b, "%0*d", p.width, d.Month)
			}
		case 'd':
			fmt.Fprintf(&b, "%0*d", p.width, d.Day)
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// Holds tells whether a text that a field of this format shows is the date, and no other.
func (f Format) Holds(text string, d Date) bool {
	found := Find(text)
	if len(found) != 1 || !found[0].Can(d) {
		return false
	}
	if len(found[0]) == 1 || d.Day == d.Month {
		return true
	}
	want, got := numbersOf(f.Write(d)), numbersOf(text)
	return slices.Equal(want, got)
}

func numbersOf(text string) []int {
	var out []int
	for _, it := range items(text) {
		if it.digits > 0 {
			out = append(out, it.value)
		}
	}
	return out
}

// parseMask reads "MM/DD/YYYY" and its like: one letter group each for the day, the month and the year.
func parseMask(text string) (Format, bool) {
	var f Format
	low := latin.Replace(strings.ToLower(text))
	seen, end := map[byte]bool{}, -1
	for _, m := range mask.FindAllStringSubmatchIndex(low, -1) {
		letters, gap := low[m[2]:m[3]], strings.TrimSpace(low[m[4]:m[5]])
		if gap == "" && m[4] < m[5] {
			gap = " "
		}
		if m[0] != end { // a word stands before it
			seen, f.parts = map[byte]bool{}, nil
		}
		end = m[1]
		p := part{width: len(letters)}
		switch {
		case p.width == 4 && letters[0] != 'm', letters[0] == 'y':
			p.kind = 'y'
		case letters[0] == 'm':
			p.kind = 'm'
		default:
			p.kind = 'd'
		}
		if seen[p.kind] {
			break
		}
		seen[p.kind] = true
		f.parts = append(f.parts, p)
		if len(seen) == 3 {
			f.from = fmt.Sprintf("%q", text)
			if strings.ContainsAny(gap, "年月日") {
				f.parts = append(f.parts, part{text: gap})
			}
			return f, true
		}
		f.parts = append(f.parts, part{text: gap})
	}
	return Format{}, false
}

// signed is a date with a sign after each number: 2026年4月1日.
var signed = regexp.MustCompile(`\d{4}(\s?[年년]\s?)\d{1,2}(\s?[月월]\s?)\d{1,2}(\s?[日일])`)

// fromSample reads the order from a date that has only one reading.
func fromSample(text string) (Format, bool) {
	if m := signed.FindStringSubmatch(text); m != nil {
		return Format{from: fmt.Sprintf("%q", text), parts: []part{
			{kind: 'y', width: 4}, {text: m[1]}, {kind: 'm', width: 1}, {text: m[2]}, {kind: 'd', width: 1}, {text: m[3]}}}, true
	}
	found := Find(text)
	list := items(text)
	if len(found) != 1 || len(found[0]) != 1 || len(list) < 3 {
		return Format{}, false
	}
	d := found[0][0]
	for i := 0; i+2 < len(list); i++ {
		l := list[i : i+3]
		if r := three(l); len(r) != 1 {
			continue
		}
		f := Format{from: fmt.Sprintf("%q", text)}
		day := false
		for k, it := range l {
			p := part{kind: 'm', width: it.digits}
			switch {
			case it.digits == 0:
				return Format{}, false // words come in forms that only their language knows
			case it.digits == 4:
				p.kind = 'y'
			case it.value == d.Day && !day && (d.Day != d.Month):
				p.kind, day = 'd', true
			case d.Day == d.Month:
				return Format{}, false
			}
			if k > 0 {
				f.parts = append(f.parts, part{text: it.gap})
			}
			f.parts = append(f.parts, p)
		}
		for k := range f.parts {
			if f.parts[k].kind != 0 && f.parts[k].kind != 'y' {
				f.parts[k].width = 2
			}
		}
		return f, true
	}
	return Format{}, false
}

var patternYear = regexp.MustCompile(`^\^?\(?(\\d|\[0-9\])\{4\}\)?(.{0,3}?)[\\\[(]`)

// fromPattern reads \d{4}-\d{2}-\d{2}; which of two pairs of digits is the month, no pattern says.
func fromPattern(pattern, _ string) (Format, bool) {
	m := patternYear.FindStringSubmatch(pattern)
	if m == nil {
		return Format{}, false
	}
	sep := strings.Trim(m[2], `\[]()`)
	return Format{from: "its pattern", parts: []part{{kind: 'y', width: 4}, {text: sep}, {kind: 'm', width: 2}, {text: sep}, {kind: 'd', width: 2}}}, true
}

// orders are what the languages write, by language and region; a language that is written in several ways needs one.
var orders = map[string]string{
	"en-us": "m/d/y", "en-ph": "m/d/y", "en-gb": "d/m/y", "en-au": "d/m/y", "en-nz": "d/m/y", "en-ie": "d/m/y", "en-in": "d/m/y", "en-ca": "y-m-d", "en-za": "y/m/d",
	"de": "d.m.y", "fr": "d/m/y", "fr-ca": "y-m-d", "es": "d/m/y", "es-us": "m/d/y", "it": "d/m/y", "pt": "d/m/y", "nl": "d-m-y", "pl": "d.m.y", "cs": "d.m.y", "sk": "d.m.y",
	"ru": "d.m.y", "uk": "d.m.y", "tr": "d.m.y", "fi": "d.m.y", "da": "d.m.y", "nb": "d.m.y", "no": "d.m.y", "sv": "y-m-d", "hu": "y.m.d", "ja": "y/m/d", "zh": "y/m/d", "ko": "y.m.d",
	"ro": "d.m.y", "bg": "d.m.y", "hr": "d.m.y", "sl": "d.m.y", "sr": "d.m.y", "el": "d/m/y", "he": "d.m.y", "vi": "d/m/y", "id": "d/m/y", "th": "d/m/y", "lt": "y-m-d", "lv": "d.m.y", "et": "d.m.y",
}

// fromLang takes the order of the page's language. Where that does not settle it, a date that has only one reading is
// written with the year first, which every parser that takes it reads the same way.
func fromLang(lang string, want Date) (Format, bool) {
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	order := orders[lang]
	if order == "" {
		base, _, _ := strings.Cut(lang, "-")
		order = orders[base]
	}
	if order == "" {
		if want.Day <= 12 && want.Day != want.Month {
			return Format{}, false
		}
		order = "m/d/y"
	}
	f := Format{from: "the page's language"}
	for _, c := range []byte(order) {
		switch c {
		case 'y':
			f.parts = append(f.parts, part{kind: c, width: 4})
		case 'm', 'd':
			f.parts = append(f.parts, part{kind: c, width: 2})
		default:
			f.parts = append(f.parts, part{text: string(c)})
		}
	}
	return f, true
}
