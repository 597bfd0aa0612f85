package retrieval

import (
	"context"
	"sync"

	"memory-graph/internal/memory"
)

// facts is the result of a graph search: one page of entities and facts, and the nodes that lead to episodes.
type facts struct {
	strategy  Strategy
	seeds     []FoundEntity
	names     map[int64]bool // the seeds that the question names
	near      []memory.Hit   // the entities whose vectors are most similar to the question's, with their cosines
	entities  []FoundEntity
	relations []FoundRelation
	ranked    []FoundRelation // the first facts of the whole ranking; their evidence leads to episodes
	joined    map[int64]bool  // the facts that join two names of the question; true: over an entity between them
	several   bool            // the question names several things
	nodes     []int64         // all entities of the ranking, seeds first
	leads     []int64         // the nodes that lead to episodes, the same for every page
	more      bool
	truncated bool
	hidden    int
	below     float64
}

// answerQuestion answers a request with a query. It returns episodes found by the strategy, and facts and entities from
// the graph. With bfs, hybrid and synapse, the facts also lead to the episodes.
func (r *Retriever) answerQuestion(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	switch req.Strategy {
	case HybridGraph:
		return r.hybridGraph(ctx, req, q)
	case BFS, Hybrid, Synapse:
		answer, err := r.byFacts(ctx, req, q)
		if err != nil && r.Graph != nil {
			return r.orBaseline(ctx, req, q, err)
		}
		return answer, err
	case Text: // without a graph search, only the one index is used
		if req.Graph == nil {
			return r.ask(ctx, req, q)
		}
	case Vector:
		if req.Graph == nil {
			return r.byVector(ctx, req, q)
		}
	}
	if r.Graph == nil {
		if req.Graph != nil {
			return Answer{}, errNoGraph
		}
		return r.ask(ctx, req, q)
	}
	var beside sync.WaitGroup
	var found facts
	var factsErr error
	beside.Go(func() { found, factsErr = r.facts(ctx, req, q, r.factStrategy(req), judgedFacts) })
	answer, err := r.ask(ctx, req, q)
	beside.Wait()
	if err == nil && factsErr == nil {
		factsErr = r.rankFacts(ctx, req, q, answer.leads, &found)
	}
	switch {
	case err != nil:
		return Answer{}, err
	case factsErr == nil:
		found.join(&answer, req, q)
		if err := r.addSharing(ctx, req, &answer); ctx.Err() != nil {
			return Answer{}, err
		} else if err != nil {
			answer.lose(req)
		}
	case ctx.Err() != nil:
		return Answer{}, factsErr
	default: // the episodes alone are an answer
		answer.lose(req)
	}
	return answer, nil
}

// factStrategy returns the strategy for facts: the requested one, or synapse if the configuration enables it for auto,
// or bfs.
func (r *Retriever) factStrategy(req Request) Strategy {
	switch req.Strategy {
	case BFS, Hybrid, Synapse:
		return req.Strategy
	}
	if r.settings().SpreadingActivation.Enabled {
		return Synapse
	}
	return BFS
}

// hops returns how many hops a strategy goes. A plain question reads one hop: the facts of the entities that it names.
func (r *Retriever) hops(req Request, s Strategy) int {
	switch {
	case req.Graph != nil && req.Graph.MaxHops > 0:
		return req.Graph.MaxHops
	case s == Hybrid:
		return 1
	case s == Synapse:
		return r.settings().SpreadingActivation.MaxHops
	case req.Graph == nil && req.Strategy != BFS:
		return 1
	}
	return r.settings().MaxHops
}

// evidenceOf is the number of facts whose evidence leads to episodes. It is the same for every page, so that the order
// of the episodes does not change between pages.
const evidenceOf = 50

// facts searches the graph: one or two statements for the seeds, then at most hops + 2. It reads at least the first
// atLeast facts completely, whatever the page.
func (r *Retriever) facts(ctx context.Context, req Request, q *parsedQuestion, strategy Strategy,
	atLeast int) (facts, error) {
	out := facts{strategy: strategy}
	compared := r.comparing(ctx, req.Scope.Namespace, q)
	seeds, err := r.seeds(ctx, req, q, compared)
	out.near = compared()
	if err != nil || len(seeds) == 0 {
		return out, err
	}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return out, err
	}
	need := req.Offset + req.Limit + 1
	var x expansion
	if hops := r.hops(req, strategy); strategy == Synapse {
		x, err = r.spread(ctx, req, seeds, w, hops)
	} else {
		x, err = r.expand(ctx, req, seeds, w, strategy, hops, max(need, atLeast))
	}
	if err != nil {
		return out, err
	}
	if err := r.joinFirst(ctx, req, q, seeds, w, &x); err != nil {
		return out, err
	}
	out.joined, out.several = x.joined, namePlaces(seeds) != nil
	out.truncated, out.hidden, out.below = x.truncated, x.hidden, x.below
	scored := x.facts[:min(len(x.facts), max(need, atLeast))]
	if err := r.readFacts(ctx, req, scored, w, &out); err != nil {
		return out, err
	}
	return out, r.readEntities(ctx, req, seeds, x.facts, w, &out)
}
