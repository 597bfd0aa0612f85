package retrieval

import (
	"context"
	"sync"
)

// facts is what the graph has to say to a question: one page of entities and of facts, and what leads on to episodes.
type facts struct {
	strategy  Strategy
	seeds     []FoundEntity
	entities  []FoundEntity
	relations []FoundRelation
	ranked    []FoundRelation // the first of the whole ranking, for their evidence
	nodes     []int64         // the entities of the ranking, seeds first
	leads     []int64         // those of them that lead on to episodes, the same on every page
	more      bool
	truncated bool
	hidden    int
	below     float64
}

// answerQuestion answers a request that has a question: episodes by the strategy, and facts and entities of the graph
// beside them. With bfs, hybrid and synapse the graph leads to the episodes too.
func (r *Retriever) answerQuestion(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	switch req.Strategy {
	case BFS, Hybrid, Synapse:
		return r.byFacts(ctx, req, q)
	case Text, Vector: // each alone, in a plain question
		if req.Graph == nil {
			return r.ask(ctx, req, q)
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
	beside.Go(func() { found, factsErr = r.facts(ctx, req, q, r.factStrategy(req), 0) })
	answer, err := r.ask(ctx, req, q)
	beside.Wait()
	switch {
	case err != nil:
		return Answer{}, err
	case factsErr == nil:
		found.join(&answer, req, q)
	case req.Graph != nil || ctx.Err() != nil:
		return Answer{}, factsErr
	default: // the episodes are an answer of their own
		answer.State.Degraded = append(answer.State.Degraded, "graph_unavailable")
	}
	return answer, nil
}

// factStrategy is how facts are found: as the request says, else by bfs, unless the configuration lets auto choose
// synapse.
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

// hops is how far a strategy goes where the request does not say. Beside a plain question it is one hop: what the
// entities named in it are known for.
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

// evidenceOf is how many of the first facts lead to episodes: as many on a later page as on the first, or the order of
// the episodes would be another there.
const evidenceOf = 50

// facts searches the graph: one or two statements for the seeds, then at most hops + 2. It reads at least the first
// atLeast facts whole, whatever the page.
func (r *Retriever) facts(ctx context.Context, req Request, q *parsedQuestion, strategy Strategy,
	atLeast int) (facts, error) {
	out := facts{strategy: strategy}
	seeds, err := r.seeds(ctx, req, q)
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
	out.truncated, out.hidden, out.below = x.truncated, x.hidden, x.below
	scored := x.facts[:min(len(x.facts), max(need, atLeast))]
	if err := r.readFacts(ctx, req, scored, w, &out); err != nil {
		return out, err
	}
	return out, r.readEntities(ctx, req, seeds, x.facts, w, &out)
}
