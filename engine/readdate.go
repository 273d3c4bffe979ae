package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// months are the names of the months in the languages that dates on pages are mostly written in, where they are not
// the English ones or the beginning of those.
var months = [12][]string{
	{"jan", "januar", "janvier", "janeiro", "enero", "ene", "gennaio", "gen"},
	{"feb", "februar", "février", "fevrier", "févr", "fevr", "fév", "fev", "fevereiro", "febbraio"},
	{"mar", "märz", "maerz", "mär", "mars", "marzo", "março", "marco", "mrt", "maart"},
	{"apr", "april", "avril", "avr", "abril", "abr", "aprile"},
	{"may", "mai", "mayo", "maio", "maggio", "mag", "mei"},
	{"jun", "juni", "juin", "junio", "junho", "giugno", "giu"},
	{"jul", "juli", "juillet", "juil", "julio", "julho", "luglio", "lug"},
	{"aug", "august", "août", "aout", "agosto", "ago", "augustus"},
	{"sep", "sept", "september", "septembre", "septiembre", "setembro", "settembre", "set"},
	{"oct", "okt", "oktober", "october", "octobre", "octubre", "outubro", "out", "ottobre", "ott"},
	{"nov", "november", "novembre", "noviembre", "novembro"},
	{"dec", "dez", "december", "dezember", "décembre", "decembre", "déc", "diciembre", "dic", "dezembro", "dicembre"},
}

var (
	isoDateRE   = regexp.MustCompile(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b`)
	cjkDateRE   = regexp.MustCompile(`(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日`)
	shortDateRE = regexp.MustCompile(`\b(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4})\b`)
	dayFirstRE  = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de |of )?(\p{L}{3,12})\.?,?[\s-]+(?:de |del )?(\d{4})\b`)
	monthFirst  = regexp.MustCompile(`(?i)\b(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b`)
)

// dateOrder is which of day and month comes first in a column of dates.
type dateOrder int

const (
	anyOrder dateOrder = iota
	dayFirst
	monthThenDay
)

// orderOf finds out the order from the dates of a column that can be read in one way only.
func orderOf(texts []string) dateOrder {
	order := anyOrder
	for _, text := range texts {
		for _, m := range shortDateRE.FindAllStringSubmatch(text, -1) {
			a, _ := strconv.Atoi(m[1])
			b, _ := strconv.Atoi(m[3])
			this := anyOrder
			switch {
			case a > 12:
				this = dayFirst
			case b > 12:
				this = monthThenDay
			}
			if this != anyOrder && order != anyOrder && this != order {
				return anyOrder
			}
			order = max(order, this)
		}
	}
	return order
}

// parseDate reads the one date in a text that people read, and gives it as YYYY-MM-DD. A text with several dates, or
// one like 03/04/2027 that is another day in another country, is an error where nothing tells which comes first: a
// wrong day is worse than none.
func parseDate(text string, first dateOrder) (string, error) {
	var found []string
	var why error
	take := func(y, m, d string) {
		year, _ := strconv.Atoi(y)
		day, _ := strconv.Atoi(d)
		month, _ := strconv.Atoi(m)
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if t.Year() != year || int(t.Month()) != month || t.Day() != day {
			why = fmt.Errorf("%q is not a day of the calendar", cut(text, 40))
			return
		}
		if s := t.Format(time.DateOnly); !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	named := func(y, name, d string) {
		if m := monthOf(name); m > 0 {
			take(y, strconv.Itoa(m), d)
		}
	}
	rest := text
	each := func(re *regexp.Regexp, f func(m []string)) {
		for _, m := range re.FindAllStringSubmatch(rest, -1) {
			f(m)
		}
		rest = re.ReplaceAllString(rest, " ")
	}
	each(isoDateRE, func(m []string) { take(m[1], m[2], m[3]) })
	each(cjkDateRE, func(m []string) { take(m[1], m[2], m[3]) })
	each(dayFirstRE, func(m []string) { named(m[3], m[2], m[1]) })
	each(monthFirst, func(m []string) { named(m[3], m[1], m[2]) })
	each(shortDateRE, func(m []string) {
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[3])
		switch {
		case m[2] == ".", a > 12, a == b, b <= 12 && first == dayFirst: // nobody writes the month first with dots
			take(m[4], m[3], m[1])
		case b > 12, first == monthThenDay:
			take(m[4], m[1], m[3])
		default:
			why = fmt.Errorf("%q may be the %d of month %d or the %d of month %d", cut(text, 40), a, b, b, a)
		}
	})
	switch {
	case len(found) == 1 && why == nil:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("%q holds %d dates", cut(text, 40), len(found))
	case why != nil:
		return "", why
	}
	return "", fmt.Errorf("%q holds no date", cut(text, 40))
}

// monthOf is the month that a word names, 0 for none: a name in full, or English cut short.
func monthOf(word string) int {
	word = strings.ToLower(word)
	for i, names := range months {
		full := strings.ToLower(time.Month(i + 1).String())
		if slices.Contains(names, word) || len(word) >= 3 && strings.HasPrefix(full, word) {
			return i + 1
		}
	}
	return 0
}
