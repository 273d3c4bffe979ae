// Package stdlib holds the standard packs, as YAML in the binary: std (forms and navigation), std/read, std/tables,
// std/auth and std/pay. A flow names them in its packs, std: std@^1, tables: std/tables@^1. README.md lists every skill;
// go test -update writes it.
//
// Start reading at std/pack.yaml.
package stdlib

import "embed"

// FS holds one folder per pack, with its pack.yaml.
//
//go:embed */pack.yaml
var FS embed.FS
