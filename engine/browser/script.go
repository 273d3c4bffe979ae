package browser

import (
	"crypto/rand"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed page/*.js
var pageFiles embed.FS

// script is the code that runs in every document, under a property name that no page can know beforehand.
type script struct {
	key    string
	source string // an expression that installs it, unless it is there already
}

func newScript() script {
	var id [8]byte
	_, _ = rand.Read(id[:])
	key := "__" + hex.EncodeToString(id[:])
	names, _ := fs.Glob(pageFiles, "page/*.js") // sorted: the digits in the names are the order
	var b strings.Builder
	fmt.Fprintf(&b, "(KEY => {\n'use strict';\nif (globalThis[KEY] && globalThis[KEY].doc === document) return;\n")
	for _, name := range names {
		text, _ := pageFiles.ReadFile(name)
		b.Write(text)
	}
	fmt.Fprintf(&b, "})(%q)", key)
	return script{key: key, source: b.String()}
}

// call is the function that calls one of the script's functions with a string. It answers missing where the script did
// not run, as in a frame that allows no scripts, or for an earlier document: a popup's first document of the opener's
// origin takes over the window of the empty one that it replaces.
func (s script) call(name string) string {
	return fmt.Sprintf("a => { const n = globalThis[%q]; return n && n.doc === document ? n.%s(a) : %q }", s.key, name, missing)
}

const missing = "missing\n"
