package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

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
	case compile.FindStage:
		return r.findStage(ctx, st)
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
	if err == nil && st.Returns != nil {
		err = r.keepRead(st, x.read)
	}
	rec := &Record{Type: "step", OK: err == nil, Label: verbNames(st.Do), Returned: r.redactValue(x.read), Timing: &Timing{Act: ms(acted.Sub(start)), Verify: ms(time.Since(acted))}}
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
	if err == nil {
		(&walk{run: r, st: st}).speculatePast(ctx, x.view)
	}
	return err
}

// keepRead leaves in stages.<name> what a do stage has read.
func (r *run) keepRead(st *compile.Stage, read any) error {
	if err := st.Returns.Validate(read); err != nil {
		return failf(ErrInput, "what was read does not fit: %v", err)
	}
	r.state.Stages[st.Name] = st.Returns.Normalize(read)
	return nil
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
