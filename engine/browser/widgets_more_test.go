package browser

import (
	"fmt"
	"os"
	"testing"
)

// sliderCases are on noUiSlider: one handle, two that keep their order, and one whose steps are not whole.
var sliderCases = []widgetCase{
	{page: "nouislider", do: "std.set_slider: {field: Volume, value: 65}", state: "volume", want: "65"},
	{page: "nouislider", do: "std.set_slider: {field: Volume, value: 0}", state: "volume", want: "0"},
	{page: "nouislider", do: "std.set_slider: {field: Lowest price, value: 450}; std.set_slider: {field: Highest price, value: 1200}", state: "price", want: "450/1200"},
	// The way there leads past where the other handle stood.
	{page: "nouislider", do: "std.set_slider: {field: Highest price, value: 2000}; std.set_slider: {field: Lowest price, value: 1700}", state: "price", want: "1700/2000"},
	// Where the other handle is in the way, or the steps lead past it, nobody says that it was done.
	{page: "nouislider", do: "std.set_slider: {field: Lowest price, value: 1800}", state: "price", fails: "bad_value", says: "it goes from 0 to 1500"},
	{page: "nouislider", do: "std.set_slider: {field: Lowest price, value: 425}", state: "price", want: "450/1500", fails: "bad_value", says: "its steps lead past it, from 400 to 450"},
	{page: "nouislider", do: "std.set_slider: {field: Weight, value: 2.5}", state: "weight", want: "2.5"},
}

// phoneCases are on intl-tel-input: the country is chosen from a list, and the number typed; what the library makes of both counts.
var phoneCases = []widgetCase{
	{page: "intl-tel-input", do: "std.choose: {field: Select country, option: Norway}; std.fill: {field: Phone, value: 41 23 45 67}", state: "phone", want: "+4741234567"},
	{page: "intl-tel-input", do: "std.choose: {field: Select country, option: Niger}", state: "phone_country", want: "ne"},
	{page: "intl-tel-input", do: "std.choose: {field: United States, option: Zambia}; std.fill: {field: Fax, value: 95 5123456}", state: "fax", want: "+260955123456"},
	{page: "intl-tel-input", do: "std.choose: {field: currently selected Japan, option: Czechia}; std.fill: {field: Pager, value: 601 123 456}", state: "pager", want: "+420601123456"},
	{page: "intl-tel-input", do: "std.choose: {field: Select country, option: Ruritania}", state: "phone_country", fails: "bad_value", says: "no such option"},
	{page: "intl-tel-input", do: "std.choose: {field: United States, option: Ruritania}", state: "fax_country", fails: "bad_value", says: "no such option"},
}

// edgeDays are days at the end of a week, after which the next stands in another row, and first ones that are alone in theirs.
func edgeDays() []widgetCase {
	var out []widgetCase
	for _, w := range datePickers {
		for _, date := range []string{"2027-03-14", "2027-08-01", "2027-05-01"} { // two Sundays, a Saturday
			out = append(out, widgetCase{page: w.page, do: fmt.Sprintf("dates.set_date: {field: %s, date: %q}", w.field, date), state: w.state, want: date})
		}
	}
	if os.Getenv("NTH_WIDGETS") == "all" {
		return out
	}
	return out[:6]
}

func TestEdgeDays(t *testing.T) { runWidgets(t, edgeDays()) }
func TestSliders(t *testing.T)  { runWidgets(t, sliderCases) }
func TestPhones(t *testing.T)   { runWidgets(t, phoneCases) }

func runWidgets(t *testing.T, cases []widgetCase) {
	srv := widgetServer(t)
	for _, c := range cases {
		t.Run(c.page+" "+c.do, func(t *testing.T) {
			repeat(t, func(s *Session) { runWidget(t, s, srv.URL+"/"+c.page, c) })
		})
	}
}
