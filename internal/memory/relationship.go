package memory

import "time"

// Edge classes.
const (
	Causal       = "causal"
	Temporal     = "temporal"
	Semantic     = "semantic"
	CoOccurrence = "co_occurrence"
	Hierarchical = "hierarchical"
)

// EdgeClasses are all of them.
var EdgeClasses = []string{Causal, Temporal, Semantic, CoOccurrence, Hierarchical}

// Node is the end of a relationship as answers name it.
type Node struct {
	ID   int64
	Kind NodeKind
	Name string
	Type string
}

// Ref gives the id that clients see.
func (n Node) Ref() ID { return NodeID(n.Kind, n.ID) }

// Relationship is one fact: head, relation, tail, when it was true and when that was known. A zero time means that
// there is none. Confidence is as it is stored; how much of it is left today is graph.EffectiveConfidence.
type Relationship struct {
	ID             int64
	Namespace      string
	Head, Tail     Node
	Relation       string // snake_case
	Label          string // the relation as it was given
	EdgeClass      string
	Fact           string // the sentence, may be ""
	Confidence     float64
	Strength       float64 // 0..1
	RetrievalCount float64
	Origin         Origin
	Method         Method
	ValidFrom      time.Time // zero: nobody said since when
	ValidUntil     time.Time
	ExpiresAt      time.Time // a scheduled end
	CreatedAt      time.Time
	ExpiredAt      time.Time
	LastObservedAt time.Time
	SupersededBy   int64   // 0 for none
	Evidence       []int64 // episodes, oldest first
}

// Ref gives the id that clients see.
func (r Relationship) Ref() ID { return RelationshipID(r.ID) }

// Active says whether the fact holds at now.
func (r Relationship) Active(now time.Time) bool {
	return r.ValidUntil.IsZero() && (r.ExpiresAt.IsZero() || r.ExpiresAt.After(now))
}

// Edge is what a traversal reads of a relationship: thousands are read to show ten.
type Edge struct {
	ID             int64
	Head, Tail     int64
	Relation       string
	Class          string
	Confidence     float64 // stored
	Strength       float64
	RetrievalCount float64
	LastObservedAt time.Time
}

// Other gives the end of the edge that is not node.
func (e Edge) Other(node int64) int64 {
	if e.Head == node {
		return e.Tail
	}
	return e.Head
}

// Direction says which edges of a node are followed.
type Direction string

// The directions, seen from the node.
const (
	Both Direction = "both"
	Out  Direction = "out" // the node is the head
	In   Direction = "in"  // the node is the tail
)

// AsOf places a read on the two axes of time. The zero value reads what holds now.
type AsOf struct {
	ValidAt time.Time // what was true then; zero: now
	KnownAt time.Time // what was believed then; zero: now
}

// Now says whether the read is about the present on both axes.
func (a AsOf) Now() bool { return a.ValidAt.IsZero() && a.KnownAt.IsZero() }

// Valid gives the instant on the axis of validity: ValidAt, else KnownAt, else zero for "now".
func (a AsOf) Valid() time.Time {
	if a.ValidAt.IsZero() {
		return a.KnownAt
	}
	return a.ValidAt
}

// EdgeQuery asks for the edges of nodes.
type EdgeQuery struct {
	Namespace string
	Nodes     []int64
	Direction Direction // "" is Both
	Relations []string  // "" and empty: any
	Classes   []string
	At        AsOf
	PerNode   int // most edges read of one node and direction, strongest first
	// Touching are some of Nodes: of what holds among the nodes, only what has an end here is read; empty: all of it. The
	// edges of nodes do not heed it.
	Touching []int64
}

// RelationDraft is a fact as a caller gives it, checked and masked.
type RelationDraft struct {
	// its place in a list, such as "relations[2]", for an ItemError; "" where it is not of a list
	Item               string
	Head, Tail         string // an id, a name or an alias
	HeadType, TailType string // "" finds the name whatever its type
	Relation           string // a verb; stored in snake_case, with this as its label
	Fact               string
	EdgeClass          string   // "" is the registry's, else semantic
	Confidence         *float64 // before the caps; nil is as high as these allow
	Strength           *float64 // nil is 1
	ValidFrom          time.Time
	ValidUntil         time.Time // in the past: an ended fact; in the future: a scheduled end
	Ended              bool      // the fact has ended: at ValidUntil, else when its evidence was said
	Quote              string    // the words of the evidence
	CreateMissing      bool      // make a head or tail that is not there
	Origin             Origin
	Method             Method
	// News says that it is told as a change (moved to, joined, left): then it stands against what was only said before,
	// and has no other beginning than that.
	News bool
	// SaidBy is whose words the fact only puts into form, "" for nobody's: when it ends another fact it is trusted like
	// them.
	SaidBy Origin

	Suspicion *Suspicion // nil: it looks like no attack
}

// RelationStatus says what became of a draft.
type RelationStatus string

// The statuses of the contract.
const (
	RelationCreated    RelationStatus = "created"
	RelationReinforced RelationStatus = "reinforced"
	RelationSuperseded RelationStatus = "superseding" // it is new and ended others
	RelationEnded      RelationStatus = "ended"
)

// RelationWrite is what became of a RelationDraft.
type RelationWrite struct {
	Relationship Relationship
	Status       RelationStatus
	Superseded   []int64 // relationships that it ended
	Conflicts    []FactConflict
}

// FactConflict is a fact that cannot hold beside another, and was not ended by it.
type FactConflict struct {
	ID     int64 // the relationship
	Fact   string
	Reason string
}

// RelationChange is what update_relation may change; a nil pointer leaves as it is.
type RelationChange struct {
	ID         int64
	Fact       *string
	EdgeClass  *string
	Confidence *float64
	Strength   *float64
	ValidFrom  *time.Time
	ValidUntil *time.Time // in the past ends it, in the future schedules its end, the zero time takes a scheduled end away

	Suspicion *Suspicion // nil: it looks like no attack
}

// Supersession is a fact that has ended, and what came in its place if anything.
type Supersession struct {
	ID            int64          // the relationship that ended
	ReplacementID int64          // an existing relationship, 0 for none
	Replacement   *RelationDraft // Head is the ended fact's; Relation and Tail default to its own
	At            time.Time      // when it ended; zero: when the replacement began, else now
	Reason        string
}

// Superseded is what became of a Supersession.
type Superseded struct {
	Ended       Relationship
	Replacement *Relationship
	Also        []int64 // others that the replacement ended
	Conflicts   []FactConflict
}

// ItemError says why one item of a list was not stored; the rest was.
type ItemError struct {
	Item    string // "relations[3]"
	Message string
}
