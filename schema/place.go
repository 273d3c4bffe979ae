package schema

import "fmt"

// Place is what may stand at one place of a file, for those who work on files as they are written: the formatter, and
// editors. The zero Place knows nothing. A place that takes several forms (a text, or a mapping) answers for all of them.
type Place struct{ shape shape }

// Key is one key that a place knows.
type Key struct {
	Name     string
	Doc      string // one line
	Required bool
	Place    Place // of its value
}

// Root is the place of a whole file of a kind; of an unknown kind, the zero Place.
func Root(kind string) Place {
	if k := kindOf(kind); k != nil {
		return Place{k.shape}
	}
	return Place{}
}

// mapping is the shape of the place when a mapping stands there.
func (p Place) mapping() shape {
	switch s := p.resolved().(type) {
	case byKind:
		return Place{s.mapping}.resolved()
	case entryShape:
		return longEntry
	default:
		return s
	}
}

// resolved is the shape behind its name.
func (p Place) resolved() shape {
	if r, ok := p.shape.(named); ok {
		return namedShapes[string(r)]()
	}
	return p.shape
}

// Keys lists the keys that a mapping here may have, in their canonical order; nil where keys are free or unknown.
func (p Place) Keys() []Key {
	o, ok := p.mapping().(object)
	if !ok {
		return nil
	}
	out := make([]Key, len(o.keys))
	for i, k := range o.keys {
		out[i] = Key{Name: k.name, Doc: k.doc, Required: k.required, Place: Place{k.shape}}
	}
	return out
}

// Child is the place of the value of a key.
func (p Place) Child(key string) Place {
	if _, ok := p.resolved().(entryShape); ok && skillRE.MatchString(key) {
		return Place{withShape}
	}
	switch s := p.mapping().(type) {
	case object:
		if k := s.find(key); k != nil {
			return Place{k.shape}
		}
	case mapOf:
		return Place{s.elem}
	case returnsShape:
		if key == "read" {
			return Place{reads}
		}
		return keywordPlace(key)
	case jsonSchema:
		return keywordPlace(key)
	}
	return Place{}
}

// Item is the place of the items of a list.
func (p Place) Item() Place {
	s := p.resolved()
	if b, ok := s.(byKind); ok {
		s = Place{b.sequence}.resolved()
	}
	if l, ok := s.(listOf); ok {
		return Place{l.elem}
	}
	return Place{}
}

// scalar is the shape of the place when a text stands there.
func (p Place) scalar() shape {
	s := p.resolved()
	if b, ok := s.(byKind); ok {
		s = Place{b.scalar}.resolved()
	}
	return s
}

// Usual lists what a text here often is; it may be anything else.
func (p Place) Usual() []string {
	var out []string
	if u, ok := p.scalar().(usual); ok {
		for _, w := range u.words {
			out = append(out, fmt.Sprint(w))
		}
	}
	return out
}

// Words lists what a text here may be; nil where it is free.
func (p Place) Words() []string {
	switch s := p.scalar().(type) {
	case text:
		return s.enum
	case bareVerb:
		return s.enum
	case truth:
		if s.yes {
			return []string{"true"}
		}
		return []string{"true", "false"}
	}
	return nil
}

// IsCondition reports whether a text here is an expression without "=".
func (p Place) IsCondition() bool {
	_, ok := p.scalar().(condition)
	return ok
}

// IsValue reports whether a text here is an expression when it begins with "=".
func (p Place) IsValue() bool {
	_, ok := p.scalar().(value)
	return ok
}

// IsEntry reports whether a line of a relevance list stands here.
func (p Place) IsEntry() bool {
	_, ok := p.resolved().(entryShape)
	return ok
}
