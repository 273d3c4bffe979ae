package lint

import (
	"slices"

	"github.com/nth-dev/nth/schema"
)

// Rule is one thing that is looked for.
type Rule struct {
	ID       string          // kebab-case
	Severity schema.Severity // by default
	Summary  string          // one line
	Doc      string          // why it matters, and what to do
	Check    func(*pass)     // nil: found while the ignore comments are applied
}

// rules in the order of --explain and of the rule metadata in SARIF; it never changes for those that are there.
var rules = []*Rule{
	unreachableStage, noPathToEnd, shadowedBranch, nextNotTotal, doneOnEntry, doneUnreachable, unsetFact, impossibleSkill, unboundedLoop, tooManyStages, intoFailure, perhapsImpossible, neverOffered,
	commitUnapproved, approveTimeout, blindApproval, commitRetry, commitUnverified, uncheckedFact, secretLeak, plainSecret, readSecret, pageText, originNotAllowed,
	budgetOverLimits, budgetTooSmall, unboundedRows, timeoutInversion, menuTooLong,
	unused, readBeforeProduced, badCSS,
	constantCondition, unguardedOptional, indexOutOfRange, divisionByZero, nestedLoop, literalMismatch, badDate, schemaMismatch, shadowedRow, textOrder, constantOrder, mixedBranches,
	openObject, untyped, impossibleSchema, schemaExample, looksSecret, templateText, ambiguousText, joinedLines, cutByComment,
	missingSummary, sameLine, shownOnly, repeatedItem, summarySecret, deprecatedSkill,
	unusedIgnore, ignoreReason, unknownRule,
}

// Rules lists all rules, in a stable order. They must not be changed.
func Rules() []*Rule { return slices.Clone(rules) }

// Find returns the rule of that id, or nil.
func Find(id string) *Rule {
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return rules[i]
}

// IDs lists the ids of all rules, sorted.
func IDs() []string {
	var out []string
	for _, r := range rules {
		out = append(out, r.ID)
	}
	slices.Sort(out)
	return out
}
