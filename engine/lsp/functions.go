package lsp

import "slices"

// function is what an expression can call.
type function struct{ name, signature, doc string }

// functions are all that expressions can call: nth's own, then those of expr. In a predicate, # is the item and .field one
// of its fields.
var functions = []function{
	{"same_text", "same_text(shown, wanted) bool", "A field shows the wanted text, as it is or as the field formats it: other separators, letter case, no leading zeros."},
	{"same_number", "same_number(shown, number) bool", "A text of the page shows the number, with or without a currency, a unit or separators."},
	{"same_date", "same_date(shown, date) bool", "A text of the page can be read as the date, YYYY-MM-DD."},
	{"same_range", "same_range(shown, from, to) bool", "A text of the page can be read as the first and the last date of a range."},
	{"totp", "totp(secret) secret", "The one-time password of a seed, computed when it is typed."},

	{"len", "len(x) int", "Number of items of a list, of keys of a mapping, of characters of a text."},
	{"lower", "lower(text) text", "In small letters."},
	{"upper", "upper(text) text", "In capital letters."},
	{"trim", "trim(text, chars?) text", "Without blanks, or the given characters, at both ends."},
	{"trimPrefix", "trimPrefix(text, prefix) text", "Without the prefix, if it is there."},
	{"trimSuffix", "trimSuffix(text, suffix) text", "Without the suffix, if it is there."},
	{"hasPrefix", "hasPrefix(text, prefix) bool", "The text begins with the prefix."},
	{"hasSuffix", "hasSuffix(text, suffix) bool", "The text ends with the suffix."},
	{"split", "split(text, separator, limit?) list", "The parts between separators."},
	{"splitAfter", "splitAfter(text, separator, limit?) list", "The parts, each with the separator behind it."},
	{"join", "join(list, separator?) text", "The texts of a list as one."},
	{"replace", "replace(text, old, new) text", "With every old text replaced by the new one."},
	{"repeat", "repeat(text, n) text", "The text, n times."},
	{"indexOf", "indexOf(text, part) int", "Where the part first stands, from 0; -1 when it does not."},
	{"lastIndexOf", "lastIndexOf(text, part) int", "Where the part last stands, from 0; -1 when it does not."},

	{"int", "int(x) int", "A number or text as a whole number."},
	{"float", "float(x) number", "A whole number or text as a number."},
	{"string", "string(x) text", "Any value as text."},
	{"type", "type(x) text", "Name of a value's type."},
	{"abs", "abs(x) number", "Without its sign."},
	{"ceil", "ceil(x) number", "Rounded up."},
	{"floor", "floor(x) number", "Rounded down."},
	{"round", "round(x) number", "Rounded to the nearest whole number."},
	{"max", "max(x, …) number", "The largest of numbers, or of a list of them."},
	{"min", "min(x, …) number", "The smallest of numbers, or of a list of them."},
	{"sum", "sum(list, predicate?) number", "The sum of numbers, or of what the predicate makes of the items."},
	{"mean", "mean(list) number", "The average of numbers."},
	{"median", "median(list) number", "The middle one of numbers."},
	{"date", "date(text, layout?, zone?) time", "A text as a date, with methods such as .Format(\"2 January\")."},
	{"duration", "duration(text) duration", "A text such as 90s or 1h30m as a duration."},

	{"all", "all(list, predicate) bool", "The predicate holds for every item: all(rows, .price > 0)."},
	{"any", "any(list, predicate) bool", "The predicate holds for an item."},
	{"one", "one(list, predicate) bool", "The predicate holds for exactly one item."},
	{"none", "none(list, predicate) bool", "The predicate holds for no item."},
	{"filter", "filter(list, predicate) list", "The items for which the predicate holds: filter(rows, .price < 10)."},
	{"map", "map(list, predicate) list", "What the predicate makes of each item: map(rows, .name)."},
	{"find", "find(list, predicate) item", "The first item for which the predicate holds; nil when there is none."},
	{"findIndex", "findIndex(list, predicate) int", "Where that item stands, from 0; -1 when there is none."},
	{"findLast", "findLast(list, predicate) item", "The last item for which the predicate holds; nil when there is none."},
	{"findLastIndex", "findLastIndex(list, predicate) int", "Where that item stands, from 0; -1 when there is none."},
	{"count", "count(list, predicate?) int", "How many items the predicate holds for, or are true."},
	{"groupBy", "groupBy(list, predicate) mapping", "Lists of items by what the predicate makes of them."},
	{"sortBy", "sortBy(list, predicate, \"desc\"?) list", "Sorted by what the predicate makes of the items."},
	{"sort", "sort(list, \"desc\"?) list", "Sorted."},
	{"reduce", "reduce(list, predicate, start?) value", "One value of all items; #acc is what there is so far."},
	{"first", "first(list) item", "The first item; nil when there is none."},
	{"last", "last(list) item", "The last item; nil when there is none."},
	{"take", "take(list, n) list", "The first n items."},
	{"reverse", "reverse(list) list", "In the opposite order."},
	{"uniq", "uniq(list) list", "Without repetitions."},
	{"concat", "concat(list, …) list", "Several lists as one."},
	{"flatten", "flatten(list) list", "The items of the lists in a list."},
	{"keys", "keys(mapping) list", "The keys of a mapping."},
	{"values", "values(mapping) list", "The values of a mapping."},
	{"toPairs", "toPairs(mapping) list", "A mapping as a list of [key, value]."},
	{"fromPairs", "fromPairs(list) mapping", "A list of [key, value] as a mapping."},

	{"toJSON", "toJSON(x) text", "Any value as JSON."},
	{"fromJSON", "fromJSON(text) value", "The value that JSON stands for."},
	{"toBase64", "toBase64(text) text", "In base64."},
	{"fromBase64", "fromBase64(text) text", "Out of base64."},
	{"bitand", "bitand(x, y) int", "Bits that both have."},
	{"bitor", "bitor(x, y) int", "Bits that one has."},
	{"bitxor", "bitxor(x, y) int", "Bits that only one has."},
	{"bitnand", "bitnand(x, y) int", "Bits of x that y does not have."},
	{"bitnot", "bitnot(x) int", "All bits the other way."},
	{"bitshl", "bitshl(x, n) int", "Bits moved n places to the left."},
	{"bitshr", "bitshr(x, n) int", "Bits moved n places to the right, with the sign."},
	{"bitushr", "bitushr(x, n) int", "Bits moved n places to the right."},
}

// functionNamed is the function of that name, or nil.
func functionNamed(name string) *function {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &functions[i]
}
