// Package datetext reads and writes dates as web pages show them: in any order, with any separators, with the names of
// months in many languages. A text such as 03/04/2027 has several readings; this package gives all of them and leaves
// the choice to whoever knows more.
//
// Start reading at read.go; format.go finds out which format a field wants.
package datetext

//go:generate sh -c "node months_gen.mjs | gofmt > months_gen.go"
