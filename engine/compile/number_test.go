package compile

import "testing"

func TestReadNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"€145": 145, "¥1,249.00": 1249, "1.249,00 €": 1249, "€1,249": 1249, "1 249 Kč": 1249, "1'249.50 CHF": 1249.5, "CHF 1’249": 1249,
		"-12.5": -12.5, "−3": -3, "12,5 kg": 12.5, "0.125": 0.125, "1.234.567": 1234567, "5 of": 5, "Total $0.99": 0.99, "3.": 3, "1.249": 1.249,
	} {
		if got, err := ReadNumber(text); err != nil || got != want {
			t.Errorf("ReadNumber(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "free", "€1.249", "10 – 20 €", "2 for 5", "1,2,3 4"} {
		if got, err := ReadNumber(text); err == nil {
			t.Errorf("ReadNumber(%q) = %v; want an error", text, got)
		}
	}
}

func TestSameNumber(t *testing.T) {
	for _, c := range []struct {
		text   string
		number float64
		same   bool
	}{
		{"40.00", 40, true}, {"€1,200", 1200, true}, {"0,5 kg", 0.5, true}, {"€1.249", 1249, true}, {"€1.249", 1.249, true},
		{"€1.249", 12.49, false}, {"45", 450, false}, {"10 – 20 €", 1020, false}, {"10 – 20 €", 10, false}, {"", 0, false},
	} {
		if got := SameNumber(c.text, c.number); got != c.same {
			t.Errorf("SameNumber(%q, %v) = %v", c.text, c.number, got)
		}
	}
}
