// Package skills holds the skill text for agents. The plugin that setup writes contains the same bytes.
package skills

import _ "embed"

// MemoryGraph is skills/memory-graph/SKILL.md: when to remember, when to ask, and how to send facts.
//
//go:embed memory-graph/SKILL.md
var MemoryGraph []byte
