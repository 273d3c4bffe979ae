package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A scalar is text until somebody who knows the wanted type asks. This file holds the asking.

// Want is the type that a place of a file wants.
type Want uint8

const (
	AnyType Want = iota // nothing is known
	TextType
	NumberType
	IntegerType
	BooleanType
	NullOrText // text, but a plain null stays null
)

// jsonNumber is how a number must be spelled to be one: as in JSON. So 02134, 1_000, 0x10 and .5 are text.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// maxExact is the largest whole number up to which float64 holds each.
const maxExact = 1 << 53

// Resolve reads a scalar as the type that is wanted: string, float64 (for whole numbers too), bool or nil. Where text
// is wanted it stays text whatever it looks like; quoted scalars are always text. A plain scalar is a number only if
// spelled as JSON spells one and if float64 holds it (whole numbers: exactly), so nothing is changed silently:
// where a number is wanted, everything else is an error that says so.
// The "=" and "==" of expressions are not looked at; see IsExpr and Literal.
func (n *Node) Resolve(want Want) (any, error) {
	if n.Kind != Scalar {
		return nil, fmt.Errorf("want one value, not %s", kindName(n))
	}
	switch want {
	case TextType:
		return n.Text, nil
	case NullOrText:
		if n.Style == Plain && isNull(n.Text) {
			return nil, nil
		}
		return n.Text, nil
	}
	v := n.resolveAny()
	switch want {
	case NumberType, IntegerType:
		f, ok := v.(float64)
		if !ok {
			return nil, fmt.Errorf("want a number, not %s", kindName(n))
		}
		if want == IntegerType && f != float64(int64(f)) {
			return nil, fmt.Errorf("want a whole number, not %s", n.Text)
		}
	case BooleanType:
		if _, ok := v.(bool); !ok {
			return nil, fmt.Errorf("want true or false, not %s", kindName(n))
		}
	}
	return v, nil
}

// resolveAny is YAML 1.2 core with the numbers of JSON.
func (n *Node) resolveAny() any {
	if n.Style != Plain {
		return n.Text
	}
	switch n.Text {
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if isNull(n.Text) {
		return nil
	}
	if !jsonNumber.MatchString(n.Text) {
		return n.Text
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !strings.ContainsAny(n.Text, ".eE") && (f > maxExact || f < -maxExact) {
		return n.Text
	}
	return f
}

func isNull(s string) bool {
	switch s {
	case "null", "Null", "NULL", "~", "":
		return true
	}
	return false
}

// JSON is the value as JSON knows it when no schema says what is wanted: map[string]any, []any, string, float64,
// bool, nil. Dates, NO, 02134 and whole numbers that float64 cannot hold stay text.
func (n *Node) JSON() any {
	return n.each(func(s *Node) any { return s.resolveAny() })
}

// textJSON is JSON with every scalar as text.
func (n *Node) textJSON() any {
	return n.each(func(s *Node) any { return s.Text })
}

// each is the tree with every scalar replaced.
func (n *Node) each(scalar func(*Node) any) any {
	switch n.Kind {
	case Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key.Text] = f.Value.each(scalar)
		}
		return m
	case Sequence:
		l := make([]any, len(n.Items))
		for i, item := range n.Items {
			l[i] = item.each(scalar)
		}
		return l
	}
	return scalar(n)
}
