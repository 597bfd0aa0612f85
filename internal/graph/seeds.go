package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// Seed is an entity at which a search of the graph may begin.
type Seed struct {
	Node      int64
	Match     float64 // how well the question names it, 0..1
	Community int64   // 0 for none
}

// RankSeeds sorts seeds for the strategy synapse by match × (1 − weight) + structural × weight, where structural = 0.6
// × degree / the largest degree + 0.4 × edge classes / 5, counted in the given edges. It keeps the first limit seeds.
// communityCap is the maximum number of seeds of one community, 0 for no maximum. It is ignored if it would leave no
// seed. See docs/decisions.md, "Strategy synapse".
func RankSeeds(seeds []Seed, edges []memory.Edge, weight float64, communityCap, limit int) []Seed {
	degrees := map[int64]int{}
	classes := map[int64]map[string]bool{}
	count := func(node int64, class string) {
		degrees[node]++
		if classes[node] == nil {
			classes[node] = map[string]bool{}
		}
		classes[node][class] = true
	}
	for _, e := range edges {
		count(e.Head, e.Class)
		if e.Tail != e.Head {
			count(e.Tail, e.Class)
		}
	}
	largest := 1
	for _, s := range seeds {
		largest = max(largest, degrees[s.Node])
	}
	score := make(map[int64]float64, len(seeds))
	for _, s := range seeds {
		structural := .6*float64(degrees[s.Node])/float64(largest) + .4*float64(len(classes[s.Node]))/float64(
			len(memory.EdgeClasses))
		score[s.Node] = s.Match*(1-weight) + structural*weight
	}
	ranked := slices.Clone(seeds)
	slices.SortStableFunc(ranked, func(a, b Seed) int {
		return cmp.Or(cmp.Compare(score[b.Node], score[a.Node]), cmp.Compare(a.Node, b.Node))
	})
	kept := capped(ranked, communityCap)
	if len(kept) == 0 {
		kept = ranked
	}
	return kept[:min(len(kept), max(0, limit))]
}

// capped keeps the first seeds of each community, up to most, and all seeds without a community.
func capped(ranked []Seed, most int) []Seed {
	if most <= 0 {
		return ranked
	}
	var kept []Seed
	of := map[int64]int{}
	for _, s := range ranked {
		if s.Community != 0 {
			if of[s.Community] == most {
				continue
			}
			of[s.Community]++
		}
		kept = append(kept, s)
	}
	return kept
}
