package graph_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

func TestPathSearch_FindsAllShortestWays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 7)
		d := rapid.SampledFrom([]memory.Direction{memory.Both, memory.Out, memory.In}).Draw(rt, "direction")
		limit := rapid.IntRange(1, 5).Draw(rt, "hops")
		to := rapid.Int64Range(2, 7).Draw(rt, "to")

		shortest := limit + 1
		best := map[string]float64{} // by the nodes of the path
		key := func(nodes []int64) string {
			var b []byte
			for _, n := range nodes {
				b = append(b, byte('0'+n))
			}
			return string(b)
		}
		for _, w := range walks(edges, 1, d, limit) {
			if w.nodes[len(w.nodes)-1] != to || len(w.edges) > shortest {
				continue
			}
			if len(w.edges) < shortest {
				shortest = len(w.edges)
				clear(best)
			}
			best[key(w.nodes)] = max(best[key(w.nodes)], w.strength())
		}

		p := graph.NewPathSearch(1, to)
		for steps := 0; p.Hops() < limit; steps++ {
			frontier, backward, ok := p.Next()
			if !ok {
				break
			}
			side := d
			if backward && d != memory.Both {
				side = map[memory.Direction]memory.Direction{memory.Out: memory.In, memory.In: memory.Out}[d]
			}
			p.Step(touching(edges, frontier, side))
			if steps > limit {
				rt.Fatalf("%d steps for paths of at most %d edges", steps, limit)
			}
		}
		ways, more := p.Ways(worth, 1000)
		if len(ways) != len(best) || more {
			rt.Fatalf("%d paths of %d edges, want %d of %d: %v", len(ways), p.Hops(), len(best), shortest, ways)
		}
		for i, w := range ways {
			if want, ok := best[key(w.Nodes)]; !ok || math.Abs(want-w.Strength) > 1e-12 || len(w.Edges) != shortest {
				rt.Fatalf("path %v has strength %v, want %v", w.Nodes, w.Strength, want)
			}
			if i > 0 && ways[i-1].Strength < w.Strength-1e-12 {
				rt.Fatalf("a weaker path comes first: %v", ways)
			}
			for j, e := range w.Edges {
				if a, b := w.Nodes[j], w.Nodes[j+1]; cmp.Compare(min(e.Head, e.Tail), min(a, b)) != 0 ||
					max(e.Head, e.Tail) != max(a, b) {
					rt.Fatalf("edge %v does not join %d and %d", e, a, b)
				}
			}
		}
		if n := len(ways); n > 1 {
			first, more := p.Ways(worth, n-1)
			if len(first) != n-1 || !more || !slices.Equal(first[0].Nodes, ways[0].Nodes) {
				rt.Fatalf("with limit %d of %d paths there are %d, more %v", n-1, n, len(first), more)
			}
		}
	})
}

// A store returns only the first edges of a hub. The edges of the other end still lead to the hub.
func TestPathSearch_TakesTheShortestOfWhatItMeets(t *testing.T) {
	t.Parallel()
	direct, first, second := memory.Edge{ID: 1, Head: 1, Tail: 2, Confidence: .9}, memory.Edge{ID: 2, Head: 1, Tail: 3,
		Confidence: .9}, memory.Edge{ID: 3, Head: 3, Tail: 2, Confidence: .9}
	p := graph.NewPathSearch(1, 2)
	p.Next()
	p.Step([]memory.Edge{first}) // the direct edge is cut off
	if _, backward, ok := p.Next(); !ok || !backward {
		t.Fatal("Next does not return the other end's frontier")
	}
	p.Step([]memory.Edge{second, direct})
	ways, _ := p.Ways(worth, 10)
	if len(ways) != 1 || len(ways[0].Edges) != 1 || ways[0].Edges[0].ID != 1 {
		t.Errorf("paths %v, want the direct edge", ways)
	}
}

func TestPathSearch_FromANodeToItselfIsNoEdge(t *testing.T) {
	t.Parallel()
	p := graph.NewPathSearch(4, 4)
	if _, _, ok := p.Next(); ok {
		t.Error("Next asks for edges")
	}
	ways, _ := p.Ways(worth, 5)
	if len(ways) != 1 || len(ways[0].Edges) != 0 {
		t.Errorf("paths %v", ways)
	}
}

func TestWays_OfAGridAreNotAllTried(t *testing.T) {
	t.Parallel()
	// Ten layers of ten nodes, each joined to all nodes of the next layer: 10^10 paths of equal strength.
	var edges []memory.Edge
	node := func(layer, i int) int64 { return int64(1000*layer + i + 1) }
	add := func(a, b int64) {
		edges = append(edges, memory.Edge{ID: int64(len(edges) + 1), Head: a, Tail: b, Confidence: .5})
	}
	for i := range 10 {
		add(1_000_001, node(1, i))
		add(node(10, i), 2_000_001)
		for layer := 1; layer < 10; layer++ {
			for j := range 10 {
				add(node(layer, i), node(layer+1, j))
			}
		}
	}
	p := graph.NewPathSearch(1_000_001, 2_000_001)
	for {
		frontier, _, ok := p.Next()
		if !ok {
			break
		}
		p.Step(touching(edges, frontier, memory.Both))
	}
	tried := 0
	ways, more := p.Ways(func(memory.Edge) float64 { tried++; return .5 }, 20)
	if len(ways) != 20 || !more || tried > 2*len(edges) {
		t.Errorf("%d paths, more %v, %d of %d edges weighed", len(ways), more, tried, len(edges))
	}
}
