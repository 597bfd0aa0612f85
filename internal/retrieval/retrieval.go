// Package retrieval answers what is relevant to a question: candidates from text and vectors, fusion, the
// conversation-aware features, abstention and the rendered context block.
package retrieval

import (
	"time"

	"memory-graph/internal/memory"
)

// Strategy names how an answer is found; each keeps its own formula.
type Strategy string

// The strategies that need no facts.
const (
	// fused, by the other features where vectors cannot be ranked; walk where the best stand in no session
	Auto   Strategy = "auto"
	Text   Strategy = "text"   // BM25 alone
	Vector Strategy = "vector" // cosine alone
	Fused  Strategy = "fused"  // text + vector + conversation-aware features
	Newest Strategy = "newest" // no query: newest first (only in answers)
	ByID   Strategy = "ids"    // the items asked for (only in answers)
)

// The strategies that go through the graph.
const (
	BFS     Strategy = "bfs"     // facts by hops from the entities of the question
	Hybrid  Strategy = "hybrid"  // facts by the weight of their relation
	Synapse Strategy = "synapse" // facts by spreading activation
	Walk    Strategy = "walk"    // episodes by a walk through what they mention
)

// Match says how sure the answer is.
type Match string

// The degrees of a match.
const (
	Strong Match = "strong"
	Weak   Match = "weak"
	None   Match = "none"
)

// Request is one question. Query, IDs, or neither (newest first).
type Request struct {
	Scope        memory.Scope // Namespace required; the others filter
	Unassigned   bool         // what belongs to no project is found beside Project's; without one, that alone
	Query        string
	IDs          []memory.ID
	Strategy     Strategy // "" is Auto
	Since, Until time.Time
	Roles        []memory.Role
	Types        []string    // of the entities in the answer; nil for all
	At           memory.AsOf // what was true and known when
	Graph        *GraphScope // search_graph; nil is retrieve
	Limit        int         // of each list of the answer, 1–50
	Offset       int         // how many of the ranking to pass over (from a cursor)
	BudgetTokens int         // of the rendered context; 0 renders nothing
	Showable     bool        // leave out what must not be rendered
	Explain      bool        // fill Why
}

// FoundEpisode is one episode of an answer.
type FoundEpisode struct {
	Episode      memory.Episode
	Score        float64
	SupersededBy []int64  // later episodes that ended or replaced what it says
	Evidence     Evidence // of an answer to a question
	Why          *Why     // with Explain
}

// Why explains a score: what found the episode, and every feature with its weight (`explain`).
type Why struct {
	Strategy  Strategy  `json:"strategy,omitempty"` // "" where nothing was searched for
	MatchedBy []string  `json:"matched_by"`         // "text", "vector", "neighbour"
	TextRank  int       `json:"text_rank,omitempty"`
	Cosine    float64   `json:"cosine,omitempty"`
	Features  []Feature `json:"features"`
}

// Feature is one named part of a score: weight × value.
type Feature struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Reason string  `json:"reason"`
}

// Answer is what was found, best first (newest first without a query).
type Answer struct {
	Strategy       Strategy
	Match          Match
	Episodes       []FoundEpisode // never nil
	Entities       []FoundEntity
	Relations      []FoundRelation
	Seeds          []FoundEntity // where a search of the graph began
	Truncated      bool          // a bound of the graph search cut something
	More           bool          // the ranking goes on behind the last episode
	Context        string        // the rendered block, "" where nothing is to be shown
	BelowThreshold int
	BestBelow      float64 // best score among them, meaningful when BelowThreshold > 0
	State          memory.State
}
