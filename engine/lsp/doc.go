// Package lsp is a language server for nth's files: what nth validate finds, while it is being typed, and what an editor
// offers with it. It speaks the Language Server Protocol over a reader and a writer.
//
// Start reading at Server.Run (server.go), which takes one message at a time (wire.go, protocol.go) and answers it from
// the texts that are open (text.go, workspace.go). Diagnostics are made beside it (diagnose.go), by the same checks as
// on the command line, so that no answer waits for them.
//
//	cursor.go     where a place lies in a file that need not be YAML yet: the keys above it, and what has been typed
//	names.go      everything in a file that has a name, where it is declared and where it is used
//	complete.go   what can be written at a place; members.go: what expressions can name; functions.go: what they can call
//	hover.go, refs.go, symbols.go, edits.go: the rest of the answers
//
// Places go through three forms: schema.Pos counts lines and runes from 1, a byte offset, and the protocol's position,
// which counts lines and UTF-16 units from 0. text.go is the only file that knows all of them.
package lsp
