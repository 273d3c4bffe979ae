package lsp

import (
	"slices"

	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/schema"
)

// values completes the value of a key.
func (x *completer) values(p schema.Place) {
	from := x.from
	switch x.inKey {
	case "go", "next":
		if x.flow != nil && len(x.steps) > 1 && x.steps[0] == "stages" {
			for _, st := range x.flow.Stages {
				if st.Name.Value != x.steps[1] || x.inKey == "go" {
					x.add(from, st.Name.Value, st.Name.Value, eventItem, "stage", goalText(st))
				}
			}
			x.add(from, "end", "end", eventItem, "", "The end of the flow.")
		}
	case "use":
		for _, pk := range x.catalog.Packs {
			for _, s := range pk.Skills {
				x.add(from, s.FullName(), s.FullName(), functionItem, s.Effect.Value, x.skillDoc(s))
			}
		}
	}
	for _, w := range slices.Concat(p.Words(), p.Usual()) {
		x.add(from, w, w, enumItem, "", "")
	}
	if p.IsValue() {
		x.literals(from)
	}
}

// literals completes the value of a param: the values that its JSON Schema allows, and the names of expressions.
func (x *completer) literals(from int) {
	if skill := x.skillHere(); skill != nil {
		if p := skill.Param(x.inKey); p != nil {
			t := editor.Resolve(p.Schema, skill.Pack.Types)
			if enum := t.Field("enum"); enum != nil {
				for _, item := range enum.Items {
					x.add(from, item.Text, item.Text, enumItem, "", "")
				}
			}
			if typ := t.Field("type"); typ != nil && typ.Text == "boolean" {
				x.add(from, "true", "true", enumItem, "", "")
				x.add(from, "false", "false", enumItem, "", "")
			}
		}
	}
	if x.typed == "" && x.flow != nil {
		for _, in := range x.flow.Inputs {
			x.add(from, "=inputs."+in.Name.Value, "=inputs."+in.Name.Value, variableItem, editor.TypeText(in.Schema, x.flow.Types), "")
		}
	}
}

// factWords are the facts of the pack.
func (x *completer) factWords(from int) {
	for _, f := range x.facts() {
		x.add(from, f.name, f.name, variableItem, "fact", f.doc)
	}
}

// typeRefs are the types that a $ref can name.
func (x *completer) typeRefs() {
	quote := `"`
	if x.quote != 0 {
		quote = ""
	}
	add := func(prefix string, types []schema.Param) {
		for _, t := range types {
			ref := prefix + "#/types/" + t.Name.Value
			x.add(x.from, ref, quote+ref+quote, fieldItem, editor.TypeText(t.Schema, types), "")
		}
	}
	if x.flow != nil {
		add("", x.flow.Types)
		for _, p := range x.catalog.Packs {
			if !p.Implicit {
				add(p.Alias, p.Types)
			}
		}
	}
	if x.pack != nil {
		add("", x.pack.Types)
	}
}
