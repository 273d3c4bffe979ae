package compile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/expr-lang/expr/types"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/nth-dev/nth/schema"
)

// Schema is a compiled JSON Schema (2020-12) of one value.
type Schema struct {
	Secret bool   // x-secret: true
	Kind   string // "string", "integer", "number", "boolean", "array", "object"; "" when it may be several

	json       map[string]any // as written, $refs resolved to absolute ones
	keys       map[string]any // json with a $ref at its top followed
	props      map[string]*Schema
	late       *lateValidator
	size       int // schemas that exprType is made of, itself included
	validator  *jsonschema.Schema
	exprType   types.Type
	item       *Schema // arrays
	hasDefault bool
	def        any
}

// Default returns the schema's default and whether it has one.
func (s *Schema) Default() (any, bool) { return s.def, s.hasDefault }

// Keyword returns the value of a keyword, also through a $ref; nil when it is not there.
func (s *Schema) Keyword(name string) any {
	if s == nil {
		return nil
	}
	return s.keys[name]
}

// Item is the schema of a list's items, nil when nothing is known.
func (s *Schema) Item() *Schema {
	if s == nil {
		return nil
	}
	return s.item
}

// Property is the schema of a mapping's field, nil when nothing is known, and whether the field may be absent.
func (s *Schema) Property(name string) (p *Schema, optional bool) {
	if s == nil || s.props[name] == nil {
		return nil, false
	}
	required, _ := s.keys["required"].([]any)
	return s.props[name], !slices.Contains(required, any(name))
}

// Properties lists the fields that the schema names, sorted.
func (s *Schema) Properties() []string {
	if s == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.props))
}

// JSON returns the schema as a JSON value; it must not be changed.
func (s *Schema) JSON() map[string]any { return s.json }

// ValueError is a value that does not fit its schema.
type ValueError struct {
	Path    []string // into the value
	Message string
}

func (e *ValueError) Error() string {
	if len(e.Path) == 0 {
		return e.Message
	}
	return strings.Join(e.Path, ".") + ": " + e.Message
}

// Validate checks v, a JSON value (map[string]any, []any, string, bool, nil, any Go number).
// The error is a *ValueError, and the same one for the same value.
func (s *Schema) Validate(v any) error {
	if s == nil || s.validator == nil {
		return nil
	}
	err := s.validator.Validate(v)
	if err == nil {
		return nil
	}
	ve, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return &ValueError{Message: err.Error()}
	}
	leaves := leafErrors(ve)
	// jsonschema reports in map order; the first by place is the one to tell.
	first := slices.MinFunc(leaves, func(a, b *jsonschema.ValidationError) int {
		return strings.Compare(a.InstanceLocation+"\x00"+a.KeywordLocation, b.InstanceLocation+"\x00"+b.KeywordLocation)
	})
	return &ValueError{Path: pointerPath(first.InstanceLocation), Message: first.Message}
}

// lateValidator compiles a schema that lies inside another one when it is first asked for.
type lateValidator struct {
	from *schemas
	once sync.Once
	v    *jsonschema.Schema
}

// Check is Validate for schemas that lie inside others too. It may be used by several goroutines.
func (s *Schema) Check(v any) error {
	if s == nil || s.validator != nil || s.late == nil {
		return s.Validate(v)
	}
	s.late.once.Do(func() {
		c := s.late.from
		c.mu.Lock()
		defer c.mu.Unlock()
		data, err := json.Marshal(s.json)
		if err != nil {
			return
		}
		c.n++
		url := fmt.Sprintf("mem:///schema/%d", c.n)
		if c.compiler.AddResource(url, bytes.NewReader(data)) == nil {
			s.late.v, _ = c.compiler.Compile(url) // the schema around it has been compiled, so it is a good one
		}
	})
	return (&Schema{validator: s.late.v}).Validate(v)
}

func leafErrors(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, c := range e.Causes {
		out = append(out, leafErrors(c)...)
	}
	return out
}

func pointerPath(p string) []string {
	if p == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for i, s := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	return parts
}

// Normalize turns a JSON value into the Go types that expressions are compiled for: integers become int,
// numbers float64, at every depth that the schema describes. Values that do not fit are left as they are.
func (s *Schema) Normalize(v any) any {
	if s == nil {
		return v
	}
	switch x := v.(type) {
	case json.Number:
		if f, err := x.Float64(); err == nil {
			return s.Normalize(f)
		}
	case float64:
		if s.Kind == "integer" && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int(x)
		}
	case int:
		if s.Kind == "number" {
			return float64(x)
		}
	case []any:
		if s.item == nil {
			return v
		}
		out := make([]any, len(x))
		for i := range x {
			out[i] = s.item.Normalize(x[i])
		}
		return out
	case map[string]any:
		m, ok := s.exprType.(types.Map)
		if !ok {
			return v
		}
		out := maps.Clone(x)
		for k, val := range x {
			out[k] = normalizeAs(m[k], val)
		}
		return out
	}
	return v
}

// normalizeAs does for one field what Normalize does for a schema.
func normalizeAs(t types.Type, v any) any {
	switch t {
	case types.Int:
		return (&Schema{Kind: "integer"}).Normalize(v)
	case types.Float64:
		return (&Schema{Kind: "number"}).Normalize(v)
	}
	switch x := v.(type) {
	case map[string]any:
		if m, ok := t.(types.Map); ok {
			out := maps.Clone(x)
			for k, val := range x {
				out[k] = normalizeAs(m[k], val)
			}
			return out
		}
	case json.Number:
		f, _ := x.Float64()
		return f
	}
	return v
}

// ParseText reads a value from text (a command line, a CSV cell, a page): what the schema says is a string stays text.
func (s *Schema) ParseText(text string) (any, error) {
	switch s.Kind {
	case "string":
		return text, nil
	case "integer":
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return n, nil
	case "number":
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%q is not a number", text)
		}
		return f, nil
	case "boolean":
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	case "array", "object":
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return nil, fmt.Errorf("%q is not JSON (the input is an %s)", text, s.Kind)
		}
		return s.Normalize(v), nil
	}
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return s.Normalize(v), nil
	}
	return text, nil
}

// schemas compiles the JSON Schemas of one flow or pack. Types of packs are known under "mem:///pack/<name>".
type schemas struct {
	diags    *schema.Diagnostics
	compiler *jsonschema.Compiler
	types    map[string]map[string]*schema.Node // by pack name, then type name
	packs    map[string]*pack                   // by name: whose types can be referred to
	badPacks map[string]bool                    // aliases of packs that could not be loaded
	pending  []string                           // packs whose types the next schema refers to
	shared   *schemaCache                       // of schemas without $refs; nil: none
	typeJSON map[string]any                     // by $ref
	derived  map[string]*Schema                 // by $ref; nil while it is being derived
	done     map[string]*Schema                 // by the schema's JSON, absolute references and all
	mu       sync.Mutex                         // of compiler and n, when a compilation has ended
	n        int
}

func newSchemas(diags *schema.Diagnostics) *schemas {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("only #/types/… and alias#/types/… can be referred to")
	}
	return &schemas{diags: diags, compiler: c, types: map[string]map[string]*schema.Node{}, packs: map[string]*pack{}, derived: map[string]*Schema{}, typeJSON: map[string]any{}, done: map[string]*Schema{}}
}

// ownerURL is the address of a pack's types. A name that is none (which has been said) may hold what no address can.
func ownerURL(owner string) string { return "mem:///" + notInURL.ReplaceAllString(owner, "_") }

var notInURL = regexp.MustCompile(`[^A-Za-z0-9_/-]`)

// addTypes makes the named types of a pack (or of the flow, owner "flow") known.
func (c *schemas) addTypes(owner string, list []schema.Param, aliases map[string]string) {
	if c.types[owner] != nil {
		return
	}
	c.types[owner] = map[string]*schema.Node{}
	if len(list) == 0 {
		return
	}
	defs := map[string]any{}
	for _, t := range list {
		c.types[owner][t.Name.Value] = t.Schema
	}
	for _, t := range list {
		before := len(*c.diags)
		c.checkKeywords(t.Schema)
		defs[t.Name.Value] = c.rewrite(t.Schema, t.Schema.SchemaJSON(), owner, aliases)
		if len(*c.diags) > before {
			defs[t.Name.Value] = map[string]any{} // jsonschema takes for granted that what a $ref leads to is a good schema
		}
		c.typeJSON[ownerURL(owner)+"#/types/"+t.Name.Value] = defs[t.Name.Value]
	}
	data, err := json.Marshal(map[string]any{"types": defs})
	if err == nil {
		err = c.compiler.AddResource(ownerURL(owner), bytes.NewReader(data))
	}
	if err != nil {
		c.diags.Errorf(list[0].Name.Range, "schema", "", "types: %s", err)
	}
}

// compile makes a Schema of a fragment; owner says what "#/types/…" means. nil after a finding.
func (c *schemas) compile(node *schema.Node, owner string, aliases map[string]string) *Schema {
	raw := node.SchemaJSON()
	before, pending := len(*c.diags), len(c.pending)
	c.checkKeywords(node)
	raw = c.rewrite(node, raw, owner, aliases)
	if len(*c.diags) > before {
		return nil
	}
	if p, typ := c.packType(raw); p != nil {
		c.pending = c.pending[:pending]
		return p.typeSchema(typ)
	}
	for _, name := range c.pending {
		c.addTypes(name, c.packs[name].public.Source.Types, nil)
	}
	c.pending = c.pending[:0]
	m, ok := raw.(map[string]any)
	if !ok {
		c.diags.Errorf(node.Range, "schema", "write a JSON Schema, such as {type: string}", "a JSON Schema must be a mapping")
		return nil
	}
	data, err := json.Marshal(m)
	if s := c.done[string(data)]; s != nil && err == nil {
		return s
	}
	if s := c.shared.get(string(data)); s != nil && err == nil {
		c.done[string(data)] = s
		return s
	}
	s := c.derive(m, 0)
	if err == nil {
		s.validator, err = c.validator(data)
	}
	if err != nil {
		c.diags.Errorf(node.Range, "schema", "", "%s", schemaMessage(err))
		return nil
	}
	if s.hasDefault {
		if err := s.Validate(s.def); err != nil {
			at := node.Field("default")
			if at == nil {
				at = node
			}
			c.diags.Errorf(at.Range, "schema-default", "", "the default does not fit its own schema: %s", err)
			return nil
		}
		s.def = s.Normalize(s.def)
	}
	c.done[string(data)] = s
	c.shared.put(string(data), s)
	return s
}

// validator compiles a schema under an address of its own.
func (c *schemas) validator(data []byte) (*jsonschema.Schema, error) {
	c.n++
	url := fmt.Sprintf("mem:///schema/%d", c.n)
	if err := c.compiler.AddResource(url, bytes.NewReader(data)); err != nil {
		return nil, err
	}
	return c.compiler.Compile(url)
}

// packType returns the pack and the name of a type when a schema is a $ref to it and nothing else.
func (c *schemas) packType(raw any) (*pack, string) {
	m, ok := raw.(map[string]any)
	ref, isRef := m["$ref"].(string)
	if !ok || !isRef || len(m) != 1 {
		return nil, ""
	}
	owner, typ, _ := strings.Cut(strings.TrimPrefix(ref, "mem:///"), "#/types/")
	return c.packs[owner], typ
}

// typeSchema is the schema of one of the pack's types, compiled once for all flows that refer to it; nil where the pack
// has said that it is no good one.
func (p *pack) typeSchema(typ string) *Schema {
	c := p.schemas
	c.mu.Lock()
	defer c.mu.Unlock()
	ref := ownerURL(p.name) + "#/types/" + typ
	if s := c.done[ref]; s != nil {
		return s
	}
	m := map[string]any{"$ref": ref}
	s := c.derive(m, 0)
	data, err := json.Marshal(m)
	if err == nil {
		s.validator, err = c.validator(data)
	}
	if err != nil {
		return nil
	}
	c.done[ref] = s
	return s
}

// schemaCache keeps compiled schemas that refer to nothing, for further flows. A nil one keeps nothing.
type schemaCache struct {
	mu   sync.Mutex
	byJS map[string]*Schema
}

// maxSharedSchemas bounds a schemaCache; far more than the different ones of a large project.
const maxSharedSchemas = 4096

func (c *schemaCache) get(data string) *Schema {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byJS[data]
}

func (c *schemaCache) put(data string, s *Schema) {
	if c == nil || strings.Contains(data, `"$ref"`) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byJS == nil || len(c.byJS) >= maxSharedSchemas {
		c.byJS = map[string]*Schema{}
	}
	c.byJS[data] = s
}

var memURL = regexp.MustCompile(`mem:///[^\s"']*`)

func schemaMessage(err error) string {
	msg := err.Error()
	if strings.Contains(msg, "infinite loop") {
		return "the type leads back to itself, and says nothing about the value on the way"
	}
	if se, ok := err.(*jsonschema.SchemaError); ok && se.Err != nil {
		msg = se.Err.Error()
		if ve, ok := se.Err.(*jsonschema.ValidationError); ok {
			leaf := leafErrors(ve)
			first := slices.MinFunc(leaf, func(a, b *jsonschema.ValidationError) int {
				return strings.Compare(a.InstanceLocation+a.KeywordLocation, b.InstanceLocation+b.KeywordLocation)
			})
			msg = strings.Join(pointerPath(first.InstanceLocation), ".") + ": " + first.Message
		}
	}
	return "not a valid JSON Schema: " + strings.TrimSpace(memURL.ReplaceAllString(msg, "the schema"))
}

// rewrite makes every $ref absolute and reports those that cannot be followed; one into a pack that could not be loaded is
// taken out, for that has been said. node is the source of raw.
func (c *schemas) rewrite(node *schema.Node, raw any, owner string, aliases map[string]string) any {
	switch x := raw.(type) {
	case map[string]any:
		for k, v := range x {
			if k == "$ref" {
				if ref, ok := v.(string); ok {
					if x[k] = c.resolveRef(node.Field("$ref"), ref, owner, aliases); x[k] == "" {
						delete(x, k)
					}
				}
				continue
			}
			x[k] = c.rewrite(node.Field(k), v, owner, aliases)
		}
	case []any:
		for i := range x {
			var item *schema.Node
			if node != nil && i < len(node.Items) {
				item = node.Items[i]
			}
			x[i] = c.rewrite(item, x[i], owner, aliases)
		}
	}
	return raw
}

func (c *schemas) resolveRef(at *schema.Node, ref, owner string, aliases map[string]string) string {
	where, typ, ok := strings.Cut(ref, "#/types/")
	if !ok {
		c.diags.Errorf(at.Range, "schema-ref", `refer to a type of this file as "#/types/NAME" or of a pack as "alias#/types/NAME"`, "$ref %q is not followed: only types of this file and of its packs are", ref)
		return ref
	}
	target := owner
	if where != "" {
		name, known := aliases[where]
		if !known && c.badPacks[where] {
			return ""
		}
		if !known {
			c.diags.Errorf(at.Range, "schema-ref", suggestFix(where, slices.Collect(maps.Keys(aliases)), "packs"), "$ref %q: no pack is called %q here", ref, where)
			return ref
		}
		target = name
	}
	known := c.types[target]
	if p := c.packs[target]; p != nil {
		known = p.schemas.types[target]
		c.pending = append(c.pending, target)
	}
	if known[typ] == nil {
		c.diags.Errorf(at.Range, "schema-ref", suggestFix(typ, slices.Collect(maps.Keys(known)), "types"), "$ref %q: there is no type %q", ref, typ)
		return ref
	}
	return ownerURL(target) + "#/types/" + typ
}

// derive finds out what an expression may know of the value.
func (c *schemas) derive(m map[string]any, depth int) *Schema {
	s := &Schema{json: m, keys: m, exprType: types.Any, late: &lateValidator{from: c}, size: 1}
	if depth > 32 {
		return s
	}
	if ref, ok := m["$ref"].(string); ok {
		if t := c.deriveType(ref, depth); t != nil {
			*s = *t
			s.json, s.keys, s.late = m, maps.Clone(s.keys), &lateValidator{from: c}
			for k, v := range m {
				if k != "$ref" {
					s.keys[k] = v
				}
			}
		}
	}
	if sec, _ := m["x-secret"].(bool); sec {
		s.Secret = true
	}
	if d, ok := m["default"]; ok {
		s.def, s.hasDefault = d, true
	}
	if k := kindOf(m); k != "" {
		s.Kind = k
	}
	switch s.Kind {
	case "string":
		s.exprType = types.String
	case "integer":
		s.exprType = types.Int
	case "number":
		s.exprType = types.Float64
	case "boolean":
		s.exprType = types.Bool
	case "array":
		if items, ok := m["items"].(map[string]any); ok {
			s.item = c.derive(items, depth+1)
			s.exprType = types.Array(s.item.exprType)
			s.size += s.item.size
		} else if s.item == nil {
			s.exprType = types.Array(types.Any)
		}
	case "object":
		props, ok := m["properties"].(map[string]any)
		if !ok {
			if _, isMap := s.exprType.(types.Map); !isMap {
				s.exprType = types.Map{types.Extra: types.Any}
			}
			break
		}
		fields := types.Map{}
		s.props = make(map[string]*Schema, len(props))
		for _, name := range slices.Sorted(maps.Keys(props)) { // in order: what holds itself is cut where it is met again
			if pm, ok := props[name].(map[string]any); ok {
				s.props[name] = c.derive(pm, depth+1)
				fields[name] = s.props[name].exprType
				s.size += s.props[name].size
			} else {
				fields[name] = types.Any
			}
		}
		if extra, ok := m["additionalProperties"]; ok && extra != false {
			fields[types.Extra] = types.Any
		}
		s.exprType = fields
	}
	if s.size > maxTypeSize {
		s.exprType, s.props, s.item, s.size = types.Any, nil, nil, 1
	}
	return s
}

// maxTypeSize bounds what an expression knows of a value. Types that name others several times, level by level, would
// otherwise grow without end.
const maxTypeSize = 2000

// deriveType derives a named type, once. Where a type holds itself, the inner one is unknown (nil): expressions may read
// it, and validation checks it.
func (c *schemas) deriveType(ref string, depth int) *Schema {
	if t, begun := c.derived[ref]; begun {
		return t
	}
	c.derived[ref] = nil
	if tm, ok := c.typeJSON[ref].(map[string]any); ok {
		c.derived[ref] = c.derive(tm, depth+1)
	}
	return c.derived[ref]
}

// kindOf is the one JSON type that a schema allows, from type, const or enum.
func kindOf(m map[string]any) string {
	if t, ok := m["type"].(string); ok {
		if t == "null" {
			return ""
		}
		return t
	}
	if _, ok := m["type"]; ok {
		return ""
	}
	var values []any
	if v, ok := m["const"]; ok {
		values = []any{v}
	} else if e, ok := m["enum"].([]any); ok {
		values = e
	}
	kind := ""
	for i, v := range values {
		k := jsonKind(v)
		if i > 0 && k != kind {
			return ""
		}
		kind = k
	}
	if kind == "" {
		if _, ok := m["properties"]; ok {
			return "object"
		}
	}
	return kind
}

func jsonKind(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64, json.Number, int:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}

// Describes reports whether an object schema, through its $refs, names a property.
func (s *Schema) Describes(name string) bool {
	m, ok := s.exprType.(types.Map)
	if !ok {
		return true
	}
	_, named := m[name]
	_, open := m[types.Extra]
	return named || open
}
