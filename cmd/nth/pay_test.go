package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// checkout is an order page with split names and a split expiry date, whose card fields come from another site in a
// frame; the card's site formats the number while it is typed, as such frames do.
type checkout struct {
	mu   sync.Mutex
	card string // what the frame was given
	paid []string
}

func (c *checkout) frame() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			data, _ := io.ReadAll(r.Body)
			c.mu.Lock()
			c.card = string(data)
			c.mu.Unlock()
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><label>Card number <input id=n autocomplete=cc-number inputmode=numeric></label>
<label>Month <select id=m autocomplete=cc-exp-month><option value="">MM<option>01<option>02<option>03</select></label>
<label>Year <select id=y autocomplete=cc-exp-year><option value="">YYYY<option>2028<option>2029</select></label>
<label>CVC <input id=c autocomplete=cc-csc maxlength=4></label>
<script>
n.addEventListener('input', () => { n.value = n.value.replace(/\D/g, '').replace(/(.{4})(?=.)/g, '$1 ') });
for (const e of [n, m, y, c]) e.addEventListener('change', () => fetch('/', {method: 'POST', body: [n.value, m.value, y.value, c.value].join('|')}));
</script>`)
	})
}

func (c *checkout) shop(frame string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			_ = r.ParseForm()
			c.mu.Lock()
			c.paid = append(c.paid, fmt.Sprint(r.PostForm["f"]))
			c.mu.Unlock()
			fmt.Fprint(w, `<title>Done</title><h1>Thank you for your order</h1>`)
			return
		}
		fmt.Fprintf(w, `<!doctype html><title>Checkout</title><form method=post>
<label>First name * <input name=f autocomplete=given-name required></label><label>Last name * <input name=f autocomplete=family-name></label>
<label>Street and number <input name=f></label><label>Postcode <input name=f></label><label>City <input name=f></label>
<label>Country <select name=f><option value="">Choose<option value=CZ>Czechia<option value=DE>Germany</select></label>
<iframe src=%q title="Card" width=500 height=160></iframe>
<button>Pay €12.00</button></form>`, frame)
	})
}

func TestPay(t *testing.T) {
	c := &checkout{}
	frame := httptest.NewServer(c.frame())
	defer frame.Close()
	other := strings.Replace(frame.URL, "127.0.0.1", "localhost", 1) // another site
	shop := httptest.NewServer(c.shop(other + "/"))
	defer shop.Close()
	values := map[string]string{"FIRST": "Ada", "LAST": "Lindqvist", "STREET": "Dlouhá 12", "ZIP": "60200", "CITY": "Brno", "LAND": "Czechia",
		"CARD": "4242424242424242", "MONTH": "03", "YEAR": "2029", "CVC": "737"}
	for k, v := range values {
		t.Setenv("PAY_"+k, v)
	}
	dir := t.TempDir()
	flow := filepath.Join(dir, "flow.yaml")
	text := `kind: flow/v1
name: order
packs: {pay: std/pay@^1}
inputs: {site: {type: string, format: uri}}
secrets: {first: {env: PAY_FIRST}, last: {env: PAY_LAST}, street: {env: PAY_STREET}, zip: {env: PAY_ZIP}, city: {env: PAY_CITY}, land: {env: PAY_LAND}, card: {env: PAY_CARD}, month: {env: PAY_MONTH}, year: {env: PAY_YEAR}, cvc: {env: PAY_CVC}}
stages:
  open:
    do: [{goto: =inputs.site}]
  address:
    relevance:
      - pay.given_name: {value: =secrets.first}
      - pay.family_name: {value: =secrets.last}
      - pay.street: {value: =secrets.street}
      - pay.postcode: {value: =secrets.zip}
      - pay.city: {value: =secrets.city}
      - pay.country: {value: =secrets.land}
  card:
    relevance:
      - pay.card_number: {value: =secrets.card}
      - pay.card_month: {value: =secrets.month}
      - pay.card_year: {value: =secrets.year}
      - pay.card_code: {value: =secrets.cvc}
  pay:
    approve: {ask: "Pay this order?"}
    relevance: [pay.pay: {proof: Thank you for your order}]
`
	if err := os.WriteFile(flow, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if code := Main([]string{"run", flow, "-i", "site=" + shop.URL, "--approve", "pay", "--artifacts", dir, "--json"}, os.Stdin, &out, &log); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), log.String())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if want := "4242 4242 4242 4242|03|2029|737"; c.card != want {
		t.Errorf("the card's site has %q, want %q", c.card, want)
	}
	if want := "[Ada Lindqvist Dlouhá 12 60200 Brno CZ]"; len(c.paid) != 1 || c.paid[0] != want {
		t.Errorf("the shop has %q, want one order of %s", c.paid, want)
	}
	record, err := os.ReadFile(filepath.Join(dir, "steps.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range values {
		if len(v) >= 4 && (bytes.Contains(record, []byte(v)) || strings.Contains(log.String(), v)) {
			t.Errorf("%s is in the record or the log", k)
		}
	}
}
