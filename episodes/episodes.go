// Package episodes records a turn: it masks secrets, scans and reads the turn, and writes it with its jobs in one
// transaction.
package episodes

import (
	"time"

	"memory-graph/internal/memory"
)

// Result is the result of recording a turn.
type Result struct {
	EpisodeID  memory.ID
	Status     string    // stored, duplicate or quarantined
	Raised     bool      // the turn is a duplicate, and is trusted more now
	Differs    bool      // the turn is a duplicate by its key, and has another text than the stored one
	StoredAt   time.Time // of a duplicate: when the stored turn was said
	Extraction string    // queued, done, skipped or disabled
	Reasons    []string  // why quarantined, skipped, masked or not stored completely; never nil
	Entities   []memory.EntityWrite
	Relations  []memory.RelationWrite
	// Conflicts are the facts that contradict each other because this turn named its speaker. Relations has its own.
	Conflicts []memory.FactConflict
	Errors    []memory.ItemError // supplied items that were not stored
	State     memory.State

	Refused *memory.Error // of RecordAll: why the turn is not stored; everything else is then empty
}
