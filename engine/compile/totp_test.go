package compile

import (
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The test vectors of RFC 6238, appendix B.
func TestTOTPVectors(t *testing.T) {
	seed := func(n int) string {
		return base32.StdEncoding.EncodeToString([]byte(strings.Repeat("1234567890", 7)[:n]))
	}
	for _, c := range []struct {
		unix                 int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for alg, v := range map[string]struct {
			size int
			want string
		}{"SHA1": {20, c.sha1}, "SHA256": {32, c.sha256}, "SHA512": {64, c.sha512}} {
			g, err := parseSeed(fmt.Sprintf("otpauth://totp/x?secret=%s&algorithm=%s&digits=8", seed(v.size), alg))
			if err != nil {
				t.Fatal(err)
			}
			if got := g.code(time.Unix(c.unix, 0)); got != v.want {
				t.Errorf("%s at %d: got %s, want %s", alg, c.unix, got, v.want)
			}
		}
	}
}

func TestTOTPSeeds(t *testing.T) {
	at := time.Unix(59, 0)
	for seed, want := range map[string]string{
		"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ":                                   "287082",
		"gezd gnbv gy3t qojq gezd gnbv gy3t qojq":                            "287082",
		"otpauth://totp/Bank:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ":    "287082",
		"otpauth://totp/B?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=60": "755224",
		"":                                 "!",
		"not base 32!":                     "!",
		"otpauth://hotp/x?secret=GEZDGNBV": "!",
		"otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5": "!",
		"otpauth://totp/x?secret=GEZDGNBV&digits=99":     "!",
	} {
		g, err := parseSeed(seed)
		if want == "!" {
			if err == nil {
				t.Errorf("%q is taken", seed)
			} else if seed != "" && strings.Contains(err.Error(), "GEZD") {
				t.Errorf("the error tells the secret: %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", seed, err)
		} else if got := g.code(at); got != want {
			t.Errorf("%q: got %s, want %s", seed, got, want)
		}
	}
}
