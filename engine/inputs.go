package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

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
		r.keepSecret(text)
	}
	return errors.Join(errs...)
}

// keepSecret makes sure that a text is in no record. Texts of less than four bytes would blank out ordinary text.
func (r *run) keepSecret(text string) {
	if len(text) >= 4 && !slices.Contains(r.shared.secrets, text) {
		r.shared.secrets = append(r.shared.secrets, text)
		slices.SortFunc(r.shared.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	}
}
