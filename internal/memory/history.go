package memory

import "time"

// Version is what was believed of an entity or a relationship between two instants. Exactly one of Entity and
// Relationship is set.
type Version struct {
	ID           int64 // of the version
	Of           ID
	Number       int // from 1, in the order of writing
	Entity       *Entity
	Relationship *Relationship
	CreatedAt    time.Time
	ExpiredAt    time.Time // zero: it is the current one
	Cause        string    // created, reinforced, superseded, ended, expired, updated, merged, undone, …
	Event        Event     // what wrote it
}

// Event is one change of meaning, or one turn that was stored.
type Event struct {
	ID        int64
	At        time.Time
	Actor     string
	Client    string
	CallID    string
	Action    string // the tool or command
	Object    ID
	Reason    string
	EpisodeID int64
	UndoneBy  string // the call that took it back, "" for none
}

// Merge tells what a merge did.
type Merge struct {
	Into      Entity
	From      Entity
	Moved     int     // facts that now belong to Into
	Joined    []int64 // facts of From that were the same as one of Into and ended, superseded by it
	Retracted []int64 // facts between the two
	Conflicts []FactConflict
	CallID    string // for undo
}

// Undone tells what was taken back.
type Undone struct {
	CallID   string // of the call that was taken back
	UndoneBy string // the call that took it back, which can be undone in turn
	Action   string
	Objects  []ID // what changed
	Stayed   []ID // imported turns that stay, since what others said stands on them
}

// Forgotten counts what forget takes, or took, with it.
type Forgotten struct {
	DryRun        bool
	Episodes      int
	Relationships int
	Entities      int
	Objects       []ID // up to 100 of them
}

// GraphStats counts a namespace's graph.
type GraphStats struct {
	Entities, Memories, Mentions            int64
	ActiveRelationships, EndedRelationships int64
	Episodes, Communities                   int64
	EntitiesByType, RelationshipsByRelation []Count // most first
	OldestEpisode, NewestEpisode            time.Time
}

// Count is how often something is there.
type Count struct {
	Name string
	N    int64
}
