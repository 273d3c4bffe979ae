// Package model holds the pickers: whatever answers a numbered menu with numbers.
//
// Start in spec.go: New turns "provider:name" into an engine.Picker. provider.go is the table of providers: how each
// one's endpoint and key are found, and which driver opens it. First and Human make no calls; the others ask over
// HTTP, under one deadline for the whole pick:
//
//	chat.go       chat models: OpenAI and what speaks its wire, Azure, Mistral, Anthropic, Google, Ollama
//	decisions.go  typed decisions with probabilities: POST /v1/systemone and POST /v1/decisions
//	labels.go     one token, the label of an option, and the probabilities of all labels: llama.cpp, or OpenAI's
//	              wire with log-probabilities
//	contest.go    for the last two: a menu longer than a question may be, in heats
//
// The files on the way of a pick:
//
//	prompt.go     the question as two short messages
//	values.go     texts that the model writes, asked for with the number; write.go where they did not come with it
//	constrain.go  an answer held to the menu by a tool or a schema, which is asked for after a reply of no use
//	endpoint.go   where to ask, and with which key
//	transport.go  retries, rate limits, the size limit and what the endpoint said
//	breaker.go    leaving an endpoint alone that fails again and again
//	wire*.go      an endpoint's reply, brought into the one shape that the client library can read
//	failure.go    what went wrong, in words
//	parse.go      the reply as menu keys (parse_json.go and parse_prose.go for the two kinds of reply)
//
// # What a picker does not do
//
// It never guesses: a reply that could mean two things is an *engine.UnreadableError. It does not check that a key is
// on the menu, that probabilities sum to 1 or that the chosen key has the highest: all that is for the engine's gate,
// the same for every picker. Only heats are checked here, since the gate sees but their outcome.
//
// # Client libraries
//
// Chat models are asked through langchaingo, with an http.Client of ours below it: its clients ignore tool choice or
// schemas, fail on replies that are merely unusual and rename token counts, each in its own way. So the transport
// adds to a request what the library cannot say and rewrites a reply before the library sees it. Two of its clients
// are not used, see openGoogle and openOpenAI.
//
// # Page text
//
// Labels and the state hold text of the page. In every prompt each is one line, without control tokens, invisible
// characters or the marker of the fence; a model that is talked into something can still only name a number.
//
// Package modeltest beside it is a model server for tests that speaks the real wires.
package model
