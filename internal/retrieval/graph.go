package retrieval

import "memory-graph/internal/memory"

// GraphScope is what a search of the graph is narrowed to.
type GraphScope struct {
	MaxHops     int      // 0 is the strategy's own
	EdgeClasses []string // nil for all
	Relations   []string // nil for all
}

// FoundEntity is one entity of an answer.
type FoundEntity struct {
	Entity     memory.Entity
	Score      float64
	Confidence float64 // effective
	Depth      int     // hops from the start, in traversals
	Coverage   float64 // of the question's words, 0..1: how many stand in its names and description; 0 without one
	Why        *Why    // with Explain
}

// FoundRelation is one fact of an answer.
type FoundRelation struct {
	Relationship memory.Relationship
	Confidence   float64 // effective; in the past as stored
	Score        float64
	Hop          int     // from 1; 0 where no traversal led to it
	Path         []int64 // relationships from the seed, this one last
	Coverage     float64 // of the question's words, 0..1: how many stand in the fact or ask for its relation
	Why          *Why    // with Explain
}

// LinksRequest asks for an entity's facts.
type LinksRequest struct {
	Scope       memory.Scope // Namespace required; Project, User and SessionID keep to facts with evidence from there
	Unassigned  bool         // what belongs to no project counts beside Project's; without one, that alone
	Entity      string       // an id, a name or an alias
	EntityType  string       // tells namesakes apart; "" for any
	Direction   memory.Direction
	EdgeClasses []string
	Relations   []string
	At          memory.AsOf
	Limit       int
	Offset      int
	Explain     bool
}

// Links is an entity with its facts: by effective confidence, then the last observed first.
type Links struct {
	Entity FoundEntity
	Links  []FoundRelation // never nil
	More   bool
	State  memory.State
}

// TraverseRequest asks for what lies around an entity or between two.
type TraverseRequest struct {
	Scope       memory.Scope
	Start       string // an id, a name or an alias
	End         string // "": all around; else the shortest paths to it
	Relations   []string
	EdgeClasses []string
	Direction   memory.Direction
	MaxHops     int
	At          memory.AsOf
	Limit       int // entities
	Offset      int
	Explain     bool
}

// Traversal is the part of the graph that was reached: entities by depth, then by the strength of what leads to them,
// and every active edge among them.
type Traversal struct {
	Start     FoundEntity
	Entities  []FoundEntity
	Relations []FoundRelation
	Truncated bool // a bound cut something
	More      bool
	State     memory.State
}
