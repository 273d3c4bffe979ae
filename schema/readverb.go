package schema

// ReadVerb is the argument of the verb read. One of Table, List and Record is set.
type ReadVerb struct {
	Node   *Node
	Table  *Value // name of the table; its rows are read
	List   *Value // name of the list; its items are read
	Fields *Value // columns of the table, or the fields of the record: name → text of the page, or {column or label, as}
	As     *Value // type of the list's items
	Record bool
}

var (
	columnShape = readFieldShape("column", "The column's header, or its number.")
	labelShape  = readFieldShape("label", "What stands before, or above, the value.")
	anyName     = value{scalar: true}
	readShape   = object{noun: "read", oneOf: []string{"table", "list", "record"}, keys: []key{
		{name: "table", shape: anyName, doc: "Read the rows of the table of this name, caption or heading; \"\" is the only one."},
		{name: "columns", shape: columnShape, doc: "Which columns, by the name that each gets; without it, all, as text.", beside: []string{"table"}},
		{name: "list", shape: anyName, doc: "Read the items of the list of this name or heading; \"\" is the only one."},
		{name: "as", shape: anyName, doc: "The type of the items: text, number, integer, boolean or date.", beside: []string{"list"}},
		{name: "record", shape: labelShape, doc: "Read values by what the page calls them."},
	}}
)

func readFieldShape(by, doc string) byKind {
	return byKind{scalar: anyName, want: "fields by name, or an expression", mapping: mapOf{key: nameRE, why: nameWhy, some: true, elem: byKind{
		scalar: anyName,
		mapping: object{noun: "a field", keys: []key{
			{name: by, shape: anyName, doc: doc, required: true},
			{name: "as", shape: readAs, doc: "The type of the value."},
		}},
		want: "a text of the page, or {" + by + ", as}",
	}, doc: "What the page calls it, or {" + by + ", as}."}}
}

func readVerbOf(n *Node) *ReadVerb {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	r := &ReadVerb{Node: n}
	value := func(name string) *Value {
		if f := n.Field(name); f != nil {
			return &Value{f}
		}
		return nil
	}
	r.Table, r.List, r.Fields, r.As = value("table"), value("list"), value("columns"), value("as")
	if f := value("record"); f != nil {
		r.Fields, r.Record = f, true
	}
	return r
}
