// Package site is a customer portal behind a login in three steps: user name, password, and a one-time password of an
// authenticator app (RFC 6238, checked by this site's own clock). Behind it are statements to download.
package site

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"embed"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// The one customer of the portal.
const (
	User     = "ada@example.com"
	Password = "correct horse"
	Seed     = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // of the test vectors of RFC 6238
)

// months are those that there are statements of.
var months = []string{"January 2027", "February 2027", "March 2027"}

// Site keeps the sessions. It is safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu       sync.Mutex
	sessions map[string]int // how many of the three steps are done, by cookie
	logins   int
}

// New gives a portal that nobody is logged in to.
func New() *Site {
	s := &Site{mux: http.NewServeMux(), sessions: map[string]int{}}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/statements", http.StatusFound) })
	for i, step := range []string{"user", "password", "code"} {
		s.mux.HandleFunc("GET /login/"+step, func(w http.ResponseWriter, r *http.Request) { s.ask(w, r, i, "") })
		s.mux.HandleFunc("POST /login/"+step, func(w http.ResponseWriter, r *http.Request) { s.check(w, r, i) })
	}
	s.mux.HandleFunc("GET /statements", s.statements)
	s.mux.HandleFunc("GET /statements/{month}", s.download)
	s.mux.HandleFunc("POST /logout", s.logout)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Logins counts the logins that went all the way.
func (s *Site) Logins() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logins
}

type view struct {
	Title, Step, Error string
	Months             []string
}

func render(w http.ResponseWriter, code int, v view) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = pages.ExecuteTemplate(w, "page.html", v)
}

// session gives the visitor's cookie and how far they have come.
func (s *Site) session(r *http.Request) (id string, done int) {
	c, err := r.Cookie("session")
	if err != nil {
		return "", 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.Value, s.sessions[c.Value]
}

func (s *Site) ask(w http.ResponseWriter, r *http.Request, step int, problem string) {
	if _, done := s.session(r); done < step {
		http.Redirect(w, r, "/login/user", http.StatusSeeOther)
		return
	}
	code := http.StatusOK
	if problem != "" {
		code = http.StatusUnauthorized
	}
	render(w, code, view{Title: "Log in", Step: []string{"user", "password", "code"}[step], Error: problem})
}

func (s *Site) check(w http.ResponseWriter, r *http.Request, step int) {
	id, done := s.session(r)
	given := r.PostFormValue("value")
	var ok bool
	switch step {
	case 0:
		ok = given == User
		var b [16]byte
		_, _ = rand.Read(b[:])
		id, done = hex.EncodeToString(b[:]), 0
		http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: 3600})
	case 1:
		ok = subtle.ConstantTimeCompare([]byte(given), []byte(Password)) == 1
	case 2:
		ok = codeFits(given, time.Now())
	}
	if done < step {
		http.Redirect(w, r, "/login/user", http.StatusSeeOther)
		return
	}
	if !ok {
		s.ask(w, r, step, []string{"We do not know this customer.", "The password is wrong.", "The code is wrong or too old."}[step])
		return
	}
	s.mu.Lock()
	s.sessions[id] = step + 1
	if step == 2 {
		s.logins++
	}
	s.mu.Unlock()
	http.Redirect(w, r, []string{"/login/password", "/login/code", "/statements"}[step], http.StatusSeeOther)
}

// codeFits accepts the code of this half minute and of the one before.
func codeFits(given string, now time.Time) bool {
	key, err := base32.StdEncoding.DecodeString(Seed)
	if err != nil {
		return false
	}
	for _, at := range []int64{now.Unix() / 30, now.Unix()/30 - 1} {
		mac := hmac.New(sha1.New, key)
		_ = binary.Write(mac, binary.BigEndian, at)
		sum := mac.Sum(nil)
		n := binary.BigEndian.Uint32(sum[sum[19]&15:]) & 0x7fffffff
		if fmt.Sprintf("%06d", n%1000000) == given {
			return true
		}
	}
	return false
}

func (s *Site) statements(w http.ResponseWriter, r *http.Request) {
	if _, done := s.session(r); done < 3 {
		http.Redirect(w, r, "/login/user", http.StatusSeeOther)
		return
	}
	render(w, http.StatusOK, view{Title: "Statements", Months: months})
}

func (s *Site) download(w http.ResponseWriter, r *http.Request) {
	if _, done := s.session(r); done < 3 {
		http.Error(w, "log in first", http.StatusUnauthorized)
		return
	}
	month := r.PathValue("month")
	name := "statement-" + strings.ToLower(strings.ReplaceAll(month, " ", "-")) + ".txt"
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	fmt.Fprintf(w, "Statement of %s\nBalance: 1,249.00\n", month)
}

func (s *Site) logout(w http.ResponseWriter, r *http.Request) {
	id, _ := s.session(r)
	s.mu.Lock()
	delete(s.sessions, id)
	s.mu.Unlock()
	http.Redirect(w, r, "/login/user", http.StatusSeeOther)
}
