package datetext

import "testing"

func TestFind(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2027-03-17", "2027-03-17"},
		{"03/17/2027", "2027-03-17"},
		{"3/7/2027", "2027-07-03 or 2027-03-07"},
		{"3.7.2027", "2027-07-03"},
		{"17. 3. 2027", "2027-03-17"},
		{"2027/03/17 14:30", "2027-03-17"},
		{"17/03/27", "2027-03-17 or 1927-03-17 or 2017-03-27 or 1917-03-27"},
		{"Choose Monday, March 15th, 2027", "2027-03-15"},
		{"Wed Mar 17 2027", "2027-03-17"},
		{"17 de marzo de 2027", "2027-03-17"},
		{"mar., 17 mar. 2027", "2027-03-17"},
		{"Mittwoch, 17. März 2027", "2027-03-17"},
		{"2027年3月17日(水)", "2027-03-17"},
		{"2027년 3월 17일", "2027-03-17"},
		{"١٧/٠٣/٢٠٢٧", "2027-03-17"},
		{"17 มีนาคม 2570", "2027-03-17"},
		{"17 мар. 2027 г.", "2027-03-17"},
		{"20270317", "2027-03-17"},
		{"03/01/2027 - 03/14/2027", "2027-01-03 or 2027-03-01; 2027-03-14"},
		{"2027-03-01 – 2027-03-14", "2027-03-01; 2027-03-14"},
		{"Wed, Mar 17", "0000-03-17"},
		{"3 nights 4 rooms 2027", ""},
		{"12:30:2027", ""},
		{"2 adults, 17 March 2027", "2027-03-17"},
		{"29 February 2027", ""},
		{"30/02/2028", ""},
		{"$1,249.00", ""},
		{"17-Mar-2027", "2027-03-17"},
		{"listopad 5 2027", "2027-10-05 or 2027-11-05"},
	} {
		got := ""
		for i, r := range Find(c.text) {
			if i > 0 {
				got += "; "
			}
			got += r.String()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestMonths(t *testing.T) {
	for _, c := range []struct {
		text string
		want Month
	}{
		{"March 2027", Month{2027, 3}}, {"2027年3月", Month{2027, 3}}, {"03/2027", Month{2027, 3}}, {"2027 mars", Month{2027, 3}},
		{"‹ März 2027 ›", Month{2027, 3}}, {"2027 Mar", Month{2027, 3}}, {"marzo de 2027", Month{2027, 3}}, {"Prev Next March, 2027", Month{2027, 3}},
		{"三月 2027", Month{2027, 3}}, {"2027 三月", Month{2027, 3}}, {"Ιανουάριος 2027", Month{2027, 1}}, {"tháng 3 2027", Month{2027, 3}},
	} {
		got := Months(c.text)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: got %v, want %v", c.text, got, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		text, date string
		want       bool
	}{
		{"3/17/2027", "2027-03-17", true}, {"3/17/2027", "2027-03-18", false}, {"Mar 17", "2027-03-17", false}, {"", "2027-03-17", false},
		{"04/03/2027", "2027-03-04", true}, {"04/03/2027", "2027-04-03", true}, {"4.3.2027", "2027-04-03", false}, {"2027-03-17", "17 March", false},
	} {
		if got := Same(c.text, c.date); got != c.want {
			t.Errorf("%s is %s: got %v", c.text, c.date, got)
		}
	}
	if !SameRange("03/01/2027 - 03/14/2027", "2027-03-01", "2027-03-14") || SameRange("03/01/2027", "2027-03-01", "2027-03-01") {
		t.Error("SameRange")
	}
}
