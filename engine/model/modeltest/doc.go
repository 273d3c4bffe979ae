// Package modeltest is a model server for tests. It listens on loopback and speaks the wires that nth's drivers speak,
// without streaming:
//
//	POST /v1/chat/completions                              OpenAI and what speaks its wire, Mistral; with "logprobs" too
//	POST /openai/deployments/NAME/chat/completions         Azure
//	POST /v1/messages                                      Anthropic
//	POST /v1beta/models/NAME:generateContent               Google
//	POST /api/chat                                         Ollama
//	POST /v1/systemone, /v1/decisions                      typed decisions
//	POST /apply-template, /completion                      llama.cpp
//	GET  /v1/models
//
// It counts real tokens (o200k_base), can take the time that a model would take, keeps a log of requests, and can fail
// in every way that endpoints fail.
//
// Start with Server and its Answer function, which sees nothing but the request and answers in numbers; wires.go turns
// that into each wire's own request and reply. Reader is an Answer that reads the menu out of the prompt and picks from
// it; Reply says how else an answer may look. Start is for tests, Listen for programs; nothing here depends on package
// testing.
package modeltest
