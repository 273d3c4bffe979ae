package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/nth-dev/nth/schema"
)

// ReadText is the verb read: a table, a list or a record of the page's text.
type ReadText struct {
	Kind   string // "table", "list", "record"
	Name   *Value // of the table or list
	Fields *Value // of the record, or the table's columns; nil: all
	As     *Value // type of the list's items; nil: text
}

// TextField is one field to read: By is what the page calls it.
type TextField struct {
	Name, By, As string
}

// readText compiles the argument of a read verb.
func (x *exprEnv) readText(src *schema.ReadVerb) *ReadText {
	r := &ReadText{Kind: "table"}
	text := &Schema{Kind: "string"}
	switch {
	case src.Record:
		r.Kind = "record"
	case src.List != nil:
		r.Kind, r.Name = "list", x.value(*src.List, text)
		if src.As != nil {
			r.As = x.value(*src.As, text)
			if as, known := r.As.constText(); known && !slices.Contains(readTypes, as) {
				x.diags.Errorf(src.As.Node.Range, "wrong-value", suggestFix(as, slices.Clone(readTypes), "types"), "as: %q is not a type of values", as)
			}
		}
	case src.Table != nil:
		r.Name = x.value(*src.Table, text)
	}
	if src.Fields != nil {
		if r.Fields = x.value(*src.Fields, nil); r.Fields != nil {
			if c, ok := r.Fields.Const(); ok {
				if _, err := TextFields(c); err != nil {
					x.diags.Errorf(src.Fields.Node.Range, "wrong-type", "", "%v", err)
				}
			}
		}
	}
	return r
}

var readTypes = []string{"text", "number", "integer", "boolean", "date"}

// TextFields reads the fields as they are given: by name, what the page calls each, or {column or label, as}.
func TextFields(v any) ([]TextField, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("fields by name are wanted, not %T", v)
	}
	var out []TextField
	for _, name := range slices.Sorted(maps.Keys(m)) {
		f := TextField{Name: name, As: "text"}
		by := m[name]
		if long, ok := by.(map[string]any); ok {
			by = long["column"]
			if by == nil {
				by = long["label"]
			}
			if as, ok := long["as"]; ok {
				f.As, _ = as.(string)
			}
			for k := range long {
				if k != "column" && k != "label" && k != "as" {
					return nil, fmt.Errorf("field %s: there is no key %q; it has column (or label) and as", name, k)
				}
			}
		}
		text, err := FormatText(by)
		if _, secret := by.(SecretValue); secret || err != nil {
			return nil, fmt.Errorf("field %s: a text of the page is wanted", name)
		}
		if !slices.Contains(readTypes, f.As) {
			return nil, fmt.Errorf("field %s: as: %q is not one of text, number, integer, boolean, date", name, f.As)
		}
		f.By = text
		out = append(out, f)
	}
	return out, nil
}

// json is the JSON Schema of what a read gives, as far as it can be known.
func (r *ReadText) json() map[string]any {
	of := func(as string) map[string]any {
		s := map[string]any{"type": jsonType(as)}
		if as == "date" {
			s["format"], s["pattern"] = "date", `^\d{4}-\d{2}-\d{2}$`
		}
		return s
	}
	object := map[string]any{"type": "object"}
	var fields []TextField
	if c, ok := r.Fields.known(); ok {
		fields, _ = TextFields(c)
	}
	if fields != nil {
		props, required := map[string]any{}, []any{}
		for _, f := range fields {
			props[f.Name] = of(f.As)
			if r.Kind == "record" || f.As == "text" { // a cell that is empty holds no number
				required = append(required, f.Name)
			}
		}
		object["properties"], object["required"], object["additionalProperties"] = props, required, false
	}
	switch r.Kind {
	case "list":
		as, known := r.As.constText()
		if r.As != nil && !known {
			return map[string]any{"type": "array"}
		}
		return map[string]any{"type": "array", "items": of(as)}
	case "record":
		return object
	}
	return map[string]any{"type": "array", "items": object}
}

func (v *Value) known() (any, bool) {
	if v == nil {
		return nil, false
	}
	return v.Const()
}

// readVerb is the last read among verbs, those of groups included.
func readVerb(list []*Verb) *ReadText {
	var found *ReadText
	for _, v := range list {
		if v.Read != nil {
			found = v.Read
		}
		if v.Repeat != nil {
			if r := readVerb(v.Repeat.Do); r != nil {
				found = r
			}
		}
	}
	return found
}

func readsText(list []schema.Verb) bool {
	return slices.ContainsFunc(list, func(v schema.Verb) bool { return v.Read != nil || v.Repeat != nil && readsText(v.Repeat.Do) })
}

// doReturns is the type of what a do stage reads, before its expressions can be compiled.
func (c *flowCompiler) doReturns(list []schema.Verb) *Schema {
	quiet := *c.env
	quiet.diags = &schema.Diagnostics{}
	var found *ReadText
	for i := range list {
		if list[i].Read != nil {
			found = quiet.readText(list[i].Read)
		}
	}
	if found == nil {
		return nil
	}
	return c.schemas.derive(found.json(), 0)
}
