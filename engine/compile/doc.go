// Package compile turns a flow and its packs into a Program: names resolved, every value checked against its
// JSON Schema, every expression type-checked and compiled, every question to the page collected into Probes.
// It does no I/O; engine/pack reads the files.
//
// Start reading at Compile (compile.go), which goes through the parts in this order:
//
//	schema.go   JSON Schemas: $refs bound to the packs at hand, validation, expression types
//	expr.go     one expression: limits, banned names, positions; chain.go is the short way for mere names
//	env.go      what expressions can see (inputs, facts, page, target, match, …)
//	value.go    literals with expressions inside; text patterns; {placeholder} templates
//	target.go   target queries and the fields they read
//	skill.go    skills, compiled once per pack
//	stage.go    stages, compiled against the flow's names
//	collect.go  the Probes of a stage
//
// The functions that nth adds to expressions: sametext.go, number.go (as reading numbers off a page does), totp.go.
//
// A Program is immutable and may be used by any number of runs at once. All findings are reported, in source
// order; a Program is returned only when none of them is an error.
package compile
