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

// EdgeClasses lists all edge classes.
var EdgeClasses = []string{Causal, Temporal, Semantic, CoOccurrence, Hierarchical}

// Node is the head or tail of a relationship as answers name it.
type Node struct {
	ID   int64
	Kind NodeKind
	Name string
	Type string
}

// Ref returns the id that clients see.
func (n Node) Ref() ID { return NodeID(n.Kind, n.ID) }

// Relationship is one fact: head, relation, tail, when it was true and when that was known. A zero time means that no
// time is known. Confidence is the stored confidence; graph.EffectiveConfidence computes what is left of it after
// decay.
type Relationship struct {
	ID             int64
	Namespace      string
	Head, Tail     Node
	Relation       string // snake_case
	Label          string // the relation as the caller wrote it
	EdgeClass      string
	Fact           string // the fact as a sentence; may be ""
	Confidence     float64
	Strength       float64 // 0..1
	RetrievalCount float64
	Origin         Origin
	Method         Method
	ValidFrom      time.Time // zero if nobody stated the beginning
	FromUnit       Unit      // the precision of ValidFrom
	ValidUntil     time.Time
	ExpiresAt      time.Time // a scheduled end
	UntilUnit      Unit      // the precision of ValidUntil, or else of ExpiresAt
	CreatedAt      time.Time
	ExpiredAt      time.Time
	LastObservedAt time.Time
	SupersededBy   int64   // 0 for none
	Evidence       []int64 // episodes, oldest first
}

// Ref returns the id that clients see.
func (r Relationship) Ref() ID { return RelationshipID(r.ID) }

// Active reports whether the fact is active at now: not ended, and its scheduled end, if any, lies after now.
func (r Relationship) Active(now time.Time) bool {
	return r.ValidUntil.IsZero() && (r.ExpiresAt.IsZero() || r.ExpiresAt.After(now))
}

// Edge holds the columns of a relationship that traversal reads. Traversal reads thousands of edges to return ten.
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

// Other returns the end of the edge that is not node.
func (e Edge) Other(node int64) int64 {
	if e.Head == node {
		return e.Tail
	}
	return e.Head
}

// Triple is the content of a fact: the ids of its ends, and its relation.
type Triple struct {
	Head, Tail int64
	Relation   string
}

// StatedFact is a fact for which an episode is evidence.
type StatedFact struct {
	Triple
	Episode int64
}

// Direction selects which edges of a node a traversal follows.
type Direction string

// The directions, seen from the node.
const (
	Both Direction = "both"
	Out  Direction = "out" // the node is the head
	In   Direction = "in"  // the node is the tail
)

// AsOf selects the time of a read on both time axes. The zero value reads the present. See docs/decisions.md, "Reading
// at another time".
type AsOf struct {
	ValidAt time.Time // reads what was true at that instant; zero means now
	KnownAt time.Time // reads what was believed at that instant; zero means now
}

// Now reports whether the read is about the present on both axes.
func (a AsOf) Now() bool { return a.ValidAt.IsZero() && a.KnownAt.IsZero() }

// Valid returns the instant on the axis of validity: ValidAt, else KnownAt, else the zero time for now.
func (a AsOf) Valid() time.Time {
	if a.ValidAt.IsZero() {
		return a.KnownAt
	}
	return a.ValidAt
}

// EdgeQuery selects edges of nodes.
type EdgeQuery struct {
	Namespace string
	Nodes     []int64
	Direction Direction // "" means Both
	Relations []string  // empty means any
	Classes   []string
	At        AsOf
	PerNode   int // maximum number of edges per node and direction, strongest first
	// Ahead adds, to a read of the edges of nodes now, the facts that begin later.
	Ahead bool
	// Touching is a subset of Nodes. A read of the edges among Nodes returns only edges with an end in Touching, or all
	// edges if Touching is empty. A read of the edges of nodes ignores it.
	Touching []int64
}

// Likeness is what the similarity of vectors says of a name.
type Likeness struct {
	Same    int64 // the entity that it means, 0 for none
	Similar []Hit // entities that it may mean; they become similar_to proposals
}

// RelationDraft is a fact as a caller gave it, checked and masked.
type RelationDraft struct {
	// position in a list, such as "relations[2]", for an ItemError; "" outside a list
	Item               string
	Head, Tail         string              // an id, a name or an alias
	HeadType, TailType string              // "" matches the name with any type
	HeadIs, TailIs     Qualifier           // which person of the name the words mean
	Near               map[string]Likeness // by Head and Tail, what vectors say of names that nobody has
	Sure               map[string]float64  // by Head and Tail, how sure an entity is that is made for it, 0..1
	Relation           string              // a verb; stored in snake_case, with this text as its label
	Fact               string
	EdgeClass          string   // "" means the registry's class, or semantic for unknown relations
	Confidence         *float64 // before the caps; nil means the caps
	Strength           *float64 // nil means 1
	ValidFrom          time.Time
	ValidUntil         time.Time // in the past: an ended fact; in the future: a scheduled end
	FromUnit           Unit      // the precision of ValidFrom
	UntilUnit          Unit      // the precision of ValidUntil
	Unread             []string  // what the caller gave as times and what is none, with the argument: a warning each
	Ended              bool      // the fact has ended, at ValidUntil or else at the time of its evidence
	Denied             bool      // of an ended fact: it never held, so what it superseded holds again
	Still              bool      // it is said to hold as before, so what superseded it is denied
	Handed             bool      // of an ended fact: the turn says who or what has taken the place of its head or tail
	Unnamed            bool      // of an ended fact: the turn only refers to it, and does not name both head and tail
	Quote              string    // the words of the evidence
	CreateMissing      bool      // create a missing head or tail
	Origin             Origin
	Method             Method
	// News says that the fact is told as a change (moved to, joined, left). It then also ends facts whose beginning nobody
	// stated, and it begins when it was said.
	News bool
	// SaidBy is the origin of the words that this fact restates; "" for none. When the fact ends another fact, it has the
	// trust of SaidBy.
	SaidBy Origin
	// NamesSpeaker says that the speaker, who is the head, states the tail as the speaker's own name.
	NamesSpeaker bool
	Instead      string // the name that the speaker says is not theirs: "Anna, not Ann"

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// RelationStatus is the result of storing a RelationDraft.
type RelationStatus string

// The statuses. Clients rely on them: do not change them.
const (
	RelationCreated    RelationStatus = "created"
	RelationReinforced RelationStatus = "reinforced"
	RelationSuperseded RelationStatus = "superseding" // new, and it ended other facts
	RelationEnded      RelationStatus = "ended"
)

// RelationWrite is the result of storing a RelationDraft.
type RelationWrite struct {
	Relationship Relationship
	Status       RelationStatus
	Superseded   []int64 // relationships that it ended
	Conflicts    []FactConflict
	Handed       bool // of an ended fact: as in the draft
}

// FactConflict is a fact that contradicts another fact and was not ended by it.
type FactConflict struct {
	ID     int64 // the relationship
	Fact   string
	Reason string
}

// RelationChange holds the properties that update_relation may change. A nil pointer leaves a property unchanged.
type RelationChange struct {
	ID         int64
	Fact       *string
	EdgeClass  *string
	Confidence *float64
	Strength   *float64
	ValidFrom  *time.Time
	ValidUntil *time.Time // in the past: ends it; in the future: schedules its end; zero: removes a scheduled end
	FromUnit   Unit       // the precision of ValidFrom
	UntilUnit  Unit       // the precision of ValidUntil

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// Supersession is a request to end a fact, optionally in favour of another.
type Supersession struct {
	ID            int64          // the relationship to end
	ReplacementID int64          // an existing relationship, 0 for none
	Replacement   *RelationDraft // Head is the ended fact's; Relation and Tail default to its own
	At            time.Time      // when it ended; zero means when the replacement began, or else now
	AtUnit        Unit           // the precision of At
	Reason        string
}

// Superseded is the result of a Supersession.
type Superseded struct {
	Ended       Relationship
	Replacement *Relationship
	Also        []int64 // other facts that the replacement ended
	Conflicts   []FactConflict
}

// ItemError says why one item of a list was not stored. The other items were stored.
type ItemError struct {
	Item    string // "relations[3]"
	Message string
	Code    Code
}
