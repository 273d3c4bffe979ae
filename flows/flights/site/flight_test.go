package site_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nth-dev/nth/flows/flights/site"
)

// The files in testdata were written by the first version of the site, in JavaScript.
func TestFlightsAreThoseOfTheFirstVersion(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json") // such as PRG-LIS-2027-03-14
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []site.Flight
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got := site.Flights(name[0:3], name[4:7], name[8:])
			if len(got) != len(want) {
				t.Fatalf("%d flights, want %d", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("flight %d\n got %+v\nwant %+v", i, got[i], want[i])
				}
			}
		})
	}
}

func TestCheapest(t *testing.T) {
	for _, tt := range []struct {
		nonstop bool
		id      string
		price   int
	}{
		{true, "NV239", 145},
		{false, "BH285", 84}, // two stops: the trap of the site
	} {
		f := site.Cheapest("PRG", "LIS", "2027-03-14", tt.nonstop)
		if f.ID != tt.id || f.Price != tt.price || tt.nonstop != (f.Stops == 0) {
			t.Errorf("Cheapest(nonstop %t) = %+v, want %s at %d", tt.nonstop, f, tt.id, tt.price)
		}
	}
}

func TestFlightIDsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range site.Flights("VIE", "ATH", "2027-06-01") {
		if seen[f.ID] {
			t.Errorf("%s twice", f.ID)
		}
		seen[f.ID] = true
	}
}
