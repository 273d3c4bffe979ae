package schema

import (
	"fmt"
	"slices"
	"strings"
)

var targetShape = object{keys: []key{
	{name: "role", shape: texts, doc: "ARIA role, or a list of roles."},
	{name: "name", shape: texts, doc: "Accessible name: a part of it in any case, /regex/i, or any of a list."},
	{name: "text", shape: texts, doc: "Visible text."},
	{name: "label", shape: texts, doc: "What a person calls the field: its name, label, placeholder, or (whole) test id, autocomplete, name or id. What does not say what it is (role generic) has no name here, only a label."},
	{name: "placeholder", shape: texts, doc: "Placeholder of the field."},
	{name: "css", shape: plain, doc: "CSS selector that the element matches."},
	{name: "test_id", shape: scalar, doc: "data-testid (or data-test-id, data-test, data-cy)."},
	{name: "within", shape: inner, doc: "An element that it lies inside; \"target\" is the skill's own."},
	{name: "near", shape: target, doc: "Of several matches, the one nearest to this element."},
	{name: "has", shape: target, doc: "An element that lies inside it."},
	{name: "frame", shape: plain, doc: "Name of the frame, or a part of its URL."},
	{name: "index", shape: count{min: 1}, doc: "Which of the matches, in reading order; the first is 1."},
	{name: "exact", shape: truth{}, doc: "Texts must be equal, case included."},
	{name: "covering", shape: truth{}, doc: "Only in what lies over the rest of the page: a dialog, a cookie bar, a cover."},
	{name: "each", shape: truth{}, doc: "One candidate per match."},
	{name: "limit", shape: count{min: 1}, doc: "At most so many candidates of each."},
	{name: "read", shape: reads, doc: "Fields to read from the element, as match.<field>."},
}}

// Verbs lists the primitive actions.
var Verbs = []string{
	"goto", "back", "forward", "reload", "click", "dblclick", "hover", "fill", "type", "press", "clear", "select", "check", "uncheck",
	"set_date", "upload", "drag", "scroll", "wait", "switch_tab", "accept_dialog", "dismiss_dialog", "ask_person", "read", "eval", "repeat",
}

// bareVerbs need no argument: they act on the skill's target, or on the page.
var bareVerbs = []string{"back", "forward", "reload", "click", "dblclick", "hover", "clear", "check", "uncheck", "accept_dialog", "dismiss_dialog"}

// withTarget are the verbs whose argument is a value, and that act on an element.
var withTarget = []string{"fill", "type", "press", "select", "set_date", "upload", "ask_person", "scroll"}

// timed are the verbs that take a timeout: all but groups.
var timed = Verbs[:len(Verbs)-1]

// asWord is for verbs that can stand alone: yaml-language-server, which would make "click: click" of the word and the key,
// offers the word.
var asWord = map[string]any{"doNotSuggest": true}

var verbShape byKind

func init() {
	namedShapes = map[string]func() shape{
		"target": func() shape { return targetShape }, "verb": func() shape { return verbShape }, "entry": func() shape { return entryShape{} },
		"stage": func() shape { return stageShape }, "skill": func() shape { return skillShape },
	}
	repeat := object{keys: []key{
		{name: "until", shape: exprText, doc: "Stop when this holds.", required: true},
		{name: "max", shape: count{min: 1}, doc: "At most so many rounds.", required: true},
		{name: "do", shape: listOf{elem: verb, some: true}, doc: "What to do in each round.", required: true},
	}}
	verbShape = byKind{
		want:   "a verb",
		scalar: bareVerb{text{enum: bareVerbs}},
		mapping: object{noun: "a verb", oneOf: Verbs, keys: []key{
			{name: "goto", shape: scalar, doc: "Open a URL."},
			{name: "back", shape: truth{yes: true}, doc: "Go back in the history.", hints: asWord},
			{name: "forward", shape: truth{yes: true}, doc: "Go forward again, after going back.", hints: asWord},
			{name: "reload", shape: truth{yes: true}, doc: "Load the page again.", hints: asWord},
			{name: "click", shape: inner, doc: "Click an element.", hints: asWord},
			{name: "dblclick", shape: inner, doc: "Double-click an element.", hints: asWord},
			{name: "hover", shape: inner, doc: "Put the pointer over an element.", hints: asWord},
			{name: "fill", shape: scalar, doc: "Replace a field's text, and read it back."},
			{name: "type", shape: scalar, doc: "Type text key by key."},
			{name: "press", shape: scalar, doc: "Press a key, such as Enter or Control+A."},
			{name: "clear", shape: inner, doc: "Empty a field.", hints: asWord},
			{name: "select", shape: scalar, doc: "Choose an option by its text: of a native list, or of what a combobox or button opens."},
			{name: "set_date", shape: scalar, doc: "Set a date field of any kind to a date, YYYY-MM-DD; or to a range of two, with a slash between them."},
			{name: "check", shape: inner, doc: "Tick a checkbox, radio or switch.", hints: asWord},
			{name: "uncheck", shape: inner, doc: "Untick a checkbox or switch.", hints: asWord},
			{name: "upload", shape: scalar, doc: "Give a file to a file field."},
			{name: "drag", shape: inner, doc: "Drag an element; to: says where.", needs: "to"},
			{name: "scroll", shape: byKind{
				scalar: text{enum: []string{"up", "down", "top", "bottom", "target"}}, mapping: target, want: "up, down, top, bottom, target or a mapping",
			}, doc: "Scroll the page (or the part of it that holds target:) up, down, to the top or bottom; or bring an element into view."},
			{name: "wait", shape: exprText, doc: "Wait until a condition holds."},
			{name: "switch_tab", shape: scalar, doc: "Go to another tab: its number, or a part of its title or URL."},
			{name: "accept_dialog", shape: scalar, doc: "Answer the next native dialog with OK (and this text, for a prompt).", hints: asWord},
			{name: "dismiss_dialog", shape: truth{yes: true}, doc: "Answer the next native dialog with Cancel.", hints: asWord},
			{name: "ask_person", shape: scalar, doc: "Ask a person for a text, such as a code that was sent to them, and fill the field with it."},
			{name: "read", shape: readShape, doc: "Read a table, a list or a record; the skill, or the stage, gives what is read."},
			{name: "eval", shape: plain, doc: "Run a script; only where nth.yaml allows it."},
			{name: "repeat", shape: repeat, doc: "Do a group of verbs until a condition holds."},
			{name: "target", shape: inner, doc: "The element to act on, for verbs with a value.", beside: withTarget},
			{name: "to", shape: target, doc: "Where drag drops.", beside: []string{"drag"}},
			{name: "when", shape: exprText, doc: "Only if this holds."},
			{name: "timeout", shape: span{}, doc: "How long the verb may take.", beside: timed},
		}},
	}
}

// bareVerb is a verb without an argument.
type bareVerb struct{ text }

func (b bareVerb) check(n *Node, what string, ds *Diagnostics) {
	switch {
	case slices.Contains(b.enum, n.Text):
	case slices.Contains(Verbs, n.Text):
		ds.Errorf(n.Range, "wrong-value", fmt.Sprintf(`write "- %s: …"`, n.Text), "%s needs an argument", n.Text)
	default:
		fix := "verbs: " + strings.Join(Verbs, ", ")
		if s := Suggest(n.Text, Verbs); s != "" {
			fix = fmt.Sprintf("did you mean %q?", s)
		}
		ds.Errorf(n.Range, "wrong-value", fix, "%s is not a verb", kindName(n)).Edits = Respell(n.Range, n.Text, Verbs, nil)
	}
}
