// Package site is the flight-booking site that the flights flow runs against: Skylane, a
// single-page application with a small JSON API.
//
// It behaves like a real site (answers take time, widgets are rebuilt while they are used, half of
// the page is beside the point) and yet gives every visitor the same pages: there is no clock and no
// randomness, "today" is [Today], and flights come from a fixed generator. The only state on the
// server is the list of bookings; a half-filled search lives in the browser page that fills it.
//
// Start reading at [New]; the generator is in flight.go, the rules for a booking in booking.go, and the
// pages in assets.
package site

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"sync"
	"time"
)

//go:embed assets
var assets embed.FS

// Options sets how long the server thinks. Every delay is taken literally: zero answers at once.
type Options struct {
	CityDelay   time.Duration // before an autocomplete answer; the page adds a debounce of 120 ms
	SearchDelay time.Duration // before a list of flights
	BookDelay   time.Duration // between accepting and storing a booking
}

// Default gives the delays that [New] uses.
func Default() Options {
	return Options{
		CityDelay:   30 * time.Millisecond,
		SearchDelay: 300 * time.Millisecond,
		BookDelay:   80 * time.Millisecond,
	}
}

// Site serves the pages and the API, and stores what was booked. It is safe for concurrent use.
type Site struct {
	options Options
	mux     *http.ServeMux

	mu       sync.Mutex
	bookings []Booking
}

var _ http.Handler = (*Site)(nil)

// New gives a site without bookings and with the default delays.
func New() *Site { return NewWith(Default()) }

// NewWith is [New] with other delays.
func NewWith(o Options) *Site {
	s := &Site{options: o, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /api/cities", s.getCities)
	s.mux.HandleFunc("GET /api/flights", s.getFlights)
	s.mux.HandleFunc("GET /api/bookings", s.listBookings)
	s.mux.HandleFunc("POST /api/bookings", s.createBooking)
	s.mux.HandleFunc("DELETE /api/bookings", s.clearBookings)
	for _, view := range []string{"/{$}", "/results", "/passenger", "/review", "/confirmed", "/info/{topic}"} {
		s.mux.HandleFunc("GET "+view, serveAsset("index.html"))
	}
	for _, name := range []string{"app.js", "core.js", "search.js", "results.js", "booking.js", "style.css", "favicon.svg"} {
		s.mux.HandleFunc("GET /"+name, serveAsset(name))
	}
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	s.mux.ServeHTTP(w, r)
}

// Bookings gives a copy of what is booked, oldest first.
func (s *Site) Bookings() []Booking {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bookings)
}

func (s *Site) getCities(w http.ResponseWriter, r *http.Request) {
	if !pause(r.Context(), s.options.CityDelay) {
		return
	}
	reply(w, http.StatusOK, findCities(r.URL.Query().Get("q")))
}

func (s *Site) getFlights(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	from, to, date := q.Get("from"), q.Get("to"), q.Get("date")
	if problems := checkTrip(from, to, date); len(problems) > 0 {
		refuse(w, problems)
		return
	}
	if !pause(r.Context(), s.options.SearchDelay) {
		return
	}
	reply(w, http.StatusOK, Flights(from, to, date))
}

func (s *Site) listBookings(w http.ResponseWriter, _ *http.Request) {
	bookings := s.Bookings()
	if bookings == nil {
		bookings = []Booking{} // "[]", not "null"
	}
	reply(w, http.StatusOK, bookings)
}

func (s *Site) clearBookings(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.bookings = nil
	s.mu.Unlock()
	reply(w, http.StatusOK, []Booking{})
}

// createBooking stores one booking per accepted request. Nothing makes it idempotent, so that a caller
// who sends twice shows up as two bookings.
func (s *Site) createBooking(w http.ResponseWriter, r *http.Request) {
	o, err := decodeOrder(http.MaxBytesReader(w, r.Body, maxOrderBytes))
	if err != nil {
		refuse(w, []string{err.Error()})
		return
	}
	if problems := o.check(); len(problems) > 0 {
		refuse(w, problems)
		return
	}
	if !pause(r.Context(), s.options.BookDelay) {
		return
	}
	reply(w, http.StatusCreated, s.store(o))
}

func (s *Site) store(o Order) Booking {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := o.booking(len(s.bookings) + 1)
	s.bookings = append(s.bookings, b)
	return b
}

// pause waits for d and reports whether the client is still there to be answered.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// reply sends v as JSON. A write fails only when the client has gone, and then nobody can be told.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// serveAsset serves one embedded file, whatever the path of the request.
func serveAsset(name string) http.HandlerFunc {
	data, err := assets.ReadFile(path.Join("assets", name))
	if err != nil {
		panic("site: " + err.Error()) // embedded at build time: cannot be missing
	}
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	}
}
