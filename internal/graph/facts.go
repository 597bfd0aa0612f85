package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// ScoredFact is an edge that a search from seeds found.
type ScoredFact struct {
	Edge  memory.Edge
	Score float64
	Hop   int     // number of edges from the seed, including Edge
	Path  []int64 // those edges; Edge is last
	Seed  int64
	Match float64 // the seed's match
}

// FactScore returns the score of an edge at a number of hops from a seed with this match.
type FactScore func(match float64, hop int, e memory.Edge) float64

// ScoreFacts ranks the edges around seeds, best first. Each edge gets the best score from any seed. edges are the edges
// of every node that is fewer than maxHops from some seed. worth chooses between paths of equal length. Ties are sorted
// by hop, then by the number of the edge's ends that are seeds, then by id, newest first.
func ScoreFacts(edges []memory.Edge, seeds []Seed, maxHops int, worth Worth, score FactScore) []ScoredFact {
	touching := map[int64][]memory.Edge{}
	for _, e := range edges {
		touching[e.Head] = append(touching[e.Head], e)
		if e.Tail != e.Head {
			touching[e.Tail] = append(touching[e.Tail], e)
		}
	}
	isSeed := map[int64]int{}
	best := map[int64]ScoredFact{}
	for _, seed := range seeds {
		isSeed[seed.Node] = 1
		s := NewSearch(seed.Node)
		for hop := 1; hop <= maxHops && len(s.Frontier()) > 0; hop++ {
			var around []memory.Edge
			for _, n := range s.Frontier() {
				around = append(around, touching[n]...)
			}
			s.Step(around, worth)
			for _, e := range around {
				value := score(seed.Match, hop, e)
				known, seen := best[e.ID]
				if seen && (known.Score > value || known.Score == value && known.Hop <= hop) {
					continue
				}
				if path, at := s.PathOver(e); at == hop { // an edge at a lower hop has its score already
					best[e.ID] = ScoredFact{Edge: e, Score: value, Hop: hop, Path: path, Seed: seed.Node, Match: seed.Match}
				}
			}
		}
	}
	out := make([]ScoredFact, 0, len(best))
	for _, f := range best {
		out = append(out, f)
	}
	ends := func(f ScoredFact) int { return isSeed[f.Edge.Head] + isSeed[f.Edge.Tail] }
	slices.SortFunc(out, func(a, b ScoredFact) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Hop, b.Hop), cmp.Compare(ends(b), ends(a)),
			cmp.Compare(b.Edge.ID, a.Edge.ID))
	})
	return out
}
