package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// Picker is a scripted engine.Picker: one line of numbers per question.
type Picker struct {
	Lines []string // "1", "1,3", "0"; "!text" is an unreadable reply
	Asked []engine.Request
}

// Name implements engine.Picker.
func (*Picker) Name() string { return "script" }

// Caps implements engine.Picker.
func (*Picker) Caps() engine.Caps { return engine.Caps{Batch: true} }

// Pick implements engine.Picker.
func (p *Picker) Pick(_ context.Context, r engine.Request) ([]engine.Answer, error) {
	p.Asked = append(p.Asked, r)
	if len(p.Asked) > len(p.Lines) {
		return nil, fmt.Errorf("the script has no more picks")
	}
	line := p.Lines[len(p.Asked)-1]
	if _, ok := strings.CutPrefix(line, "~"); ok {
		return nil, fmt.Errorf("the script expects a question for terms")
	}
	usage := engine.Usage{Calls: 1, PromptTokens: 100, CompletionTokens: 1}
	if text, ok := strings.CutPrefix(line, "!"); ok {
		return nil, &engine.UnreadableError{Reply: text, Usage: usage}
	}
	return []engine.Answer{{Keys: strings.Split(line, ","), Usage: usage}}, nil
}

// Propose implements engine.Proposer: the next line of the script must be ~TERM,TERM; without one there are none.
func (p *Picker) Propose(context.Context, engine.Proposal) ([]string, engine.Usage, error) {
	if len(p.Asked) >= len(p.Lines) || !strings.HasPrefix(p.Lines[len(p.Asked)], "~") {
		return nil, engine.Usage{}, nil
	}
	terms := strings.Split(p.Lines[len(p.Asked)][1:], ",")
	p.Asked = append(p.Asked, engine.Request{})
	return terms, engine.Usage{Calls: 1, PromptTokens: 50, CompletionTokens: 5}, nil
}

var _ engine.Proposer = (*Picker)(nil)

type approver string

func (a approver) Approve(context.Context, engine.Approval) (engine.Decision, error) {
	return engine.Decision{OK: a == "yes" || strings.HasPrefix(string(a), "yes "), By: "script"}, nil
}

// Ask implements engine.Asker: the answer is what stands in the file approve after "yes ".
func (a approver) Ask(context.Context, string) (string, error) {
	_, text, ok := strings.Cut(string(a), " ")
	if !ok {
		return "", fmt.Errorf("nobody is there")
	}
	return text, nil
}

// Run runs a txtar archive and returns what happened, one line per event. Its files: flow.yaml; packs and called
// flows under the paths that the flow names; NAME.page (see ParsePage); rules (see ParseRules); picks (one line per
// question, see Picker); inputs.json; approve ("yes" or "no", and what a person answers: "yes 123456"). The first *.page is shown at the start. Findings of the
// compiler are what happened when the flow does not compile.
func Run(ar *txtar.Archive) (string, error) { return RunWith(ar, nil) }

// RunWith is Run with another picker than the file picks; nil means that file.
func RunWith(ar *txtar.Archive, p engine.Picker) (string, error) {
	files := map[string]string{}
	d := &Driver{Pages: map[string]*Page{}}
	first := ""
	for _, f := range ar.Files {
		files[f.Name] = string(f.Data)
		if name, ok := strings.CutSuffix(f.Name, ".page"); ok {
			p, err := ParsePage(string(f.Data))
			if err != nil {
				return "", fmt.Errorf("%s: %w", f.Name, err)
			}
			d.Pages[name] = p
			if first == "" {
				first = name
			}
		}
	}
	var err error
	if d.Rules, err = ParseRules(files["rules"]); err != nil {
		return "", err
	}
	if first != "" {
		if err := d.Show(first); err != nil {
			return "", err
		}
	}
	loader := &pack.Loader{Read: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%s: there is no such file", name)
	}}
	in, err := loader.Load("flow.yaml")
	if err != nil {
		return "", err
	}
	prog, ds := compile.Compile(in)
	if prog == nil {
		return printFindings(ds, in), nil
	}
	if p == nil {
		p = &Picker{Lines: strings.Fields(files["picks"])}
	}
	return run(prog, d, files, p)
}

func printFindings(ds schema.Diagnostics, in *compile.Input) string {
	var b strings.Builder
	ds.Print(&b, in.Sources(), false)
	return b.String()
}

func run(prog *compile.Program, d *Driver, files map[string]string, p engine.Picker) (string, error) {
	given := map[string]any{}
	if text := files["inputs.json"]; text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return "", fmt.Errorf("inputs.json: %w", err)
		}
	}
	inputs, err := engine.Inputs(prog, given)
	if err != nil {
		return err.Error() + "\n", nil
	}
	var log strings.Builder
	r := &engine.Runner{
		Driver: d, Picker: p, Journal: &journal{&log}, ID: "run",
		Now: func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) },
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fmt.Errorf("%s: there is no such file", name)
		},
		Secret: func(s compile.Secret) (string, error) { return secretOf(s.Name), nil },
		Marker: func() string { return "#fence" },
	}
	if a := strings.TrimSpace(files["approve"]); a != "" {
		r.Approver = approver(a)
	}
	res, err := r.Run(context.Background(), prog, inputs)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&log, "did: %s\n", strings.Join(d.Done, "; "))
	out, _ := json.Marshal(res.Outputs)
	fmt.Fprintf(&log, "%s %s\noutputs %s\n", res.Status, strings.TrimSpace(res.Error), out)
	return log.String(), nil
}

// journal writes records as text, without what changes from run to run.
type journal struct{ b *strings.Builder }

// Append implements engine.Journal.
func (j *journal) Append(_ context.Context, r *engine.Record) error {
	line := func(format string, args ...any) { fmt.Fprintf(j.b, format+"\n", args...) }
	switch r.Type {
	case "run", "end":
		return nil
	case "stage":
		if r.Message != "" || r.Error != "" {
			line("stage %s: %s %s", r.Stage, strings.TrimSpace(fmt.Sprintf("%t %s", r.OK, r.Error)), r.Message)
		} else {
			line("stage %s: ok", r.Stage)
		}
		return nil
	case "intent":
		line("  intent %s", r.Label)
		return nil
	}
	where := ""
	if r.Path != "" && strings.ContainsAny(r.Path, "[/") {
		where = " " + r.Path
	}
	for _, m := range r.Menu {
		line("  %s", m)
	}
	for _, a := range r.Absent {
		line("  - %s: %s", a.Skill, a.Reason)
	}
	if r.Pick != nil {
		line("  pick %s by %s", strings.Join(r.Pick.Keys, ","), r.Pick.By)
	}
	status := "ok"
	if !r.OK {
		status = r.Error + ": " + r.Message
	}
	line("%s%s %q: %s", r.Type, where, r.Label, status)
	for _, l := range r.Diff {
		line("    %s", l)
	}
	if r.Returned != nil {
		data, _ := json.Marshal(r.Returned)
		line("    returned %s", data)
	}
	return nil
}

// secretOf is the secret of a name; the one called seed makes one-time passwords.
func secretOf(name string) string {
	if name == "seed" {
		return "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // of the test vectors of RFC 6238
	}
	return "secret-of-" + name
}
