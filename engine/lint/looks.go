package lint

import (
	"math"
	"regexp"
	"strings"

	"github.com/nth-dev/nth/schema"
)

var looksSecret = &Rule{
	ID: "secret-looking", Severity: schema.Warning,
	Summary: "a literal that looks like a secret",
	Doc: `A key, token, private key or card number stands in the file, which others can read. Declare it under secrets: with
env: or file:, bind it as =secrets.NAME, and take the one that was written here out of use.`,
	Check: func(p *pass) {
		eachNode(p.Node, func(n *schema.Node, isKey bool) {
			if isKey || n.Kind != schema.Scalar || strings.HasPrefix(n.Text, "=") {
				return
			}
			if what := secretLooking(n.Text); what != "" {
				p.report(n.Range, "declare it under secrets: and bind =secrets.NAME", "this looks like %s", what)
			}
		})
	},
}

// secretForms are those that cannot be anything else.
var secretForms = []struct {
	what  string
	least int    // the length of the shortest
	holds string // a part that all of them have, looked for first
	re    *regexp.Regexp
}{
	{"a private key", 27, "PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"an AWS access key", 20, "IA", regexp.MustCompile(`\b(AKIA|ASIA)[0-9A-Z]{16}\b`)},
	{"a GitHub token", 40, "g", regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})\b`)},
	{"a Slack token", 15, "xox", regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{"an API key", 23, "k", regexp.MustCompile(`\b(sk|rk|pk)[-_](live|proj|ant|test|or)?[-_A-Za-z0-9]{20,}\b`)},
	{"a Google API key", 39, "AIza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}\b`)},
	{"a JSON Web Token", 32, "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{"a URL with a password", 8, "://", regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s:@]+@`)},
}

var (
	cardForm   = regexp.MustCompile(`^[0-9]{4}([ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}$`)
	randomForm = regexp.MustCompile(`^[A-Za-z0-9+/_=-]{32,}$`)
)

// shortestSecret is the length of the shortest form, a card number of 13 digits.
const shortestSecret = 13

// secretLooking says what a text looks like, "" for nothing of the kind.
func secretLooking(text string) string {
	if len(text) < shortestSecret && !strings.Contains(text, "://") {
		return ""
	}
	for _, f := range secretForms {
		if len(text) >= f.least && strings.Contains(text, f.holds) && f.re.MatchString(text) {
			return f.what
		}
	}
	if text[0] >= '0' && text[0] <= '9' && cardForm.MatchString(text) && luhn(text) {
		return "a card number"
	}
	if len(text) >= 32 && randomForm.MatchString(text) && strings.ContainsAny(text, "0123456789") && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz") &&
		strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && entropy(text) > 4.2 {
		return "a key or token"
	}
	return ""
}

// luhn is the check digit of card numbers (ISO/IEC 7812-1).
func luhn(text string) bool {
	sum, double := 0, false
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		d := int(text[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	return sum%10 == 0
}

// entropy is Shannon's, in bits per character.
func entropy(text string) float64 {
	count := map[rune]float64{}
	for _, r := range text {
		count[r]++
	}
	bits, size := 0.0, float64(len(text))
	for _, n := range count {
		bits -= n / size * math.Log2(n/size)
	}
	return bits
}
