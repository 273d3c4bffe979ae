// Package site is the seller's side of a market place: a form for a product with pictures, which shows a preview that has
// to be published.
package site

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Product is one that was published.
type Product struct {
	Number   string // P-1, P-2, …
	Title    string
	Price    string
	Text     string
	Shipping bool
	Pictures []string // names of the files
}

// Site keeps drafts and products. It is safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu       sync.Mutex
	drafts   []Product
	products []Product
}

// New gives a market place without products.
func New() *Site {
	s := &Site{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		render(w, 200, view{Title: "Sell something", Form: &Product{}})
	})
	s.mux.HandleFunc("POST /{$}", s.preview)
	s.mux.HandleFunc("POST /publish/{draft}", s.publish)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Products gives a copy of what was published, oldest first.
func (s *Site) Products() []Product {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.products)
}

type view struct {
	Title, Error string
	Form, Shown  *Product
	Draft        int
}

func render(w http.ResponseWriter, code int, v view) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = pages.ExecuteTemplate(w, "page.html", v)
}

func (s *Site) preview(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<20)
	if err := r.ParseMultipartForm(4 << 20); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	p := Product{Title: strings.TrimSpace(r.PostFormValue("title")), Price: r.PostFormValue("price"), Text: strings.TrimSpace(r.PostFormValue("text")), Shipping: r.PostFormValue("shipping") == "on"}
	for _, head := range r.MultipartForm.File["picture"] {
		f, err := head.Open()
		if err != nil {
			continue
		}
		if n, _ := io.Copy(io.Discard, f); n > 0 {
			p.Pictures = append(p.Pictures, head.Filename)
		}
		f.Close()
	}
	price, err := strconv.ParseFloat(p.Price, 64)
	problem := ""
	switch {
	case len([]rune(p.Title)) < 5 || len([]rune(p.Title)) > 60:
		problem = "The title must have 5 to 60 letters"
	case err != nil || price <= 0:
		problem = "Say what it costs"
	case len(p.Pictures) == 0:
		problem = "Add a picture"
	}
	if problem != "" {
		render(w, http.StatusUnprocessableEntity, view{Title: "Sell something", Error: problem, Form: &p})
		return
	}
	s.mu.Lock()
	s.drafts = append(s.drafts, p)
	n := len(s.drafts)
	s.mu.Unlock()
	render(w, 200, view{Title: "Preview", Shown: &p, Draft: n})
}

func (s *Site) publish(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("draft"))
	s.mu.Lock()
	if err != nil || n < 1 || n > len(s.drafts) {
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	p := s.drafts[n-1]
	p.Number = fmt.Sprintf("P-%d", len(s.products)+1)
	s.products = append(s.products, p)
	s.mu.Unlock()
	render(w, 200, view{Title: "Published", Shown: &p})
}
