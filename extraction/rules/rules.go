// Package rules finds in English chat and notes what is said explicitly, and nothing else: who works where, what uses
// what, what has ended. It is the rung of the ladder (decision 31) that needs no model: synchronous, in memory, in linear
// time.
package rules

import (
	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
)

// Rules is the extractor. It is immutable and safe for concurrent use.
type Rules struct {
	finder mentions.Finder
}

// New makes the extractor.
func New() *Rules { return &Rules{} }

// Extract gives what the turn says.
func (r *Rules) Extract(t extraction.Turn) extraction.Found {
	return extraction.Found{Mentions: r.finder.Find(t.Text, t.Known)}
}
