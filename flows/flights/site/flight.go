package site

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The site's calendar, as ISO dates: what it takes for today, and the last day it sells.
const (
	Today   = "2027-01-20"
	LastDay = "2027-12-31"
)

// City is a place one can fly from and to.
type City struct {
	Code    string `json:"code"` // IATA style, three capital letters
	Name    string `json:"name"`
	Country string `json:"country"`
}

// Flight is one offer. From and To are city codes, Date is ISO, Depart and Arrive are "15:04".
type Flight struct {
	ID      string `json:"id"`
	Airline string `json:"airline"`
	From    string `json:"from"`
	To      string `json:"to"`
	Date    string `json:"date"`
	Stops   int    `json:"stops"`
	Depart  string `json:"dep"`
	Arrive  string `json:"arr"`
	Minutes int    `json:"minutes"` // from take-off to landing, stops included
	Price   int    `json:"price"`   // whole euros for one passenger
}

// cities is in the order in which the autocomplete offers them.
var cities = []City{
	{"PRG", "Prague", "Czechia"}, {"LIS", "Lisbon", "Portugal"}, {"LSI", "Lisburn", "United Kingdom"},
	{"PRI", "Praslin Island", "Seychelles"}, {"RAI", "Praia", "Cape Verde"}, {"PRA", "Parana", "Argentina"},
	{"BER", "Berlin", "Germany"}, {"MUC", "Munich", "Germany"}, {"VIE", "Vienna", "Austria"},
	{"MAD", "Madrid", "Spain"}, {"BCN", "Barcelona", "Spain"}, {"CDG", "Paris", "France"},
	{"LHR", "London Heathrow", "United Kingdom"}, {"LGW", "London Gatwick", "United Kingdom"},
	{"ARN", "Stockholm", "Sweden"}, {"OSL", "Oslo", "Norway"}, {"CPH", "Copenhagen", "Denmark"},
	{"HEL", "Helsinki", "Finland"}, {"WAW", "Warsaw", "Poland"}, {"BUD", "Budapest", "Hungary"},
	{"ATH", "Athens", "Greece"}, {"FCO", "Rome", "Italy"}, {"MXP", "Milan", "Italy"},
	{"ZRH", "Zurich", "Switzerland"}, {"AMS", "Amsterdam", "Netherlands"}, {"DUB", "Dublin", "Ireland"},
}

var airlines = []struct{ code, name string }{
	{"NV", "Norvik Air"}, {"TA", "Tagus Airways"}, {"BH", "Bohemia Jet"}, {"EL", "EuroLark"}, {"SK", "Skyferry"},
}

// maxSuggestions is how many cities the autocomplete offers at once.
const maxSuggestions = 6

// findCities gives the cities whose name, or whose label "Prague (PRG)", starts with q, or whose code is q.
func findCities(q string) []City {
	q = strings.ToLower(strings.TrimSpace(q))
	found := []City{}
	for _, c := range cities {
		label := strings.ToLower(c.Name + " (" + c.Code + ")")
		if strings.HasPrefix(label, q) || strings.ToLower(c.Code) == q {
			found = append(found, c)
		}
	}
	return found[:min(len(found), maxSuggestions)]
}

// Flights gives the twenty flights of a route on a day, in the site's "recommended" order. The arguments
// are two city codes and an ISO date; they only seed the generator and are not checked.
//
// The numbers are those of the site's first version, which ran on Node, so that measurements made there
// stay comparable: testdata holds a list from it.
func Flights(from, to, date string) []Flight {
	seed := uint32(7)
	for _, c := range []byte(from + to + date) {
		seed = seed*31 + uint32(c)
	}
	random := func(n int) int {
		seed = seed*1664525 + 1013904223 // the generator of Numerical Recipes
		return int(seed % uint32(n))
	}
	flights := make([]Flight, 20)
	for i := range flights {
		// The order of the calls to random is part of the numbers.
		stops := [...]int{1, 0, 2, 1, 0}[(i+random(2))%5]
		depart := 330 + i*47 + random(20)
		minutes := 205 + stops*95 + random(40)
		number := 201 + i*7 + random(5)
		price := 84 + random(41)*4 + i%4
		if stops == 0 {
			price += 60 // so that the cheapest flight of all is, as a rule, not nonstop
		}
		airline := airlines[i%len(airlines)]
		flights[i] = Flight{
			ID:      fmt.Sprint(airline.code, number),
			Airline: airline.name,
			From:    from, To: to, Date: date,
			Stops:   stops,
			Depart:  clock(depart),
			Arrive:  clock(depart + minutes),
			Minutes: minutes,
			Price:   price,
		}
	}
	return flights
}

// Cheapest gives the cheapest flight of a route on a day, the earliest of several equally cheap ones. It is
// the zero Flight if nonstop is asked for and no flight is.
func Cheapest(from, to, date string, nonstop bool) Flight {
	var best Flight
	for _, f := range Flights(from, to, date) {
		if nonstop && f.Stops > 0 {
			continue
		}
		if best.ID == "" || f.Price < best.Price {
			best = f
		}
	}
	return best
}

// clock writes minutes after midnight, which may run into the next day, as a time of day.
func clock(minutes int) string {
	return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60)
}

// checkTrip says what is wrong with a route and a day; nothing if there are flights.
func checkTrip(from, to, date string) []string {
	var problems []string
	for _, end := range []struct{ name, code string }{{"from", from}, {"to", to}} {
		if !slices.ContainsFunc(cities, func(c City) bool { return c.Code == end.code }) {
			problems = append(problems, fmt.Sprintf("%s: no city has the code %q", end.name, end.code))
		}
	}
	if from == to && len(problems) == 0 {
		problems = append(problems, fmt.Sprintf("to: %q is where the flight starts", to))
	}
	switch _, err := time.Parse(time.DateOnly, date); {
	case err != nil:
		problems = append(problems, fmt.Sprintf("date: %q is not a date such as 2027-03-14", date))
	case date < Today:
		problems = append(problems, fmt.Sprintf("date: %s is in the past", date))
	case date > LastDay:
		problems = append(problems, fmt.Sprintf("date: %s is not on sale yet; the last day is %s", date, LastDay))
	}
	return problems
}
