package retrieval

import (
	"context"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Graph reads entities and facts. Every method is one statement, and one more where it reads the past of the second
// axis (AsOf.KnownAt), unless it says otherwise.
type Graph interface {
	// ResolveEntity gives the entity that an id, a name or an alias means. NotFound, Ambiguous with candidates.
	ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error)
	// EntitiesByID gives entities in the order asked for; unknown ids are left out, a merged one answers as what it is
	// now.
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	// EntitiesNamed gives those that go by one of these canonical names.
	EntitiesNamed(ctx context.Context, namespace string, canonical []string, at memory.AsOf) ([]memory.Entity, error)
	// SearchEntities finds entities by words of their name, aliases and description; the score is BM25, higher is better.
	SearchEntities(ctx context.Context, namespace string, words []string, types []string, k int) ([]memory.Hit, error)
	// Relationships gives facts whole, in the order asked for; unknown ids are left out.
	Relationships(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Relationship, error)
	// RelationshipsAmong gives the facts between any two of the query's nodes that the filter's episodes are evidence of.
	RelationshipsAmong(ctx context.Context, q memory.EdgeQuery, f memory.Filter, limit int) (list []memory.Relationship,
		more bool, err error)
	// EdgesWithin gives the edges of all the query's nodes, at most PerNode of each and direction, the highest stored
	// confidence first; those that the filter's episodes are evidence of. cut says that a node had more.
	EdgesWithin(ctx context.Context, q memory.EdgeQuery, f memory.Filter) (edges []memory.Edge, cut bool, err error)
	// LinksOf gives a page of a node's facts whole, in the same order: two statements.
	LinksOf(ctx context.Context, q memory.EdgeQuery, f memory.Filter, offset, limit int) (links []memory.Relationship,
		more bool, err error)
	// EpisodesMentioning gives the filter's episodes that mention the nodes, those that mention most of them first.
	EpisodesMentioning(ctx context.Context, f memory.Filter, nodes []int64, limit int) ([]memory.Hit, error)
}

// Settings is what the configuration says about the graph.
type Settings struct {
	MaxHops             int     // of bfs where the request gives none, from 1
	RecallLimit         int     // facts in a rendered context, from 0
	TemporalDecayRate   float64 // what recent facts gain (graph.RecencyBoost), 0..10
	RelationDecayRate   float64 // of relations that have no rate of their own, per day
	ContextStyle        string  // ContextMemory or ContextKnowledge; "" is the first
	SpreadingActivation SpreadingActivation
}

// SpreadingActivation is what the configuration says about the strategy synapse.
type SpreadingActivation struct {
	Enabled              bool // auto may choose it
	DecayLambda          float64
	MaxHops              int
	ActivationThreshold  float64
	InhibitionThreshold  float64
	MaxActivatedNodes    int
	SeedStructuralWeight float64
	SeedCommunityCap     int
	Timeout              time.Duration // after which what was found so far is the answer
}

// DefaultSettings are those of a configuration that says nothing.
func DefaultSettings() Settings {
	return Settings{
		MaxHops: 2, RecallLimit: 10, RelationDecayRate: graph.DefaultRate, ContextStyle: ContextMemory,
		SpreadingActivation: SpreadingActivation{
			DecayLambda: .85, MaxHops: 3, ActivationThreshold: .1, InhibitionThreshold: .8, MaxActivatedNodes: 50,
			SeedStructuralWeight: .4, SeedCommunityCap: 3, Timeout: 500 * time.Millisecond,
		},
	}
}

func (r *Retriever) settings() Settings {
	if r.Settings == nil {
		return DefaultSettings()
	}
	return *r.Settings
}

var errNoGraph = memory.Errorf(memory.Unavailable,
	"There is no graph to search here.").WithHint("Use strategy auto or text.")

// used tells which facts an answer about the present was made of.
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

// scope is what a question is narrowed to, its facts by their evidence.
func (req Request) scope() memory.Filter {
	f := scopeFilter(req.Scope)
	f.Unassigned = req.Unassigned
	return f
}

// ending is where a turn that ended another's fact may be: where every project's turns are of no project too, what is
// of none may have been ended in any.
func (req Request) ending() memory.Filter {
	f := req.scope()
	if f.Unassigned {
		f.Project, f.Unassigned = "", false
	}
	return f
}

// scopeFilter is what a scope narrows facts to: those with evidence from there.
func scopeFilter(s memory.Scope) memory.Filter {
	return memory.Filter{Namespace: s.Namespace, Project: s.Project, User: s.User, SessionID: s.SessionID}
}

func (r *Retriever) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
