package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nth-dev/nth/engine"
	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/pack"
)

// rowSchema is {id: text, net: number, count: whole number, paid: boolean}.
func rowSchema(t *testing.T) *compile.Schema {
	t.Helper()
	l := &pack.Loader{Read: func(string) ([]byte, error) {
		return []byte(`kind: flow/v1
name: rows
for_each:
  rows: {file: rows.csv}
  as: row
  items: {type: object, required: [id], additionalProperties: false, properties: {id: {type: string}, net: {type: number, minimum: 0}, count: {type: integer}, paid: {type: boolean}}}
stages: {s: {end: ok}}
`), nil
	}}
	in, err := l.Load("flow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	prog, ds := compile.Compile(in)
	if prog == nil {
		t.Fatal(ds)
	}
	return prog.ForEach.Item
}

func TestParseRows(t *testing.T) {
	item := rowSchema(t)
	for name, c := range map[string]struct{ file, text, want string }{
		"csv":         {"r.csv", "ID,net,count,paid\n007,12.50,3,yes\n\"a, b\",,,\n", `[{"count":3,"id":"007","net":12.5,"paid":true},{"id":"a, b"}]`},
		"semicolons":  {"r.csv", "\ufeffid;net\r\nA;1\r\n", `[{"id":"A","net":1}]`},
		"tabs":        {"r.tsv", "id\tcount\nA\t2\n", `[{"count":2,"id":"A"}]`},
		"jsonl":       {"r.jsonl", "{\"id\":\"A\",\"net\":2}\n\n{\"id\":\"B\"}\n", `[{"id":"A","net":2},{"id":"B"}]`},
		"json":        {"r.json", `[{"id":"A"}]`, `[{"id":"A"}]`},
		"bad number":  {"r.csv", "id,net\nA,12\nB,many\n", `! r.csv: line 3, column "net": "many" is not a number`},
		"not fitting": {"r.csv", "id,net\nA,-1\n", `! r.csv: row 1 does not fit: net`},
		"unknown":     {"r.csv", "id,colour\nA,red\n", `! r.csv: row 1 does not fit`},
		"twice":       {"r.csv", "id,Id\nA,B\n", `! column 2 is called "Id"`},
		"short row":   {"r.csv", "id,net\nA\n", `! wrong number of fields`},
		"empty":       {"r.csv", "", `! it is empty`},
		"broken line": {"r.jsonl", "{\"id\":\"A\"}\n{\n", `! line 2`},
		"latin-1":     {"r.csv", "id\nM\xfcller\n", `! not UTF-8`},
	} {
		rows, err := engine.ParseRows(c.file, []byte(c.text), item)
		if why, bad := strings.CutPrefix(c.want, "! "); bad {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: got %v, %v, want an error with %q", name, rows, err, why)
			}
			continue
		}
		got, _ := json.Marshal(rows)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
	rows, err := engine.ParseRows("r.csv", []byte("Unit price (€),Paid by\n1,Ada\n"), nil)
	if got, _ := json.Marshal(rows); err != nil || string(got) != `[{"paid_by":"Ada","unit_price":"1"}]` {
		t.Errorf("got %s, %v", got, err)
	}
}
