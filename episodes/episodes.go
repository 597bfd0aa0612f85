// Package episodes records one turn: mask, hash, and write with its jobs in one transaction.
package episodes

import "memory-graph/internal/memory"

// Result tells what became of a turn.
type Result struct {
	EpisodeID  memory.ID
	Status     string   // stored, duplicate or quarantined
	Raised     bool     // of a duplicate: it is trusted more now
	Extraction string   // queued, done, skipped or disabled
	Reasons    []string // why quarantined, skipped, masked or not taken whole; never nil
	Entities   []memory.EntityWrite
	Relations  []memory.RelationWrite
	Errors     []memory.ItemError // supplied items that were not stored
	State      memory.State
}
