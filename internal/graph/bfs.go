package graph

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// Worth returns the weight of an edge in a path, 0..1. The strength of a path is the product of its edges' weights.
type Worth func(memory.Edge) float64

// Reached is a node that a search reached.
type Reached struct {
	Node     int64
	Depth    int     // edges from the nearest start; 0 for a start
	Strength float64 // of the strongest shortest path to it
	From     int64   // the previous node on that path; meaningless for a start
	Via      int64   // the last edge of that path; 0 for a start
}

// Search is a breadth-first search, one depth at a time. It does not read the graph: the caller reads the edges of each
// Frontier and passes them to Step. It reaches each node once, so cycles end.
type Search struct {
	nodes    map[int64]Reached
	frontier []int64
	depth    int
}

// NewSearch returns a search from these nodes.
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

// Frontier returns the nodes that the last step reached, strongest first. The next step needs their edges. It is empty
// when the search is over.
func (s *Search) Frontier() []int64 { return s.frontier }

// Depth returns the number of steps taken.
func (s *Search) Depth() int { return s.depth }

// Len returns the number of nodes reached, including the starts.
func (s *Search) Len() int { return len(s.nodes) }

// Step follows edges from the frontier. The nodes that it reaches for the first time are the new frontier. Edges that
// do not touch the frontier are ignored. The caller decides the direction by the edges that it passes.
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

// stronger reports whether a is the better path than b. It is a total order: the order of the edges does not matter.
func stronger(a, b Reached) bool {
	return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.From, b.From), cmp.Compare(a.Via, b.Via)) < 0
}

func byStrength(a, b Reached) int {
	return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.Node, b.Node))
}

// At returns a node and whether it was reached.
func (s *Search) At(node int64) (Reached, bool) {
	r, ok := s.nodes[node]
	return r, ok
}

// Reached returns all nodes reached, by depth and then strength, strongest first. The starts come first.
func (s *Search) Reached() []Reached {
	out := make([]Reached, 0, len(s.nodes))
	for _, r := range s.nodes {
		out = append(out, r)
	}
	slices.SortFunc(out, byStrength)
	return out
}

// Path returns the edges from a start to a node, in order. It returns nil for a start and for a node that was not
// reached.
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

// PathOver returns the edges from a start to an edge, which is last, and their number, the hop. It uses the nearer end
// of the edge, or the stronger one of two equally near ends. Hop 0 means that neither end was reached.
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
