// Package format writes nth's files in their canonical form: the keys of each mapping that nth knows in the order of its
// schema, two blanks per level, at most one empty line in a row. Texts, quotes, comments, and the order of what an author
// names (stages, skills, params, the keys of JSON Schemas) stay as they are.
//
// Start reading at Source (format.go). It never prints a tree: it moves stretches of the text (order.go), their
// indentation (indent.go) and empty lines (tidy.go). What comes out is read again and compared with what went in
// (same.go); a result that would mean something else, or lose a comment, is thrown away.
package format
