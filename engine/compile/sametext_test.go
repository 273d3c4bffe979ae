package compile

import "testing"

func TestSameText(t *testing.T) {
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"a", "a", true}, {"", "", true}, {"a\r\nb", "a\nb", true}, {"(555) 123-4567", "5551234567", true}, {"3/7/2027", "03/07/2027", true},
		{"1,234.50", "1234.50", true}, {"$1.50", "1.50", true}, {"150", "1.50", false}, {"", "a", false}, {"ab", "a", false}, {"-5", "5", false},
		{"4111 1111 1111 1111", "4111111111111111", true}, {"7/3/2027", "03/07/2027", false}, {"ANN", "ann", true},
	} {
		if SameText(c.got, c.want) != c.same {
			t.Errorf("SameText(%q, %q) is %v", c.got, c.want, !c.same)
		}
	}
}
