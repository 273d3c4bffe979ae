package schema

// Which stages a key has a meaning in.
var (
	menus   = []string{"relevance"}
	picking = []string{"relevance", "find"}
	acting  = []string{"do", "relevance", "call"}
	working = []string{"do", "relevance", "find", "call"}
)

// The order is that of a visit: what it is for, what asks before it, what it does, when it is done, where it leads.
var stageShape = object{oneOf: []string{"do", "relevance", "find", "call", "end"}, keys: []key{
	{name: "summary", shape: plain, doc: "One line for people."},
	{name: "goal", shape: scalar, doc: "What the stage is for; the model reads it."},
	{name: "hint", shape: plain, doc: "Trusted advice to the model.", beside: picking},
	{name: "approve", shape: object{keys: []key{
		{name: "ask", shape: scalar, doc: "The question.", required: true},
		{name: "show", shape: listOf{elem: value{}}, doc: "Values to show with it."},
		{name: "wait", shape: span{}, doc: "How long to wait for an answer."},
		{name: "on_timeout", shape: text{enum: []string{"deny", "allow"}}, doc: "What no answer means."},
	}}, doc: "Ask a person before the stage acts.", beside: acting},
	{name: "do", shape: listOf{elem: verb, some: true}, doc: "Fixed verbs, in order."},
	{name: "relevance", shape: listOf{elem: entry, some: true}, doc: "Skills that are relevant here, in order of priority."},
	{name: "returns", shape: jsonSchema{}, doc: "JSON Schema of what the verb read leaves in stages.<name>.", beside: []string{"do"}},
	{name: "find", shape: findShape, doc: "Find a passage of the page's text and take values out of it."},
	{name: "call", shape: byKind{scalar: plain, mapping: object{keys: []key{
		{name: "flow", shape: plain, doc: "Path of the flow, relative to this file.", required: true},
		{name: "with", shape: bindings, doc: "Its inputs."},
		{name: "for_each", shape: forEachShape, doc: "Call it once per row."},
	}}, want: "the path of a flow, or {flow, with, for_each}"}, doc: "Run another flow."},
	{name: "end", shape: text{enum: []string{"ok", "failed"}}, doc: "Finish the flow."},
	{name: "reason", shape: scalar, doc: "Why the flow ends here; beside relevance, true: the model gives a short reason before the number.", beside: []string{"end", "relevance"}},
	{name: "pick", shape: text{enum: []string{"auto", "one", "first"}}, doc: "auto: several steps in one answer; one: step by step; first: menu order, no model.", beside: picking},
	{name: "order", shape: exprText, doc: "Orders the menu, smallest first.", beside: menus},
	{name: "fallback", shape: byKind{sequence: listOf{elem: entry}, mapping: object{keys: []key{
		{name: "pick", shape: text{enum: []string{"first"}}, doc: "What is picked when nobody gave a usable answer: the first of the menu, if it can be undone.", required: true},
		{name: "skills", shape: listOf{elem: entry}, doc: "Skills to try when nothing else is possible."},
	}}, want: "a list of skills, or {pick: first}"}, doc: "Skills to try when nothing else is possible.", beside: menus},
	{name: "assert", shape: listOf{elem: exprText, some: true}, doc: "Conditions that must hold before the stage acts.", beside: working},
	{name: "done", shape: exprText, doc: "When the stage is done; without it, when every entry that is not optional has succeeded.", beside: acting},
	{name: "budget", shape: object{keys: []key{
		{name: "picks", shape: count{min: 1}, doc: "Picks in one visit."},
		{name: "calls", shape: count{min: 1}, doc: "Model calls in one visit."},
		{name: "tokens", shape: count{min: 1, kilo: true}, doc: "Model tokens in one visit."},
		{name: "cost", shape: amount{}, doc: "Money for the model in one visit."},
		{name: "wall", shape: span{}, doc: "Time of one visit."},
	}}, doc: "Bounds one visit of the stage.", beside: working},
	{name: "collect", shape: bindings, doc: "Outputs to set, or to add to, when the stage is done.", beside: working},
	{name: "next", shape: byKind{scalar: name, sequence: listOf{some: true, elem: object{keys: []key{
		{name: "when", shape: exprText, doc: "Condition of this branch; the last needs none."},
		{name: "go", shape: name, doc: "A stage, or end.", required: true},
	}}}, want: "a stage, or a list of {when, go}"}, doc: "Where to go; without it, to the following stage.", beside: working},
	{name: "on_error", shape: listOf{some: true, elem: object{keys: []key{
		{name: "is", shape: name, doc: "Name of the error, or any.", required: true},
		{name: "go", shape: name, doc: "A stage, or end.", required: true},
	}}}, doc: "Where errors lead.", beside: working},
}}

var forEachShape = object{keys: []key{
	{name: "rows", shape: byKind{scalar: anyName, sequence: listOf{elem: value{}}, mapping: object{noun: "rows", keys: []key{
		{name: "file", shape: anyName, doc: "A file of rows, relative to the flow: .csv, .jsonl or .json.", required: true},
	}}, want: "an expression, a list, or {file: rows.csv}"}, doc: "The list, or the file that holds it.", required: true},
	{name: "items", shape: jsonSchema{}, doc: "JSON Schema of a row; it gives the cells of a CSV file their types."},
	{name: "as", shape: name, doc: "What a row is called in expressions.", required: true},
	{name: "on_error", shape: text{enum: []string{"stop", "collect"}}, doc: "stop (default), or go on and report at the end."},
}}

var skillShape = object{keys: []key{
	{name: "summary", shape: plain, doc: "The menu line; may hold {param} and {match.field}.", required: true},
	{name: "params", shape: schemas, doc: "JSON Schema per param."},
	{name: "optional", shape: listOf{elem: name}, doc: "Params that may be left out."},
	{name: "target", shape: target, doc: "The element to act on."},
	{name: "requires", shape: exprText, doc: "Precondition."},
	{name: "do", shape: listOf{elem: verb, some: true}, doc: "What it does.", required: true},
	{name: "ensures", shape: exprText, doc: "Postcondition, waited for."},
	{name: "verify", shape: exprText, doc: "Tells, without touching anything, whether a commit has happened."},
	{name: "sets", shape: listOf{elem: byKind{scalar: name, mapping: mapOf{key: nameRE, why: nameWhy, elem: exprText, some: true, doc: "A fact, and when it holds."}, want: "a fact, or {fact: condition}"}}, doc: "Facts that hold afterwards."},
	{name: "returns", shape: returnsShape{}, doc: "JSON Schema of what it leaves in stages.<name>, and page fields to read."},
	{name: "effect", shape: text{enum: []string{"read", "write", "commit"}}, doc: "commit: cannot be undone.", required: true},
	{name: "repeat", shape: truth{}, doc: "May be offered again after success."},
	{name: "timeout", shape: span{}, doc: "For each verb, and for ensures."},
	{name: "deprecated", shape: plain, doc: "What to use instead; flows that use the skill are told."},
}}

var origins = listOf{elem: text{re: originRE, why: "write an origin: https://host or https://host:port"}, some: true}
