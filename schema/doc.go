// Package schema holds the shapes that cross a file or process boundary: the YAML kinds of nth as an AST with
// positions, the findings about them, and the JSON Schemas that editors use.
//
// Start reading at Parse (source.go), which turns bytes into a strict Node tree; then shape.go, the one description
// per kind from which both the strict check and the JSON Schema come (kinds.go holds the four kinds); then
// decode_flow.go and decode_pack.go, which build the AST of ast.go from a checked tree.
package schema
