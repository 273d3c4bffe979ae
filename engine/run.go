package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

// Runner runs programs. Driver, Picker and Journal must be set; a Runner may be used for one run at a time.
type Runner struct {
	Driver   Driver
	Picker   Picker
	Journal  Journal
	Approver Approver                             // nil: what needs approval is denied
	Observe  func(Event)                          // called from the run's goroutine; may be nil
	Now      func() time.Time                     // nil: time.Now
	Secret   func(compile.Secret) (string, error) // nil: there are none
	Marker   func() string                        // fence marker of prompts; nil: random
	ID       string                               // of the run; "": made up
}

// Approver asks a person. ctx ends when the stage's wait is over.
type Approver interface {
	Approve(ctx context.Context, a Approval) (Decision, error)
}

// Approval is a question to a person.
type Approval struct {
	Stage string
	Ask   string
	Show  []Shown
	Wait  time.Duration // 0: no limit
}

// Shown is a value that a person should see before deciding.
type Shown struct{ Label, Value string }

// Decision is a person's answer.
type Decision struct {
	OK  bool
	By  string // who, or what, decided
	Why string
}

// Status is how a run ended.
type Status string

const (
	Done        Status = "done"
	Failed      Status = "failed"
	InDoubt     Status = "in_doubt" // a commit may or may not have happened
	Denied      Status = "denied"   // a person said no, or nobody answered
	Interrupted Status = "interrupted"
)

// Result is what came of a run.
type Result struct {
	Run     string         `json:"run"`
	Flow    string         `json:"flow"`
	Status  Status         `json:"status"`
	Error   string         `json:"error,omitempty"` // error name
	Message string         `json:"message,omitempty"`
	Stage   string         `json:"stage,omitempty"` // where it ended, if not done
	Outputs map[string]any `json:"outputs"`
	Rows    []RowResult    `json:"rows,omitempty"`
	Steps   int            `json:"steps"`
	Usage   Usage          `json:"usage"`
	Elapsed time.Duration  `json:"elapsed_ns"`
	// Err is the error behind Error and Message, for errors.Is; nil when the run is done.
	Err error `json:"-"`
}

// RowResult is what came of one row of a flow's for_each.
type RowResult struct {
	Row     int    `json:"row"` // 1-based
	Status  Status `json:"status"`
	Error   string `json:"error,omitempty"`
	Message string `json:"message,omitempty"`
	Stage   string `json:"stage,omitempty"`
}

// Inputs checks values against the program's inputs and fills in defaults. All mistakes are reported.
func Inputs(p *compile.Program, given map[string]any) (map[string]any, error) {
	out := map[string]any{}
	var errs []error
	for _, in := range p.Inputs {
		x, ok := given[in.Name]
		if !ok {
			if d, has := in.Schema.Default(); has {
				out[in.Name] = d
			} else {
				errs = append(errs, fmt.Errorf("missing input %q", in.Name))
			}
			continue
		}
		if err := in.Schema.Validate(x); err != nil {
			errs = append(errs, fmt.Errorf("input %q: %s does not fit: %w", in.Name, show(x), err))
			continue
		}
		out[in.Name] = in.Schema.Normalize(x)
	}
	var known []string
	for _, in := range p.Inputs {
		known = append(known, in.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			hint := ""
			if s := schema.Suggest(name, known); s != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", s)
			}
			errs = append(errs, fmt.Errorf("the flow has no input %q%s", name, hint))
		}
	}
	return out, errors.Join(errs...)
}

// Run runs a program to its end. inputs are those that Inputs returned. The error is only set when the run could
// not start or its journal could not be written; how the run went is in the Result.
func (rn *Runner) Run(ctx context.Context, p *compile.Program, inputs map[string]any) (*Result, error) {
	if rn.Now == nil {
		rn.Now = time.Now
	}
	r := &run{Runner: rn, prog: p, inputs: inputs, path: p.Name, state: newState(p)}
	r.shared = &shared{id: rn.ID, now: rn.Now(), started: time.Now(), limits: p.Limits, commits: map[string]bool{}}
	if r.shared.id == "" {
		r.shared.id = NewRunID(r.shared.now)
	}
	if err := r.openSecrets(); err != nil {
		return nil, err
	}
	if p.Limits.Wall > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Limits.Wall, wallCause(p.Limits.Wall))
		defer cancel()
	}
	head := &Record{Type: "run", OK: true, Flow: p.File, Digest: p.Digest, Inputs: r.redactValue(inputs).(map[string]any), Now: &r.shared.now}
	if err := r.append(ctx, head); err != nil {
		return nil, err
	}
	res := &Result{Run: r.shared.id, Flow: p.Name}
	var err error
	if p.ForEach != nil {
		res.Rows, err = r.rows(ctx, p.ForEach, func(row any, no int) error { return r.child(row, no, p.ForEach.As).stages(ctx) })
	} else {
		err = r.stages(ctx)
	}
	res.finish(ctx, err)
	res.Outputs, _ = r.redactValue(r.state.Outputs).(map[string]any)
	res.Steps, res.Usage, res.Elapsed = r.shared.steps, r.shared.usage, time.Since(r.shared.started)
	res.Message = r.redact(res.Message)
	end := &Record{Type: "end", Status: res.Status, OK: res.Status == Done, Error: res.Error, Message: res.Message, Outputs: res.Outputs, Usage: &res.Usage}
	if jerr := r.append(ctx, end); jerr != nil {
		return res, jerr
	}
	r.observe(Event{Kind: "end", Record: end})
	return res, nil
}

// NewRunID makes an id that sorts by time: "20261130-142233-3f9a2c".
func NewRunID(now time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:])
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// finish sets the status from the error that ended the run.
func (res *Result) finish(ctx context.Context, err error) {
	var re *RunError
	var se *StageError
	if errors.As(err, &re) {
		res.Stage = re.Stage
	}
	res.Err = err
	switch {
	case err == nil:
		res.Status = Done
	case errors.As(err, &se) && (ctx.Err() == nil || se.Name != ErrBrowserLost): // Ctrl-C in a terminal ends the browser too
		res.Error, res.Message = se.Name, se.Error()
		res.Status = statusOf(se)
	case ctx.Err() != nil && errors.As(context.Cause(ctx), &se) && se.Name == ErrBudget:
		res.Status, res.Error, res.Message = Failed, se.Name, se.Message
	case ctx.Err() != nil:
		res.Status, res.Error, res.Message = Interrupted, "interrupted", "the run was stopped"
	default:
		res.Status, res.Error, res.Message = Failed, "internal", err.Error()
	}
}

func statusOf(se *StageError) Status {
	switch se.Name {
	case ErrInDoubt:
		return InDoubt
	case ErrDenied:
		return Denied
	}
	return Failed
}

// openSecrets fetches every secret before anything is done, so that a missing one costs nothing.
func (r *run) openSecrets() error {
	r.secrets = map[string]any{}
	var errs []error
	for _, s := range r.prog.Secrets {
		if r.Secret == nil {
			errs = append(errs, fmt.Errorf("secret %q: no source of secrets", s.Name))
			continue
		}
		text, err := r.Secret(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("secret %q: %w", s.Name, err))
			continue
		}
		r.secrets[s.Name] = compile.NewSecret(text)
		if len(text) >= 4 && !slices.Contains(r.shared.secrets, text) { // shorter ones would blank out ordinary text
			r.shared.secrets = append(r.shared.secrets, text)
		}
	}
	slices.SortFunc(r.shared.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return errors.Join(errs...)
}

// child is the pass for one row: its own state, but the same outputs.
func (r *run) child(row any, no int, as string) *run {
	c := *r
	c.row, c.rowName, c.rowNo = row, as, no
	c.path = fmt.Sprintf("%s[%d]", r.path, no)
	c.state = newState(r.prog)
	c.state.Outputs = r.state.Outputs
	return &c
}

// rows runs one pass per row of a for_each.
func (r *run) rows(ctx context.Context, f *compile.ForEach, pass func(row any, no int) error) ([]RowResult, error) {
	x, err := f.Rows.Eval(r.env(nil))
	if err != nil {
		return nil, failf(ErrInput, "for_each: %v", err)
	}
	list, ok := x.([]any)
	if !ok {
		return nil, failf(ErrInput, "for_each: rows must be a list, not %s", show(x))
	}
	var out []RowResult
	var first error
	for i, row := range list {
		if f.Item != nil {
			if err := f.Item.Validate(row); err != nil {
				return out, failf(ErrInput, "for_each: row %d does not fit: %v", i+1, err)
			}
		}
		err := pass(row, i+1)
		if err != nil && ctx.Err() != nil {
			return out, err
		}
		rr := RowResult{Row: i + 1, Status: Done}
		var se *StageError
		var re *RunError
		if errors.As(err, &re) {
			rr.Stage = re.Stage
		}
		if errors.As(err, &se) {
			rr.Status, rr.Error, rr.Message = statusOf(se), se.Name, r.redact(se.Error())
		}
		out = append(out, rr)
		if err == nil {
			continue
		}
		// A row in doubt outranks a failed one; a lost browser or journal ends the whole run.
		var firstSE *StageError
		if first == nil || se != nil && se.Name == ErrInDoubt && errors.As(first, &firstSE) && firstSE.Name != ErrInDoubt {
			first = err
		}
		if !f.Collect || se == nil || se.Name == ErrBrowserLost || se.Name == ErrJournal {
			return out, first
		}
	}
	return out, first
}

// stages walks the program from its first stage to its end.
func (r *run) stages(ctx context.Context) error {
	name := r.prog.Stages[0].Name
	for name != "" {
		st := r.prog.Stage(name)
		r.enter(name)
		r.observe(Event{Kind: "stage", Stage: name})
		if st.Kind == compile.EndStage {
			return at(r.path, name, r.end(ctx, st))
		}
		if r.state.Visit > maxVisits {
			return at(r.path, name, failf(ErrBudget, "the stage was visited %d times: the flow goes round in circles", maxVisits))
		}
		failure := r.stage(ctx, st)
		if failure != nil && ctx.Err() != nil {
			return failure
		}
		env, err := r.edgeEnv(ctx, st, failure)
		if err == nil && failure == nil {
			err = r.collect(st, env)
		}
		if err != nil {
			failure = err
		}
		var se *StageError
		rec := &Record{Type: "stage", OK: failure == nil}
		if errors.As(failure, &se) {
			rec.Error, rec.Message = se.Name, r.redact(se.Message)
		}
		if jerr := r.append(ctx, rec); jerr != nil {
			return jerr
		}
		if name, err = next(st, env, failure); err != nil {
			return at(r.path, st.Name, err)
		}
	}
	return nil
}

// maxVisits bounds loops through stages; a flow over many rows uses for_each.
const maxVisits = 200

// edgeEnv is what collect and next see: with a look at the page only if they speak of it.
func (r *run) edgeEnv(ctx context.Context, st *compile.Stage, failure error) (map[string]any, error) {
	uses := false
	for _, b := range st.Next {
		uses = uses || b.When.Uses("page")
	}
	for _, b := range st.Collect {
		uses = uses || b.Value.Uses("page")
	}
	if !uses || failure != nil {
		return r.env(nil), nil
	}
	v, err := r.look(ctx, st.Probes)
	if err != nil {
		return r.env(nil), err
	}
	return r.env(v), nil
}

func (r *run) end(ctx context.Context, st *compile.Stage) error {
	reason := ""
	if st.End.Reason != nil {
		env, err := r.env(nil), error(nil)
		if st.End.Reason.Uses("page") {
			v, lerr := r.look(ctx, st.Probes)
			if lerr != nil {
				return lerr
			}
			env = r.env(v)
		}
		if reason, err = st.End.Reason.Text(env); err != nil {
			return failf(ErrInput, "reason: %v", err)
		}
	}
	if err := r.append(ctx, &Record{Type: "stage", OK: !st.End.Failed, Message: r.redact(reason)}); err != nil {
		return err
	}
	if st.End.Failed {
		return failf(ErrFlowFailed, "%s", cmp.Or(reason, "the flow ended at stage "+st.Name))
	}
	return nil
}

// stage runs one stage that is not an end.
func (r *run) stage(ctx context.Context, st *compile.Stage) error {
	switch st.Kind {
	case compile.DoStage:
		return r.doStage(ctx, st)
	case compile.CallStage:
		return r.callStage(ctx, st)
	}
	return r.menuStage(ctx, st)
}

// doStage carries out fixed verbs, then waits for done, if the stage has it.
func (r *run) doStage(ctx context.Context, st *compile.Stage) error {
	if err := r.gateStage(ctx, st, nil); err != nil {
		return err
	}
	x := &execution{probes: st.Probes, timeout: DoTimeout, env: r.env(nil)}
	start := time.Now()
	err := r.verbs(ctx, x, st.Do)
	acted := time.Now()
	if err == nil && st.Done != nil {
		err = r.await(ctx, x, st.Done, st.Budget.Wall)
	}
	rec := &Record{Type: "step", OK: err == nil, Label: verbNames(st.Do), Timing: &Timing{Act: ms(acted.Sub(start)), Verify: ms(time.Since(acted))}}
	if x.view != nil {
		rec.URL, rec.Title = x.view.URL, r.redact(x.view.Title)
	}
	var se *StageError
	if errors.As(err, &se) {
		rec.Error, rec.Message = se.Name, r.redact(se.Message)
	} else if err != nil {
		rec.Error = "interrupted"
	}
	if jerr := r.append(ctx, rec); jerr != nil {
		return jerr
	}
	r.shared.steps++
	r.observe(Event{Kind: "step", Record: rec})
	return err
}

// DoTimeout bounds each verb of a do stage that names no timeout: a page may take a while to load.
const DoTimeout = 30 * time.Second

func verbNames(list []*compile.Verb) string {
	s := ""
	for i, v := range list {
		if i > 0 {
			s += ", "
		}
		s += v.Name
	}
	return s
}

// gateStage asks for approval and checks the asserts, before the stage does anything. v may be nil.
func (r *run) gateStage(ctx context.Context, st *compile.Stage, v *view) error {
	if v == nil && (st.Approve != nil || len(st.Assert) > 0) {
		var err error
		if v, err = r.look(ctx, st.Probes); err != nil {
			return err
		}
	}
	if err := r.asserts(st, v); err != nil {
		return err
	}
	if st.Approve == nil {
		return nil
	}
	a := Approval{Stage: st.Name, Wait: st.Approve.Wait, Ask: "Go on with " + st.Name + "?"}
	env := r.env(v)
	if st.Approve.Ask != nil {
		text, err := st.Approve.Ask.Text(env)
		if err != nil {
			return failf(ErrInput, "approve: %v", err)
		}
		a.Ask = r.redact(text)
	}
	for i, s := range st.Approve.Show {
		x, err := s.Eval(env)
		if err != nil {
			return failf(ErrInput, "approve: %v", err)
		}
		a.Show = append(a.Show, Shown{Label: st.Approve.ShowText[i], Value: r.redact(shownValue(x))})
	}
	if r.Approver == nil {
		return failf(ErrDenied, "%s needs a person's approval, and there is nobody to ask", st.Name)
	}
	waitCtx, cancel := ctx, context.CancelFunc(func() {})
	if a.Wait > 0 {
		waitCtx, cancel = context.WithTimeout(ctx, a.Wait)
	}
	defer cancel()
	r.observe(Event{Kind: "approval", Label: a.Ask})
	d, err := r.Approver.Approve(waitCtx, a)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if waitCtx.Err() != nil && !d.OK {
		d = Decision{OK: st.Approve.AllowOnTimeout, By: "timeout", Why: fmt.Sprintf("nobody answered within %s", a.Wait)}
		err = nil
	}
	if err != nil {
		return &StageError{Name: ErrDenied, Message: err.Error(), Err: err}
	}
	rec := &Record{Type: "approval", OK: d.OK, Label: a.Ask, Message: cmp.Or(d.Why, "by "+d.By)}
	if err := r.append(ctx, rec); err != nil {
		return err
	}
	if !d.OK {
		return failf(ErrDenied, "%s: %s", st.Name, cmp.Or(d.Why, d.By+" said no"))
	}
	return nil
}

// shownValue is a value as a person is shown it: text as it is, everything else as JSON.
func shownValue(x any) string {
	if s, ok := x.(string); ok {
		return oneLine(s)
	}
	data, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return string(data)
}

// callStage runs a sub-flow, once or per row. Its outputs are stages.<name>.
func (r *run) callStage(ctx context.Context, st *compile.Stage) error {
	sub := func(row any, no int) (map[string]any, error) {
		env := r.env(nil)
		c := &run{Runner: r.Runner, prog: st.Call.Program, shared: r.shared, path: r.path + "/" + st.Name}
		if st.Call.ForEach != nil {
			env[st.Call.ForEach.As] = row
			c.path = fmt.Sprintf("%s[%d]", c.path, no)
		}
		given := map[string]any{}
		for _, b := range st.Call.With {
			x, err := b.Value.Eval(env)
			if err != nil {
				return nil, failf(ErrInput, "input %s: %v", b.Name, err)
			}
			given[b.Name] = x
		}
		var err error
		if c.inputs, err = Inputs(st.Call.Program, given); err != nil {
			return nil, failf(ErrInput, "%v", err)
		}
		if err := c.openSecrets(); err != nil {
			return nil, failf(ErrInput, "%v", err)
		}
		c.state = newState(c.prog)
		if f := c.prog.ForEach; f != nil {
			_, err = c.rows(ctx, f, func(row any, no int) error { return c.child(row, no, f.As).stages(ctx) })
		} else {
			err = c.stages(ctx)
		}
		return c.state.Outputs, err
	}
	if st.Call.ForEach == nil {
		out, err := sub(nil, 0)
		if err == nil {
			r.state.Stages[st.Name] = out
		}
		return err
	}
	all := []any{}
	_, err := r.rows(ctx, st.Call.ForEach, func(row any, no int) error {
		out, err := sub(row, no)
		if err == nil {
			all = append(all, out)
		}
		return err
	})
	r.state.Stages[st.Name] = all
	return err
}
