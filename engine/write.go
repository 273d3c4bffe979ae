package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nth-dev/nth/engine/compile"
)

// Writer writes the values of {ask: …} bindings. A picker that can do it implements it; one with Caps.Values need not.
type Writer interface {
	// Write gives a value per field. Errors are those of Picker.Pick.
	Write(ctx context.Context, r WriteRequest) (Written, error)
}

// Field is one value to write.
type Field struct {
	Name   string         `json:"name"`
	Prompt string         `json:"prompt"` // the flow's words: trusted
	Schema map[string]any `json:"schema"` // JSON Schema of the value; not to be changed
}

// WriteRequest is what a Writer gets.
type WriteRequest struct {
	Instructions string // the stage's goal and hint: trusted
	State        string // page text, fenced
	Action       string // the menu line of what the values are for; may hold page text, on one line
	Fields       []Field
	Problem      string // why the last answer could not be used; "" the first time
}

// Written is a Writer's reply. The engine checks the values.
type Written struct {
	Values map[string]any
	Model  string
	Raw    string
	Usage  Usage
}

// fields are the values that the model has to write for a candidate.
func (r *run) fields(v *view, c *Candidate) []Field {
	var out []Field
	for _, a := range c.Entry.Asks {
		prompt, err := a.Prompt.Text(r.env(v))
		if err != nil {
			prompt = a.Param.Name
		}
		out = append(out, Field{Name: a.Param.Name, Prompt: r.redact(oneLine(prompt)), Schema: a.Param.Schema.JSON()})
	}
	return out
}

// fill gives a picked candidate the values that the model writes: those that came with the pick if they fit, else from
// one more call, which is repeated once with what was wrong.
func (w *walk) fill(ctx context.Context, v *view, c *Candidate, p *Pick, given map[string]any) error {
	if len(c.Entry.Asks) == 0 {
		return nil
	}
	if w.guess != nil { // the picker is asked one thing at a time
		w.drop(w.guess)
		w.guess = nil
	}
	problem := ""
	if given != nil {
		if problem = w.take(c, given); problem == "" {
			return nil
		}
	}
	picker := w.Picker
	writer, ok := picker.(Writer)
	if !ok && w.Ladder.Stronger != nil {
		picker = w.Ladder.Stronger
		writer, ok = picker.(Writer)
	}
	if !ok {
		return failf(ErrModel, "%s cannot write text, but %s asks for it", w.Picker.Name(), c.Entry.Skill.FullName())
	}
	ctx, cancel := context.WithTimeoutCause(ctx, w.deadline(), errPickDeadline)
	defer cancel()
	req := WriteRequest{Instructions: w.instructions(v, w.st), State: w.promptState(v), Action: w.redact(c.Label), Fields: w.fields(v, c), Problem: problem}
	for range 2 {
		if err := w.affordable(w.st, picker); err != nil {
			return err
		}
		start := time.Now()
		out, err := writer.Write(ctx, req)
		if err != nil {
			out.Usage = spentOn(err)
		}
		u := w.spend(picker.Name(), out.Usage)
		p.Usage = p.Usage.Add(u)
		var unreadable *UnreadableError
		switch {
		case errors.As(err, &unreadable):
			problem = "no values in the reply"
		case err != nil && parentEnded(ctx):
			return ctx.Err()
		case err != nil:
			return &StageError{Name: ErrModel, Message: err.Error(), Err: err}
		default:
			problem = w.take(c, out.Values)
		}
		p.Tries = append(p.Tries, Try{By: picker.Name(), Written: true, Usage: u, Wall: since(start), Problem: w.redact(problem)})
		if problem == "" {
			return nil
		}
		req.Problem = problem
	}
	return failf(ErrModel, "%s wrote nothing that fits %s, twice: %s", picker.Name(), c.Entry.Skill.FullName(), problem)
}

// take checks written values against their schemas and binds them; it returns what is wrong.
func (w *walk) take(c *Candidate, values map[string]any) string {
	bound := make(map[string]any, len(c.Params))
	for k, x := range c.Params {
		bound[k] = x
	}
	for _, a := range c.Entry.Asks {
		x, ok := values[a.Param.Name]
		if !ok {
			return fmt.Sprintf("%s is missing", a.Param.Name)
		}
		if err := a.Param.Schema.Validate(x); err != nil {
			return fmt.Sprintf("%s: %s does not fit: %v", a.Param.Name, show(x), err)
		}
		if text, isText := x.(string); isText && len(text) > maxWritten {
			return fmt.Sprintf("%s: %d bytes are too many", a.Param.Name, len(text))
		}
		bound[a.Param.Name] = a.Param.Schema.Normalize(x)
	}
	c.Params = bound
	return ""
}

// maxWritten bounds one text that a model writes, in bytes.
const maxWritten = 16 << 10

// asked reports whether the model writes a param of the entry.
func asked(e *compile.Entry, param string) bool {
	for _, a := range e.Asks {
		if a.Param.Name == param {
			return true
		}
	}
	return false
}
