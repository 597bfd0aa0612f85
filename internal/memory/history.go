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
	ExpiredAt    time.Time // zero for the current version
	Cause        string    // created, reinforced, superseded, ended, expired, updated, merged, undone, …
	Event        Event     // the event that wrote it
}

// Event is one change of meaning, or one stored turn.
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
	UndoneBy  string // the call that undid it; "" for none
}

// Merge is the result of merging two entities.
type Merge struct {
	Into      Entity
	From      Entity
	Moved     int     // facts that now belong to Into
	Joined    []int64 // facts of From that Into also had: ended, superseded by the fact of Into
	Retracted []int64 // facts between the two entities, which were ended
	Conflicts []FactConflict
	CallID    string // for undo
}

// Undone is the result of an undo.
type Undone struct {
	CallID   string // of the undone call
	UndoneBy string // the undo's own call, which can be undone too
	Action   string
	Objects  []ID     // what changed
	Changes  []string // what became of each fact and entity: "r2 retracted: Ann works at Acme", at most MaxUndoneTexts
	Stayed   []ID     // imported turns that stay because facts or notes of other calls depend on them
}

// MaxUndoneTexts is the maximum number of changes that an undo describes.
const MaxUndoneTexts = 20

// Forgotten counts what forget deletes, or would delete in a dry run.
type Forgotten struct {
	DryRun        bool
	Episodes      int
	Relationships int
	Entities      int
	Objects       []ID // up to 100 of them
	// EndsTakenBack are the facts that stay, but ended only because of deleted turns. They hold again, or until a later
	// fact contradicts them.
	EndsTakenBack []ID // up to 100 of them
	// Superseded are the facts that end because one of EndsTakenBack holds again.
	Superseded []ID // up to 100 of them
}

// GraphStats counts the graph of a namespace.
type GraphStats struct {
	Entities, Memories, Mentions            int64
	ActiveRelationships, EndedRelationships int64
	// ArchivedRelationships are among the ended ones. ArchivedEntities are not counted in Entities.
	ArchivedRelationships, ArchivedEntities int64
	Episodes, Communities                   int64
	EntitiesByType, RelationshipsByRelation []Count // most first
	OldestEpisode, NewestEpisode            time.Time
}

// Count is a name and its number of occurrences.
type Count struct {
	Name string
	N    int64
}

// Evidence is a turn that says a fact.
type Evidence struct {
	Episode Episode
	Quote   string   // the words of the turn; "" if nobody quoted them
	Methods []Method // sorted
}

// Clash is a set of active facts that cannot all be true, or one fact that says that two nodes contradict each other.
type Clash struct {
	Facts  []int64 // relationships, oldest first
	Reason string  // a sentence
}

// Released is the result of letting a turn out of quarantine.
type Released struct {
	ID         ID
	Extraction string // queued, done, skipped or disabled
	Relations  []RelationWrite
}
