package memory

import (
	"slices"
	"time"
)

// NodeKind is the kind of a node of the graph.
type NodeKind string

// The kinds of nodes. Answers show only entities and memories. A mention is a name that was seen but not stated.
const (
	NodeEntity    NodeKind = "entity"
	NodeMemory    NodeKind = "memory"
	NodeMention   NodeKind = "mention"
	NodeCondition NodeKind = "condition"
	NodeSystem    NodeKind = "system"
	NodeMetadata  NodeKind = "metadata" // a topic, category, repository or type that turns and memories share
	NodeTurn      NodeKind = "turn"     // stands for one episode in edges; mg_episodes.memory_id leads to it
)

// Shown reports whether answers include nodes of the kind.
func (k NodeKind) Shown() bool { return k == NodeEntity || k == NodeMemory }

// EntityTypes are the types that extraction uses. A caller may use any other snake_case word.
var EntityTypes = []string{
	"person", "organization", "project", "tool", "technology", "language", "concept", "decision", "event", "location",
	"file", "config",
}

// DefaultType is the type of an entity whose type nobody stated.
const DefaultType = "concept"

// typeFamilies are groups of types that people use for the same thing: Rust/tool and Rust/language are one entity.
var typeFamilies = [][]string{{"tool", "technology", "language"}, {"file", "config"}}

// TypeFamily returns the types under which a name of this type is looked up, the type itself first.
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

// sorts are words for types that tell two things of one name apart: a person is not a place, and neither is a program.
// Every other word says little, because people file one thing under many of them.
var sorts = map[string]string{
	"person": "person", "user": "person", "human": "person", "contact": "person", "colleague": "person",
	"friend": "person", "developer": "person", "customer": "person", "employee": "person",
	"location": "place", "place": "place", "city": "place", "town": "place", "village": "place", "country": "place",
	"region": "place", "state": "place", "address": "place",
}

// IsPerson reports whether a type is a word for people.
func IsPerson(typ string) bool { return sorts[typ] == "person" }

// IsPlace reports whether a type is a word for places.
func IsPlace(typ string) bool { return sorts[typ] == "place" }

// MayBeOne reports whether things of one name and of these types, each stated by somebody, may be one thing
// (docs/decisions.md, "Entity types and families"). Types of one family may, and so may a type outside EntityTypes
// and any other, unless one of the two is a person's or a place's. DefaultType says nothing.
func MayBeOne(a, b string) bool {
	switch {
	case a == b || a == DefaultType || b == DefaultType:
		return true
	case sorts[a] != sorts[b]:
		return false
	case sorts[a] != "" || slices.Contains(TypeFamily(a), b):
		return true
	}
	return !slices.Contains(EntityTypes, a) || !slices.Contains(EntityTypes, b)
}

// Entity is one node of the graph. A zero time means that no time is known.
type Entity struct {
	ID           int64
	Namespace    string
	Kind         NodeKind
	Canonical    string // canonical form of its first name: its key, with namespace and type
	Name         string // the most recent surface form
	Type         string
	Description  string
	Aliases      []string // other names in canonical form, sorted; never nil if loaded
	Confidence   float64  // 0..1, after decay; in a read of another time, as stated
	Observations int64
	Origin       Origin
	Layer        *int     // 0 domain, 1 concept, 2 fact, 3 episode; nil for none
	ParentID     int64    // 0 for none
	ParentKind   NodeKind // "" for no parent
	MergedInto   int64    // 0 for none; otherwise reads of this id return that entity
	ValidFrom    time.Time
	ValidUntil   time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	LastSeenAt   time.Time
}

// Ref returns the id that clients see: m7 for a memory, e12 for all other kinds.
func (e Entity) Ref() ID { return NodeID(e.Kind, e.ID) }

// ConfidenceAt returns the stored confidence, or 0 if the entity's validity ended at or before now.
func (e Entity) ConfidenceAt(now time.Time) float64 {
	if !e.ValidUntil.IsZero() && !e.ValidUntil.After(now) {
		return 0
	}
	return e.Confidence
}

// Parent returns the id of the entity's parent. ok is false if it has no parent.
func (e Entity) Parent() (id ID, ok bool) { return NodeID(e.ParentKind, e.ParentID), e.ParentID != 0 }

// NodeID returns the id of a node.
func NodeID(kind NodeKind, n int64) ID {
	if kind == NodeMemory {
		return ID{KindMemory, n}
	}
	return ID{KindEntity, n}
}

// RelationshipID returns the id of a relationship's row.
func RelationshipID(n int64) ID { return ID{KindRelationship, n} }

// EntityDraft is an entity as a caller gave it, checked and masked.
type EntityDraft struct {
	Item        string // position in a list, such as "entities[2]", for an ItemError; "" outside a list
	Name        string
	Type        string   // "" matches the name with any type, and creates a concept if there is no match
	Kind        NodeKind // "" means entity
	Description string
	Aliases     []string
	Notes       []string // entity observations, verbatim, in order
	TypeLabel   string   // the type as the caller wrote it, if it differs from Type; else ""
	Confidence  *float64 // before the caps of origin and method; nil means the caps
	ValidFrom   time.Time
	ValidUntil  time.Time
	Parent      string // an id, a name or an alias; "" for none
	Layer       *int   // 0..3
	Origin      Origin
	Method      Method
	// SameAs is an entity that embedding similarity identified as this one; 0 for none. Similar are entities in the
	// similarity band below certainty: they become similar_to proposals.
	SameAs  int64
	Similar []Hit

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// EntityWrite is the result of storing an EntityDraft.
type EntityWrite struct {
	Entity  Entity
	Created bool
}

// EntityChange holds the properties that update_entity may change. A nil pointer leaves a property unchanged.
type EntityChange struct {
	Entity        string // an id, a name or an alias
	Name          *string
	Type          *string
	Description   *string
	Own           *string   // the description without the entity observations, which stay; not with Description
	Notes         *[]string // the entity observations, in order
	Confidence    *float64
	ValidUntil    *time.Time // the zero time removes the end
	LastSeen      *time.Time
	AddAliases    []string
	RemoveAliases []string
	Parent        *string // "" removes the parent
	Layer         *int

	Suspicion *Suspicion // nil if nothing in it looks like an attack
}

// KindOr returns the kind of the draft's node, NodeEntity by default.
func (d EntityDraft) KindOr() NodeKind {
	if d.Kind == "" {
		return NodeEntity
	}
	return d.Kind
}
