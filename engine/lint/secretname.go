package lint

import (
	"regexp"
	"strings"
)

// secretName are names that people give to secrets.
var secretName = regexp.MustCompile(`(?i)(^|_)(password|passwd|passphrase|pwd|secret|api_?key|access_?key|private_?key|(access|auth|refresh|bearer)_?token|card_?number|credit_?card|cvv|cvc|cv2|iban|pin|pin_?code|otp_?secret)($|_)`)

// secretField reports whether a selector finds fields that hold a secret.
func secretField(css string) bool {
	css = strings.ToLower(strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(css))
	for _, part := range []string{"[type=password]", "autocomplete=cc-number", "autocomplete=cc-csc", "autocomplete=current-password", "autocomplete=new-password", "autocomplete=one-time-code"} {
		if strings.Contains(css, part) {
			return true
		}
	}
	return false
}
