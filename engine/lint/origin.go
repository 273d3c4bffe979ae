package lint

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var originNotAllowed = &Rule{
	ID: "origin-not-allowed", Severity: schema.Error,
	Summary: "a URL that allow_origins does not allow",
	Doc: `The flow opens a URL whose origin (scheme, host and port) is not in its allow_origins: the run ends there with
origin_denied. Add the origin, or correct the URL. The defaults of inputs that are opened count too.`,
	Check: func(p *pass) {
		if p.Program == nil || len(p.Program.AllowOrigins) == 0 {
			return
		}
		p.canonicalOrigins()
		for _, st := range p.Program.Stages {
			p.gotoLiterals(st.Do)
		}
		opened := map[string]bool{}
		for _, s := range p.sites() {
			if s.use == gotoUse {
				for _, n := range s.tree().sources(s.tree().root, func(x place) bool { return x.root == "inputs" }) {
					opened[s.tree().placeAt(n).first] = s.tree().root == n
				}
			}
		}
		for i, in := range p.Program.Inputs {
			if text, ok := defaultText(in.Schema); ok && opened[in.Name] {
				p.checkOrigin(p.Flow.Inputs[i].Schema.Field("default"), text)
			}
		}
	},
}

// canonicalOrigins reports origins that no browser writes so: they are compared as texts and never match.
func (p *pass) canonicalOrigins() {
	for _, o := range p.Flow.AllowOrigins {
		u, err := url.Parse(o.Value)
		if err != nil || u.Host == "" || originOf(u) == o.Value {
			continue
		}
		d := p.report(o.Range, "write "+originOf(u), "the origin %q never matches: browsers write %s", o.Value, originOf(u))
		d.Edits = []schema.Edit{{Range: o.Range, Text: quoted(originOf(u))}}
	}
}

// quoted is a text as YAML writes it in double quotes.
func quoted(s string) string { return strconv.Quote(s) }

func defaultText(s *compile.Schema) (string, bool) {
	d, ok := s.Default()
	text, isText := d.(string)
	return text, ok && isText
}

func (p *pass) gotoLiterals(verbs []*compile.Verb) {
	for _, v := range verbs {
		if v.Repeat != nil {
			p.gotoLiterals(v.Repeat.Do)
		}
		if v.Name != "goto" || v.Value == nil {
			continue
		}
		if c, ok := v.Value.Const(); ok {
			text, _ := c.(string)
			p.checkOrigin(v.Source.Value.Node, text)
		}
	}
}

func (p *pass) checkOrigin(at *schema.Node, text string) {
	u, err := url.Parse(text)
	if at == nil || err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	if slices.Contains(p.Program.AllowOrigins, u.Scheme+"://"+u.Host) { // as the engine compares them
		return
	}
	origin := originOf(u)
	if slices.Contains(p.Program.AllowOrigins, origin) {
		p.report(at.Range, "write the URL with "+origin, "the flow may not be on %s://%s", u.Scheme, u.Host)
		return
	}
	p.report(at.Range, "add "+origin+" to allow_origins, which has "+strings.Join(p.Program.AllowOrigins, ", "), "the flow may not be on %s", origin)
}

// originOf is scheme, host and port, without the port that the scheme has anyway.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}
