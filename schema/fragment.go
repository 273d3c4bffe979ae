package schema

// JSON Schema fragments: params, inputs, outputs, types and returns.

// SchemaJSON is a JSON Schema fragment as JSON. What the JSON Schema meta-schema says is text stays text; default,
// const, enum and examples are resolved as the schema beside them says, at any depth: "default: 02134" and
// "default: 12345" beside "type: string" are text.
func (n *Node) SchemaJSON() any {
	if n.Kind != Mapping {
		return n.JSON()
	}
	m := make(map[string]any, len(n.Fields))
	for _, f := range n.Fields {
		m[f.Key.Text] = n.keyword(f.Key.Text, f.Value)
	}
	return m
}

// keyword is the value of one keyword of the schema n.
func (n *Node) keyword(key string, v *Node) any {
	switch key {
	case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
		if v.Kind != Mapping {
			return v.JSON()
		}
		m := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			m[f.Key.Text] = f.Value.SchemaJSON()
		}
		return m
	case "items", "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return v.SchemaJSON()
	case "allOf", "anyOf", "oneOf", "prefixItems":
		if v.Kind != Sequence {
			return v.JSON()
		}
		return list(v, (*Node).SchemaJSON)
	case "default", "const":
		return n.instance(v)
	case "enum", "examples":
		if v.Kind != Sequence {
			return v.JSON()
		}
		return list(v, n.instance)
	case "$ref", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$schema", "$comment", "type", "title", "description", "pattern", "format",
		"required", "dependentRequired", "contentEncoding", "contentMediaType":
		return v.textJSON()
	}
	return v.JSON()
}

// instance resolves a value by the schema n, which may be nil.
func (n *Node) instance(v *Node) any {
	switch v.Kind {
	case Sequence:
		prefix, items := n.Field("prefixItems"), n.Field("items")
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			sub := items
			if prefix != nil && i < len(prefix.Items) {
				sub = prefix.Items[i]
			}
			out[i] = sub.instance(item)
		}
		return out
	case Mapping:
		props, rest := n.Field("properties"), n.Field("additionalProperties")
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			sub := props.Field(f.Key.Text)
			if sub == nil {
				sub = rest
			}
			out[f.Key.Text] = sub.instance(f.Value)
		}
		return out
	}
	x, _ := v.Resolve(n.wants()) // text takes every scalar, and so does any type
	return x
}

// wants is the scalar type that a schema asks for by "type", where it asks for text.
func (n *Node) wants() Want {
	t := n.Field("type")
	switch {
	case t == nil:
		return AnyType
	case t.Kind == Scalar && t.Text == "string":
		return TextType
	case t.Kind != Sequence:
		return AnyType
	}
	want := AnyType
	for _, item := range t.Items {
		switch {
		case item.Text == "string" && want == AnyType:
			want = TextType
		case item.Text == "null":
		case item.Text != "string":
			return AnyType // a number, say, may be meant
		}
	}
	for _, item := range t.Items {
		if item.Text == "null" && want == TextType {
			want = NullOrText
		}
	}
	return want
}

func list(n *Node, f func(*Node) any) []any {
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		out[i] = f(item)
	}
	return out
}
