package model

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// defaultBaseURL is the client library's own default.
const defaultBaseURL = "https://api.openai.com/v1"

// endpoint is where a chat model is asked, and with which key. An empty key sends no Authorization header.
type endpoint struct {
	baseURL, key, organization string
	withheld                   bool // OPENAI_API_KEY was set and not sent, see Config.ProjectBaseURL
}

// resolveEndpoint applies the order flag, NTH_OPENAI_*, OPENAI_*, project file, default.
func resolveEndpoint(cfg Config) (endpoint, error) {
	env := cfg.Env
	if env == nil {
		env = os.Getenv
	}
	get := func(name string) string { return strings.TrimSpace(env(name)) }

	own := firstOf(cfg.BaseURL, get("NTH_OPENAI_BASE_URL"), get("OPENAI_BASE_URL"))
	base := firstOf(own, cfg.ProjectBaseURL, defaultBaseURL)
	general := get("OPENAI_API_KEY")
	e := endpoint{}
	if own == "" && cfg.ProjectBaseURL != "" && general != "" {
		general, e.withheld = "", true
	}
	e.key = firstOf(cfg.Key, get("NTH_OPENAI_API_KEY"), general, cfg.ProjectKey)
	e.withheld = e.withheld && e.key == ""

	var err error
	if e.baseURL, err = cleanBaseURL(base); err != nil {
		return endpoint{}, err
	}
	if e.baseURL == defaultBaseURL {
		e.organization = get("OPENAI_ORGANIZATION")
		if e.key == "" {
			return endpoint{}, errors.New("no key: set NTH_OPENAI_API_KEY or OPENAI_API_KEY, or name another " +
				"server with NTH_OPENAI_BASE_URL or OPENAI_BASE_URL")
		}
	}
	if strings.ContainsFunc(e.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return endpoint{}, errors.New("the key holds spaces, line breaks or other characters that no key has")
	}
	return e, nil
}

// cleanBaseURL checks a base URL and cuts what people paste too much of.
func cleanBaseURL(s string) (string, error) {
	s = strings.TrimRight(strings.TrimSpace(s), "/")
	s = strings.TrimRight(strings.TrimSuffix(s, "/chat/completions"), "/")
	u, err := url.Parse(s)
	switch {
	case err != nil: // url.Error would repeat the text, which may hold a password
		return "", errors.New("the base URL is not a URL; expected something like http://127.0.0.1:8080/v1")
	case u.User != nil:
		return "", errors.New("the base URL holds a user name or password; give the key in NTH_OPENAI_API_KEY instead")
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
