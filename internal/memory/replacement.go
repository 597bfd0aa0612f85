package memory

// Replacement says that a fact in a later episode ended or replaced a fact in an earlier episode.
type Replacement struct {
	Earlier, Later int64 // episodes
	Fact           int64 // the ended fact, whose evidence includes Earlier
	// The names of the fact's head and tail, its relation, and the ids of head and tail.
	Head, Relation, Tail string
	HeadID, TailID       int64
	Ends                 bool // the later episode says only that the fact ended, not what replaced it
}
