package model

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// endpoint is where a model is asked, and with which key. An empty key sends none.
type endpoint struct {
	provider     provider
	baseURL, key string
	headers      map[string]string // sent along with every request
	organization string
	apiVersion   string // Azure
	withheld     string // the variable with a key that was not sent, see Config.ProjectBaseURL
	keyFrom      string // where the key comes from; "" without one
	fromProject  bool   // the base URL comes from a project file
}

// resolveEndpoint applies the order flag, NTH_<PROVIDER>_*, the vendor's variables, project file, default.
func resolveEndpoint(p provider, cfg Config) (endpoint, error) {
	env := cfg.Env
	if env == nil {
		env = os.Getenv
	}
	get := func(names ...string) (value, from string) {
		for _, n := range names {
			if v := strings.TrimSpace(env(n)); v != "" {
				return v, n
			}
		}
		return "", ""
	}

	general, _ := get(append([]string{p.ownEnv("BASE_URL")}, p.baseEnv...)...)
	own := firstOf(cfg.BaseURL, general)
	base := firstOf(own, cfg.ProjectBaseURL, p.baseURL)
	if base == "" {
		return endpoint{}, fmt.Errorf("no endpoint: name its base URL with --model-url, %s, or models: %s: base_url in nth.yaml", p.baseHint(), p.name)
	}
	e := endpoint{provider: p, headers: cfg.Headers, fromProject: own == "" && cfg.ProjectBaseURL != ""}
	key, from := get(p.keyEnv...)
	projectKey := cfg.ProjectKey
	if e.fromProject && key != "" {
		key, e.withheld = "", from
	}
	if e.fromProject && projectKey != "" && GeneralKey(cfg.ProjectKeyEnv) {
		projectKey, e.withheld = "", cfg.ProjectKeyEnv
	}
	ownKey, ownName := get(p.ownEnv("API_KEY"))
	for _, k := range []struct{ key, from string }{{cfg.Key, "the command line"}, {ownKey, ownName}, {key, from}, {projectKey, firstOf(cfg.ProjectKeyEnv, "the project file")}} {
		if k.key = strings.TrimSpace(k.key); k.key != "" {
			e.key, e.keyFrom, e.withheld = k.key, k.from, ""
			break
		}
	}

	var err error
	if e.baseURL, err = cleanBaseURL(base, p); err != nil {
		return endpoint{}, err
	}
	if e.baseURL == p.baseURL {
		if p.name == "openai" {
			e.organization, _ = get("OPENAI_ORGANIZATION")
		}
		if e.key == "" && p.needsKey {
			return endpoint{}, fmt.Errorf("no key: set %s, or name another server with %s", p.keyHint(), p.baseHint())
		}
	}
	if strings.ContainsFunc(e.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return endpoint{}, errors.New("the key holds spaces, line breaks or other characters that no key has")
	}
	version, _ := get("OPENAI_API_VERSION")
	e.apiVersion = firstOf(cfg.APIVersion, version, azureVersion)
	return e, checkHeaders(cfg.Headers)
}

// GeneralKey tells whether a variable is one that a vendor's own tools read their key from, or nth's own for a provider.
func GeneralKey(name string) bool {
	return slices.ContainsFunc(providers, func(p provider) bool { return name == p.ownEnv("API_KEY") || slices.Contains(p.keyEnv, name) })
}

// Route is where a picker sends its questions, for people to check.
type Route struct {
	BaseURL     string
	KeyFrom     string // the variable, or what else the key comes from; "": no key is sent
	Withheld    string // the variable with a key that is not sent there
	FromProject bool   // a project file names the base URL
	Local       bool   // it is on this machine
}

// RouteOf gives the route of a picker that New would open; the zero Route for one that asks nobody over the network.
func RouteOf(spec string, cfg Config) (Route, error) {
	name, _, _ := strings.Cut(spec, ":")
	p, ok := providerNamed(name)
	if !ok || p.clean == nil {
		return Route{}, nil
	}
	e, err := resolveEndpoint(p, cfg)
	if err != nil {
		return Route{}, err
	}
	r := Route{BaseURL: e.baseURL, KeyFrom: e.keyFrom, Withheld: e.withheld, FromProject: e.fromProject}
	if u, err := url.Parse(e.baseURL); err == nil {
		ip := net.ParseIP(u.Hostname())
		r.Local = u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	}
	return r, nil
}

// azureVersion is the last dated version of Azure's data plane that is generally available.
const azureVersion = "2024-10-21"

// checkHeaders refuses headers that no request can carry, or that would change what a request means.
func checkHeaders(headers map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch http.CanonicalHeaderKey(name) {
		case "Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection", "Content-Encoding", "Accept-Encoding":
			return fmt.Errorf("header %q cannot be set", short(name, 60))
		}
		token := func(r rune) bool { return r > ' ' && r < 0x7f && !strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) }
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !token(r) }) {
			return fmt.Errorf("header %q: that is not the name of a header", short(name, 60))
		}
		if strings.ContainsFunc(headers[name], func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
			return fmt.Errorf("header %q: its value holds a line break or other characters that no header has", short(name, 60))
		}
	}
	return nil
}

// authorize gives a request the key and the configured headers, and takes away what a client library put there.
func (e endpoint) authorize(h http.Header) {
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"} {
		h.Del(name)
	}
	if e.key != "" {
		if auth := e.provider.auth; auth != nil {
			auth(h, e.key)
		} else {
			bearer(h, e.key)
		}
	}
	for name, value := range e.headers {
		h.Set(name, value)
	}
	h.Set("User-Agent", "nth")
}

// cleanBaseURL checks a base URL and cuts what people paste too much of.
func cleanBaseURL(s string, p provider) (string, error) {
	s = strings.TrimRight(strings.TrimSpace(s), "/")
	if p.clean != nil {
		s = p.clean(s)
	}
	u, err := url.Parse(s)
	switch {
	case err != nil: // url.Error would repeat the text, which may hold a password
		return "", errors.New("the base URL is not a URL; expected something like http://127.0.0.1:8080/v1")
	case u.User != nil:
		return "", fmt.Errorf("the base URL holds a user name or password; give the key in %s instead", p.ownEnv("API_KEY"))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", fmt.Errorf("base URL %q: expected http:// or https:// and a host, as in http://127.0.0.1:8080/v1", short(s, 200))
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("base URL %q: a query or fragment is not possible here", u.Scheme+"://"+u.Host+u.Path)
	}
	return s, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}
