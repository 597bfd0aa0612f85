package memory

// ReferenceEntity is an entity in the format of the reference memory server: a name, a type and sentences, all
// verbatim.
type ReferenceEntity struct {
	Name         string
	Type         string
	Observations []string // in order; never nil in results of a read

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// ReferenceRelation is a relation in the format of the reference memory server. Its ends need not be existing entities.
type ReferenceRelation struct {
	From, To string
	Type     string // verbatim

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// ReferenceNotes are sentences about an existing entity.
type ReferenceNotes struct {
	Name  string
	Notes []string

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// ReferenceWrite is the result of storing a ReferenceEntity or a ReferenceRelation.
type ReferenceWrite struct {
	Created bool
	Raised  bool     // it existed, and its trust was raised
	Known   string   // for an existing entity: its stored name
	Type    string   // for an existing entity: its type as first given
	Added   []string // observations that were new to an existing entity
	Mistake *Error   // why it was not stored; nil if it was
}
