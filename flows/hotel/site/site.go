// Package site is a small hotel search: a stay that is chosen in a calendar, guests, filters, a list of rooms whose prices stand in sentences, and a
// reservation. What is shown depends on what was asked for alone; there is no clock.
package site

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Reservation is one that was made.
type Reservation struct {
	Reference, Hotel, From, To string
	Guests, Total              int
}

type hotel struct {
	Name      string
	Night     int // euro per night for two; each further guest pays a quarter more
	Breakfast bool
	Cancel    bool // free of charge
	Guests    int  // at most
}

var hotels = []hotel{
	{"Hotel Morava", 96, true, true, 4}, {"Zum Anker", 78, false, true, 3}, {"Villa Irma", 134, true, true, 2}, {"Station Rooms", 59, false, false, 6},
	{"Pension Lípa", 84, true, true, 4}, {"Grand Central", 412, true, true, 4}, {"The Mill", 91, true, false, 4}, {"Loft 21", 118, false, true, 5},
}

// Site keeps the reservations. It is safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu   sync.Mutex
	made []Reservation
}

// New gives a site without reservations.
func New() *Site {
	s := &Site{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { render(w, 200, view{Title: "Find a room"}) })
	s.mux.HandleFunc("GET /calendar.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, assets, "assets/calendar.js") })
	s.mux.HandleFunc("GET /rooms", s.rooms)
	s.mux.HandleFunc("POST /reserve", s.reserve)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Reservations gives a copy of what was reserved, oldest first.
func (s *Site) Reservations() []Reservation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.made)
}

type view struct {
	Title, Error string
	Stay         *stay
	Rooms        []room
	Made         *Reservation
}

type stay struct {
	From, To          string
	Guests, Nights    int
	Breakfast, Cancel bool
}

type room struct {
	hotel
	Total int
}

// Price is how the site writes money: €1,249.
func (r room) Price() string {
	if r.Total >= 1000 {
		return fmt.Sprintf("€%d,%03d", r.Total/1000, r.Total%1000)
	}
	return fmt.Sprintf("€%d", r.Total)
}

func render(w http.ResponseWriter, code int, v view) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = pages.ExecuteTemplate(w, "page.html", v)
}

// stayOf reads what was asked for; problem says what is wrong with it.
func stayOf(q url.Values) (st stay, problem string) {
	st = stay{From: q.Get("from"), To: q.Get("to"), Breakfast: q.Get("breakfast") == "on", Cancel: q.Get("cancel") == "on"}
	from, err1 := time.Parse(time.DateOnly, st.From)
	to, err2 := time.Parse(time.DateOnly, st.To)
	st.Guests, _ = strconv.Atoi(q.Get("guests"))
	switch {
	case err1 != nil || err2 != nil:
		return st, "Choose both days"
	case !to.After(from) || to.Sub(from) > 28*24*time.Hour:
		return st, "The stay must be of 1 to 28 nights"
	case st.Guests < 1 || st.Guests > 6:
		return st, "We have rooms for 1 to 6 guests"
	}
	st.Nights = int(to.Sub(from).Hours() / 24)
	return st, ""
}

func (st stay) rooms() []room {
	var out []room
	for _, h := range hotels {
		if h.Guests < st.Guests || st.Breakfast && !h.Breakfast || st.Cancel && !h.Cancel {
			continue
		}
		out = append(out, room{h, st.Nights * (h.Night*4 + h.Night*max(0, st.Guests-2)) / 4})
	}
	return out
}

func (s *Site) rooms(w http.ResponseWriter, r *http.Request) {
	st, problem := stayOf(r.URL.Query())
	if problem != "" {
		render(w, http.StatusUnprocessableEntity, view{Title: "Find a room", Error: problem})
		return
	}
	render(w, 200, view{Title: "Rooms", Stay: &st, Rooms: st.rooms()})
}

func (s *Site) reserve(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	st, problem := stayOf(r.PostForm)
	for _, room := range st.rooms() {
		if problem == "" && room.Name == r.PostForm.Get("hotel") {
			s.mu.Lock()
			made := Reservation{Reference: fmt.Sprintf("R%d", 5001+len(s.made)), Hotel: room.Name, From: st.From, To: st.To, Guests: st.Guests, Total: room.Total}
			s.made = append(s.made, made)
			s.mu.Unlock()
			render(w, 200, view{Title: "Reserved", Made: &made})
			return
		}
	}
	render(w, http.StatusUnprocessableEntity, view{Title: "Find a room", Error: "This room is not to be had"})
}
