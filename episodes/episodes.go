// Package episodes records one turn: mask, hash, and write with its jobs in one transaction (decision 28).
package episodes

import (
	"time"

	"memory-graph/internal/memory"
)

// Input is one turn as a caller gives it.
type Input struct {
	Scope          memory.Scope
	Content        string
	Role           memory.Role // "" is user
	Speaker        string
	Source         string
	OccurredAt     time.Time // zero: now
	IdempotencyKey string
	Imported       bool // it comes with a file: undoing the call takes it back too
	Raise          bool // where it is there under its key, it is trusted as the caller is from now on
	Caller         Caller
	Entities       []memory.EntityDraft // supplied with the turn
	Relations      []memory.RelationDraft
}

// Caller says who made a call, for the event log.
type Caller = memory.Caller

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
