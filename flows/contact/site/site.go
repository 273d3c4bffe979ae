// Package site is the small site that the contact flow runs against: the pages of a garden studio, with a
// contact form that is posted the classic way, so that sending it is a real navigation.
//
// It works without JavaScript, has no clock and no randomness, and keeps only the messages it got.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/mail"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Message is what a visitor sent, and what GET /api/messages lists.
type Message struct {
	Reference string `json:"reference"` // M1001, M1002, … since the list was last cleared
	Name      string `json:"name"`
	Email     string `json:"email"`
	Message   string `json:"message"`
}

// Site serves the pages and stores the messages. It is safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu       sync.Mutex
	messages []Message
}

var _ http.Handler = (*Site)(nil)

// New gives a site without messages.
func New() *Site {
	s := &Site{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", s.showForm)
	s.mux.HandleFunc("POST /contact", s.send)
	s.mux.HandleFunc("GET /thanks/{reference}", s.thank)
	s.mux.HandleFunc("POST /newsletter", s.subscribe)
	s.mux.HandleFunc("GET /api/messages", s.list)
	s.mux.HandleFunc("DELETE /api/messages", s.clear)
	for _, name := range []string{"style.css", "favicon.svg"} {
		s.mux.HandleFunc("GET /"+name, serveAsset(name))
	}
	for page, text := range map[string]text{
		"services": {"Services", "We plan, plant and look after gardens, courtyards and roof terraces in and around Brno."},
		"projects": {"Projects", "From a balcony of two square metres to the park of a clinic: every garden starts with a visit."},
		"about":    {"About us", "Five gardeners, two architects and a dog. We have been working together since 2009."},
	} {
		s.mux.HandleFunc("GET /"+page, func(w http.ResponseWriter, _ *http.Request) {
			render(w, http.StatusOK, view{Title: text.Title, Page: page, Text: text.Body})
		})
	}
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'self'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	s.mux.ServeHTTP(w, r)
}

// Messages gives a copy of what was sent, oldest first.
func (s *Site) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages)
}

// text is a page that only says something.
type text struct{ Title, Body string }

// view is what the template shows: the form, a text, or thanks for a message.
type view struct {
	Title, Page string
	Text        string            // set on a page of text
	Sent        *Message          // set on the page of thanks
	Form        Message           // what the visitor has typed so far
	Errors      map[string]string // by field: name, email, message
}

const (
	home         = "contact" // the page that the start address shows
	maxFormBytes = 64 << 10
)

func (s *Site) showForm(w http.ResponseWriter, _ *http.Request) {
	render(w, http.StatusOK, view{Title: "Contact", Page: home})
}

// send stores a valid message and redirects, so that a reload of the page of thanks does not send again; an
// invalid one comes back with what was typed and what is wrong.
func (s *Site) send(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "read form: "+err.Error(), http.StatusBadRequest)
		return
	}
	m := Message{
		Name:    strings.TrimSpace(r.PostForm.Get("name")),
		Email:   strings.TrimSpace(r.PostForm.Get("email")),
		Message: strings.TrimSpace(strings.ReplaceAll(r.PostForm.Get("message"), "\r\n", "\n")), // forms send CRLF
	}
	if problems := m.check(); len(problems) > 0 {
		render(w, http.StatusUnprocessableEntity, view{Title: "Contact", Page: home, Form: m, Errors: problems})
		return
	}
	http.Redirect(w, r, "/thanks/"+s.store(m), http.StatusSeeOther)
}

// check gives what is wrong, by field.
func (m Message) check() map[string]string {
	problems := map[string]string{}
	if m.Name == "" {
		problems["name"] = "Please tell us your name."
	}
	_, domain, _ := strings.Cut(m.Email, "@")
	if a, err := mail.ParseAddress(m.Email); err != nil || a.Address != m.Email || !strings.Contains(domain, ".") {
		problems["email"] = "Please enter a valid e-mail address."
	}
	if m.Message == "" {
		problems["message"] = "Please write a message."
	}
	return problems
}

// store gives the message its reference and returns that.
func (s *Site) store(m Message) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Reference = fmt.Sprint("M", 1001+len(s.messages))
	s.messages = append(s.messages, m)
	return m.Reference
}

func (s *Site) thank(w http.ResponseWriter, r *http.Request) {
	messages := s.Messages()
	i := slices.IndexFunc(messages, func(m Message) bool { return m.Reference == r.PathValue("reference") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	render(w, http.StatusOK, view{Title: "Thank you", Page: "thanks", Sent: &messages[i]})
}

// subscribe takes the form beside the point. It stores nothing.
func (s *Site) subscribe(w http.ResponseWriter, _ *http.Request) {
	render(w, http.StatusOK, view{Title: "Newsletter", Page: "newsletter", Text: "You will get an e-mail with a link that confirms your subscription."})
}

func (s *Site) list(w http.ResponseWriter, _ *http.Request) {
	messages := s.Messages()
	if messages == nil {
		messages = []Message{} // "[]", not "null"
	}
	reply(w, messages)
}

func (s *Site) clear(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.messages = nil
	s.mu.Unlock()
	reply(w, []Message{})
}

// reply sends v as JSON. A write fails only when the client has gone, and then nobody can be told.
func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v)
}

func render(w http.ResponseWriter, status int, v view) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "page.html", v); err != nil {
		http.Error(w, "render page: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w)
}

// serveAsset serves one embedded file.
func serveAsset(name string) http.HandlerFunc {
	data, err := assets.ReadFile(path.Join("assets", name))
	if err != nil {
		panic("site: " + err.Error()) // embedded at build time: cannot be missing
	}
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	}
}
