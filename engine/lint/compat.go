package lint

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/schema"
)

var schemaMismatch = &Rule{
	ID: "schema-mismatch", Severity: schema.Warning,
	Summary: "a value whose schema allows what the place it goes to does not",
	Doc: `The value bound here has a schema of its own (an input, a row, what a stage returned), and so has the param, input or
output it is bound to. The first allows values that the second refuses: with such a value the run ends with bad_input in the
middle, instead of before it begins. Give the input the same schema, best by a $ref to the same type.`,
	Check: func(p *pass) {
		for _, s := range p.sites() {
			if (s.use != paramUse && s.use != inputUse && s.use != outputUse) || !s.whole || s.want == nil || s.want.Secret {
				continue
			}
			x, ok := s.tree().place(s.tree().root)
			if !ok || x.schema == nil || x.schema.Secret {
				continue
			}
			if s.use == outputUse && x.optional && s.want.Kind != "" {
				p.report(s.expr.Range, "give a default: "+x.path+" ?? …, or make it required", "%s: %s may be absent, and %s is wanted", s.what, s.text(s.tree().root), kindWord(s.want.Kind))
				continue
			}
			if why := misfit(x.schema, s.want, 0); why != "" {
				p.report(s.expr.Range, "give "+x.path+" the schema of the "+s.what, "%s: not every value of %s fits: %s", s.what, s.text(s.tree().root), why)
			}
		}
	},
}

// misfit says why some value that fits from does not fit to; "" when every one does, as far as can be told.
func misfit(from, to *compile.Schema, depth int) string {
	if from == nil || to == nil || depth > 8 || from == to || reflect.DeepEqual(from.JSON(), to.JSON()) {
		return ""
	}
	if values, ok := finite(from); ok {
		for _, v := range values {
			if err := to.Check(v); err != nil {
				return fmt.Sprintf("it may be %v, and %s", v, err)
			}
		}
		return ""
	}
	if from.Kind == "" || to.Kind == "" {
		return ""
	}
	if from.Kind != to.Kind {
		if from.Kind == "integer" && to.Kind == "number" {
			return outside(rangeOf(from), rangeOf(to))
		}
		if from.Kind == "number" && to.Kind == "integer" {
			return "it may be a fraction, and a whole number is wanted"
		}
		return fmt.Sprintf("it is %s, and %s is wanted", kindWord(from.Kind), kindWord(to.Kind))
	}
	if _, ok := finite(to); ok {
		return "it may be any " + kindWord(from.Kind) + ", and one of a list is wanted"
	}
	switch from.Kind {
	case "string":
		return textMisfit(from, to)
	case "integer", "number":
		return outside(rangeOf(from), rangeOf(to))
	case "array":
		if why := sizeMisfit(from, to, "minItems", "maxItems", "items"); why != "" {
			return why
		}
		return misfit(from.Item(), to.Item(), depth+1)
	case "object":
		return objectMisfit(from, to, depth)
	}
	return ""
}

// finite lists the values of a schema with an enum or const.
func finite(s *compile.Schema) ([]any, bool) {
	if c := s.Keyword("const"); c != nil {
		return []any{c}, true
	}
	e, ok := s.Keyword("enum").([]any)
	return e, ok
}

func kindWord(kind string) string {
	switch kind {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	}
	return "a mapping"
}

// neverEmpty are formats whose texts are never empty.
var neverEmpty = []string{"date", "time", "date-time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname"}

func textMisfit(from, to *compile.Schema) string {
	if f := to.Keyword("format"); f != nil && f != from.Keyword("format") {
		return fmt.Sprintf("it may be any text, and format %v is wanted", f)
	}
	if re := to.Keyword("pattern"); re != nil && re != from.Keyword("pattern") {
		return fmt.Sprintf("it may be any text, and pattern %v is wanted", re)
	}
	least := keyNumber(from, "minLength")
	if f, _ := from.Keyword("format").(string); least == nil && slices.Contains(neverEmpty, f) {
		one := 1.0
		least = &one
	}
	if want := keyNumber(to, "minLength"); want != nil && *want > 0 && (least == nil || *least < *want) {
		if from.Keyword("pattern") != nil {
			return "" // a pattern may say it too
		}
		if least == nil {
			return fmt.Sprintf("it may be empty, and minLength %v is wanted", *want)
		}
		return fmt.Sprintf("it may be shorter than minLength %v", *want)
	}
	if want, has := keyNumber(to, "maxLength"), keyNumber(from, "maxLength"); want != nil && (has == nil || *has > *want) && from.Keyword("pattern") == nil && from.Keyword("format") == nil {
		return fmt.Sprintf("it may be longer than maxLength %v", *want)
	}
	return ""
}

func sizeMisfit(from, to *compile.Schema, least, most, what string) string {
	if want, has := keyNumber(to, least), keyNumber(from, least); want != nil && *want > 0 && (has == nil || *has < *want) {
		return fmt.Sprintf("it may hold fewer than %v %s", *want, what)
	}
	if want, has := keyNumber(to, most), keyNumber(from, most); want != nil && (has == nil || *has > *want) {
		return fmt.Sprintf("it may hold more than %v %s", *want, what)
	}
	return ""
}

// outside says which numbers of one range lie outside of another.
func outside(from, to numbers) string {
	if to.min != nil && (from.min == nil || *from.min < *to.min || *from.min == *to.min && to.openMin && !from.openMin) {
		if to.openMin {
			return fmt.Sprintf("it may be %v or less", *to.min)
		}
		return fmt.Sprintf("it may be less than %v", *to.min)
	}
	if to.max != nil && (from.max == nil || *from.max > *to.max || *from.max == *to.max && to.openMax && !from.openMax) {
		if to.openMax {
			return fmt.Sprintf("it may be %v or more", *to.max)
		}
		return fmt.Sprintf("it may be more than %v", *to.max)
	}
	return ""
}

func objectMisfit(from, to *compile.Schema, depth int) string {
	required, _ := to.Keyword("required").([]any)
	for _, r := range required {
		name, _ := r.(string)
		if p, optional := from.Property(name); p == nil || optional {
			return fmt.Sprintf("the field %q may be absent", name)
		}
	}
	for _, name := range from.Properties() {
		p, _ := from.Property(name)
		want, _ := to.Property(name)
		if want == nil {
			if to.Keyword("additionalProperties") == false {
				return fmt.Sprintf("it may have the field %q", name)
			}
			continue
		}
		if why := misfit(p, want, depth+1); why != "" {
			return fmt.Sprintf("field %s: %s", name, why)
		}
	}
	return ""
}
