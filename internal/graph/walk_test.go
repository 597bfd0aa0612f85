package graph_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"memory-graph/internal/graph"
)

func TestWalk_AgreesWithWhatIsWorkedOutByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		n       int
		links   []graph.Link
		restart []float64
		steps   int
		want    []float64
	}{
		{"nowhere to go", 2, nil, []float64{1, 0}, 5, []float64{1, 0}},
		{"one step, by weight", 3, []graph.Link{{0, 1, 3}, {0, 2, 1}}, []float64{1, 0, 0}, 1, []float64{.2, .6, .2}},
		{"two steps", 3, []graph.Link{{0, 1, 3}, {0, 2, 1}}, []float64{1, 0, 0}, 2, []float64{.84, .12, .04}},
		// x = .2 + .8y and y = .8x
		{"settled between two", 2, []graph.Link{{0, 1, 7}}, []float64{5, 0}, 400, []float64{.2 / .36, .16 / .36}},
		{"two homes", 2, nil, []float64{3, 1}, 3, []float64{.75, .25}},
		{"a node beside the graph keeps what is its own", 3, []graph.Link{{0, 1, 1}}, []float64{1, 0, 1}, 1,
			[]float64{.3, .4, .3}},
	} {
		got := graph.Walk(c.n, c.links, c.restart, .8, c.steps)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-9 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestWalk_SharesSumToOneAndNoneIsNegative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		node := rapid.IntRange(0, n-1)
		var links []graph.Link
		for range rapid.IntRange(0, 30).Draw(rt, "links") {
			links = append(links, graph.Link{A: node.Draw(rt, "a"), B: node.Draw(rt, "b"),
				Weight: rapid.Float64Range(1e-3, 1e3).Draw(rt, "w")})
		}
		restart := make([]float64, n)
		restart[node.Draw(rt, "home")] = 1
		restart[node.Draw(rt, "home")] += rapid.Float64Range(0, 9).Draw(rt, "second")
		sum := 0.0
		for _, share := range graph.Walk(n, links, restart, rapid.Float64Range(0, .99).Draw(rt, "damping"),
			rapid.IntRange(0, 30).Draw(rt, "steps")) {
			if share < 0 || math.IsNaN(share) {
				rt.Fatalf("share %v", share)
			}
			sum += share
		}
		if math.Abs(sum-1) > 1e-9 {
			rt.Fatalf("the shares sum to %v", sum)
		}
	})
}
