package engine

import (
	"fmt"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
)

// readFields gives the values that a target reads, typed; a field that is not there, or does not read as its type,
// is absent from the map, and why says so.
func readFields(fields []*compile.ReadField, reads map[string]string) (values map[string]any, why string) {
	values = make(map[string]any, len(fields))
	for _, f := range fields {
		text, ok := "", false
		for _, k := range f.Keys {
			if text, ok = reads[k]; ok {
				break
			}
		}
		if !ok {
			continue
		}
		v, err := readAs(text, f.As, anyOrder)
		if err != nil {
			why = fmt.Sprintf("%s: %v", f.Name, err)
			continue
		}
		values[f.Name] = v
	}
	return values, why
}

func readAs(text, as string, order dateOrder) (any, error) {
	switch as {
	case "number":
		return compile.ReadNumber(text)
	case "date":
		return parseDate(text, order)
	case "integer":
		n, err := compile.ReadNumber(text)
		if err != nil {
			return nil, err
		}
		if n != float64(int(n)) {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return int(n), nil
	case "boolean":
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "yes", "on", "checked":
			return true, nil
		case "false", "no", "off", "":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	}
	return strings.Join(strings.Fields(text), " "), nil
}
