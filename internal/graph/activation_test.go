package graph_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

var synapse = graph.Spreading{Lambda: .85, Threshold: .1, Inhibition: .8, MaxNodes: 50}

// about compares sums of floats.
var about = cmpopts.EquateApprox(0, 1e-9)

func spread(opts graph.Spreading, edges []memory.Edge, hops int, seeds ...int64) *graph.Activation {
	a := graph.NewActivation(opts, seeds...)
	for a.Hop() < hops && len(a.Frontier()) > 0 {
		a.Spread(touching(edges, a.Frontier(), memory.Both),
			func(e memory.Edge) float64 { return opts.Pass(e.Confidence, 1, graph.ClassWeight(e.Class)) })
	}
	return a
}

func levels(a *graph.Activation) map[int64]float64 {
	out := map[int64]float64{}
	for _, n := range a.Active() {
		out[n.Node] = n.Activation
	}
	return out
}

// The formula by hand: .85 × .9 = .765; .765 × .85 × .8 = .5202; a causal edge of confidence 1 passes at most .85.
func TestActivation_FollowsTheFormula(t *testing.T) {
	t.Parallel()
	edges := []memory.Edge{
		{ID: 1, Head: 1, Tail: 2, Class: memory.Semantic, Confidence: .9},
		{ID: 2, Head: 3, Tail: 2, Class: memory.Semantic, Confidence: .8},
		{ID: 3, Head: 3, Tail: 4, Class: memory.Causal, Confidence: 1},
		{ID: 4, Head: 4, Tail: 5, Class: memory.CoOccurrence, Confidence: .5},
		{ID: 5, Head: 5, Tail: 6, Class: memory.CoOccurrence, Confidence: .5},
	}
	want := map[int64]float64{1: 1, 2: .765, 3: .5202, 4: .44217}
	if diff := cmp.Diff(want, levels(spread(synapse, edges, 3, 1)), about); diff != "" {
		t.Errorf("three hops (-want +got):\n%s", diff)
	}
	// 5: .44217 × .85 × .5 × .5 = .0940 is below the threshold, so 6 is never reached.
	a := spread(synapse, edges, 9, 1)
	if diff := cmp.Diff(want, levels(a), about); diff != "" {
		t.Errorf("all hops (-want +got):\n%s", diff)
	}
	if a.Hop() != 4 || a.Cut() {
		t.Errorf("%d hops, cut %v", a.Hop(), a.Cut())
	}
}

func TestActivation_SumsWaysAndClampsToOne(t *testing.T) {
	t.Parallel()
	edges := []memory.Edge{
		{ID: 1, Head: 1, Tail: 3, Class: memory.Semantic, Confidence: .4}, {ID: 2, Head: 2, Tail: 3, Class: memory.Semantic,
			Confidence: .4},
		{ID: 3, Head: 1, Tail: 4, Class: memory.Semantic, Confidence: .9}, {ID: 4, Head: 2, Tail: 4, Class: memory.Semantic,
			Confidence: .9},
	}
	want := map[int64]float64{1: 1, 2: 1, 3: .68, 4: 1}
	if diff := cmp.Diff(want, levels(spread(synapse, edges, 3, 1, 2)), about); diff != "" {
		t.Errorf("two seeds (-want +got):\n%s", diff)
	}
}

func TestActivation_InhibitsWhatIsStrong(t *testing.T) {
	t.Parallel()
	edges := []memory.Edge{
		// 3: clamped to 1
		{ID: 1, Head: 1, Tail: 3, Class: memory.Semantic, Confidence: 1}, {ID: 2, Head: 2, Tail: 3, Class: memory.Semantic,
			Confidence: 1},
		{ID: 3, Head: 3, Tail: 4, Class: memory.Semantic, Confidence: 1}, // passes on .8 × .85 = .68, not .85
		{ID: 4, Head: 1, Tail: 5, Class: memory.Semantic, Confidence: .5}, {ID: 5, Head: 5, Tail: 3, Class: memory.Semantic,
			Confidence: 1},
	}
	a := spread(synapse, edges, 2, 1, 2)
	if got := levels(a); !near(got[4], .68) || got[3] != 1 {
		t.Errorf("levels %v", got)
	}
	// 6 has .85 after the first hop, so it does not receive the flow from 7 on the second.
	edges = []memory.Edge{
		{ID: 1, Head: 1, Tail: 6, Class: memory.Semantic, Confidence: 1}, {ID: 2, Head: 1, Tail: 7, Class: memory.Semantic,
			Confidence: .5}, {ID: 3, Head: 7, Tail: 6, Class: memory.Semantic, Confidence: .5},
	}
	if got := levels(spread(synapse, edges, 3, 1)); got[6] != .85 {
		t.Errorf("an inhibited node rose to %v", got[6])
	}
	weaker := slices.Clone(edges)
	weaker[0].Confidence = .5 // .425, and .425 × .425 over 7 on the second hop
	if got := levels(spread(synapse, weaker, 3, 1)); !near(got[6], .605625) {
		t.Errorf("a node that is not inhibited has %v", got[6])
	}
}

// Compares with an enumeration of all paths. Without thresholds, a node has the sum over the paths on which each node
// became active earlier than the next, and the last no earlier than the one before it.
func TestActivation_IsTheSumOverWays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 6)
		for i := range edges {
			edges[i].Confidence /= 20 // nothing is clamped
		}
		hops := rapid.IntRange(1, 3).Draw(rt, "hops")
		opts := graph.Spreading{Lambda: .85, Threshold: 1e-12, Inhibition: 1, MaxNodes: 100}
		depth := map[int64]int{}
		s := graph.NewSearch(1)
		for s.Depth() < hops && len(s.Frontier()) > 0 {
			s.Step(touching(edges, s.Frontier(), memory.Both), worth)
		}
		for _, r := range s.Reached() {
			depth[r.Node] = r.Depth
		}
		want := map[int64]float64{1: 1}
		for _, w := range walks(edges, 1, memory.Both, hops) {
			if len(w.edges) == 0 {
				continue
			}
			amount, last := 1.0, len(w.nodes)-1
			for i, e := range w.edges {
				amount *= opts.Pass(e.Confidence, 1, graph.ClassWeight(e.Class))
				if rising := depth[w.nodes[i+1]] == i+1; !rising && (i+1 < last || depth[w.nodes[i+1]] != i) {
					amount = 0
				}
			}
			want[w.nodes[last]] += amount
		}
		if diff := cmp.Diff(want, levels(spread(opts, edges, hops, 1)), about); diff != "" {
			rt.Fatalf("activation (-ways +got):\n%s", diff)
		}
	})
}

func TestActivation_KeepsItsBoundsWhateverTheGraph(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		edges := drawEdges(rt, 8)
		opts := synapse
		opts.MaxNodes = rapid.IntRange(2, 6).Draw(rt, "most")
		seeds := rapid.SliceOfNDistinct(rapid.Int64Range(1, 8), 1, 2, rapid.ID[int64]).Draw(rt, "seeds")
		hops := rapid.IntRange(1, 4).Draw(rt, "hops")
		a := spread(opts, edges, hops, seeds...)
		active := a.Active()
		if len(active) > opts.MaxNodes || a.Hop() > hops {
			rt.Fatalf("%d nodes of %d, %d hops of %d", len(active), opts.MaxNodes, a.Hop(), hops)
		}
		seen := map[int64]bool{}
		for _, n := range active {
			seen[n.Node] = true
			if n.Activation < opts.Threshold || n.Activation > 1 || (n.Hop == 0) != slices.Contains(seeds, n.Node) {
				rt.Fatalf("node %+v", n)
			}
		}
		for _, f := range a.Flows() {
			path := a.Path(f)
			if !seen[f.Edge.Head] || !seen[f.Edge.Tail] || f.Amount > opts.Lambda || len(path) != f.Hop ||
				path[len(path)-1] != f.Edge.ID || slices.Contains(path, 0) {
				rt.Fatalf("flow %+v over %v", f, path)
			}
		}
		other := spread(opts, rapid.Permutation(edges).Draw(rt, "order"), hops, seeds...)
		if diff := cmp.Diff(active, other.Active()); diff != "" {
			rt.Fatalf("another order of edges changes the result (-one +other):\n%s", diff)
		}
	})
}

func TestActivation_SaysWhenNodesWereLeftOut(t *testing.T) {
	t.Parallel()
	var edges []memory.Edge
	for i := range int64(60) {
		edges = append(edges, memory.Edge{ID: i + 1, Head: 1, Tail: i + 2, Class: memory.Semantic,
			Confidence: .4 + float64(i)/100})
	}
	a := spread(synapse, edges, 1, 1)
	if active := a.Active(); len(active) != 50 || !a.Cut() || active[1].Node != 61 {
		t.Errorf("%d active, cut %v", len(active), a.Cut())
	}
}
