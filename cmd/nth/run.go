package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/browser"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/model"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/engine/report"
	"github.com/nth-dev/nth/schema"
)

// runsDir is where runs keep their records when --artifacts names no folder.
const runsDir = ".nth/runs"

// runFlags are the flags of commands that run a flow.
type runFlags struct {
	model     string
	baseURL   string
	key       string
	timeout   time.Duration
	headed    bool
	json      bool
	quiet     bool
	artifacts string
	state     string
	rows      []any // of --rows, where they are not an input
	approve   []string

	noCache       bool
	noSpeculation bool
	explain       bool
	otel          string
}

func (f *runFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.model, "model", "", `who picks: first, human, PROVIDER:NAME (openai, anthropic, google, mistral, ollama, azure, decisions, systemone, llama, logprobs), replay:RUN (default: "model" in nth.yaml, else first)`)
	fl.StringVar(&f.baseURL, "model-url", "", "base URL of the endpoint")
	fl.StringVar(&f.key, "model-key", "", "key of the endpoint; better kept in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …), where other users cannot see it")
	fl.DurationVar(&f.timeout, "model-timeout", 0, "total time for one pick, retries included (default 30s)")
	fl.BoolVar(&f.headed, "headed", false, "show the browser window")
	fl.BoolVar(&f.json, "json", false, "print the result as one JSON object on stdout")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "do not print the menus")
	fl.StringVar(&f.artifacts, "artifacts", "", "folder for the run's records (default "+runsDir+"/RUN)")
	fl.BoolVar(&f.noCache, "no-cache", false, "ask the model about every menu, and keep none of its picks; see 'nth cache'")
	fl.BoolVar(&f.noSpeculation, "no-speculation", false, "never ask ahead of time, while the browser acts")
	fl.BoolVar(&f.explain, "explain", false, "print what was asked, answered and paid for each pick")
	fl.StringVar(&f.otel, "otel", "", "send OpenTelemetry spans to this OTLP/HTTP URL; on too where OTEL_EXPORTER_OTLP_ENDPOINT is set")
	fl.StringArrayVar(&f.approve, "approve", nil, "approve this stage beforehand instead of asking; repeatable")
}

func (a *app) runCmd() *cobra.Command {
	var rf runFlags
	var in inputFlags
	c := &cobra.Command{
		Use:   "run FLOW",
		Short: "Run a flow",
		Long: `Run a flow in a browser. Nothing is done before the flow, its inputs and its secrets have been checked.

Exit codes: 0 done; 1 the flow has errors; 2 wrong usage, inputs or secrets; 3 internal; 10 the flow failed;
11 in doubt (something that cannot be undone may or may not have happened: look before you run it again);
12 denied by a person, or nobody there to ask; 130 interrupted.`,
		Example: `  nth run contact.yaml -i name="Ada" -i email=ada@example.com
  nth run flow.yaml --inputs inputs.json --model openai:gpt-5-mini
  nth run flow.yaml --model replay:20261130-142233-3f9a2c`,
		Args: exactArgs(1, "a flow file"),
		RunE: func(c *cobra.Command, args []string) error {
			name := args[0]
			project, err := a.loadProject(filepath.Dir(name))
			if err != nil {
				return err
			}
			prog, err := a.compileFlow(&pack.Loader{AllowEval: project.Eval}, name)
			if err != nil {
				return err
			}
			if err := rf.readRows(prog, &in); err != nil {
				return err
			}
			inputs, err := in.inputs(prog)
			if err != nil {
				return err
			}
			secrets := secretSource(filepath.Dir(name))
			if err := checkSecrets(prog, secrets); err != nil {
				return err
			}
			picker, err := a.picker(&rf, project)
			if err != nil {
				return err
			}
			res, err := a.execute(c.Context(), &rf, project, prog, inputs, picker, secrets)
			if err != nil {
				return err
			}
			return a.finish(&rf, res)
		},
	}
	rf.add(c)
	c.Flags().StringArrayVarP(&in.pairs, "input", "i", nil, "an input, NAME=VALUE; repeatable")
	c.Flags().StringVar(&rf.state, "state", "", "a file with the cookies and storage of sites: used, and kept after a run that is done")
	c.Flags().StringVar(&in.rows, "rows", "", "a .csv, .jsonl or .json file with the rows of the flow's for_each")
	c.Flags().StringVar(&in.file, "inputs", "", "a JSON file with the inputs")
	return c
}

// exactArgs is cobra.ExactArgs with a message that says what is missing.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usageErrorf("%s takes %s, %d arguments were given\nRun '%s --help' for its use.", c.CommandPath(), what, len(args), c.CommandPath())
	}
}

// picker opens the picker that the flags, the project or the default name.
func (a *app) picker(f *runFlags, project *schema.Project) (engine.Picker, error) {
	spec := f.model
	if spec == "" {
		spec = project.Model.Value
	}
	if spec == "" {
		spec = "first"
	}
	return a.openPicker(spec, f, project)
}

// openPicker opens the picker of that name.
func (a *app) openPicker(spec string, f *runFlags, project *schema.Project) (engine.Picker, error) {
	if run, ok := strings.CutPrefix(spec, "replay:"); ok && run != "" {
		return openReplay(run)
	}
	cfg, secrets := a.modelConfig(spec, f, project)
	p, err := model.New(spec, cfg)
	if err == nil {
		err = a.tellRoute(spec, cfg, secrets)
	}
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return p, nil
}

// openReplay finds the journal of an earlier run: a folder, or the id of a run in runsDir.
func openReplay(run string) (engine.Picker, error) {
	for _, dir := range []string{run, filepath.Join(runsDir, run)} {
		f, err := os.Open(filepath.Join(dir, "steps.jsonl"))
		if err != nil {
			continue
		}
		defer f.Close()
		records, err := engine.ReadJSONL(f)
		if err == nil {
			var p *engine.Replay
			if p, err = engine.NewReplay(records); err == nil {
				return p, nil
			}
		}
		return nil, usageErrorf("replay %s: %w", run, err)
	}
	return nil, usageErrorf("replay: no run %q in %s, and no folder of that name with a steps.jsonl", run, runsDir)
}

func browserOptions(project *schema.Project, headed bool) browser.Options {
	b := project.Browser
	return browser.Options{
		Executable: b.Executable.Value, Headed: headed || b.Headed,
		Width: b.Viewport.Width.Value, Height: b.Viewport.Height.Value,
		Locale: b.Locale.Value, Timezone: b.Timezone.Value,
	}
}

// execute starts a browser and runs the program in it.
func (a *app) execute(ctx context.Context, f *runFlags, project *schema.Project, prog *compile.Program, inputs map[string]any, picker engine.Picker, secrets func(compile.Secret) (string, error)) (*engine.Result, error) {
	br, err := browser.Launch(ctx, browserOptions(project, f.headed))
	if err != nil {
		return nil, a.browserError(ctx, err)
	}
	defer br.Close()
	return a.executeIn(ctx, br, f, project, prog, inputs, picker, secrets)
}

func (a *app) browserError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	return &exitError{exitFailed, err}
}

// executeIn runs the program in a tab of its own.
func (a *app) executeIn(ctx context.Context, br *browser.Browser, f *runFlags, project *schema.Project, prog *compile.Program, inputs map[string]any, picker engine.Picker, secrets func(compile.Secret) (string, error)) (*engine.Result, error) {
	session, err := a.openSession(ctx, br, f.state)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	id := engine.NewRunID(time.Now())
	dir := f.artifacts
	if dir == "" {
		dir = filepath.Join(runsDir, id)
	}
	session.KeepDownloads(filepath.Join(dir, "downloads"))
	live := &report.Live{W: a.stderr, Terminal: terminal(a.stderr), Quiet: f.quiet}
	runner := &engine.Runner{
		Driver: session, Picker: picker, Observe: live.Observe, Secret: secrets, ID: id,
		Approver: a.approver(f), Rows: f.rows, ReadFile: os.ReadFile,
	}
	stop, err := a.watch(ctx, runner, f)
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := a.climb(runner, f, project, prog); err != nil {
		return nil, err
	}
	journal, err := engine.CreateJSONL(dir)
	if err != nil {
		return nil, usageErrorf("%w", err)
	}
	defer journal.Close()
	runner.Journal = journal
	res, err := runner.Run(ctx, prog, inputs)
	if err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("the run was stopped, because its record could not be written: %w", err)}
	}
	if f.state != "" && res.Status == engine.Done {
		if err := session.SaveState(context.WithoutCancel(ctx), f.state); err != nil {
			fmt.Fprintf(a.stderr, "  the session is not kept: %v\n", err)
		}
	}
	live.Summary(res)
	if res.Status != engine.Done {
		a.keepScreenshot(session, dir)
		fmt.Fprintf(a.stderr, "  record: %s\n", filepath.Join(dir, "steps.jsonl"))
	}
	return res, nil
}

// keepScreenshot saves what the page looked like when a run ended badly. It is a help, not a duty.
func (a *app) keepScreenshot(d engine.Driver, dir string) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	png, err := d.Screenshot(ctx)
	if err != nil {
		return
	}
	name := filepath.Join(dir, "end.png")
	if os.WriteFile(name, png, 0o600) == nil {
		fmt.Fprintf(a.stderr, "  screenshot: %s\n", name)
	}
}

// finish prints the result and turns its status into the exit code.
func (a *app) finish(f *runFlags, res *engine.Result) error {
	if f.json {
		if err := a.printJSON(res); err != nil {
			return err
		}
	} else if res.Status == engine.Done {
		a.printOutputs(res.Outputs)
	}
	if errors.Is(res.Err, model.ErrStopped) { // the person at the menu said q
		return &exitError{code: exitDenied}
	}
	if code := statusCode(res.Status); code != exitOK {
		return &exitError{code: code}
	}
	return nil
}

func (a *app) printJSON(x any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(x)
}

// printOutputs prints the outputs that were set, one per line, as JSON.
func (a *app) printOutputs(outputs map[string]any) {
	for _, name := range sortedKeys(outputs) {
		if v := outputs[name]; v != nil {
			data, _ := json.Marshal(v)
			fmt.Fprintf(a.stdout, "%s: %s\n", name, data)
		}
	}
}
