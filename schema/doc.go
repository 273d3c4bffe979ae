// Package schema holds the shapes that cross a file or process boundary: the YAML kinds of nth as an AST with
// positions, the findings about them, and the JSON Schemas that editors use.
//
// Start reading at Parse (parse.go), which turns bytes into a strict Node tree (refuse.go: what yaml.v3 must not see;
// syntax.go: its errors in plain words; position.go: places of text in the file). A scalar stays text until somebody
// asks for a type (resolve.go, and fragment.go for JSON Schemas). Then shape.go: the one description per kind (kinds.go,
// shape_*.go, entry.go) from which both the strict check and the JSON Schema come. The decoders (decode*.go) build the
// AST of ast.go from the tree; print.go shows findings to people.
package schema
