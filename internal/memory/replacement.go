package memory

// Replacement says that by a fact a later episode ended or replaced what an earlier one says.
type Replacement struct {
	Earlier, Later int64 // episodes
	Fact           int64 // the fact that ended, of which the earlier one is evidence
	// What the fact says: the names of its ends, and its relation.
	Head, Relation, Tail string
	Ends                 bool // the later one says that it ended, and nothing of what holds instead
}
