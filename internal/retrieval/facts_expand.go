package retrieval

import (
	"context"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// expansion is the result of a strategy over the edges around the seeds.
type expansion struct {
	facts     []graph.ScoredFact // best first
	truncated bool
	hidden    int     // facts whose effective confidence is below graph.HiddenBelow
	below     float64 // the best effective confidence among the hidden facts

	first  []memory.Edge             // the edges of the seeds
	hub    bool                      // a seed has more edges than were read
	score  func(memory.Edge) float64 // of an edge of an entity that the question names
	joined map[int64]bool            // the facts that joinFirst moved; true: over an entity between two names
}

// see returns the edges that are new and not hidden. It counts the hidden ones.
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

// formula is the scoring of a strategy: the score of a fact, and the highest possible score at a hop.
type formula struct {
	score graph.FactScore
	best  func(hop int) float64
}

func (w scale) formula(s Strategy) formula {
	if s == Hybrid {
		heaviest := 1.5 // the highest weight that graph.Weight returns
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

// mostBoosted returns the highest score that a recency boost can make of a score.
func (w scale) mostBoosted(score float64) float64 { return graph.RecencyBoost(score, 0, w.recency) }

// expand reads the edges around the seeds, one statement per hop, and scores them by the formula of bfs or hybrid. It
// stops early if no fact of a further hop could score high enough to change the page.
func (r *Retriever) expand(ctx context.Context, req Request, seeds []seed, w scale, strategy Strategy, hops,
	need int) (expansion, error) {
	var x expansion
	nodes := make([]int64, len(seeds))
	for i, s := range seeds {
		nodes[i] = s.id
	}
	by := w.formula(strategy)
	search := graph.NewSearch(nodes...)
	known := map[int64]bool{}
	x.score = func(e memory.Edge) float64 { return by.score(1, 1, e) }
	var edges []memory.Edge
	for hop := 1; hop <= hops && len(search.Frontier()) > 0; hop++ {
		frontier := search.Frontier()
		if len(frontier) > maxFrontier {
			frontier, x.truncated = frontier[:maxFrontier], true
		}
		read, cut, err := r.Graph.EdgesWithin(ctx, req.edges(frontier, edgesPerNode(hop)), req.scope())
		if err != nil {
			return expansion{}, err
		}
		x.truncated = x.truncated || cut
		seen := x.see(read, w, known)
		edges = append(edges, seen...)
		if hop == 1 {
			x.first, x.hub = seen, cut
		}
		search.Step(seen, w.pathWeight)
		x.facts = graph.ScoreFacts(edges, graphSeeds(seeds), hop, w.pathWeight, by.score)
		if len(req.Types) == 0 && enough(x.facts, nodes, by.best(hop+1), need) {
			break
		}
	}
	return x, nil
}

// enough reports whether the first need facts and the first need entities are final: a fact that is found later scores
// at most best, so it ranks after them.
func enough(facts []graph.ScoredFact, seeds []int64, best float64, need int) bool {
	if len(facts) < need || facts[need-1].Score < best {
		return false
	}
	known := make(map[int64]bool, need+1)
	for _, n := range seeds {
		known[n] = true
	}
	for _, f := range facts {
		if f.Score < best || len(known) >= need {
			break
		}
		known[f.Edge.Head], known[f.Edge.Tail] = true, true
	}
	return len(known) >= need
}

func (req Request) edges(nodes []int64, perNode int) memory.EdgeQuery {
	q := memory.EdgeQuery{Namespace: req.Scope.Namespace, Nodes: nodes, At: req.At, PerNode: perNode}
	if req.Graph != nil {
		q.Relations, q.Classes = req.Graph.Relations, req.Graph.EdgeClasses
	}
	return q
}
