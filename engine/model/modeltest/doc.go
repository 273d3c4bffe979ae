// Package modeltest is a model server for tests. It listens on loopback and speaks the OpenAI chat-completions wire
// (POST /v1/chat/completions without streaming, GET /v1/models), counts real tokens (o200k_base), can take the time
// that a model would take, keeps a log of requests, and can fail in every way that endpoints fail.
//
// Start with Server and its Answer function, which sees nothing but the request. Reader is an Answer that reads the
// menu out of the prompt and picks from it; Reply says how else an answer may look. Start is for tests, Listen for
// programs; nothing here depends on package testing.
package modeltest
