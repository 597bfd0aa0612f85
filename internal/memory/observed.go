package memory

// Observed is an entity as the reference memory server has it: a name, a type and sentences, all as they were written.
type Observed struct {
	Name         string
	Type         string
	Observations []string // in order; never nil where it was read

	Suspicion *Suspicion // nil: it looks like no attack
}

// ObservedRelation is a relation as the reference memory server has it. Its ends need not be entities that anybody
// made.
type ObservedRelation struct {
	From, To string
	Type     string // as it was written

	Suspicion *Suspicion // nil: it looks like no attack
}

// ObservedNotes are sentences about an entity that is known by its name.
type ObservedNotes struct {
	Name  string
	Notes []string

	Suspicion *Suspicion // nil: it looks like no attack
}

// ObservedWrite is what became of an Observed or of an ObservedRelation.
type ObservedWrite struct {
	Created bool
	Raised  bool     // it was there, and is trusted more now
	Known   string   // of an entity that was there: what it is called there
	Type    string   // the same: its type as it was given there
	Added   []string // observations that an entity which was there did not have
	Mistake *Error   // why it was not stored; nil where it was
}
