package graph_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

func TestSearch_FindsWhatTryingAllWaysFinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 7)
		d := rapid.SampledFrom([]memory.Direction{memory.Both, memory.Out, memory.In}).Draw(rt, "direction")
		hops := rapid.IntRange(0, 4).Draw(rt, "hops")
		starts := rapid.SliceOfNDistinct(rapid.Int64Range(1, 7), 1, 2, rapid.ID[int64]).Draw(rt, "starts")
		type place struct {
			depth    int
			strength float64
		}
		want := map[int64]place{}
		for _, start := range starts {
			for _, w := range walks(edges, start, d, hops) {
				end := w.nodes[len(w.nodes)-1]
				p, ok := want[end]
				if depth := len(w.edges); !ok || depth < p.depth || depth == p.depth && w.strength() > p.strength {
					want[end] = place{depth, w.strength()}
				}
			}
		}
		s := graph.NewSearch(starts...)
		for s.Depth() < hops && len(s.Frontier()) > 0 {
			s.Step(touching(edges, s.Frontier(), d), worth)
		}
		reached := s.Reached()
		if len(reached) != len(want) || s.Len() != len(want) {
			rt.Fatalf("reached %v, want %v", reached, want)
		}
		for i, r := range reached {
			if p := want[r.Node]; p.depth != r.Depth || math.Abs(p.strength-r.Strength) > 1e-12 {
				rt.Fatalf("node %d at depth %d with strength %v, want %+v", r.Node, r.Depth, r.Strength, p)
			}
			if i > 0 && (reached[i-1].Depth > r.Depth || reached[i-1].Depth == r.Depth && reached[i-1].Strength < r.Strength) {
				rt.Fatalf("out of order: %v", reached)
			}
			path := s.Path(r.Node)
			if len(path) != r.Depth {
				rt.Fatalf("the path to %d is %v, its depth %d", r.Node, path, r.Depth)
			}
			strength := 1.0
			for _, id := range path {
				strength *= worth(edges[slices.IndexFunc(edges, func(e memory.Edge) bool { return e.ID == id })])
			}
			if math.Abs(strength-r.Strength) > 1e-12 {
				rt.Fatalf("the path to %d has strength %v, not %v", r.Node, strength, r.Strength)
			}
		}
	})
}

func TestSearch_DoesNotMindTheOrderOfEdges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 6)
		run := func(edges []memory.Edge) []graph.Reached {
			s := graph.NewSearch(1)
			for s.Depth() < 3 && len(s.Frontier()) > 0 {
				s.Step(edges, worth)
			}
			return s.Reached()
		}
		if diff := cmp.Diff(run(edges), run(rapid.Permutation(edges).Draw(rt, "order"))); diff != "" {
			rt.Fatalf("another order changes the result (-one +other):\n%s", diff)
		}
	})
}

func TestPathOver_EndsWithTheEdgeAndCountsIt(t *testing.T) {
	t.Parallel()
	// 1 -10- 2 -11- 3; 12 joins 3 and 1; 13 is parallel to 10; 14 is unconnected.
	edges := []memory.Edge{
		{ID: 10, Head: 1, Tail: 2, Confidence: .9}, {ID: 11, Head: 2, Tail: 3, Confidence: .9}, {ID: 12, Head: 3, Tail: 1,
			Confidence: .5},
		{ID: 13, Head: 2, Tail: 1, Confidence: .4}, {ID: 14, Head: 8, Tail: 9, Confidence: .9},
	}
	s := graph.NewSearch(1)
	s.Step(edges[:1], worth)
	s.Step(edges[1:2], worth)
	for _, c := range []struct {
		edge memory.Edge
		hop  int
		path []int64
	}{{edges[0], 1, []int64{10}}, {edges[1], 2, []int64{10, 11}}, {edges[2], 1, []int64{12}}, {edges[3], 1,
		[]int64{13}}, {edges[4], 0, nil}} {
		path, hop := s.PathOver(c.edge)
		if hop != c.hop || !slices.Equal(path, c.path) {
			t.Errorf("edge %d: hop %d over %v, want %d over %v", c.edge.ID, hop, path, c.hop, c.path)
		}
	}
}
