package schema

// Find looks for a passage of the page's text.
type Find struct {
	Node      *Node
	Terms     []Value // ranked: what matches an earlier one comes first
	Parents   Int     // how many headings above a passage belong to it
	Tokens    Int     // of all passages of one menu
	NoPropose bool    // do not ask the model for further terms
	Read      []FindField
}

// FindField is a value inside a passage.
type FindField struct {
	Name  String
	Match String // /regex/: the first group of it, or all of it; not set: the passage
	As    String // "text" (default), "number", "integer", "boolean", "date"
}

var (
	asTypes   = []string{"text", "number", "integer", "boolean", "date"}
	readAs    = text{enum: asTypes}
	findShape = object{noun: "find", keys: []key{
		{name: "terms", shape: texts, doc: "What to look for, the best first: texts, /regex/i, or an expression that gives a text or a list of them.", required: true},
		{name: "parents", shape: count{}, doc: "How many of the headings above a passage count as part of it."},
		{name: "tokens", shape: count{min: 50, kilo: true}, doc: "The most that the passages of one question may take; passages of earlier terms come first."},
		{name: "propose", shape: truth{}, doc: "false: do not ask the model for further terms when none is found."},
		{name: "read", shape: mapOf{key: nameRE, why: nameWhy, some: true, elem: byKind{
			scalar: readAs,
			mapping: object{noun: "a field of read", keys: []key{
				{name: "match", shape: plain, doc: "A /regex/ on the passage: its first group, or all of it. Without it, the passage."},
				{name: "as", shape: readAs, doc: "The type of the value."},
			}},
			want: "a type, such as number, or {match, as}",
		}, doc: "A value, and its type; or {match, as}."}, doc: "Values to take out of the passage, word for word."},
	}}
)

func findOf(n *Node) *Find {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	f := &Find{Node: n, Terms: values(n.Field("terms")), Parents: integer(n.Field("parents")), Tokens: integer(n.Field("tokens"))}
	f.NoPropose = n.Field("propose") != nil && !boolean(n.Field("propose"))
	if r := n.Field("read"); r != nil {
		for _, x := range r.Fields {
			field := FindField{Name: str(x.Key), As: str(x.Value)}
			if x.Value.Kind == Mapping {
				field.Match, field.As = str(x.Value.Field("match")), str(x.Value.Field("as"))
			}
			if field.As.Value == "" {
				field.As.Value = "text"
			}
			f.Read = append(f.Read, field)
		}
	}
	return f
}
