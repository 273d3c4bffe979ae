package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/schema"
)

// modelConfig is how a picker is reached, by the flags and the project file. secrets are the variables of the
// environment that the project file has sent along in headers.
func (a *app) modelConfig(spec string, f *runFlags, project *schema.Project) (cfg model.Config, secrets []string) {
	cfg = model.Config{BaseURL: f.baseURL, Key: f.key, Timeout: f.timeout, In: a.stdin, Out: a.stderr}
	provider, _, _ := strings.Cut(spec, ":")
	for _, m := range project.Models {
		if m.Provider.Value != provider {
			continue
		}
		cfg.ProjectBaseURL = m.BaseURL.Value
		if m.KeyEnv.Set() {
			cfg.ProjectKey, cfg.ProjectKeyEnv = os.Getenv(m.KeyEnv.Value), m.KeyEnv.Value
		}
		if cfg.Timeout == 0 {
			cfg.Timeout = m.Timeout.Value
		}
		cfg.Headers = modelHeaders(m)
		cfg.APIVersion, cfg.MaxOptions, cfg.Constrain = m.APIVersion.Value, m.MaxOptions.Value, m.Constrain.Value
		for _, h := range m.Headers {
			if h.Env.Set() && os.Getenv(h.Env.Value) != "" {
				secrets = append(secrets, h.Env.Value)
			}
		}
	}
	return cfg, secrets
}

// modelHeaders are the HTTP headers of a provider; one whose environment variable is not set is left out.
func modelHeaders(m schema.ModelConfig) map[string]string {
	headers := map[string]string{}
	for _, h := range m.Headers {
		value := h.Value.Value
		if h.Env.Set() {
			value = os.Getenv(h.Env.Value)
		}
		if value != "" {
			headers[h.Name.Value] = value
		}
	}
	return headers
}

// tellRoute says, before anything is sent, when a project file has something of the user's environment sent to another
// machine: the file may have come with somebody else's repository. A vendor's own key is not sent there at all.
func (a *app) tellRoute(spec string, cfg model.Config, secrets []string) error {
	r, err := model.RouteOf(spec, cfg)
	if err != nil || !r.FromProject {
		return err
	}
	if i := slices.IndexFunc(secrets, model.GeneralKey); i >= 0 {
		return fmt.Errorf("%s: a header in nth.yaml takes %s, which is not sent to an address from a project file", spec, secrets[i])
	}
	if r.Local {
		return nil
	}
	if sent := withKey(r, secrets); len(sent) > 0 {
		provider, _, _ := strings.Cut(spec, ":")
		fmt.Fprintf(a.stderr, "  nth.yaml has %s asked at %s, with what is in %s\n", provider, r.BaseURL, strings.Join(sent, " and "))
	}
	return nil
}

// withKey lists what of the environment goes along.
func withKey(r model.Route, secrets []string) []string {
	if r.KeyFrom != "" {
		secrets = append([]string{r.KeyFrom}, secrets...)
	}
	return slices.Compact(secrets)
}

// checkRoutes lists where the models of the project file are asked, and with which key.
func (a *app) checkRoutes(project *schema.Project) {
	for _, m := range project.Models {
		spec := m.Provider.Value + ":any"
		cfg, secrets := a.modelConfig(spec, &runFlags{}, project)
		r, err := model.RouteOf(spec, cfg)
		if err != nil {
			fmt.Fprintf(a.stdout, "     %s: %v\n", m.Provider.Value, err)
			continue
		}
		line := fmt.Sprintf("     %s is asked at %s", m.Provider.Value, r.BaseURL)
		if sent := withKey(r, secrets); len(sent) > 0 {
			line += ", with what is in " + strings.Join(sent, " and ")
		} else {
			line += ", without a key"
		}
		if r.Withheld != "" {
			line += "; " + r.Withheld + " is not sent to an address from a project file"
		}
		fmt.Fprintln(a.stdout, line)
	}
}
