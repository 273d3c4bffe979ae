package engine

import (
	"fmt"
	"regexp"
	"strconv"
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
		return parseNumber(text)
	case "date":
		return parseDate(text, order)
	case "integer":
		n, err := parseNumber(text)
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

var (
	numberRE    = regexp.MustCompile(`[-−–]?\d[\d.,'’\x{00a0}\x{202f}\x{2009} ]*`)
	groupedRE   = regexp.MustCompile(`^\d{1,3}([ ,.'])\d{3}(?:[ ,.']\d{3})*$`)
	numberFixer = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'", "−", "-", "–", "-")
)

// parseNumber reads the one number in a text that people read: "¥1,249.00", "1.249,00 €", "1 249 Kč".
// A text with several numbers, or one like "€1.249" that is 1249 in one country and 1.249 in another, is an
// error: a wrong price is worse than none.
func parseNumber(text string) (float64, error) {
	found := numberRE.FindAllString(text, -1)
	if len(found) == 0 {
		return 0, fmt.Errorf("%q holds no number", cut(text, 40))
	}
	if len(found) > 1 {
		return 0, fmt.Errorf("%q holds %d numbers", cut(text, 40), len(found))
	}
	s := strings.TrimRight(numberFixer.Replace(found[0]), " .,'")
	sign := 1.0
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		// "A1-20" is a range or a code, "-20" a negative number.
		if i := strings.Index(text, found[0]); i == 0 || strings.ContainsAny(text[i-1:i], " (€$£¥") {
			sign = -1
		}
		s = rest
	}
	lastDot, lastComma := strings.LastIndex(s, "."), strings.LastIndex(s, ",")
	switch {
	case lastDot >= 0 && lastComma >= 0: // both: the later one is the decimal mark
		if lastDot > lastComma {
			s = strings.ReplaceAll(s, ",", "")
		} else {
			s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
		}
	case lastComma >= 0:
		if groupedRE.MatchString(s) { // 1,249: no country writes three decimals after a comma in a price
			s = strings.ReplaceAll(s, ",", "")
		} else {
			s = strings.Replace(s, ",", ".", 1)
		}
	case lastDot >= 0 && strings.Count(s, ".") > 1:
		s = strings.ReplaceAll(s, ".", "")
	case lastDot >= 0 && groupedRE.MatchString(s) && strings.ContainsAny(text, "€$£¥₹") && !strings.HasPrefix(s, "0"):
		return 0, fmt.Errorf("%q may be %s or %s", cut(text, 40), strings.Replace(s, ".", "", 1), s)
	}
	s = strings.NewReplacer(" ", "", "'", "").Replace(s)
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", cut(text, 40))
	}
	return sign * n, nil
}
