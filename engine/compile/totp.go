package compile

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
)

// totpName is the builtin that makes a one-time password of a secret: totp(secrets.seed).
const totpName = "totp"

// defineTOTP makes the builtin known. The code is a secret too. It is computed when it is typed, by the clock of that
// moment: run.now is when the run began, and a code is good for half a minute.
func defineTOTP(cfg *conf.Config) {
	expr.Function(totpName, func(args ...any) (any, error) {
		seed, now := args[0].(SecretValue), args[1].(Run).Clock
		if now == nil {
			now = time.Now
		}
		g, err := parseSeed(seed.text)
		if err != nil {
			return nil, err
		}
		return SecretValue{text: seed.text, code: func() string { return g.code(now()) }}, nil
	}, func(SecretValue, Run) SecretValue { return SecretValue{} })(cfg)
}

// addClock gives totp its clock: the author writes totp(secrets.seed) alone.
func addClock(n *ast.CallNode) bool {
	id, ok := n.Callee.(*ast.IdentifierNode)
	if !ok || id.Value != totpName || len(n.Arguments) != 1 {
		return false
	}
	n.Arguments = append(n.Arguments, &ast.IdentifierNode{Value: envRun})
	return true
}

// generator makes one-time passwords by RFC 6238.
type generator struct {
	key    []byte
	hash   func() hash.Hash
	digits int
	period int64 // seconds
}

// parseSeed reads the secret as authenticator apps take it: base32, with or without blanks and padding, or an
// otpauth://totp/… URI. Errors hold nothing of it.
func parseSeed(text string) (*generator, error) {
	g := &generator{hash: sha1.New, digits: 6, period: 30}
	seed := strings.TrimSpace(text)
	if strings.HasPrefix(seed, "otpauth://") {
		u, err := url.Parse(seed)
		if err != nil || u.Host != "totp" {
			return nil, errors.New("totp: the secret is not an otpauth://totp/ URI")
		}
		q := u.Query()
		seed = q.Get("secret")
		switch strings.ToUpper(q.Get("algorithm")) {
		case "", "SHA1":
		case "SHA256":
			g.hash = sha256.New
		case "SHA512":
			g.hash = sha512.New
		default:
			return nil, errors.New("totp: the algorithm must be SHA1, SHA256 or SHA512")
		}
		if s := q.Get("digits"); s != "" {
			if g.digits, err = strconv.Atoi(s); err != nil || g.digits < 6 || g.digits > 8 {
				return nil, errors.New("totp: digits must be 6, 7 or 8")
			}
		}
		if s := q.Get("period"); s != "" {
			if g.period, err = strconv.ParseInt(s, 10, 32); err != nil || g.period < 1 {
				return nil, errors.New("totp: period must be a number of seconds")
			}
		}
	}
	seed = strings.ToUpper(strings.TrimRight(strings.NewReplacer(" ", "", "-", "").Replace(seed), "="))
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(seed)
	if err != nil || len(key) == 0 {
		return nil, errors.New("totp: the secret is not base32, as sites give it for authenticator apps")
	}
	g.key = key
	return g, nil
}

// code is the password at a time: RFC 4226 over the number of periods since 1970.
func (g *generator) code(at time.Time) string {
	var count [8]byte
	binary.BigEndian.PutUint64(count[:], uint64(at.Unix()/g.period))
	mac := hmac.New(g.hash, g.key)
	mac.Write(count[:])
	sum := mac.Sum(nil)
	i := sum[len(sum)-1] & 0xf
	n := binary.BigEndian.Uint32(sum[i:i+4]) & 0x7fffffff
	mod := uint32(1)
	for range g.digits {
		mod *= 10
	}
	return fmt.Sprintf("%0*d", g.digits, n%mod)
}
