package retrieval

import "memory-graph/internal/memory"

// GraphScope restricts a search of the graph.
type GraphScope struct {
	MaxHops     int      // 0: the default of the strategy
	EdgeClasses []string // nil: all
	Relations   []string // nil: all
}

// FoundEntity is one entity of an answer.
type FoundEntity struct {
	Entity     memory.Entity
	Score      float64
	Confidence float64 // effective
	Depth      int     // hops from the start
	Coverage   float64 // share of the question's words in its names and description, 0..1; 0 without a description
	Why        *Why    // with Explain

	Tier     Tier       // of the baseline of HybridGraph
	Expanded *Expansion // how the graph led to it; nil unless HybridGraph added it
}

// FoundRelation is one fact of an answer.
type FoundRelation struct {
	Relationship memory.Relationship
	Confidence   float64 // effective; as stored if the past is read
	Score        float64
	Hop          int     // from 1; 0 if no traversal led to the fact
	Path         []int64 // ids of the relationships from the seed to this one, inclusive
	Coverage     float64 // share of the question's words that the fact contains or that ask for its relation, 0..1
	Why          *Why    // with Explain

	Expanded *Expansion // how the graph led to it; nil unless HybridGraph added it
}

// LinksRequest asks for the facts of an entity.
type LinksRequest struct {
	Scope       memory.Scope // Namespace required; the others restrict the answer to facts with evidence there
	Unassigned  bool         // evidence without a project counts too; without Project, only such evidence
	Entity      string       // an id, a name or an alias
	EntityType  string       // selects one of several namesakes; "" for any
	Direction   memory.Direction
	EdgeClasses []string
	Relations   []string
	At          memory.AsOf
	Limit       int
	Offset      int
	Explain     bool
}

// Links is an entity with its facts, sorted by effective confidence, then by the last observation.
type Links struct {
	Entity FoundEntity
	Links  []FoundRelation // never nil
	More   bool
	State  memory.State
}

// TraverseRequest asks for the entities around an entity, or for the paths between two.
type TraverseRequest struct {
	Scope       memory.Scope
	Start       string // an id, a name or an alias
	End         string // "": everything around Start; else the shortest paths to End
	Relations   []string
	EdgeClasses []string
	Direction   memory.Direction
	MaxHops     int
	At          memory.AsOf
	Limit       int // maximum number of entities
	Offset      int
	Explain     bool
}

// Traversal is the part of the graph that was reached: entities sorted by depth, then by path strength, and the active
// edges among them.
type Traversal struct {
	Start     FoundEntity
	Entities  []FoundEntity
	Relations []FoundRelation
	Truncated bool // a limit cut the result short
	More      bool
	State     memory.State
}
