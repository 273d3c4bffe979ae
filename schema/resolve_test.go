package schema

import (
	"fmt"
	"reflect"
	"testing"
)

func parse(t testing.TB, text string) *Node {
	t.Helper()
	n, ds := Parse("f", []byte(text))
	if len(ds) > 0 {
		t.Fatalf("%q: %v", text, ds)
	}
	return n
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		yaml string
		any  any
		num  string // the number or what is said where one is wanted
		bool string
	}{
		{"7", 7.0, "7", `want true or false, not "7"`},
		{"-1.5", -1.5, "-1.5", `want true or false, not "-1.5"`},
		{"1E3", 1000.0, "1000", `want true or false, not "1E3"`},
		{"02134", "02134", `want a number, not "02134"`, `want true or false, not "02134"`},
		{"1_000", "1_000", `want a number, not "1_000"`, `want true or false, not "1_000"`},
		{"0x10", "0x10", `want a number, not "0x10"`, `want true or false, not "0x10"`},
		{".5", ".5", `want a number, not ".5"`, `want true or false, not ".5"`},
		{"+5", "+5", `want a number, not "+5"`, `want true or false, not "+5"`},
		{"1e999", "1e999", `want a number, not "1e999"`, `want true or false, not "1e999"`},
		{"9007199254740992", 9007199254740992.0, "9.007199254740992e+15", `want true or false, not "9007199254740992"`},
		{"90071992547409931", "90071992547409931", `want a number, not "90071992547409931"`, `want true or false, not "90071992547409931"`},
		{".inf", ".inf", `want a number, not ".inf"`, `want true or false, not ".inf"`},
		{"NO", "NO", `want a number, not "NO"`, `want true or false, not "NO"`},
		{"yes", "yes", `want a number, not "yes"`, `want true or false, not "yes"`},
		{"2026-05-01", "2026-05-01", `want a number, not "2026-05-01"`, `want true or false, not "2026-05-01"`},
		{"12:30:00", "12:30:00", `want a number, not "12:30:00"`, `want true or false, not "12:30:00"`},
		{"true", true, `want a number, not "true"`, "true"},
		{"FALSE", false, `want a number, not "FALSE"`, "false"},
		{"null", nil, `want a number, not "null"`, `want true or false, not "null"`},
		{"~", nil, `want a number, not "~"`, `want true or false, not "~"`},
		{"", nil, "want a number, not empty", "want true or false, not empty"},
		{"'7'", "7", `want a number, not "7"`, `want true or false, not "7"`},
		{`"true"`, "true", `want a number, not "true"`, `want true or false, not "true"`},
		{"=a", "=a", `want a number, not "=a"`, `want true or false, not "=a"`},
	} {
		n := parse(t, "a: "+c.yaml).Field("a")
		if got, err := n.Resolve(AnyType); got != c.any || err != nil {
			t.Errorf("%s: got %v, %v; want %v", c.yaml, got, err, c.any)
		}
		if got, err := n.Resolve(TextType); got != n.Text || err != nil {
			t.Errorf("%s as text: got %v, %v", c.yaml, got, err)
		}
		if got := said(n.Resolve(NumberType)); got != c.num {
			t.Errorf("%s as number: got %s, want %s", c.yaml, got, c.num)
		}
		if got := said(n.Resolve(BooleanType)); got != c.bool {
			t.Errorf("%s as boolean: got %s, want %s", c.yaml, got, c.bool)
		}
	}
	n := parse(t, "a: 1.5\nb: 2.0\nc: []\n")
	if got := said(n.Field("a").Resolve(IntegerType)); got != "want a whole number, not 1.5" {
		t.Error(got)
	}
	if got := said(n.Field("b").Resolve(IntegerType)); got != "2" {
		t.Error(got)
	}
	if got := said(n.Field("c").Resolve(TextType)); got != "want one value, not a list" {
		t.Error(got)
	}
}

func said(v any, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

func TestSchemaJSON(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"{type: string, default: 12345}", `{"type":"string","default":"12345"}`},
		{"{type: string, default: true, enum: [1, NO, null]}", `{"type":"string","default":"true","enum":["1","NO","null"]}`},
		{"{type: integer, default: 5, minimum: 1}", `{"type":"integer","default":5,"minimum":1}`},
		{"{type: [string, 'null'], default: null, examples: [12]}", `{"type":["string","null"],"default":null,"examples":["12"]}`},
		{"{type: [string, number], default: 12}", `{"type":["string","number"],"default":12}`},
		{"{pattern: 123, title: 7, format: date, minLength: 2, maxLength: 3}", `{"pattern":"123","title":"7","format":"date","minLength":2,"maxLength":3}`},
		{"{type: array, items: {type: string}, default: [1, 02134]}", `{"type":"array","items":{"type":"string"},"default":["1","02134"]}`},
		{"{properties: {type: {type: string, const: 1}, n: {type: number}}, default: {type: 1, n: 2, x: 3}}",
			`{"properties":{"type":{"type":"string","const":"1"},"n":{"type":"number"}},"default":{"type":"1","n":2,"x":3}}`},
		{"{anyOf: [{type: string, const: 1}, {const: 1}], $defs: {a: {type: string, default: 1}}}", `{"anyOf":[{"type":"string","const":"1"},{"const":1}],"$defs":{"a":{"type":"string","default":"1"}}}`},
		{"{prefixItems: [{type: string}], items: {type: number}, default: [1, 2]}", `{"prefixItems":[{"type":"string"}],"items":{"type":"number"},"default":["1",2]}`},
		{"{required: [1, true], dependentRequired: {a: [1]}, additionalProperties: false}", `{"required":["1","true"],"dependentRequired":{"a":["1"]},"additionalProperties":false}`},
		{"{x-secret: true, enum: 3, properties: [], default: {type: object}}", `{"x-secret":true,"enum":3,"properties":[],"default":{"type":"object"}}`},
	} {
		if got, want := parse(t, c.yaml).SchemaJSON(), parseJSON(t, c.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", c.yaml, got, want)
		}
	}
}
