// Package retrieval answers questions from the memory. It collects candidates from text and vector search, fuses their
// scores with features of the conversation, decides how sure the answer is, and renders the context block.
package retrieval

import (
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Strategy names a way to find an answer. Each strategy has its own formula.
type Strategy string

// The strategies that read no facts.
const (
	// Auto is Fused (without the vector feature if vectors cannot be ranked), or Walk if the best episodes belong to no
	// session.
	Auto   Strategy = "auto"
	Text   Strategy = "text"   // BM25 alone
	Vector Strategy = "vector" // cosine alone
	Fused  Strategy = "fused"  // text, vectors and the features of conversations
	Newest Strategy = "newest" // without a query: newest first (only in answers)
	ByID   Strategy = "ids"    // the items with the requested ids (only in answers)
)

// The strategies that read the graph.
const (
	BFS     Strategy = "bfs"     // facts, scored by the number of hops from the entities of the question
	Hybrid  Strategy = "hybrid"  // facts, scored by the weight of their relation
	Synapse Strategy = "synapse" // facts, scored by spreading activation
	Walk    Strategy = "walk"    // episodes, found by a walk over shared mentions

	HybridGraph Strategy = "hybrid_graph" // a baseline of three tiers, expanded through the graph from its hits
	Baseline    Strategy = "baseline"     // only in answers: the baseline, where the graph may not or cannot be used
)

// Match says how sure an answer is that it found evidence.
type Match string

// The degrees of a match.
const (
	Strong Match = "strong"
	Weak   Match = "weak"
	None   Match = "none"
)

// Request is one question. It has a Query, IDs, or neither (newest episodes first).
type Request struct {
	Scope        memory.Scope // Namespace required; the others filter
	Unassigned   bool         // Project also finds what has no project; without Project, only that is found
	Query        string
	IDs          []memory.ID
	Strategy     Strategy // "" is Auto
	Since, Until time.Time
	Roles        []memory.Role
	Types        []string    // of the entities in the answer; nil means all
	At           memory.AsOf // the valid time and the known time to read
	Graph        *GraphScope // set by search_graph; nil for retrieve
	Limit        int         // of each list of the answer, 1..50
	Offset       int         // how many items of the ranking to skip (from a cursor)
	BudgetTokens int         // tokens for the rendered context; 0 renders none
	Showable     bool        // leave out what must not be rendered
	Explain      bool        // fill Why
}

// FoundEpisode is one episode of an answer.
type FoundEpisode struct {
	Labels       []memory.Label // its metadata, where the caller has read it
	Episode      memory.Episode
	Score        float64
	SupersededBy []int64  // later episodes that ended or replaced one of its facts
	Evidence     Evidence // set in answers to a question
	Quoted       int      // where the passage that answers the question begins in the content, in bytes
	Why          *Why     // set with Explain

	Tier     Tier       // of the baseline of HybridGraph
	Expanded *Expansion // how the graph led to it; nil unless HybridGraph added it
}

// Quote returns the content from the passage that answers the question. It begins with an ellipsis if that is not the
// beginning.
func (f FoundEpisode) Quote() string {
	content := f.Episode.Content
	if f.Quoted <= 0 || f.Quoted >= len(content) {
		return content
	}
	return "… " + strings.TrimSpace(content[f.Quoted:])
}

// Why explains a score: how the episode was found, and every feature with its weight (`explain`).
type Why struct {
	Strategy  Strategy  `json:"strategy,omitempty"` // "" if nothing was searched
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

// Answer is the result of a request, best first (newest first without a query).
type Answer struct {
	Strategy       Strategy
	Match          Match
	Episodes       []FoundEpisode // never nil
	Standing       []FoundEpisode // standing facts about the user; set only in context blocks
	Entities       []FoundEntity
	Relations      []FoundRelation
	Seeds          []FoundEntity      // the entities where a search of the graph began
	Communities    []memory.Community // those asked for by id, or those that are relevant to a broad question
	Truncated      bool               // a limit cut the graph search short
	More           bool               // the ranking continues after the last episode
	Context        string             // the rendered block; "" if there is nothing to show
	BelowThreshold int
	BestBelow      float64 // the best score below the threshold; only meaningful when BelowThreshold > 0
	State          memory.State
	Fallback       memory.Fallback // why a graph search answers with the baseline; "" if it does not
	names          map[int64]bool  // the seeds that the question names
	near           []memory.Hit    // the entities whose vectors are most similar to the question's
	leads          []lead          // the first turns of the ranking, whatever the page
	expansion      *expansionRun   // of HybridGraph
}
