// Package site is a small expenses portal: a list, and a form with a receipt to upload. The server checks what was sent
// and shows the form again with what is wrong.
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
	"time"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Expense is one saved expense.
type Expense struct {
	Reference string // E-1001, E-1002, …
	Title     string
	Day       string // YYYY-MM-DD
	Amount    string // "12.50"
	Category  string
	Receipt   string // name of the file
	Bytes     int    // its size
}

// Categories are those that the form offers.
var Categories = []string{"Travel", "Meals", "Lodging", "Office", "Other"}

// Site keeps the expenses. It is safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu       sync.Mutex
	expenses []Expense
}

// New gives a site without expenses.
func New() *Site {
	s := &Site{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		render(w, 200, view{Title: "Expenses", List: s.Expenses()})
	})
	s.mux.HandleFunc("GET /new", func(w http.ResponseWriter, _ *http.Request) {
		render(w, 200, view{Title: "New expense", Form: &form{}})
	})
	s.mux.HandleFunc("POST /new", s.save)
	s.mux.HandleFunc("GET /expenses/{reference}", s.show)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Expenses gives a copy of what was saved, oldest first.
func (s *Site) Expenses() []Expense {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.expenses)
}

type view struct {
	Title string
	List  []Expense
	Form  *form
	Saved *Expense
}

type form struct {
	Expense
	Errors     map[string]string
	Categories []string
}

func render(w http.ResponseWriter, code int, v view) {
	if v.Form != nil {
		v.Form.Categories = Categories
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = pages.ExecuteTemplate(w, "page.html", v)
}

const maxUpload = 1 << 20

func (s *Site) save(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(maxUpload); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	value := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	f := &form{Expense: Expense{Title: value("title"), Day: value("day"), Amount: value("amount"), Category: value("category")}, Errors: map[string]string{}}
	if f.Title == "" {
		f.Errors["title"] = "Say what it was for"
	}
	if _, err := time.Parse(time.DateOnly, f.Day); err != nil {
		f.Errors["day"] = "Choose the day"
	}
	if x, err := strconv.ParseFloat(f.Amount, 64); err != nil || x <= 0 || x > 10000 {
		f.Errors["amount"] = "An amount between 0.01 and 10000 is needed"
	} else {
		f.Amount = strconv.FormatFloat(x, 'f', 2, 64)
	}
	if !slices.Contains(Categories, f.Category) {
		f.Errors["category"] = "Choose a category"
	}
	if file, head, err := r.FormFile("receipt"); err != nil {
		f.Errors["receipt"] = "Attach the receipt"
	} else {
		defer file.Close()
		data, _ := io.ReadAll(file)
		f.Receipt, f.Bytes = head.Filename, len(data)
		if len(data) == 0 {
			f.Errors["receipt"] = "The receipt is an empty file"
		}
	}
	if len(f.Errors) > 0 {
		render(w, http.StatusUnprocessableEntity, view{Title: "New expense", Form: f})
		return
	}
	s.mu.Lock()
	f.Reference = fmt.Sprintf("E-%d", 1001+len(s.expenses))
	s.expenses = append(s.expenses, f.Expense)
	s.mu.Unlock()
	http.Redirect(w, r, "/expenses/"+f.Reference, http.StatusSeeOther)
}

func (s *Site) show(w http.ResponseWriter, r *http.Request) {
	for _, e := range s.Expenses() {
		if e.Reference == r.PathValue("reference") {
			render(w, 200, view{Title: "Expense saved", Saved: &e})
			return
		}
	}
	http.NotFound(w, r)
}
