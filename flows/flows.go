// Package flows holds the example flows, each in a folder with its site, README and tests. The flight flow is in the
// binary too, for nth demo.
//
// Start reading at flights/flow.yaml.
package flows

import "embed"

// FS holds the YAML of the flows that the binary brings along.
//
//go:embed flights/flow.yaml flights/pack/pack.yaml contact/flow.yaml
var FS embed.FS
