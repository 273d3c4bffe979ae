package site_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nth-dev/nth/flows/contact/site"
)

// post sends a form and follows the redirect, as a browser does.
func post(t *testing.T, server *httptest.Server, form url.Values) (*http.Response, string) {
	t.Helper()
	res, err := server.Client().PostForm(server.URL+"/contact", form)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func get(t *testing.T, h http.Handler, method, target string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w.Code, w.Body.String()
}

func fields(name, email, message string) url.Values {
	return url.Values{"name": {name}, "email": {email}, "message": {message}}
}

func TestMessage(t *testing.T) {
	s := site.New()
	server := httptest.NewServer(s)
	defer server.Close()

	res, body := post(t, server, fields(" Ada <Lindqvist> ", "ada@example.com", "Roses, please.\r\nMany."))
	if res.StatusCode != http.StatusOK || res.Request.Method != "GET" || res.Request.URL.Path != "/thanks/M1001" {
		t.Errorf("ended with %s %s: %s", res.Request.Method, res.Request.URL, res.Status)
	}
	for _, want := range []string{"<h1>Thank you</h1>", "Thank you, Ada &lt;Lindqvist&gt;.", `data-message-reference="M1001"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	want := []site.Message{{Reference: "M1001", Name: "Ada <Lindqvist>", Email: "ada@example.com", Message: "Roses, please.\nMany."}}
	if got := s.Messages(); !slices.Equal(got, want) {
		t.Errorf("stored %+v", got)
	}
	_, list := get(t, s, "GET", "/api/messages")
	var got []site.Message
	if err := json.Unmarshal([]byte(list), &got); err != nil || !slices.Equal(got, want) {
		t.Errorf("listed %s: %v", list, err)
	}
	get(t, s, "DELETE", "/api/messages")
	if _, list := get(t, s, "GET", "/api/messages"); strings.TrimSpace(list) != "[]" {
		t.Errorf("after clearing: %s", list)
	}
}

func TestRefusedMessages(t *testing.T) {
	for _, tt := range []struct {
		name string
		form url.Values
		want []string
	}{
		{"nothing", nil, []string{"Please tell us your name.", "Please enter a valid e-mail address.", "Please write a message."}},
		{"no name", fields("  ", "ada@example.com", "Roses, please."), []string{"Please tell us your name."}},
		{"no e-mail", fields("Ada", "ada", "Roses, please."), []string{"Please enter a valid e-mail address."}},
		{"named e-mail", fields("Ada", "Ada <ada@example.com>", "Roses, please."), []string{"Please enter a valid e-mail address."}},
		{"local e-mail", fields("Ada", "ada.l@example", "Roses, please."), []string{"Please enter a valid e-mail address."}},
		{"blank message", fields("Ada", "ada@example.com", " \n "), []string{"Please write a message."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := site.New()
			server := httptest.NewServer(s)
			defer server.Close()
			res, body := post(t, server, tt.form)
			if res.StatusCode != http.StatusUnprocessableEntity {
				t.Error(res.Status)
			}
			if n := strings.Count(body, `class="error"`); n != len(tt.want) {
				t.Errorf("%d errors, want %d", n, len(tt.want))
			}
			for _, want := range tt.want {
				if !strings.Contains(body, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if name := tt.form.Get("name"); strings.TrimSpace(name) != "" && !strings.Contains(body, `value="`+name+`"`) {
				t.Error("what was typed is lost")
			}
			if len(s.Messages()) != 0 {
				t.Errorf("stored %+v", s.Messages())
			}
		})
	}
}

func TestTooMuch(t *testing.T) {
	server := httptest.NewServer(site.New())
	defer server.Close()
	res, _ := post(t, server, fields("Ada", "ada@example.com", strings.Repeat("x", 65<<10)))
	if res.StatusCode != http.StatusBadRequest {
		t.Error(res.Status)
	}
}

func TestPages(t *testing.T) {
	s := site.New()
	for target, want := range map[string]struct {
		code int
		text string
	}{
		"/":             {200, `<label for="name">Name</label>`},
		"/services":     {200, "<h1>Services</h1>"},
		"/projects":     {200, "<h1>Projects</h1>"},
		"/about":        {200, "<h1>About us</h1>"},
		"/style.css":    {200, "body"},
		"/favicon.svg":  {200, "<svg"},
		"/thanks/M1001": {404, "not found"},
		"/nowhere":      {404, "not found"},
		"/contact":      {405, "Method Not Allowed"},
	} {
		if code, body := get(t, s, "GET", target); code != want.code || !strings.Contains(body, want.text) {
			t.Errorf("%s: %d %.80s", target, code, body)
		}
	}
	if code, body := get(t, s, "POST", "/newsletter"); code != 200 || !strings.Contains(body, "<h1>Newsletter</h1>") || len(s.Messages()) != 0 {
		t.Errorf("newsletter: %d", code)
	}
}

func TestConcurrentMessages(t *testing.T) {
	s := site.New()
	server := httptest.NewServer(s)
	defer server.Close()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			res, err := server.Client().PostForm(server.URL+"/contact", fields("Ada", "ada@example.com", "Roses, please."))
			if err != nil {
				t.Error(err)
				return
			}
			res.Body.Close()
			s.Messages()
		})
	}
	wg.Wait()
	references := map[string]bool{}
	for _, m := range s.Messages() {
		references[m.Reference] = true
	}
	if len(references) != 20 {
		t.Errorf("%d references, want 20", len(references))
	}
}
