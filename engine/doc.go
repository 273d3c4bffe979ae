// Package engine runs a compiled flow in a browser: the corridor of one step, again and again.
//
//	Snapshot → candidates → menu → pick → check → execute → verify → journal → next
//
// Start reading at step.go, which is that corridor; the files beside it follow its order: candidate.go and
// match.go (what is possible now), menu.go (in which order it is offered), pick.go and forced.go (who chooses, if there
// is anything to choose), execute.go
// (doing it, and seeing that it was done), diff.go (what changed), next.go (where to go). stage.go walks the stages,
// run.go the rows around them. find.go and passage.go are the stages that look for a passage of text, readtext.go the verb
// that reads tables, lists and records, rows.go the files of rows.
//
// A pick that somebody has to make climbs a ladder: ladder.go tells of its rungs, gate.go is the check that every answer
// passes, price.go what it may cost. Three things keep the models out of it: what has to be done anyway (forced.go),
// what was picked before and went well (cache.go), and questions put while the browser acts (speculate.go). The values
// of {ask: …} bindings come with the pick where the picker can write, and else from a call after it (write.go).
//
// Driver, Picker, Journal and Approver are the engine's only ways to the outside; adapters implement them.
//
// # Commits
//
// Before a skill with effect commit touches the page, its intent is in the journal, flushed. After that the skill
// is never executed again with the same bindings in the same row: neither a retry, nor a fallback, nor a second
// visit of the stage does it; only an attempt that certainly did not touch the page does not count. If its outcome is unknown, its verify condition is looked at, and if that does not
// hold the run ends in doubt (ErrInDoubt), which no on_error can catch.
//
// # Trust
//
// The picker only ever returns numbers; a number looks up a candidate that the engine has checked. What it writes for an
// {ask: …} binding is a value like any other, typed and checked, and never decides what is offered. Page text reaches a
// prompt through fence (fence.go) alone, besides the menu's lines, which are one line each.
package engine
