// Package model holds the pickers: whatever answers a numbered menu with numbers.
//
// Start in spec.go: New turns "provider:name" into an engine.Picker. First and Human make no calls. Chat asks a
// model behind any OpenAI-compatible endpoint, and its files follow the way of one pick:
//
//	prompt.go     the question as two short messages
//	chat.go       the call, under one deadline for the whole pick
//	transport.go  retries, the size limit and what the endpoint said
//	wire.go       an endpoint's reply, brought into the one shape that the client library can read
//	failure.go    what went wrong, in words
//	parse.go      the reply as menu keys (parse_json.go and parse_prose.go for the two kinds of reply)
//
// A picker never guesses: a reply that could mean two things is an *engine.UnreadableError. It does not check that
// a key is on the menu either; that is the engine's gate, the same for every picker.
//
// Package modeltest beside it is a model server for tests that speaks the real wire.
package model
