package retrieval

import (
	"context"

	"memory-graph/graph"
	"memory-graph/memory"
)

// expansion is what a strategy made of the edges around the seeds.
type expansion struct {
	facts     []graph.ScoredFact // best first
	truncated bool
	hidden    int     // facts that have faded below graph.HiddenBelow
	below     float64 // the best effective confidence among those
}

// see puts aside what has faded out of sight.
func (x *expansion) see(edges []memory.Edge, w scale, known map[int64]bool) []memory.Edge {
	var out []memory.Edge
	for _, e := range edges {
		if known[e.ID] {
			continue
		}
		known[e.ID] = true
		if c := w.effective(e); graph.Hidden(c) {
			x.hidden++
			x.below = max(x.below, c)
			continue
		}
		out = append(out, e)
	}
	return out
}

// formula is how a strategy scores facts, and the best that any fact of a hop can reach.
type formula struct {
	score graph.FactScore
	best  func(hop int) float64
}

func (w scale) formula(s Strategy) formula {
	if s == Hybrid {
		heaviest := 1.5 // the registry's heaviest relation: graph.Weight
		return formula{
			func(_ float64, hop int, e memory.Edge) float64 {
				return w.boost(graph.HybridScore(graph.Weight(e.Relation, e.Class), e.Strength, w.effective(e), hop), e)
			},
			func(hop int) float64 { return w.mostBoosted(graph.HybridScore(heaviest, 1, 1, hop)) },
		}
	}
	return formula{
		func(match float64, hop int, e memory.Edge) float64 {
			return w.boost(graph.BFSScore(match, hop, w.evolved(e)), e)
		},
		func(hop int) float64 { return w.mostBoosted(graph.BFSScore(1, hop, 1)) },
	}
}

// mostBoosted is the best that a boost can make of a score.
func (w scale) mostBoosted(score float64) float64 { return graph.RecencyBoost(score, 0, w.recency) }

// expand reads the edges around the seeds, one statement a hop, and scores them by the formula of bfs or hybrid. It goes no
// deeper where nothing there could reach the page: enough facts stand above all that a further hop can score.
func (r *Retriever) expand(ctx context.Context, req Request, seeds []seed, w scale, strategy Strategy, hops, need int) (expansion, error) {
	var x expansion
	nodes := make([]int64, len(seeds))
	for i, s := range seeds {
		nodes[i] = s.id
	}
	by := w.formula(strategy)
	search := graph.NewSearch(nodes...)
	known := map[int64]bool{}
	var edges []memory.Edge
	for hop := 1; hop <= hops && len(search.Frontier()) > 0; hop++ {
		frontier := search.Frontier()
		if len(frontier) > maxFrontier {
			frontier, x.truncated = frontier[:maxFrontier], true
		}
		read, cut, err := r.Graph.EdgesWithin(ctx, req.edges(frontier, edgesPerNode(hop)), scopeFilter(req.Scope))
		if err != nil {
			return expansion{}, err
		}
		x.truncated = x.truncated || cut
		seen := x.see(read, w, known)
		edges = append(edges, seen...)
		search.Step(seen, w.worth)
		x.facts = graph.ScoreFacts(edges, graphSeeds(seeds), hop, w.worth, by.score)
		if len(x.facts) >= need && x.facts[need-1].Score >= by.best(hop+1) {
			break
		}
	}
	return x, nil
}

func (req Request) edges(nodes []int64, perNode int) memory.EdgeQuery {
	q := memory.EdgeQuery{Namespace: req.Scope.Namespace, Nodes: nodes, At: req.At, PerNode: perNode}
	if req.Graph != nil {
		q.Relations, q.Classes = req.Graph.Relations, req.Graph.EdgeClasses
	}
	return q
}
