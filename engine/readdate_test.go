package engine

import (
	"strings"
	"testing"
)

func TestParseDate(t *testing.T) {
	for text, want := range map[string]string{
		"2027-03-04":                         "2027-03-04",
		"2027/3/4":                           "2027-03-04",
		"Opened on 4 March 2027 by the king": "2027-03-04",
		"March 4th, 2027":                    "2027-03-04",
		"Mar 4, 2027":                        "2027-03-04",
		"Sept. 30, 2026":                     "2026-09-30",
		"4. März 2027":                       "2027-03-04",
		"04.03.2027":                         "2027-03-04",
		"1er août 2027":                      "2027-08-01",
		"4 de marzo de 2027":                 "2027-03-04",
		"2027年3月4日":                          "2027-03-04",
		"31/12/2027":                         "2027-12-31",
		"12/31/2027":                         "2027-12-31",
		"05/05/2027":                         "2027-05-05",
		"29 Feb 2028":                        "2028-02-29",
		"Thu, 04-Mar-2027":                   "2027-03-04",
		"4 March 2027 (2027-03-04)":          "2027-03-04",
		"03/04/2027":                         "! may be",
		"29.02.2027":                         "! calendar",
		"4 March 2027 to 9 March 2027":       "! 2 dates",
		"next week":                          "! no date",
		"room 12 2027":                       "! no date",
	} {
		got, err := parseDate(text, anyOrder)
		if why, bad := strings.CutPrefix(want, "! "); bad {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: got %q, %v, want an error with %q", text, got, err, why)
			}
		} else if got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestOrderOf(t *testing.T) {
	for _, c := range []struct {
		column []string
		first  string // of 03/04/2027 in it
	}{
		{[]string{"03/04/2027", "30/03/2027", ""}, "2027-04-03"},
		{[]string{"03/04/2027", "03/30/2027"}, "2027-03-04"},
		{[]string{"03/04/2027", "04/05/2027"}, "may be"},
		{[]string{"03/04/2027", "30/03/2027", "03/30/2027"}, "may be"},
	} {
		got, err := parseDate(c.column[0], orderOf(c.column))
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.first) {
			t.Errorf("%q: got %q, want %q", c.column, got, c.first)
		}
	}
}
