package lsp

import "github.com/nth-dev/nth/schema"

// symbols is the outline of a file.
func (s *Server) symbols(p placeParams) (any, *rpcError) {
	d, err := s.doc(p.TextDocument)
	if err != nil {
		return nil, err
	}
	out := []documentSymbol{}
	v := s.current(d)
	if v == nil {
		return out, nil
	}
	for _, f := range v.root.Fields {
		kind := propertySymbol
		switch f.Key.Text {
		case "stages":
			kind = eventSymbol
		case "skills":
			kind = functionSymbol
		case "types":
			kind = classSymbol
		case "inputs", "outputs", "secrets", "packs":
			kind = variableSymbol
		default:
			continue
		}
		top := v.symbol(f, propertySymbol, "")
		for _, x := range f.Value.Fields {
			top.Children = append(top.Children, v.symbol(x, kind, detailOf(x.Value)))
		}
		out = append(out, top)
	}
	return out, nil
}

func (v *view) symbol(f schema.Field, kind int, detail string) documentSymbol {
	from, to := v.text.Offset(f.Key.Range.Start), v.text.Offset(f.Key.Range.End)
	end := max(to, v.text.Offset(f.Value.Range.End))
	return documentSymbol{Name: f.Key.Text, Detail: detail, Kind: kind, Range: v.text.bytes(from, end), Selection: v.text.bytes(from, to)}
}

// detailOf is a line about a stage, a skill, or the type of something.
func detailOf(n *schema.Node) string {
	for _, key := range []string{"goal", "summary", "type", "$ref", "end"} {
		if x := n.Field(key); x != nil && x.Kind == schema.Scalar {
			return x.Text
		}
	}
	if n.Kind == schema.Scalar {
		return n.Text
	}
	return ""
}
