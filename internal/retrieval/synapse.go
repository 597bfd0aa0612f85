package retrieval

import (
	"context"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// synapseSeeds is the maximum number of seeds that activation starts from.
const synapseSeeds = 5

// spread finds facts by spreading activation. It first reads the edges of all possible seeds, in one statement. They
// rank the seeds and are the edges of the first hop. If the timeout expires, the answer is what was found so far and is
// marked as truncated.
func (r *Retriever) spread(ctx context.Context, req Request, seeds []seed, w scale, hops int) (expansion, error) {
	set := r.settings().SpreadingActivation
	var x expansion
	bounded := ctx
	if set.Timeout > 0 {
		var stop context.CancelFunc
		bounded, stop = context.WithTimeout(ctx, set.Timeout)
		defer stop()
	}
	known := map[int64]bool{}
	read := func(nodes []int64, perNode int) ([]memory.Edge, error) {
		edges, cut, err := r.Graph.EdgesWithin(bounded, req.edges(nodes, perNode), req.scope())
		if err != nil {
			return nil, err
		}
		x.truncated = x.truncated || cut
		return x.see(edges, w, known), nil
	}
	late := func(err error) bool { return err != nil && ctx.Err() == nil && bounded.Err() != nil }

	nodes := make([]int64, len(seeds))
	for i, s := range seeds {
		nodes[i] = s.id
	}
	edges, err := read(nodes, perNode)
	if late(err) {
		x.truncated = true
		return x, nil
	}
	if err != nil {
		return expansion{}, err
	}
	x.first, x.hub = edges, x.truncated
	candidates := graphSeeds(seeds)
	err = r.communitiesOfSeeds(bounded, req.Scope.Namespace, candidates, set.SeedCommunityCap)
	if err != nil && !late(err) {
		return expansion{}, err
	}
	ranked := graph.RankSeeds(candidates, edges, set.SeedStructuralWeight, set.SeedCommunityCap, synapseSeeds)
	start := make([]int64, len(ranked))
	for i, s := range ranked {
		start[i] = s.Node
	}
	opts := graph.Spreading{Lambda: set.DecayLambda, Threshold: set.ActivationThreshold,
		Inhibition: set.InhibitionThreshold, MaxNodes: set.MaxActivatedNodes}
	share := func(e memory.Edge) float64 {
		return opts.Pass(w.evolved(e), graph.Recency(w.age(e), w.recency), graph.ClassWeight(e.Class))
	}
	x.score = share // a seed has the activation 1
	a := graph.NewActivation(opts, start...)
	for all := edges; ; {
		a.Spread(all, share)
		if a.Hop() == hops || len(a.Frontier()) == 0 {
			break
		}
		if a.Full() { // a further hop could reach no new node
			x.truncated = true
			break
		}
		edges, err = read(a.Frontier(), perFurther)
		if late(err) {
			x.truncated = true
			break
		}
		if err != nil {
			return expansion{}, err
		}
		all = append(all, edges...) // an edge between two nodes of the frontier may have been read before
	}
	x.truncated = x.truncated || a.Cut()
	for _, f := range a.Flows() {
		x.facts = append(x.facts, graph.ScoredFact{Edge: f.Edge, Score: f.Amount, Hop: f.Hop, Path: a.Path(f), Seed: f.From})
	}
	return x, nil
}
