package datetext

import (
	"slices"
	"strings"
	"unicode"
)

// item is a number, or the name of a month, in a text.
type item struct {
	value  int    // of a number
	digits int    // that it was written with; 0: the name of a month
	months uint16 // that the name may stand for: bit n is month n
	unit   rune   // 'y', 'm' or 'd' where a sign for the year, month or day follows, as in 2027年3月17日
	gap    string // what stands between it and the item before, without blanks
	words  bool   // other words stand there
}

// units are the signs that follow a number in Chinese, Japanese and Korean.
var units = map[rune]rune{'年': 'y', '月': 'm', '日': 'd', '号': 'd', '號': 'd', '년': 'y', '월': 'm', '일': 'd'}

// small are words that stand between the parts of a date, or after a number.
var small = map[string]bool{
	"de": true, "del": true, "d": true, "of": true, "the": true, "st": true, "nd": true, "rd": true, "th": true, "er": true, "º": true, "ª": true,
	"a": true, "den": true, "le": true, "г": true, "р": true, "г.": true, "ngày": true, "m": true, "mh": true, "ú": true,
}

// items takes a text apart.
func items(text string) []item {
	text = strings.ToLower(text)
	var out []item
	gap, words := "", false
	add := func(it item) {
		it.gap, it.words = gap, words
		out = append(out, it)
		gap, words = "", false
	}
	rs := []rune(text)
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case unicode.IsDigit(r):
			n, start := 0, i
			for ; i < len(rs) && unicode.IsDigit(rs[i]) && i-start < 9; i++ {
				n = n*10 + digit(rs[i])
			}
			add(item{value: n, digits: i - start})
		case len(out) > 0 && units[r] != 0 && gap == "" && out[len(out)-1].digits > 0 && out[len(out)-1].unit == 0:
			out[len(out)-1].unit = units[r]
			i++
		case isWord(r):
			months, n := monthAt(rs[i:])
			if months != 0 {
				add(item{months: months})
				i += n
				continue
			}
			start := i
			for i < len(rs) && isWord(rs[i]) {
				i++
			}
			words = words || !small[string(rs[start:i])]
		default:
			if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
				gap += string(r)
			}
			i++
		}
	}
	return out
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// digit is the value of a decimal digit of any script.
func digit(r rune) int {
	for zero := r; ; zero-- { // the digits of a script stand together, ten by ten
		if !unicode.IsDigit(zero-1) || r-zero == 9 {
			return int(r-zero) % 10
		}
	}
}

// monthAt finds the longest name of a month that rs begins with, and that ends where a word does.
func monthAt(rs []rune) (months uint16, n int) {
	for i := 1; i <= len(rs) && i <= 24; i++ {
		if i < len(rs) && isWord(rs[i]) && !unicode.Is(unicode.Han, rs[i]) {
			continue
		}
		if m := monthNames[string(rs[:i])]; m != 0 {
			months, n = m, i
		}
	}
	return months, n
}

// Find gives the dates in a text, in order, each with all its readings. Where a text names a year nowhere, the dates
// have year 0.
func Find(text string) []Readings {
	list := items(text)
	var out []Readings
	for i := 0; i < len(list); {
		if i+2 < len(list) {
			if r := three(list[i : i+3]); len(r) > 0 {
				out = append(out, r)
				i += 3
				continue
			}
		}
		if r := compact(list[i]); len(r) > 0 {
			out = append(out, r)
		}
		i++
	}
	if len(out) > 0 || slices.ContainsFunc(list, func(it item) bool { return it.digits == 4 }) {
		return out
	}
	for i := 0; i+1 < len(list); i++ {
		if r := dayAndMonth(list[i], list[i+1]); len(r) > 0 {
			out = append(out, r)
			i++
		}
	}
	return out
}

// three reads three items as a date.
func three(l []item) Readings {
	var out Readings
	add := func(y, d item, months ...int) {
		for _, m := range months {
			for _, year := range y.years() {
				if date := (Date{year, m, d.value}); date.Valid() && !out.Can(date) {
					out = append(out, date)
				}
			}
		}
	}
	a, b, c := l[0], l[1], l[2]
	if b.words || c.words {
		return nil
	}
	if a.unit == 'm' { // 3月 17, 2027: a name, where the others are numbers alone
		a = a.asName()
	} else if b.unit == 'm' && a.unit == 0 && c.unit == 0 {
		b = b.asName()
	}
	switch {
	case b.digits == 0: // 17 March 2027, 2027 March 17
		if a.digits == 0 || c.digits == 0 {
			return nil
		}
		if a.isDay() && c.digits != 3 && c.digits <= 4 {
			add(c, a, b.names()...)
		}
		if a.digits == 4 && c.isDay() {
			add(a, c, b.names()...)
		}
	case a.digits == 0: // March 17, 2027
		if b.isDay() && (c.digits == 4 || c.digits == 2 && c.gap != ":") {
			add(c, b, a.names()...)
		}
	case c.digits == 0: // 2027 17 March
		if a.digits == 4 && b.isDay() {
			add(a, b, c.names()...)
		}
	default:
		return numbers(a, b, c)
	}
	return out
}

// asName is a number with the sign for a month as the name of that month.
func (it item) asName() item {
	if it.isDay() && it.value <= 12 {
		it.months, it.digits = 1<<it.value, 0
	}
	return it
}

// numbers reads three numbers. Their separators must be the same, and none that times or prices are written with.
func numbers(a, b, c item) Readings {
	marked := a.unit != 0 && b.unit != 0 && c.unit != 0
	if !marked && (!separator(b.gap) || !separator(c.gap) || strings.Trim(b.gap, ".") != strings.Trim(c.gap, ".")) {
		return nil
	}
	var out Readings
	add := func(y, m, d item) {
		if y.unit != 0 && y.unit != 'y' || m.unit != 0 && m.unit != 'm' || d.unit != 0 && d.unit != 'd' || !m.isDay() || !d.isDay() {
			return
		}
		for _, year := range y.years() {
			if date := (Date{year, m.value, d.value}); date.Valid() && !out.Can(date) {
				out = append(out, date)
			}
		}
	}
	switch {
	case a.digits == 4:
		add(a, b, c)
	case c.digits == 4, c.digits == 2 && a.digits <= 2:
		add(c, b, a)
		if b.gap != "." { // where dots are used the day comes first
			add(c, a, b)
		}
		if c.digits == 2 && a.digits == 2 && b.gap != "." {
			add(a, b, c)
		}
	}
	return out
}

func separator(gap string) bool {
	switch gap {
	case "", "/", "-", ".", "‑", "–", "−", "/ ", "٫", "،", "\u200f/":
		return true
	}
	return false
}

// compact reads 20270317.
func compact(it item) Readings {
	if it.digits != 8 {
		return nil
	}
	if d := (Date{it.value / 10000, it.value / 100 % 100, it.value % 100}); d.Valid() && d.Year > 1800 && d.Year < 2200 {
		return Readings{d}
	}
	return nil
}

// dayAndMonth reads 17 March and March 17.
func dayAndMonth(a, b item) Readings {
	if a.digits == 0 {
		a, b = b, a
	}
	var out Readings
	if b.digits == 0 && a.isDay() {
		for _, m := range b.names() {
			if d := (Date{0, m, a.value}); d.Valid() {
				out = append(out, d)
			}
		}
	} else if a.unit == 'm' && b.unit == 'd' {
		if d := (Date{0, a.value, b.value}); d.Valid() {
			out = append(out, d)
		}
	}
	return out
}

func (it item) isDay() bool { return it.digits == 1 || it.digits == 2 }

// names are the months that the item stands for.
func (it item) names() []int {
	var out []int
	for m := 1; m <= 12; m++ {
		if it.months&(1<<m) != 0 {
			out = append(out, m)
		}
	}
	return out
}

// years are the years that a number may mean: 27 is 2027 or 1927, and the Thai year 2570 is 2027.
func (it item) years() []int {
	switch {
	case it.digits == 4 && it.value > 2400 && it.value < 2700:
		return []int{it.value - 543}
	case it.digits == 4 && it.value > 0:
		return []int{it.value}
	case it.digits == 2:
		return []int{2000 + it.value, 1900 + it.value}
	}
	return nil
}

// Month is a month of a year.
type Month struct{ Year, Month int }

// Index counts months, so that differences can be taken.
func (m Month) Index() int { return m.Year*12 + m.Month - 1 }

// Next is the month after it.
func (m Month) Next() Month { return Month{m.Year + m.Month/12, m.Month%12 + 1} }

// Months gives the months that a heading such as "March 2027", "2027年3月" or "03/2027" may mean.
func Months(text string) []Month {
	list := items(text)
	var out []Month
	add := func(y, m item) {
		months := m.names()
		if m.digits > 0 && m.isDay() && m.value >= 1 && m.value <= 12 {
			months = []int{m.value}
		}
		for _, n := range months {
			for _, year := range y.years() {
				out = append(out, Month{year, n})
			}
		}
	}
	for i := 0; i+1 < len(list) && len(out) == 0; i++ { // names and signs first
		a, b := list[i], list[i+1]
		if b.digits == 4 && a.digits == 0 {
			add(b, a)
		} else if a.digits == 4 && (b.digits == 0 || b.unit == 'm') {
			add(a, b)
		}
	}
	for i := 0; i+1 < len(list) && len(out) == 0; i++ {
		a, b := list[i], list[i+1]
		if b.words || !separator(b.gap) {
			continue
		}
		if b.digits == 4 && a.isDay() {
			add(b, a)
		} else if a.digits == 4 && b.isDay() {
			add(a, b)
		}
	}
	return out
}

// MonthName is the month that a text names and nothing else, such as an option of a list; 0 when there is none, or several.
func MonthName(text string) int {
	list := items(text)
	if len(list) != 1 || list[0].digits != 0 {
		return 0
	}
	if n := list[0].names(); len(n) == 1 {
		return n[0]
	}
	return 0
}
