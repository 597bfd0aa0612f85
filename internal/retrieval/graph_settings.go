package retrieval

import (
	"context"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Graph reads entities and facts. Every method runs one statement unless it says otherwise. A read with AsOf.KnownAt
// runs one more.
type Graph interface {
	// ResolveEntity returns the entity with an id, a name or an alias. Errors: NotFound, Ambiguous with candidates.
	ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error)
	// EntitiesByID returns entities in the order of ids. Unknown ids are left out; a merged entity is returned as the one
	// that it was merged into.
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	// NodesByID returns nodes of any kind, also those that answers do not list.
	NodesByID(ctx context.Context, namespace string, ids []int64) ([]memory.Node, error)
	// EntitiesNamed returns the entities whose name or alias is one of these canonical names.
	EntitiesNamed(ctx context.Context, namespace string, canonical []string, at memory.AsOf) ([]memory.Entity, error)
	// SearchWithLabels finds entities by words of their name, aliases and description, and memories also by words of their
	// labels. The score is BM25; higher is better.
	SearchWithLabels(ctx context.Context, namespace string, words []string, k int) ([]memory.Hit, error)
	// MemoriesSharingLabels returns the memories that share a label with one of the turns, those that share most first.
	MemoriesSharingLabels(ctx context.Context, namespace string, turns []int64, limit int) ([]int64, error)
	// Relationships returns complete facts in the order of ids; unknown ids are left out.
	Relationships(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Relationship, error)
	// RelationshipsAmong returns the facts between any two nodes of the query that have evidence among the filter's
	// episodes.
	RelationshipsAmong(ctx context.Context, q memory.EdgeQuery, f memory.Filter, limit int) (list []memory.Relationship,
		more bool, err error)
	// RelationshipsEvidenced returns up to limit active facts that have one of these episodes as evidence; with ended,
	// also those that have ended by now. It runs one statement.
	RelationshipsEvidenced(ctx context.Context, q memory.EdgeQuery, f memory.Filter, episodes []int64, ended bool,
		limit int) ([]memory.Relationship, error)
	// EdgesWithin returns the edges of the query's nodes that have evidence among the filter's episodes. It returns at
	// most PerNode edges per node and direction, the highest stored confidence first. cut tells whether a node had more.
	EdgesWithin(ctx context.Context, q memory.EdgeQuery, f memory.Filter) (edges []memory.Edge, cut bool, err error)
	// LinksOf returns a page of a node's complete facts, sorted like EdgesWithin. It runs two statements.
	LinksOf(ctx context.Context, q memory.EdgeQuery, f memory.Filter, offset, limit int) (links []memory.Relationship,
		more bool, err error)
	// EpisodesMentioning returns the filter's episodes that mention the nodes, those with the most mentioned nodes first.
	EpisodesMentioning(ctx context.Context, f memory.Filter, nodes []int64, limit int) ([]memory.Hit, error)
}

// Settings are the configuration of the graph.
type Settings struct {
	MaxHops             int     // of bfs if the request sets none; at least 1
	RecallLimit         int     // maximum number of facts in a rendered context; 0 for none
	TemporalDecayRate   float64 // the bonus for recent facts (graph.RecencyBoost), 0..10
	RelationDecayRate   float64 // for relations without a rate of their own, per day
	FullConfidence      float64 // facts with a lower stored confidence are raw: a context has them last and marked
	ContextStyle        string  // ContextMemory or ContextKnowledge; "" is ContextMemory
	SpreadingActivation SpreadingActivation
	HybridGraph         GraphExpansion
}

// GraphExpansion is the configuration of the strategy hybrid_graph.
type GraphExpansion struct {
	Enabled bool          // false: every answer is the baseline
	Depth   int           // hops in calls that set none; 0: nothing is expanded
	Timeout time.Duration // after this time, the answer is the baseline; 0: no limit
}

// SpreadingActivation is the configuration of the strategy synapse.
type SpreadingActivation struct {
	Enabled              bool // auto may choose it
	DecayLambda          float64
	MaxHops              int
	ActivationThreshold  float64
	InhibitionThreshold  float64
	MaxActivatedNodes    int
	SeedStructuralWeight float64
	SeedCommunityCap     int
	Timeout              time.Duration // after this time, the search returns what it has found so far
}

// DefaultSettings returns the settings of an empty configuration.
func DefaultSettings() Settings {
	return Settings{
		MaxHops: 2, RecallLimit: 10, RelationDecayRate: graph.DefaultRate, FullConfidence: .7, ContextStyle: ContextMemory,
		SpreadingActivation: SpreadingActivation{
			DecayLambda: .85, MaxHops: 3, ActivationThreshold: .1, InhibitionThreshold: .8, MaxActivatedNodes: 50,
			SeedStructuralWeight: .4, SeedCommunityCap: 3, Timeout: 500 * time.Millisecond,
		},
		HybridGraph: GraphExpansion{Enabled: true, Depth: 2, Timeout: time.Second},
	}
}

func (r *Retriever) settings() Settings {
	if r.Settings == nil {
		return DefaultSettings()
	}
	return *r.Settings
}

var errNoGraph = memory.Errorf(memory.Unavailable,
	"Graph search is not available.").WithHint("Use strategy auto or text.")

// used reports the facts of an answer about the present to r.Used.
func (r *Retriever) used(namespace string, at memory.AsOf, facts []FoundRelation) {
	if r.Used == nil || !at.Now() || len(facts) == 0 {
		return
	}
	ids := make([]int64, len(facts))
	for i, f := range facts {
		ids[i] = f.Relationship.ID
	}
	r.Used(namespace, ids)
}

// scope returns the filter for the scope of a request. Facts are filtered by their evidence.
func (req Request) scope() memory.Filter {
	f := scopeFilter(req.Scope)
	f.Unassigned, f.Since, f.Until = req.Unassigned, wholeSecond(req.Since), wholeSecond(req.Until)
	return f
}

// ending returns the filter for turns that may have ended a fact. A turn of any project may end a fact without a
// project, so the filter has no project if Unassigned is set. A later turn may end a fact of an earlier time.
func (req Request) ending() memory.Filter {
	f := req.scope()
	f.Since, f.Until = time.Time{}, time.Time{}
	if f.Unassigned {
		f.Project, f.Unassigned = "", false
	}
	return f
}

// scopeFilter returns the filter for a scope: facts need evidence there.
func scopeFilter(s memory.Scope) memory.Filter {
	return memory.Filter{Namespace: s.Namespace, Project: s.Project, User: s.User, SessionID: s.SessionID}
}

func (r *Retriever) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
