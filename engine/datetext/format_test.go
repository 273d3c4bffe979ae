package datetext

import "testing"

func TestDetect(t *testing.T) {
	sure, unsure := Date{2027, 3, 17}, Date{2027, 3, 4}
	for _, c := range []struct {
		h    Hints
		d    Date
		want string // "": refused
	}{
		{Hints{Samples: []string{"MM/DD/YYYY"}}, unsure, "03/04/2027"},
		{Hints{Samples: []string{"dd.mm.yyyy"}}, unsure, "04.03.2027"},
		{Hints{Samples: []string{"TT.MM.JJJJ"}}, unsure, "04.03.2027"},
		{Hints{Samples: []string{"jj/mm/aaaa"}}, unsure, "04/03/2027"},
		{Hints{Samples: []string{"Format: d/m/yyyy"}}, unsure, "4/3/2027"},
		{Hints{Samples: []string{"DD MMM YYYY"}}, unsure, "04 Mar 2027"},
		{Hints{Samples: []string{"YYYY年MM月DD日"}}, sure, "2027年03月17日"},
		{Hints{Samples: []string{"e.g. 31.12.2027"}}, unsure, "04.03.2027"},
		{Hints{Value: "12/31/2026"}, unsure, "03/04/2027"},
		{Hints{Value: "31/12/2026", Lang: "en-US"}, unsure, "04/03/2027"},
		{Hints{Pattern: `\d{4}-\d{2}-\d{2}`}, unsure, "2027-03-04"},
		{Hints{Lang: "en-GB"}, unsure, "04/03/2027"},
		{Hints{Lang: "de-AT"}, unsure, "04.03.2027"},
		{Hints{Lang: "en"}, unsure, ""},
		{Hints{Samples: []string{"Select a date"}, Lang: "en"}, unsure, ""},
		{Hints{Lang: "en"}, sure, "03/17/2027"},
		{Hints{Samples: []string{"__/__/____"}}, unsure, ""},
	} {
		f, ok := Detect(c.h, c.d)
		got := ""
		if ok {
			got = f.Write(c.d)
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.h, got, c.want)
		}
	}
}
