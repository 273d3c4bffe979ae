package main

import (
	"maps"
	"testing"

	"github.com/nth-dev/nth/schema"
)

// A header's value stands in nth.yaml or, where it is a secret, in the environment.
func TestModelHeaders(t *testing.T) {
	t.Setenv("NTH_TEST_TOKEN", "s3cret")
	n, ds := schema.Parse("nth.yaml", []byte(`kind: project/v1
models:
  azure:
    base_url: https://x.openai.azure.com
    api_version: "2025-01-01"
    constrain: always
    headers: {X-Team: web, X-Token: {env: NTH_TEST_TOKEN}, X-None: {env: NTH_TEST_NOT_SET}}
  decisions: {max_options: 8}
`))
	p, more := schema.DecodeProject(n)
	if ds.HasErrors() || more.HasErrors() || len(p.Models) != 2 {
		t.Fatal(ds, more)
	}
	azure, decisions := p.Models[0], p.Models[1]
	if got := modelHeaders(azure); !maps.Equal(got, map[string]string{"X-Team": "web", "X-Token": "s3cret"}) {
		t.Errorf("%v", got)
	}
	if azure.APIVersion.Value != "2025-01-01" || azure.Constrain.Value != "always" || decisions.MaxOptions.Value != 8 || azure.Headers[1].Env.Value != "NTH_TEST_TOKEN" {
		t.Errorf("%+v, %+v", azure, decisions)
	}
	for _, bad := range []string{"headers: {A b: x}", "headers: {A: {env: x y}}", "headers: {A: {file: x}}", "headers: {A: [x]}", "constrain: sometimes", "max_options: 2", "api_version: {}"} {
		n, ds := schema.Parse("nth.yaml", []byte("kind: project/v1\nmodels:\n  openai:\n    "+bad+"\n"))
		if !ds.HasErrors() {
			_, ds = schema.DecodeProject(n)
		}
		if !ds.HasErrors() {
			t.Errorf("%s is accepted", bad)
		}
	}
}
