package browser

import (
	"fmt"
	"slices"
	"strings"
)

var comboboxes = []struct{ page, field, state string }{
	{"antd", "City", "city"}, {"jquery-ui", "City", "city"}, {"mui", "City", "city"}, {"react-select", "City", "city"}, {"select2", "City", "city"},
	{"shoelace", "City", "city"}, {"tom-select", "City", "city"},
	{"classic-lists", "Choices", "choices"}, {"classic-lists", "Slim", "slim"}, {"classic-lists", "Selectize", "selectize"}, {"classic-lists", "Awesomplete", "awesome"},
	{"element-plus", "City", "city"}, {"element-plus", "Town", "town"}, {"headless", "City", "city"}, {"headless", "State", "state"},
	{"mantine", "City", "city"}, {"mantine", "Plain", "plain"}, {"primereact", "City", "city"}, {"primereact", "State", "state"},
	{"react-aria", "City", "city"}, {"react-aria", "State", "state"}, {"rsuite", "City", "city"}, {"rsuite", "Town", "town"}, {"vaadin", "City", "city"},
	{"angular", "City", "city"}, {"angular", "State", "state"}, {"ark", "City", "city"}, {"ark", "State", "state"}, {"fomantic", "City", "city"},
	{"fomantic", "State", "state"}, {"primevue", "City", "city"}, {"primevue", "State", "state"}, {"primevue", "Town", "town"}, {"quasar", "City", "city"},
	{"quasar", "State", "state"}, {"vuetify", "City", "city"}, {"vuetify", "State", "state"}, {"vuetify", "Town", "town"},
}

// A datePicker that has no full day has 19 March 2027, which elsewhere nobody can have.
var datePickers = []struct {
	page, field, state string
	noFull             bool
}{
	{page: "flatpickr", field: "Travel date", state: "date"}, {page: "jquery-ui", field: "Travel date", state: "date"}, {page: "antd", field: "Travel date", state: "date"},
	{page: "react-datepicker", field: "Travel date", state: "date"}, {page: "mui", field: "Travel date", state: "date"}, {page: "mui/?mobile", field: "Travel date", state: "date"},
	{page: "shoelace", field: "Travel date", state: "date", noFull: true},
	{page: "classic-dates", field: "Pikaday", state: "pikaday"}, {page: "classic-dates", field: "Air", state: "air"}, {page: "classic-dates", field: "Bootstrap", state: "bootstrap"},
	{page: "element-plus", field: "日期", state: "date"}, {page: "headless", field: "Reisetag", state: "day"},
	{page: "mantine", field: "Travel date", state: "date"}, {page: "mantine", field: "Typed date", state: "typed"},
	{page: "primereact", field: "Travel date", state: "date"}, {page: "react-aria", field: "Travel date", state: "date"},
	{page: "react-aria", field: "تاريخ السفر", state: "arabic", noFull: true}, {page: "rsuite", field: "Travel date", state: "date"},
	{page: "rsuite", field: "Fixed date", state: "fixed", noFull: true}, {page: "vaadin", field: "Travel date", state: "date"},
	{page: "vanilla-dates", field: "Abreise", state: "vanilla"}, {page: "vanilla-dates", field: "Lite", state: "lite"}, {page: "vanilla-dates", field: "Tempus", state: "tempus"},
	{page: "vuepic", field: "Travel date", state: "date"},
	{page: "angular", field: "Travel date", state: "date"}, {page: "angular", field: "Popup date", state: "popup"}, {page: "ark", field: "Travel date", state: "date"},
	{page: "cally", field: "Travel date", state: "date"}, {page: "fomantic", field: "Travel date", state: "date"}, {page: "primevue", field: "Travel date", state: "date"},
	{page: "quasar", field: "Travel date", state: "date"}, {page: "vuetify", field: "Travel date", state: "date"},
}

var dateRanges = []struct{ page, field, state string }{
	{"classic-dates", "Range", "range"}, {"ranges", "Stay", "stay"}, {"ranges", "Trip", "trip"}, {"ranges", "Visit", "visit"},
	{"element-plus", "入住", "stay"}, {"mantine", "Stay", "stay"}, {"primereact", "Stay", "stay"}, {"react-aria", "Stay", "stay"}, {"rsuite", "Stay", "stay"},
	{"vanilla-dates", "Between", "between"}, {"vuepic", "Stay", "stay"},
	{"angular", "Stay", "stay"}, {"ark", "Stay", "stay"}, {"primevue", "Stay", "stay"}, {"vuetify", "Stay", "stay"},
}

// oddChoices are of lists of which each has its own.
var oddChoices = []widgetCase{
	{page: "react-select", do: "std.choose: {field: City, option: Reno}; std.choose: {field: City, option: Newark}", state: "city", want: "Newark"},
	{page: "typed", do: `dates.set_date: {field: Day first, date: "2027-03-17"}`, state: "day", want: "2027-03-17"},
	{page: "typed", do: `dates.set_date: {field: Day first, date: "2027-03-04"}`, state: "day", fails: "bad_value", says: "can be read both ways"},
	{page: "typed", do: `dates.set_date: {field: Month first, date: "2028-02-29"}`, state: "month", want: "2028-02-29"},
	{page: "typed", do: `dates.set_date: {field: Odd, date: "2028-02-29"}`, state: "odd", fails: "bad_value", says: "Not a date"},
	{page: "headless", do: "std.choose: {field: Airport, option: Newark Municipal}", state: "airport", want: "Newark/Municipal"},
	{page: "headless", do: "std.choose: {field: Airport, option: Newark}", state: "airport", fails: "bad_value", says: "several options match"},
	{page: "headless", do: "std.choose: {field: State, option: Boise}", state: "state", fails: "bad_value", says: "disabled"},
	{page: "element-plus", do: "std.choose: {field: City, option: Boise}", state: "city", fails: "bad_value", says: "disabled"},
	{page: "mantine", do: "std.choose: {field: Plain, option: Boise}", state: "plain", fails: "bad_value", says: "disabled"},
	{page: "react-aria", do: "std.choose: {field: State, option: Boise}", state: "state", fails: "bad_value", says: "disabled"},
	{page: "angular", do: "std.choose: {field: State, option: Boise}", state: "state", fails: "bad_value", says: "disabled"},
}

// otherWidgets are what the libraries draw besides lists and calendars.
var otherWidgets = []widgetCase{
	{page: "angular", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "angular", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "angular", do: "std.choose_radio: {group: Class, option: Business}", state: "cls", want: "Business"},
	{page: "angular", do: "std.choose_segment: {option: Aisle}", state: "seat", want: "Aisle"},
	{page: "angular", do: "std.set_slider: {field: Volume, value: 63}", state: "volume", want: "63"},
	{page: "ark", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "ark", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "ark", do: "std.set_count: {field: Guests, count: 4}", state: "guests", want: "4"},
	{page: "ark", do: "std.set_slider: {field: Volume, value: 63}", state: "volume", want: "63"},
	{page: "ark", do: `std.rate: {field: Stars, stars: 3}`, state: "stars", want: "3"},
	{page: "ark", do: `std.fill_code: {field: Code, code: "4711"}`, state: "code", want: "4711"},
	{page: "cally", do: `dates.set_date_range: {field: Stay, from: "2027-03-10", to: "2027-03-17"}`, state: "stay", want: "2027-03-10/2027-03-17"},
	{page: "cally", do: `dates.set_date_range: {field: Stay, from: "2027-12-28", to: "2028-01-03"}`, state: "stay", want: "2027-12-28/2028-01-03"},
	{page: "fomantic", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "fomantic", do: `std.rate: {field: Stars, stars: 5}`, state: "stars", want: "5"},
	{page: "fomantic", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "primevue", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "primevue", do: `std.rate: {field: Stars, stars: 3}`, state: "stars", want: "3"},
	{page: "primevue", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "primevue", do: "std.choose_segment: {option: Business}", state: "cls", want: "Business"},
	{page: "quasar", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "quasar", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "quasar", do: "std.choose_radio: {group: Class, option: Business}", state: "cls", want: "Business"},
	{page: "vuetify", do: "std.check: {field: Terms}", state: "terms", want: "true"},
	{page: "vuetify", do: "std.check: {field: Alarm}", state: "alarm", want: "true"},
	{page: "vuetify", do: "std.choose_radio: {group: Class, option: Business}", state: "cls", want: "Business"},
	{page: "vuetify", do: "std.set_slider: {field: Volume, value: 63}", state: "volume", want: "63"},
	{page: "vuetify", do: "std.set_count: {field: Guests, count: 4}", state: "guests", want: "4"},
}

func widgetCases() []widgetCase {
	var out []widgetCase
	for _, w := range comboboxes {
		// A far one, one that others begin with ("New York"), one that is a part of others, and one in capitals.
		for _, city := range []string{"Wichita", "Albany", "Newark", "Reno", "San Jose"} {
			want := city
			if w.page == "shoelace" {
				want = strings.ReplaceAll(city, " ", "_")
			}
			out = append(out, widgetCase{page: w.page, do: fmt.Sprintf("std.choose: {field: %s, option: %s}", w.field, city), state: w.state, want: want})
		}
		for _, none := range []string{"SHV", "Saint Nowhere"} {
			out = append(out, widgetCase{page: w.page, do: fmt.Sprintf("std.choose: {field: %s, option: %s}", w.field, none), state: w.state, want: "", fails: "bad_value", says: "no such option"})
		}
	}
	for _, w := range datePickers {
		for _, date := range []string{"2027-03-17", "2028-05-09", "2026-12-24", "2028-02-29"} {
			out = append(out, widgetCase{page: w.page, do: fmt.Sprintf("dates.set_date: {field: %s, date: %q}", w.field, date), state: w.state, want: date})
		}
	}
	for _, w := range datePickers {
		if !w.noFull {
			out = append(out, widgetCase{page: w.page, do: fmt.Sprintf("dates.set_date: {field: %s, date: 2027-03-19}", w.field), state: w.state, want: "", fails: "disabled", says: "cannot be chosen"})
		}
	}
	for _, w := range dateRanges {
		for _, r := range [][2]string{{"2027-03-10", "2027-03-17"}, {"2027-12-28", "2028-01-03"}} {
			do := fmt.Sprintf("dates.set_date_range: {field: %s, from: %q, to: %q}", w.field, r[0], r[1])
			out = append(out, widgetCase{page: w.page, do: do, state: w.state, want: r[0] + "/" + r[1]})
		}
	}
	return slices.Concat(out, oddChoices, otherWidgets)
}
