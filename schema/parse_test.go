package schema

import "testing"

// refusals: each text has exactly the findings, as FILE:LINE:COL-LINE:COL RULE: SUMMARY.
var refusals = []struct{ name, yaml, want string }{
	{"x", "a: b: c\n", ""},
}

func TestParseRefuses(t *testing.T) {}
