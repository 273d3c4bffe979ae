// Package editor knows what can be written in a flow: the skills of its packs, their params and types, as declared. It
// reads what is there and leaves mistakes to engine/compile, because files that are being written have some.
//
// Start reading at Read (catalog.go). Schema (schema.go) makes a JSON Schema of the catalog, with which
// yaml-language-server completes, documents and checks a flow. Markdown (markdown.go) documents a pack for people.
package editor
