package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// Worth says how much an edge is worth to a way through the graph, 0..1. The strength of a way is the product of its
// edges.
type Worth func(memory.Edge) float64

// Reached is a node that a search came to.
type Reached struct {
	Node     int64
	Depth    int     // edges from the nearest start; 0 for a start
	Strength float64 // of the strongest of the shortest ways to it
	From     int64   // the node before it on that way; meaningless for a start
	Via      int64   // the last edge of that way; 0 for a start
}

// Search goes breadth first from its starts, one depth at a time. It does no reading: whoever runs it reads the edges
// of each Frontier and gives them to Step. A node is reached once, so that cycles end.
type Search struct {
	nodes    map[int64]Reached
	frontier []int64
	depth    int
}

// NewSearch begins at these nodes.
func NewSearch(starts ...int64) *Search {
	s := &Search{nodes: make(map[int64]Reached, len(starts))}
	for _, n := range starts {
		if _, twice := s.nodes[n]; !twice {
			s.nodes[n] = Reached{Node: n, Strength: 1}
			s.frontier = append(s.frontier, n)
		}
	}
	return s
}

// Frontier gives the nodes that the last step reached, strongest first: those whose edges the next one needs. It is
// empty where the search has come to its end.
func (s *Search) Frontier() []int64 { return s.frontier }

// Depth is how many steps were taken.
func (s *Search) Depth() int { return s.depth }

// Len is how many nodes were reached, the starts among them.
func (s *Search) Len() int { return len(s.nodes) }

// Step goes one edge further: every node at the other end of an edge that touches the frontier, and not reached before,
// is the new frontier. Edges that do not touch it are passed over, so more may be given than are needed; which
// direction is followed is a matter of which edges are given.
func (s *Search) Step(edges []memory.Edge, worth Worth) {
	s.depth++
	var next []int64
	for _, e := range edges {
		for _, from := range [2]int64{e.Head, e.Tail} {
			at, ok := s.nodes[from]
			if !ok || at.Depth != s.depth-1 {
				continue
			}
			to := Reached{Node: e.Other(from), Depth: s.depth, Strength: at.Strength * worth(e), From: from, Via: e.ID}
			known, seen := s.nodes[to.Node]
			if !seen {
				next = append(next, to.Node)
			}
			if !seen || known.Depth == s.depth && stronger(to, known) {
				s.nodes[to.Node] = to
			}
		}
	}
	slices.SortFunc(next, func(a, b int64) int { return byStrength(s.nodes[a], s.nodes[b]) })
	s.frontier = next
}

// stronger is a total order, so that the order in which edges come does not matter.
func stronger(a, b Reached) bool {
	return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.From, b.From), cmp.Compare(a.Via, b.Via)) < 0
}

func byStrength(a, b Reached) int {
	return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.Node, b.Node))
}

// At gives a node that was reached.
func (s *Search) At(node int64) (Reached, bool) {
	r, ok := s.nodes[node]
	return r, ok
}

// Reached gives all nodes by depth, then by strength, the strongest first; the starts come first.
func (s *Search) Reached() []Reached {
	out := make([]Reached, 0, len(s.nodes))
	for _, r := range s.nodes {
		out = append(out, r)
	}
	slices.SortFunc(out, byStrength)
	return out
}

// Path gives the edges from a start to a node, in the order of the way; nil for a start and for what was not reached.
func (s *Search) Path(node int64) []int64 {
	r, ok := s.nodes[node]
	if !ok || r.Depth == 0 {
		return nil
	}
	path := make([]int64, r.Depth)
	for i := r.Depth - 1; i >= 0; i-- {
		path[i] = r.Via
		r = s.nodes[r.From]
	}
	return path
}

// PathOver gives the edges from a start to an edge, itself last, and how many they are: its hop. It goes over the end
// that lies nearer, the stronger of two. Hop 0 says that neither end was reached.
func (s *Search) PathOver(e memory.Edge) (path []int64, hop int) {
	head, atHead := s.nodes[e.Head]
	tail, atTail := s.nodes[e.Tail]
	near := head
	switch {
	case !atHead && !atTail:
		return nil, 0
	case !atHead || atTail && byStrength(tail, head) < 0:
		near = tail
	}
	return append(s.Path(near.Node), e.ID), near.Depth + 1
}
