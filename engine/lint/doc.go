// Package lint finds what runs but is probably wrong. What cannot run at all is found by engine/compile, and never told
// a second time here.
//
// Start reading at Rules (rule.go), the list of everything that is looked for, then at Check (lint.go). One rule, or a
// small family of them, lives in a file of that name:
//
//	type Rule struct {
//		ID       string           // "unreachable-stage": stable, kebab-case, what an ignore comment names
//		Severity schema.Severity  // the default; nth.yaml may set another
//		Summary  string           // one line
//		Doc      string           // why it matters and what to do, for --explain
//		Check    func(*pass)      // reports through pass.report
//	}
//
// A pass is one rule over one File. It sees the file as decoded (positions and all that was written) and, when compile
// had no errors, the Program or Pack made of it. Rules that need the latter do nothing without it: pass.Program and
// pass.Compiled are nil then. Those about where stages lead, and what is approved on the way, also run on a Draft: a
// flow whose errors are only about values.
//
// What several rules ask is worked out once per file and shared:
//
//	graph.go   the stages of a flow and the edges between them
//	facts.go   which facts may and must hold where
//	sites.go   every expression of the file: what it is for, and what it can see
//	tree.go    inside one expression: what each name leads to, by schema, and under which guards
//
// Every rule has fixtures: testdata/lint/ok/ID*.yaml must give no finding at all, testdata/lint/err/ID*.yaml those of
// its .out file.
package lint
