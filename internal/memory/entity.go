package memory

import "time"

// NodeKind says what a node of the graph stands for.
type NodeKind string

// The kinds of nodes. Only entities and memories are shown; a mention is a name that was only seen.
const (
	NodeEntity    NodeKind = "entity"
	NodeMemory    NodeKind = "memory"
	NodeMention   NodeKind = "mention"
	NodeCondition NodeKind = "condition"
	NodeSystem    NodeKind = "system"
)

// Shown says whether nodes of the kind are part of answers.
func (k NodeKind) Shown() bool { return k == NodeEntity || k == NodeMemory }

// EntityTypes are the types that extraction keeps to; a caller may give any other snake_case word.
var EntityTypes = []string{
	"person", "organization", "project", "tool", "technology", "language", "concept", "decision", "event", "location",
	"file", "config",
}

// DefaultType is the type of what nothing says the type of.
const DefaultType = "concept"

// typeFamilies are types that one thing is called by now and then: Rust/tool and Rust/language are one entity.
var typeFamilies = [][]string{{"tool", "technology", "language"}, {"file", "config"}}

// TypeFamily gives the types that a name of this type may be found under, the type itself first.
func TypeFamily(typ string) []string {
	for _, family := range typeFamilies {
		for _, t := range family {
			if t == typ {
				out := []string{typ}
				for _, other := range family {
					if other != typ {
						out = append(out, other)
					}
				}
				return out
			}
		}
	}
	return []string{typ}
}

// Entity is one node of the graph. A zero time means that there is none.
type Entity struct {
	ID           int64
	Namespace    string
	Kind         NodeKind
	Canonical    string // Canonical(Name) of the name it was made with: its key beside namespace and type
	Name         string // the most recent surface form
	Type         string
	Description  string
	Aliases      []string // other names, canonical, in order; never nil where it was asked for
	Confidence   float64  // 0..1, as it has faded since it was stated; of another time than now, as it was stated
	Observations int64
	Origin       Origin
	Layer        *int     // 0 domain, 1 concept, 2 fact, 3 episode; nil for none
	ParentID     int64    // 0 for none
	ParentKind   NodeKind // what stands there; "" for none
	MergedInto   int64    // 0 for none: the id answers as that entity
	ValidFrom    time.Time
	ValidUntil   time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	LastSeenAt   time.Time
}

// Ref gives the id that clients see: m7 for a memory, e12 for everything else.
func (e Entity) Ref() ID { return NodeID(e.Kind, e.ID) }

// ConfidenceAt is the confidence as it is stored, and 0 where the entity's validity is over.
func (e Entity) ConfidenceAt(now time.Time) float64 {
	if !e.ValidUntil.IsZero() && !e.ValidUntil.After(now) {
		return 0
	}
	return e.Confidence
}

// Parent gives the id of what the entity stands under; ok is false where it stands under nothing.
func (e Entity) Parent() (id ID, ok bool) { return NodeID(e.ParentKind, e.ParentID), e.ParentID != 0 }

// NodeID gives the id of a node.
func NodeID(kind NodeKind, n int64) ID {
	if kind == NodeMemory {
		return ID{KindMemory, n}
	}
	return ID{KindEntity, n}
}

// RelationshipID gives the id of a relationship's row.
func RelationshipID(n int64) ID { return ID{KindRelationship, n} }

// EntityDraft is an entity as a caller gives it, checked and masked.
type EntityDraft struct {
	Item        string // its place in a list, such as "entities[2]", for an ItemError; "" where it is not of a list
	Name        string
	Type        string   // "" finds the name whatever its type, and makes a concept where nothing is found
	Kind        NodeKind // "" is entity
	Description string
	Aliases     []string
	Notes       []string // sentences about it, as they were written, in order
	TypeLabel   string   // the type as it was given, where that is another word than Type; "" for none
	Confidence  *float64 // before the caps of origin and method; nil is as high as these allow
	ValidFrom   time.Time
	ValidUntil  time.Time
	Parent      string // an id, a name or an alias; "" for none
	Layer       *int   // 0..3
	Origin      Origin
	Method      Method
	// SameAs is an entity that the similarity of embeddings found to be this one, 0 for none; Similar are those in the
	// band where that is not sure: they become similar_to proposals.
	SameAs  int64
	Similar []Hit

	Suspicion *Suspicion // nil: it looks like no attack
}

// EntityWrite is what became of an EntityDraft.
type EntityWrite struct {
	Entity  Entity
	Created bool
}

// EntityChange is what update_entity may change; a nil pointer leaves as it is.
type EntityChange struct {
	Entity        string // an id, a name or an alias
	Name          *string
	Type          *string
	Description   *string
	Confidence    *float64
	ValidUntil    *time.Time // the zero time takes an end back
	LastSeen      *time.Time
	AddAliases    []string
	RemoveAliases []string
	Parent        *string // "" takes the parent away
	Layer         *int

	Suspicion *Suspicion // nil: it looks like no attack
}

// KindOr gives the kind of the draft's node: an entity where none is said.
func (d EntityDraft) KindOr() NodeKind {
	if d.Kind == "" {
		return NodeEntity
	}
	return d.Kind
}
