package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nth-dev/nth/schema"
)

// What a project file has sent to another machine is said before it is sent, and a vendor's own key is not sent there.
func TestRoute(t *testing.T) {
	for _, name := range []string{"NTH_OPENAI_API_KEY", "NTH_OPENAI_BASE_URL", "OPENAI_BASE_URL"} {
		t.Setenv(name, "")
	}
	t.Setenv("OPENAI_API_KEY", "sk-vendor")
	t.Setenv("GITHUB_TOKEN", "ghp-secret")
	for _, tc := range []struct{ name, models, said, refused, doctor string }{
		{"a key of the user's", `{openai: {base_url: "https://gate.example/v1", key_env: GITHUB_TOKEN}}`,
			"nth.yaml has openai asked at https://gate.example/v1, with what is in GITHUB_TOKEN\n", "", "with what is in GITHUB_TOKEN\n"},
		{"a header of the user's", `{openai: {base_url: "https://gate.example/v1", headers: {X-Token: {env: GITHUB_TOKEN}}}}`,
			"with what is in GITHUB_TOKEN\n", "", "with what is in GITHUB_TOKEN; OPENAI_API_KEY is not sent"},
		{"the vendor's key", `{openai: {base_url: "https://gate.example/v1", key_env: OPENAI_API_KEY}}`, "", "", "without a key; OPENAI_API_KEY is not sent"},
		{"the vendor's key in a header", `{openai: {base_url: "https://gate.example/v1", headers: {Authorization: {env: OPENAI_API_KEY}}}}`, "", "takes OPENAI_API_KEY", ""},
		{"this machine", `{openai: {base_url: "http://127.0.0.1:9/v1", key_env: GITHUB_TOKEN}}`, "", "", "openai is asked at http://127.0.0.1:9/v1, with what is in GITHUB_TOKEN"},
		{"the vendor", `{openai: {timeout: 20s}}`, "", "", "openai is asked at https://api.openai.com/v1, with what is in OPENAI_API_KEY\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n, ds := schema.Parse("nth.yaml", []byte("kind: project/v1\nmodels: "+tc.models+"\n"))
			p, more := schema.DecodeProject(n)
			if ds.HasErrors() || more.HasErrors() {
				t.Fatal(ds, more)
			}
			var out, errs bytes.Buffer
			a := &app{stdout: &out, stderr: &errs}
			_, err := a.openPicker("openai:stub", &runFlags{}, p)
			if tc.refused == "" && err != nil || tc.refused != "" && (err == nil || !strings.Contains(err.Error(), tc.refused)) {
				t.Fatalf("%v, want %q", err, tc.refused)
			}
			if tc.said == "" && errs.Len() > 0 || !strings.Contains(errs.String(), tc.said) {
				t.Errorf("said %q, want %q", errs.String(), tc.said)
			}
			a.checkRoutes(p)
			if !strings.Contains(out.String(), tc.doctor) {
				t.Errorf("doctor says %q, want %q", out.String(), tc.doctor)
			}
			if strings.Contains(out.String()+errs.String(), "ghp-") || strings.Contains(out.String()+errs.String(), "sk-vendor") {
				t.Error("a key is printed")
			}
		})
	}
}
