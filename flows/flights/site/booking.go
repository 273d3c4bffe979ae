package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Booking is what the server stores and what GET /api/bookings lists.
type Booking struct {
	Reference string `json:"reference"` // FB1001, FB1002, … since the list was last cleared
	Order
	Total int `json:"total"` // whole euros for all passengers, insurance included
}

// Order is the body of POST /api/bookings. Cabin, insurance and notes may be left out.
type Order struct {
	Flight     string `json:"flight"` // a flight id such as "TA215"
	From       string `json:"from"`
	To         string `json:"to"`
	Date       string `json:"date"`
	Passengers int    `json:"passengers"`
	Price      int    `json:"price"` // the price for one passenger that the customer was shown
	Cabin      string `json:"cabin"`
	Insurance  bool   `json:"insurance"`
	Name       string `json:"name"` // of the lead passenger
	Email      string `json:"email"`
	Phone      string `json:"phone"`
	Notes      string `json:"notes"`
}

const (
	maxOrderBytes  = 64 << 10
	maxPassengers  = 9
	insurancePrice = 12 // euros for one passenger
)

// The page checks the same rules before it sends (see assets/app.js); the server does not rely on that.
var (
	cabins = []string{"Economy", "Premium economy", "Business", "First"}
	names  = regexp.MustCompile(`^\S+ .*\S$`)
	emails = regexp.MustCompile(`(?i)^[^@\s]+@[^@\s]+\.[a-z]{2,}$`)
	phones = regexp.MustCompile(`^\+?[\d ]{8,}$`)
)

// decodeOrder reads exactly one JSON object that has only the keys of an Order.
func decodeOrder(r io.Reader) (Order, error) {
	o := Order{Cabin: cabins[0]}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return Order{}, fmt.Errorf("read booking: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Order{}, errors.New("read booking: more than one JSON value")
	}
	return o, nil
}

// check gives everything that is wrong with the order, one sentence each.
func (o Order) check() []string {
	problems := o.checkFlight()
	if o.Passengers < 1 || o.Passengers > maxPassengers {
		problems = append(problems, fmt.Sprintf("passengers: %d is not between 1 and %d", o.Passengers, maxPassengers))
	}
	if !slices.Contains(cabins, o.Cabin) {
		problems = append(problems, fmt.Sprintf("cabin: %q is none of %s", o.Cabin, strings.Join(cabins, ", ")))
	}
	for _, field := range []struct {
		name, value string
		form        *regexp.Regexp // nil for free text that may be empty
		want        string
		max         int
	}{
		{"name", o.Name, names, "a first and a last name", 100},
		{"email", o.Email, emails, "an e-mail address", 254},
		{"phone", o.Phone, phones, "a phone number of digits and spaces", 30},
		{"notes", o.Notes, nil, "", 500},
	} {
		switch {
		case len(field.value) > field.max:
			problems = append(problems, fmt.Sprintf("%s: longer than %d bytes", field.name, field.max))
		case field.form != nil && !field.form.MatchString(field.value):
			problems = append(problems, fmt.Sprintf("%s: %q is not %s", field.name, field.value, field.want))
		}
	}
	return problems
}

// checkFlight checks that the flight flies, and for the price that the customer has seen.
func (o Order) checkFlight() []string {
	if problems := checkTrip(o.From, o.To, o.Date); len(problems) > 0 {
		return problems
	}
	flights := Flights(o.From, o.To, o.Date)
	i := slices.IndexFunc(flights, func(f Flight) bool { return f.ID == o.Flight })
	if i < 0 {
		return []string{fmt.Sprintf("flight: no flight %q from %s to %s on %s", o.Flight, o.From, o.To, o.Date)}
	}
	if flights[i].Price != o.Price {
		return []string{fmt.Sprintf("price: %s costs %d, not %d", o.Flight, flights[i].Price, o.Price)}
	}
	return nil
}

// booking is the stored form of a checked order; n counts from 1.
func (o Order) booking(n int) Booking {
	each := o.Price
	if o.Insurance {
		each += insurancePrice
	}
	return Booking{Reference: fmt.Sprint("FB", 1000+n), Order: o, Total: each * o.Passengers}
}

// refuse answers 422 with one error text made of all problems.
func refuse(w http.ResponseWriter, problems []string) {
	reply(w, http.StatusUnprocessableEntity, map[string]string{"error": strings.Join(problems, "; ")})
}
