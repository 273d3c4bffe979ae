package lint

import (
	"slices"

	"github.com/nth-dev/nth/schema"
)

// compileErrors are the findings that schema, compile and pack make: what has one cannot run. They cannot be ignored or
// switched off, so they are no Rules; here they are for --rule, --explain and the metadata of SARIF.
var compileErrors = []*Rule{
	compileError("call-cycle", "a flow that calls itself", `A call stage leads back to the flow that it stands in, directly or through others. Repeat something with for_each, or with next.`),
	compileError("call-depth", "flows that call flows too deep", `Calls are followed eight deep. Put some of the flows into one.`),
	compileError("commit-fallback", "a fallback that cannot be undone", `Fallback skills are done without anybody asking for them, so none may have effect: commit. List the skill under relevance.`),
	compileError("commit-repeat", "a repetition of what cannot be undone", `A skill with effect: commit is done at most once, so it has no repeat: true and no repeat among its verbs.`),
	compileError("css", "a CSS selector that is not closed", `A bracket, quote or parenthesis of the selector has no counterpart.`),
	compileError("duplicate-key", "a key that is there twice", `YAML would take the last one and forget the first without a word. Remove one.`),
	compileError("duplicate-skill", "a skill that is declared twice", `Two files of a pack declare a skill of the same name. Rename one.`),
	compileError("empty-file", "a file without content", `Begin with kind: flow/v1, pack/v1, skills/v1 or project/v1.`),
	compileError("entry", "an entry that names several skills", `Each entry of relevance or fallback is one skill. Start each with its own "- ", or write {use: SKILL, with: {…}}.`),
	compileError("eval", "a script where none is allowed", `The verb eval runs JavaScript in the page. A project allows it with eval: true in nth.yaml.`),
	compileError("expr-banned", "a part of the expression language that nth leaves out", `What reads the whole environment, or what no type check can follow, is not allowed. Name the value that is wanted.`),
	compileError("expr-empty", "an expression without content", `Write the expression, or leave the key out.`),
	compileError("expr-syntax", "an expression that cannot be read", `A bracket, quote, operand or operator is missing or misspelt; or YAML has cut the text at " #" or ": ". Put the whole expression into single quotes then.`),
	compileError("expr-too-long", "an expression that is too long", `Split it into several conditions.`),
	compileError("expr-type", "an expression whose types do not fit", `A field does not exist, an operator has operands that it does not take, or a condition gives something else than true or false.`),
	compileError("file-too-large", "a file that is too large", `Split it. A pack may have further files (files:), a flow may call others.`),
	compileError("kind", "a file of an unknown kind", `The key kind says what a file is: flow/v1, pack/v1, skills/v1 or project/v1.`),
	compileError("misplaced-key", "a key that means nothing here", `The key has a meaning only beside certain others. Remove it, or move it to where it belongs.`),
	compileError("missing-input", "a call without an input that the flow needs", `Give the input under with:, or give it a default in the flow that is called.`),
	compileError("missing-key", "a key that has to be there", `The fix names it and says what it is for.`),
	compileError("missing-param", "a skill without a param that it needs", `Bind the param; or the pack lists it under optional, or gives it a default.`),
	compileError("pack-file", "a file of a pack that cannot be read", `A pack lists its further files under files:, relative to its folder and inside it.`),
	compileError("pack-source", "a pack that cannot be found", `A pack is a standard one (std@^1) or a folder with a pack.yaml (./packs/flights).`),
	compileError("probe-literal", "a probe that is not known before", `page.has and page.count are answered together with the snapshot, so the selector must be written out: page.has("[data-results]").`),
	compileError("regex", "a regular expression that cannot be read", `Regular expressions are those of RE2: no look-ahead, no back-references.`),
	compileError("repeat-max", "a repetition without a bound", `repeat needs max: of at least 1, so that it ends.`),
	compileError("returns", "returns in a stage that reads nothing", `Only the verb read leaves something in stages.<name>.`),
	compileError("two-reads", "a skill that reads twice what it returns", `What a skill returns comes from the verb read, or from returns.read, and not from both.`),
	compileError("stage-reason", "a reason that is not true", `Beside relevance, reason: true lets the model give a short reason before its number. A text belongs to a stage that ends the flow.`),
	compileError("ask-text", "ask without words", `{ask: "A polite note"} tells the model what to write.`),
	compileError("ask-fallback", "a model asked for text where nobody is asked", `Fallback skills are done without asking anybody, so nobody can write their values.`),
	compileError("ask-decides", "written text that would decide what is offered", `What the model writes is written after the pick, so that no condition, target or menu line may depend on it.`),
	compileError("returns-field", "a result that does not have its fields", `returns: reads a field that its schema does not have, or its schema requires one that neither returns.read nor the target's read gives. The skill would fail after it has worked.`),
	compileError("schema", "a text that is no JSON Schema", `A JSON Schema is a mapping, such as {type: string}.`),
	compileError("schema-default", "a default that does not fit its schema", `The default has to be a value that the schema takes.`),
	compileError("schema-keyword", "a word that is no keyword of JSON Schema", `An unknown keyword would switch a check off without a word. Words that begin with x- are free, except those that look like x-secret.`),
	compileError("schema-ref", "a $ref that leads nowhere", `Types are referred to as "#/types/NAME" in the same file, and "ALIAS#/types/NAME" in a pack. Other files and addresses are not read.`),
	compileError("schema-value", "a value that its keyword does not take", `Such as maxItems: three, format: emial, or a pattern that RE2 does not have.`),
	compileError("second-document", "a second YAML document", `A file is one document. Remove the "---", or put the second one into a file of its own.`),
	compileError("secret-flow", "a secret that would leave its place", `A secret goes into params that are x-secret, and nowhere else: not into a goal, a URL, an approval, a text or an output.`),
	compileError("secret-literal", "a secret that is written into the file", `Declare it under secrets: with env: or file:, and bind =secrets.NAME.`),
	compileError("shadowed-name", "a row whose name hides another", `Expressions already have something of that name. Choose another for as:.`),
	compileError("shared-fact", "a fact that two packs declare", `facts.NAME would mean both. Rename it in one of them.`),
	compileError("skill-empty", "a skill that does nothing", `List its verbs under do:.`),
	compileError("summary-placeholder", "a placeholder that names nothing", `A summary takes {param} of the skill and {match.field} of its target's read.`),
	compileError("target-empty", "a target that describes nothing", `Give at least one of role, name, text, label, placeholder, css, test_id.`),
	compileError("target-role", "a role that ARIA does not have", `Roles are those of WAI-ARIA: button, link, textbox, combobox, …`),
	compileError("template", "a template where an expression is meant", `There are no {{ templates }}. Write an expression after "=": =inputs.name.`),
	compileError("too-deep", "a file that is nested too deep", `No file that people write is.`),
	compileError("too-early", "page.changed where nothing has been done yet", `page.changed says that the page is not what it was before the skill's last action, so only the skill's do, ensures and sets can ask for it. Elsewhere, test what the page shows: page.text contains "…".`),
	compileError("too-many-keys", "keys that exclude each other", `Only one of them can be there: a stage, for one, has do, relevance, call or end.`),
	compileError("unknown-error", "an error that the engine does not have", `on_error takes the names of the engine's errors, and any.`),
	compileError("unknown-fact", "a fact that no pack declares", `Packs declare facts under facts:, and skills set them.`),
	compileError("unknown-flow", "a flow that cannot be found", `call: takes the path of a flow file, relative to the flow that calls it.`),
	compileError("unknown-input", "an input that the flow does not have", `with: takes the inputs that the flow declares which is called.`),
	compileError("unknown-key", "a key that means nothing", `Files are read strictly, so that a misspelt key is found. The fix names the nearest key, or all.`),
	compileError("unknown-output", "an output that the flow does not declare", `collect: sets what outputs: declares.`),
	compileError("unknown-pack", "an alias that the flow does not declare", `packs: gives every pack its alias: packs: {shop: ./packs/shop}.`),
	compileError("unknown-param", "a param that the skill does not have", `The skill's params are in its pack; the fix names the nearest.`),
	compileError("unknown-skill", "a skill that the pack does not have", `The fix names the nearest skill of the pack.`),
	compileError("unknown-stage", "a stage that the flow does not have", `next and on_error lead to a stage of the flow, or to end.`),
	compileError("value-schema", "a value that its schema does not take", `The value bound here is refused by the schema of the param, input or output.`),
	compileError("value-type", "a value of another type", `The expression or literal gives another type than the place wants.`),
	compileError("verb-role", "a verb that cannot act on its target", `fill wants something to type into, check a checkbox, select a list.`),
	compileError("verb-target", "a verb without a target", `The skill has no target, or the stage's do is in no skill: give the verb one.`),
	compileError("wrong-name", "a word that is no name", `Names are lower_snake_case: a letter, then letters, digits and _.`),
	compileError("wrong-type", "a value of another kind", `A mapping, list, number, duration or truth value is wanted here.`),
	compileError("wrong-value", "a value that is not allowed here", `The message says which are.`),
	compileError("yaml-alias", "an anchor or alias", `Anchors and aliases are not allowed: what a line says stands in it. Put a text that begins with & or * into quotes.`),
	compileError("yaml-directive", "a YAML directive", `Lines that begin with % are not allowed.`),
	compileError("yaml-key", "a key that is no word", `Keys are plain words.`),
	compileError("yaml-merge", "a merge key", `<< is not allowed. Write the keys out.`),
	compileError("yaml-syntax", "a text that is not YAML", `The message says what YAML reads here; the mistake may be in the line above.`),
	compileError("yaml-tab", "a tab in the indentation", `YAML is indented with blanks.`),
	compileError("yaml-tag", "a tag", `Tags are not allowed. Put a text that begins with ! into quotes; in a condition, write not for !.`),
	compileError("not-utf8", "a file in another encoding", `Files are UTF-8. Save the file as UTF-8 in the editor.`),
	compileError("not-text", "a file that is no text", `Files are UTF-8 without control characters.`),
}

func compileError(id, summary, doc string) *Rule {
	return &Rule{ID: id, Severity: schema.Error, Summary: summary, Doc: doc}
}

// All lists what nth validate can find: the Rules, then the errors of the compiler. They must not be changed.
func All() []*Rule { return slices.Concat(rules, compileErrors) }

// Explain returns the rule or error of that id, or nil.
func Explain(id string) *Rule {
	all := All()
	if i := slices.IndexFunc(all, func(r *Rule) bool { return r.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// AllIDs lists the ids of All, sorted.
func AllIDs() []string {
	var out []string
	for _, r := range All() {
		out = append(out, r.ID)
	}
	slices.Sort(out)
	return out
}
