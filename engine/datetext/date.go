package datetext

import (
	"fmt"
	"strings"
	"time"
)

// Date is a day of the Gregorian calendar. Year is 0 where a text does not name it.
type Date struct{ Year, Month, Day int }

func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Valid tells whether there is such a day; 29 February of no year is one.
func (d Date) Valid() bool {
	y := d.Year
	if y == 0 {
		y = 2000
	}
	return y > 0 && y < 10000 && d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= DaysIn(y, d.Month)
}

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday {
	return time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).Weekday()
}

// DaysIn is the length of a month.
func DaysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// ISO reads YYYY-MM-DD, and nothing else.
func ISO(text string) (Date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Date{}, false
	}
	return Date{t.Year(), int(t.Month()), t.Day()}, true
}

// Same tells whether a text that a page shows can be read as the date, given as YYYY-MM-DD: 17.3.2027, March 17th, 2027
// and 2027年3月17日 are all 2027-03-17. A text that names no year is not.
func Same(text, date string) bool {
	want, ok := ISO(date)
	if !ok {
		return false
	}
	for _, found := range Find(text) {
		if found.Can(want) {
			return true
		}
	}
	return false
}

// SameRange tells whether a text can be read as two dates, the first and the last of a range.
func SameRange(text, from, to string) bool {
	a, ok1 := ISO(from)
	b, ok2 := ISO(to)
	found := Find(text)
	return ok1 && ok2 && len(found) == 2 && found[0].Can(a) && found[1].Can(b)
}

// Readings are the dates that one text may mean.
type Readings []Date

// Can tells whether the text may mean this date.
func (r Readings) Can(d Date) bool {
	for _, have := range r {
		if have == d {
			return true
		}
	}
	return false
}

func (r Readings) String() string {
	var texts []string
	for _, d := range r {
		texts = append(texts, d.String())
	}
	return strings.Join(texts, " or ")
}
