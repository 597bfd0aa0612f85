package graph_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

func TestScoreFacts_GivesEachFactItsBestWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 7)
		hops := rapid.IntRange(1, 3).Draw(rt, "hops")
		seeds := []graph.Seed{{Node: 1, Match: 1}}
		if rapid.Bool().Draw(rt, "two") {
			seeds = append(seeds, graph.Seed{Node: 2, Match: rapid.SampledFrom([]float64{.3, .9}).Draw(rt, "match")})
		}
		score := func(match float64, hop int, e memory.Edge) float64 { return graph.BFSScore(match, hop, e.Confidence) }

		want := map[int64]float64{}
		for _, s := range seeds {
			for _, w := range walks(edges, s.Node, memory.Both, hops-1) {
				at := w.nodes[len(w.nodes)-1]
				for _, e := range touching(edges, []int64{at}, memory.Both) {
					want[e.ID] = max(want[e.ID], score(s.Match, len(w.edges)+1, e))
				}
			}
		}
		// Only the edges of nodes fewer than hops from a seed were read.
		search := graph.NewSearch(seeds[0].Node, seeds[len(seeds)-1].Node)
		read := map[int64]bool{}
		var known []memory.Edge
		for search.Depth() < hops && len(search.Frontier()) > 0 {
			for _, e := range touching(edges, search.Frontier(), memory.Both) {
				if !read[e.ID] {
					read[e.ID] = true
					known = append(known, e)
				}
			}
			search.Step(known, worth)
		}
		got := graph.ScoreFacts(known, seeds, hops, worth, score)
		if len(got) != len(want) {
			rt.Fatalf("%d facts, want %d", len(got), len(want))
		}
		for i, f := range got {
			if math.Abs(want[f.Edge.ID]-f.Score) > 1e-12 || math.Abs(score(f.Match, f.Hop, f.Edge)-f.Score) > 1e-12 {
				rt.Fatalf("fact %d scores %v at hop %d, want %v", f.Edge.ID, f.Score, f.Hop, want[f.Edge.ID])
			}
			if len(f.Path) != f.Hop || f.Path[f.Hop-1] != f.Edge.ID {
				rt.Fatalf("fact %d at hop %d over %v", f.Edge.ID, f.Hop, f.Path)
			}
			if i > 0 && got[i-1].Score < f.Score {
				rt.Fatalf("out of order: %v", got)
			}
		}
	})
}

func TestRankSeeds_MixesMatchAndPlaceInTheGraph(t *testing.T) {
	t.Parallel()
	var edges []memory.Edge
	add := func(head int64, class string) {
		edges = append(edges, memory.Edge{ID: int64(len(edges) + 1), Head: head, Tail: int64(100 + len(edges)), Class: class})
	}
	for range 10 {
		add(1, memory.Semantic) // degree 10, one class: structural .6 + .08
	}
	for _, class := range memory.EdgeClasses {
		add(2, class) // degree 5, five classes: .3 + .4
	}
	add(3, memory.Causal) // .06 + .08
	seeds := []graph.Seed{{Node: 1, Match: .5}, {Node: 2, Match: .5}, {Node: 3, Match: 1}, {Node: 4, Match: .6}}
	order := func(list []graph.Seed) (nodes []int64) {
		for _, s := range list {
			nodes = append(nodes, s.Node)
		}
		return nodes
	}
	// .6 × match + .4 × structural: 1: .572, 2: .58, 3: .656, 4: .36.
	for _, c := range []struct {
		name   string
		weight float64
		limit  int
		want   []int64
	}{
		{"as configured", .4, 9, []int64{3, 2, 1, 4}}, {"text alone", 0, 9, []int64{3, 4, 1, 2}}, {"place alone", 1, 9,
			[]int64{2, 1, 3, 4}},
		{"the first two", .4, 2, []int64{3, 2}}, {"none", .4, 0, nil},
	} {
		if diff := cmp.Diff(c.want, order(graph.RankSeeds(seeds, edges, c.weight, 3, c.limit))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestRankSeeds_TakesAFewOfEachCommunity(t *testing.T) {
	t.Parallel()
	var seeds []graph.Seed
	for i := range int64(6) {
		seeds = append(seeds, graph.Seed{Node: i + 1, Match: 1 - float64(i)/10, Community: 7})
	}
	seeds = append(seeds, graph.Seed{Node: 8, Match: .1, Community: 9}, graph.Seed{Node: 9, Match: .05},
		graph.Seed{Node: 10, Match: .04})
	for most, want := range map[int]int{3: 6, 1: 4, 0: 9} {
		if got := graph.RankSeeds(seeds, nil, 0, most, 20); len(got) != want {
			t.Errorf("with at most %d of a community there are %d, want %d: %v", most, len(got), want, got)
		}
	}
}
