package browser

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nth-dev/nth/engine"
)

const forms = "../../testdata/forms/"

// office is the server of the forms. What it has received is what a form is judged by.
type office struct {
	mu   sync.Mutex
	sent map[string][]url.Values // by form
}

func (o *office) receive(form string, got url.Values) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent[form] = append(o.sent[form], got)
}

func (o *office) routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"/forms/": http.StripPrefix("/forms/", http.FileServer(http.Dir(forms))).ServeHTTP,
		"/send/": func(w http.ResponseWriter, r *http.Request) {
			if err := r.ParseMultipartForm(1 << 20); err != nil && err != http.ErrNotMultipart {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			got := r.PostForm
			if r.MultipartForm != nil {
				for name, files := range r.MultipartForm.File {
					got[name] = []string{files[0].Filename}
				}
			}
			o.receive(strings.TrimPrefix(r.URL.Path, "/send/"), got)
			_, _ = io.WriteString(w, "<!doctype html><title>Received</title><h1>Received</h1>")
		},
		// What only a server knows: which numbers exist, and which names are taken.
		"/wizard/check": func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			wrong := map[string]string{}
			if r.Form.Get("kind") == "company" && !strings.HasPrefix(r.Form.Get("vat"), "CZ") {
				wrong["vat"] = "Enter the number with its country, such as CZ00000000."
			}
			if r.Form.Get("upto") != "0" && r.Form.Get("country") == "us" && r.Form.Get("state") == "" {
				wrong["state"] = "Choose a state."
			}
			if r.Form.Get("upto") == "all" && r.Form.Get("user") == "ada" {
				wrong["user"] = "This name is taken."
			}
			if r.Form.Get("upto") == "all" && len(wrong) == 0 {
				o.receive("wizard", r.PostForm)
			}
			_ = json.NewEncoder(w).Encode(wrong)
		},
	}
}

// TestForms fills whole forms with the standard skills alone, and asks the server what it got.
func TestForms(t *testing.T) {
	for name, want := range map[string]string{
		"wizard":   "kind=company contact=Ada Lindqvist company=Lindqvist & Söhne vat=CZ12345678 country=us state=Nevada zip=02134 user=ada.lindqvist terms=on upto=all",
		"frame":    "name=Ada day=2027-03-14 time=19:30 seat=out dog=on message=A quiet corner",
		"below":    "given=Ada family=Lindqvist street=Long Road 1 city=Brno plan=Yearly sponsor=Grace bank=Bank of Brno account=000123 holder=Ada L. since=2019",
		"japanese": "sei=山田 mei=花子 kana=ヤマダ ハナコ sex=f zip=600-8216 pref=京都府 banchi=１２－３ tel=075-123-4567 y=1985 m=7 d=9 start=2027年3月14日 amount=1,234,567 agree=on",
		"german": "anrede=Frau vorname=Jördis nachname=Groß strasse=Lange Straße 1a plz=01067 ort=Dresden geburt=09.07.1985 beginn=14.03.2027 " +
			"iban=DE02 1203 0000 0000 2020 51 preis=1.234,56 km=12.500 sb=300,00 € zahlung=j agb=on",
		// What must not be there is checked by the count of the values.
		"insurance": "title=Dr given=Ada family=Lindqvist born=09/07/1985 sex=f email=ada@example.com phone=+420 777 123 456 job=Engineer street=Long Road house=12b " +
			"zip=02134 town=Brno country=Czechia since=2019-05 home=House area=120 rooms=5 built=1931 floor=3 deductible=250 alarm=on smoke=true colour=#0a84ff " +
			"sum=75,000.00 starts=2027-03-14 call=17:30 risk=fire,theft valuables=Pianos Art bikes=E-bike before=Old & Sons claims=One remarks=Please call\r\nbefore you come " +
			"iban=CZ6508000000192000145399 holder=Ada Lindqvist pay=1 stars=3 code=A7K2M proof=receipt.txt terms=on",
		"rows": "ids=E-1011,E-1036,E-1089,E-1098,E-1105,E-1120,E-1166",
	} {
		t.Run(name, func(t *testing.T) {
			repeat(t, func(s *Session) {
				o := &office{sent: map[string][]url.Values{}}
				srv := server(t, o.routes())
				runForm(t, s, forms+name+".yaml", srv.URL+"/forms/"+name+".html")
				o.mu.Lock()
				defer o.mu.Unlock()
				if len(o.sent[name]) != 1 {
					t.Fatalf("the server got it %d times: %v", len(o.sent[name]), o.sent[name])
				}
				got := values(o.sent[name][0])
				for _, field := range slices.Sorted(maps.Keys(got)) {
					if !strings.Contains(" "+want+" ", " "+field+"="+got[field]+" ") {
						t.Errorf("the server got %s=%q", field, got[field])
					}
				}
				if n := strings.Count(want, "="); len(got) != n {
					t.Errorf("the server got %d values, want %d", len(got), n)
				}
			})
		})
	}
}

// values drops what was left empty.
func values(v url.Values) map[string]string {
	out := map[string]string{}
	for name, list := range v {
		if text := strings.Join(list, ","); text != "" {
			out[name] = text
		}
	}
	return out
}

// runForm runs a flow that must end well. Every menu on the way may offer one candidate of an entry only.
func runForm(t *testing.T, s *Session, flow, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	start := time.Now()
	given := map[string]any{"url": address}
	if source, _ := os.ReadFile(flow); strings.Contains(string(source), "inputs.file") {
		given["file"], _ = filepath.Abs(sites + "receipt.txt")
	}
	p, res, steps := runFlow(t, ctx, s, flow, given)
	if res.Status != "done" {
		t.Errorf("it ended %s %s: %s", res.Status, res.Error, res.Message)
		for line := range strings.Lines(string(steps)) {
			var r engine.Record
			if json.Unmarshal([]byte(line), &r) == nil && r.Type == "step" && !r.OK {
				t.Logf("%s: %s %s", r.Label, r.Error, r.Message)
			}
		}
		t.Logf("%s", strings.Join(lines(p.look()), "\n"))
	}
	t.Logf("%s", time.Since(start).Round(time.Millisecond))
}
