package model

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// cluster is a run of digits with what joins digits: 3, 3.5, 1,249, 14:30, 2026-05-01, 1-3.
	cluster = regexp.MustCompile(`\d+(?:[.,:/~–-]\d+)*`)
	plain   = regexp.MustCompile(`^\d{1,3}$`)
	list    = regexp.MustCompile(`^\d{1,2}(?:,\d{1,2})+$`)
	span    = regexp.MustCompile(`^\d{1,3}[-–~/]\d{1,3}$`)

	// moneyBefore and unitAfter say that a number is an amount. Sentences start with "I" and "In", so units are
	// whole words.
	moneyBefore = regexp.MustCompile(`(?i)(?:[€$£¥₹₽₩]|\b(?:eur|usd|gbp|nok|sek|dkk|chf|jpy|kr|rs|price|costs?|at|of|under|below|row|seat|gate|flight|page|à)[.:]?)\s*$`)
	unitAfter   = regexp.MustCompile(`(?i)^\s*(?:[€$£¥₹₽₩%°]|(?:eur|euros?|usd|dollars?|gbp|pounds?|nok|sek|dkk|chf|jpy|yen|kr|km|kg|cm|mm|mb|` +
		`am|pm|uhr|h|hrs?|hours?|min|mins|minutes?|sec|seconds?|days?|nights?|weeks?|months?|years?|passengers?|adults?|child(?:ren)?|people|persons?|` +
		`guests?|rooms?|seats?|tickets?|stops?|stars?|times|results?|options|items|actions|choices|candidates|steps|fields|tage?n?|stunden?|minuten|personen)(?:[^\pL]|$)|` +
		`円|元|時|时|分|秒|日|月|年|人)`)
	// menuLine is a menu line repeated with its key: "3 Rooms and guests" is no count of rooms.
	menuLine    = regexp.MustCompile(`(?:^|\n)[\s#(\[*_-]*$`)
	capital     = regexp.MustCompile(`^[.):\]*_]*\s+\p{Lu}`)
	numbered    = regexp.MustCompile(`(?m)^\s*\d+[.)]\s+[#(\[*_]*\d`)
	months      = `jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?`
	monthBefore = regexp.MustCompile(`(?i)\b(?:` + months + `)\.?\s*$`)
	monthAfter  = regexp.MustCompile(`(?i)^(?:st|nd|rd|th|\.)?\s*(?:of\s+)?(?:` + months + `)\b`)

	// against are words that turn a statement about a number around.
	against = regexp.MustCompile(`(?i)\b(?:not|never|avoid(?:s|ing)?|except|skip(?:ped|ping)?|nor|neither|without|cannot|unavailable|wrong|nicht|kein\w*|ohne|` +
		`pas|jamais|sans|nunca|sin|ikke|inte|niet|geen|non|não)\b|n't\b|\bno (?:longer|good)\b|不|ない|ません`)
	// loose are words after which a list of numbers is no longer plainly a list of steps.
	loose = regexp.MustCompile(`(?i)\b(?:or|either|between|rather|than|instead|already|unless|because|since|but|if|could|might|maybe|perhaps|done|oder|ou|` +
		`eller|vs|versus|otherwise|alternatively)\b`)
	// connects is what may stand between two steps of a list in prose.
	connects = regexp.MustCompile(`(?i)^[\s,;.:&+()\[\]*_#>→–-]*(?:(?:and|then|next|after that|finally|lastly|followed by|` + label + `s?|second|third|` +
		`und|dann|et|puis|ensuite|y|luego|e|poi|og|så|然后|そして)[\s,;.:()\[\]*_#]*)*$`)
	// clauseEnd ends the stretch in which a word can speak against a number.
	clauseEnd = regexp.MustCompile(`(?i)[.!?\n;,]|\b(?:because|since|as|that|which|so|but)\b`)
	noneStart = regexp.MustCompile(`(?i)^(?:none|nothing|keine[rs]?|aucune?|ninguno|nessuno|ingen|nenhum)\b|^(?:以上都不|都不|なし|該当なし)`)
)

// maxPicks is how many numbers, repeated ones included, a readable answer may hold.
const maxPicks = 64

// prose is what a text without a clear answer form says.
type prose struct {
	picks []pick
	span  bool // "1-3", "1/3": a range or a list, who knows
}

// pick is a number that may be an answer, with the byte range where it stands.
type pick struct {
	digits   string
	from, to int
}

func (p prose) keys() (keys []string) {
	for _, k := range p.picks {
		keys = addKey(keys, k.digits)
	}
	return keys
}

// scanProse finds the numbers in text that may be picks: no amounts, dates, times, ordinals, codes or numbers
// inside quoted labels.
func scanProse(text string) (p prose) {
	quoted := quotedRanges(text)
	for _, at := range cluster.FindAllStringIndex(text, -1) {
		from, to := at[0], at[1]
		c := text[from:to]
		if len(p.picks) > maxPicks {
			break
		}
		if inside(quoted, from) || !standsAlone(text, from, to) {
			continue
		}
		before, after := text[max(0, from-24):from], text[to:min(len(text), to+32)]
		if moneyBefore.MatchString(before) || monthBefore.MatchString(before) || monthAfter.MatchString(after) {
			continue
		}
		if unitAfter.MatchString(after) && !(menuLine.MatchString(before) && capital.MatchString(after)) {
			continue
		}
		switch {
		case plain.MatchString(c):
			p.picks = append(p.picks, pick{c, from, to})
		case list.MatchString(c):
			for _, d := range strings.Split(c, ",") {
				p.picks = append(p.picks, pick{d, from, to})
			}
		case span.MatchString(c):
			p.span = true
		}
	}
	return p
}

// parseProse reads what has no clear form: one number that nothing speaks against, or, where many were asked for, a
// plain enumeration.
func parseProse(text string, many bool) (keys []string, ok bool) {
	p := scanProse(text)
	keys = p.keys()
	if noneStart.MatchString(trimLine(text)) {
		if len(keys) == 0 || len(keys) == 1 && keys[0] == noneKey {
			return []string{noneKey}, true
		}
		return nil, false
	}
	if len(p.picks) > maxPicks || p.unsure(text) || many && p.span {
		return nil, false
	}
	if len(keys) > 1 && numbered.MatchString(text) {
		return nil, false // "1. 3": the first may only number the lines of the answer
	}
	if len(keys) > 1 && (!many || loose.MatchString(text) || against.MatchString(text) || !p.enumerates(text)) {
		return nil, false
	}
	return keys, true
}

// enumerates says whether the picks are a plain list: each starts a line or follows the one before with nothing but
// list words between them. In "2, the cheapest of 5" the second number is none of the steps.
func (p prose) enumerates(text string) bool {
	for i, k := range p.picks[1:] {
		before := p.picks[i]
		if k.from != before.from && !connects.MatchString(text[before.to:k.from]) && !menuLine.MatchString(text[:k.from]) {
			return false
		}
	}
	return true
}

// unsure says whether a clause that holds a pick speaks against it.
func (p prose) unsure(text string) bool {
	for _, k := range p.picks {
		from, to := max(0, k.from-160), min(len(text), k.to+160)
		before, after := text[from:k.from], text[k.to:to]
		if ends := clauseEnd.FindAllStringIndex(before, -1); ends != nil {
			before = before[ends[len(ends)-1][1]:]
		}
		if after = strings.TrimLeft(after, ".)]*_`\"' "); after != "" {
			if end := clauseEnd.FindStringIndex(after); end != nil {
				after = after[:end[0]]
			}
		}
		if against.MatchString(before) || against.MatchString(after) {
			return true
		}
	}
	return false
}

// standsAlone rejects digits that are part of a word or code: SAS1204, 12A, 3rd, v2. Scripts without spaces between
// words (第3, 3番) are no obstacle, and neither is "option3".
func standsAlone(text string, from, to int) bool {
	if r, _ := utf8.DecodeRuneInString(text[to:]); spaced(r) || r == '_' {
		return false
	}
	r, size := utf8.DecodeLastRuneInString(text[:from])
	switch {
	case r == '-' && from > size: // a code like BA-117; "- 3" has a space
		prev, _ := utf8.DecodeLastRuneInString(text[:from-size])
		return !spaced(prev)
	case spaced(r) || r == '_':
		return stuckLabel.MatchString(text[max(0, from-12):from])
	}
	return true
}

var stuckLabel = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:option|choice|action|item|pick|answer|no|nr)_?$`)

// spaced reports letters of scripts that put spaces between words.
func spaced(r rune) bool { return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) }

// quotes pairs an opening quotation mark with the marks that may close it.
var quotes = map[rune]string{'"': `"`, '“': "”“", '„': "“”", '«': "»", '»': "«", '‹': "›", '`': "`", '「': "」", '『': "』", '‘': "'", '\'': "'"}

// quotedRanges finds quoted stretches that hold more than a number. A quotation ends on its own line; a mark
// without a partner and an apostrophe quote nothing.
func quotedRanges(text string) (ranges [][2]int) {
	prev := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		closing, opens := quotes[r]
		if opens && r == '\'' && (unicode.IsLetter(prev) || unicode.IsDigit(prev)) {
			opens = false
		}
		prev = r
		start := i + size
		i = start
		if !opens {
			continue
		}
		line := text[start:]
		if nl := strings.IndexByte(line, '\n'); nl >= 0 {
			line = line[:nl]
		}
		line = line[:min(len(line), 400)]
		end := strings.IndexAny(line, closing)
		if end < 0 {
			continue
		}
		if !isNumber(line[:end]) {
			ranges = append(ranges, [2]int{start, start + end})
		}
		_, size = utf8.DecodeRuneInString(text[start+end:])
		i = start + end + size
	}
	return ranges
}

func isNumber(s string) bool { return listLine.MatchString(trimLine(s)) }

// inside says whether a position is in one of the ranges, which are in order.
func inside(ranges [][2]int, pos int) bool {
	i, _ := slices.BinarySearchFunc(ranges, pos, func(r [2]int, pos int) int {
		if r[1] <= pos {
			return -1
		}
		return 1
	})
	return i < len(ranges) && ranges[i][0] <= pos
}
