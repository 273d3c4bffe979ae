package site_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nth-dev/nth/flows/flights/site"
)

const order = `{"flight":"NV239","price":145,"from":"PRG","to":"LIS","date":"2027-03-14","passengers":2,
	"name":"Ada Lindqvist","email":"ada.lindqvist@example.com","phone":"+420 601 555 010"}`

// call sends one request to a handler and gives the status and the body of the answer.
func call(t *testing.T, h http.Handler, method, target, body string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func decode[T any](t *testing.T, body string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return v
}

func TestBooking(t *testing.T) {
	s := site.NewWith(site.Options{})
	if code, body := call(t, s, "GET", "/api/bookings", ""); code != 200 || strings.TrimSpace(body) != "[]" {
		t.Errorf("new site lists %d %s, want []", code, body)
	}
	code, body := call(t, s, "POST", "/api/bookings", order)
	if code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	want := site.Booking{Reference: "FB1001", Total: 290, Order: site.Order{
		Flight: "NV239", Price: 145, From: "PRG", To: "LIS", Date: "2027-03-14", Passengers: 2, Cabin: "Economy",
		Name: "Ada Lindqvist", Email: "ada.lindqvist@example.com", Phone: "+420 601 555 010",
	}}
	if got := decode[site.Booking](t, body); got != want {
		t.Errorf("booked %+v\nwant   %+v", got, want)
	}
	_, body = call(t, s, "GET", "/api/bookings", "")
	if got := decode[[]site.Booking](t, body); len(got) != 1 || got[0] != want {
		t.Errorf("listed %+v", got)
	}

	// The same order again is a second booking: a caller who sends twice must show.
	call(t, s, "POST", "/api/bookings", order)
	if got := s.Bookings(); len(got) != 2 || got[1].Reference != "FB1002" {
		t.Errorf("after a second order: %+v", got)
	}
	if code, _ := call(t, s, "DELETE", "/api/bookings", ""); code != 200 || len(s.Bookings()) != 0 {
		t.Errorf("clear: %d, %d bookings left", code, len(s.Bookings()))
	}
}

func TestInsuranceIsPartOfTheTotal(t *testing.T) {
	s := site.NewWith(site.Options{})
	_, body := call(t, s, "POST", "/api/bookings", strings.Replace(order, "{", `{"insurance":true,"cabin":"First",`, 1))
	if b := decode[site.Booking](t, body); b.Total != 2*(145+12) || b.Cabin != "First" {
		t.Errorf("%+v", b)
	}
}

func TestBookingsIsACopy(t *testing.T) {
	s := site.NewWith(site.Options{})
	call(t, s, "POST", "/api/bookings", order)
	s.Bookings()[0].Name = "Somebody Else"
	if got := s.Bookings()[0].Name; got != "Ada Lindqvist" {
		t.Errorf("name is now %q", got)
	}
}

func TestRefusedBookings(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"flight of another day", `NV239`, `NV238`, `flight: no flight "NV238" from PRG to LIS on 2027-03-14`},
		{"old price", `145`, `144`, "price: NV239 costs 145, not 144"},
		{"unknown city", `"PRG"`, `"XXX"`, `from: no city has the code "XXX"`},
		{"round in a circle", `"LIS"`, `"PRG"`, `to: "PRG" is where the flight starts`},
		{"yesterday", `2027-03-14`, `2027-01-19`, "date: 2027-01-19 is in the past"},
		{"next year", `2027-03-14`, `2028-01-01`, "date: 2028-01-01 is not on sale yet; the last day is 2027-12-31"},
		{"no such day", `2027-03-14`, `2027-02-30`, `date: "2027-02-30" is not a date such as 2027-03-14`},
		{"nobody", `"passengers":2`, `"passengers":0`, "passengers: 0 is not between 1 and 9"},
		{"a crowd", `"passengers":2`, `"passengers":10`, "passengers: 10 is not between 1 and 9"},
		{"passengers as text", `"passengers":2`, `"passengers":"2"`, "read booking: json: cannot unmarshal string"},
		{"half a name", `Ada Lindqvist`, `Ada`, `name: "Ada" is not a first and a last name`},
		{"no e-mail", `ada.lindqvist@example.com`, `ada.lindqvist`, `email: "ada.lindqvist" is not an e-mail address`},
		{"no phone", `+420 601 555 010`, `call me`, `phone: "call me" is not a phone number of digits and spaces`},
		{"unknown cabin", `{`, `{"cabin":"Roof",`, `cabin: "Roof" is none of Economy, Premium economy, Business, First`},
		{"long notes", `{`, `{"notes":"` + strings.Repeat("x", 501) + `",`, "notes: longer than 500 bytes"},
		{"unknown key", `{`, `{"discount":50,`, `read booking: json: unknown field "discount"`},
		{"nothing", order, ``, "read booking: EOF"},
		{"not JSON", order, `flight=NV239`, "read booking: invalid character"},
		{"two orders", order, order + order, "read booking: more than one JSON value"},
		{"too much", order, `{"notes":"` + strings.Repeat("x", 65<<10) + `"}`, "read booking: http: request body too large"},
		{"several mistakes", `"passengers":2,
	"name":"Ada Lindqvist"`, `"passengers":0,"name":""`, `passengers: 0 is not between 1 and 9; name: "" is not a first and a last name`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := site.NewWith(site.Options{})
			code, body := call(t, s, "POST", "/api/bookings", strings.Replace(order, tt.old, tt.new, 1))
			got := decode[map[string]string](t, body)["error"]
			if code != http.StatusUnprocessableEntity || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%d %s\nwant 422 %s", code, got, tt.want)
			}
			if n := len(s.Bookings()); n != 0 {
				t.Errorf("%d bookings stored", n)
			}
		})
	}
}

func TestCities(t *testing.T) {
	s := site.NewWith(site.Options{})
	for q, want := range map[string]string{
		"Prag":           "PRG",
		"prague (PRG)":   "PRG",
		"pra":            "PRG PRI RAI PRA",
		"LIS":            "LIS LSI",
		"+lis+":          "LIS LSI",
		"Lisbon":         "LIS",
		"lhr":            "LHR",
		"Reykjavik":      "",
		"london%20gatwi": "LGW",
		"":               "PRG LIS LSI PRI RAI PRA",
	} {
		_, body := call(t, s, "GET", "/api/cities?q="+strings.ReplaceAll(q, " ", "%20"), "")
		var codes []string
		for _, c := range decode[[]site.City](t, body) {
			codes = append(codes, c.Code)
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("cities for %q: %s, want %s", q, got, want)
		}
	}
}

func TestFlightSearch(t *testing.T) {
	s := site.NewWith(site.Options{})
	code, body := call(t, s, "GET", "/api/flights?from=PRG&to=LIS&date=2027-03-14", "")
	if got := decode[[]site.Flight](t, body); code != 200 || len(got) != 20 {
		t.Errorf("%d, %d flights", code, len(got))
	}
	for _, query := range []string{"", "?from=PRG&to=LIS", "?from=PRG&to=PRG&date=2027-03-14", "?from=prg&to=LIS&date=2027-03-14"} {
		if code, body := call(t, s, "GET", "/api/flights"+query, ""); code != 422 || !strings.Contains(body, `"error"`) {
			t.Errorf("%q: %d %s", query, code, body)
		}
	}
}

func TestPages(t *testing.T) {
	s := site.NewWith(site.Options{})
	for target, want := range map[string]struct {
		code int
		text string
	}{
		"/":                        {200, "<title>Skylane"},
		"/results?from=PRG&to=LIS": {200, "<title>Skylane"},
		"/info/fare-rules":         {200, "<title>Skylane"},
		"/app.js":                  {200, "import"},
		"/style.css":               {200, "#cookies"},
		"/favicon.svg":             {200, "<svg"},
		"/assets/app.js":           {404, "not found"},
		"/nowhere":                 {404, "not found"},
	} {
		if code, body := call(t, s, "GET", target, ""); code != want.code || !strings.Contains(body, want.text) {
			t.Errorf("%s: %d %.80s", target, code, body)
		}
	}
	if code, _ := call(t, s, "PUT", "/api/bookings", order); code != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %d", code)
	}
}

func TestConcurrentBookings(t *testing.T) {
	s := site.NewWith(site.Options{BookDelay: time.Millisecond})
	server := httptest.NewServer(s)
	defer server.Close()
	const clients = 40
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			res, err := http.Post(server.URL+"/api/bookings", "application/json", strings.NewReader(order))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
			if res.StatusCode != http.StatusCreated {
				t.Error(res.Status)
			}
			s.Bookings()
		})
	}
	wg.Wait()
	bookings := s.Bookings()
	if len(bookings) != clients {
		t.Fatalf("%d bookings, want %d", len(bookings), clients)
	}
	for i, b := range bookings {
		if want := fmt.Sprint("FB", 1001+i); b.Reference != want {
			t.Errorf("booking %d has reference %s, want %s", i, b.Reference, want)
		}
	}
}

func TestDelays(t *testing.T) {
	const delay = 20 * time.Millisecond
	s := site.NewWith(site.Options{CityDelay: delay, SearchDelay: delay, BookDelay: delay})
	for _, r := range []struct{ method, target, body string }{
		{"GET", "/api/cities?q=prag", ""},
		{"GET", "/api/flights?from=PRG&to=LIS&date=2027-03-14", ""},
		{"POST", "/api/bookings", order},
	} {
		start := time.Now()
		code, _ := call(t, s, r.method, r.target, r.body)
		if took := time.Since(start); took < delay || code >= 300 {
			t.Errorf("%s %s: %d after %s, want at least %s", r.method, r.target, code, took, delay)
		}
	}
}

func TestAGoneClientIsNotWaitedFor(t *testing.T) {
	s := site.NewWith(site.Options{CityDelay: time.Hour, SearchDelay: time.Hour, BookDelay: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range []struct{ method, target, body string }{
		{"GET", "/api/cities?q=prag", ""},
		{"GET", "/api/flights?from=PRG&to=LIS&date=2027-03-14", ""},
		{"POST", "/api/bookings", order},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, r.method, r.target, strings.NewReader(r.body)))
		if w.Body.Len() > 0 {
			t.Errorf("%s %s answered %s", r.method, r.target, w.Body)
		}
	}
	if n := len(s.Bookings()); n != 0 {
		t.Errorf("%d bookings stored for a client that has gone", n)
	}
}
