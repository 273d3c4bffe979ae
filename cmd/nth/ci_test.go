package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const actionFile = "../../.github/actions/validate/action.yml"

// readYAML decodes a file strictly: it has no keys but those of into.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type action struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Runs              struct {
		Using string
		Steps []struct {
			Name, Uses, Shell, Run string
			With                   map[string]string
			Env                    map[string]string
		}
	}
}

// The composite action is one (every step with run has a shell), reads the inputs that it declares, and its last step does
// what it says: run with this nth, on a folder whose name has a blank in it.
func TestAction(t *testing.T) {
	var a action
	readYAML(t, actionFile, &a)
	text, err := os.ReadFile(actionFile)
	if err != nil {
		t.Fatal(err)
	}
	if a.Runs.Using != "composite" || a.Name == "" || a.Description == "" || len(a.Runs.Steps) == 0 {
		t.Fatalf("not a composite action: %+v", a)
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllSubmatch(text, -1) {
		if _, ok := a.Inputs[string(m[1])]; !ok {
			t.Errorf("there is no input %q", m[1])
		}
	}
	for _, s := range a.Runs.Steps {
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell == "" || strings.Contains(s.Run, "${{") {
			t.Errorf("step %q needs either uses, or run and a shell; and inputs as environment variables", s.Name)
		}
	}

	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	flow := "kind: flow/v1\nname: a\nsummary: A flow.\nstages:\n  a:\n    do: [reload]\n    next: nowhere\n"
	if err := os.MkdirAll(filepath.Join(dir, "my flows"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "my flows", "a.yaml"), []byte(flow), 0o644); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(temp, "nth"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	last := a.Runs.Steps[len(a.Runs.Steps)-1]
	run := exec.Command(bash, "-e", "-o", "pipefail", "-c", last.Run)
	run.Dir = dir
	run.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "PATHS=\nmy flows\n", "FAIL_ON=error", "SARIF=found.sarif", "XDG_CACHE_HOME="+t.TempDir())
	out, err := run.CombinedOutput()
	if run.ProcessState == nil || run.ProcessState.ExitCode() != exitFindings {
		t.Errorf("%v, want exit code %d:\n%s", err, exitFindings, out)
	}
	if !strings.Contains(string(out), "::error file=my flows/a.yaml,line=7") {
		t.Errorf("no annotation:\n%s", out)
	}
	if sarif, err := os.ReadFile(filepath.Join(dir, "found.sarif")); err != nil || !bytes.Contains(sarif, []byte(`"my%20flows/a.yaml"`)) {
		t.Errorf("SARIF: %v\n%.500s", err, sarif)
	}
}

// The hook of pre-commit names a command that exists, and takes no file names, for not every YAML file is nth's.
func TestPreCommitHook(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Language, Entry, Files string
		PassFilenames                                 bool `yaml:"pass_filenames"`
	}
	readYAML(t, "../../.pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].Language != "golang" || hooks[0].PassFilenames {
		t.Fatalf("%+v", hooks)
	}
	if re := regexp.MustCompile(hooks[0].Files); !re.MatchString("flows/a.yml") || re.MatchString("a.yaml.md") {
		t.Errorf("files: %s", re)
	}
	words := strings.Fields(hooks[0].Entry)
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	if words[0] != "nth" || Main(append(words[1:], "--help"), strings.NewReader(""), &out, &errs) != 0 || !strings.Contains(out.String(), "--fail-on") {
		t.Errorf("%q is no command: %s%s", hooks[0].Entry, &out, &errs)
	}
}
