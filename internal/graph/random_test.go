package graph_test

import (
	"slices"

	"pgregory.net/rapid"

	"memory-graph/internal/memory"
)

// drawEdges draws a small graph over the nodes 1 to n, with parallel edges and cycles but without loops.
func drawEdges(t *rapid.T, n int64) []memory.Edge {
	count := rapid.IntRange(0, 14).Draw(t, "edges")
	var edges []memory.Edge
	for i := range count {
		head := rapid.Int64Range(1, n).Draw(t, "head")
		tail := rapid.Int64Range(1, n).Draw(t, "tail")
		if head == tail {
			continue
		}
		edges = append(edges, memory.Edge{ID: int64(100 + i), Head: head, Tail: tail, Relation: "uses",
			Class:      rapid.SampledFrom(memory.EdgeClasses).Draw(t, "class"),
			Confidence: float64(rapid.IntRange(4, 10).Draw(t, "confidence")) / 10, Strength: 1})
	}
	return edges
}

func worth(e memory.Edge) float64 { return e.Confidence }

// touching returns the edges of nodes in a direction, as a store would, in its own order.
func touching(edges []memory.Edge, nodes []int64, d memory.Direction) []memory.Edge {
	var out []memory.Edge
	for _, e := range edges {
		if d != memory.In && slices.Contains(nodes, e.Head) || d != memory.Out && slices.Contains(nodes, e.Tail) {
			out = append(out, e)
		}
	}
	slices.Reverse(out)
	return out
}

// walk is one path that visits no node twice.
type walk struct {
	nodes []int64
	edges []memory.Edge
}

func (w walk) strength() float64 {
	s := 1.0
	for _, e := range w.edges {
		s *= worth(e)
	}
	return s
}

// walks lists every path of at most limit edges from a node.
func walks(edges []memory.Edge, from int64, d memory.Direction, limit int) []walk {
	var out []walk
	var extend func(walk)
	extend = func(w walk) {
		out = append(out, w)
		if len(w.edges) == limit {
			return
		}
		at := w.nodes[len(w.nodes)-1]
		for _, e := range touching(edges, []int64{at}, d) {
			to := e.Other(at)
			if d == memory.Out && e.Head != at || d == memory.In && e.Tail != at || slices.Contains(w.nodes, to) {
				continue
			}
			extend(walk{append(slices.Clone(w.nodes), to), append(slices.Clone(w.edges), e)})
		}
	}
	extend(walk{nodes: []int64{from}})
	return out
}
