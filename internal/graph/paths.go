package graph

import (
	"cmp"
	"container/heap"
	"slices"

	"memory-graph/internal/memory"
)

// PathSearch finds the shortest paths between two nodes by breadth-first search from both ends: two small searches read
// far fewer edges than one large one, especially around hubs. The caller reads the edges of each frontier that Next
// returns and passes them to Step.
type PathSearch struct {
	from, to          int64
	forward, backward side
	turn              *side
	meet              []int64 // nodes on shortest paths at which the two searches met
}

// side is the search from one end.
type side struct {
	depth    map[int64]int
	by       map[int64][]memory.Edge // the edges that reach a node from the previous depth
	frontier []int64
	radius   int
}

func newSide(n int64) side {
	return side{depth: map[int64]int{n: 0}, by: map[int64][]memory.Edge{}, frontier: []int64{n}}
}

// NewPathSearch returns a search from both ends.
func NewPathSearch(from, to int64) *PathSearch {
	p := &PathSearch{from: from, to: to, forward: newSide(from), backward: newSide(to)}
	if from == to {
		p.meet = []int64{from}
	}
	return p
}

// Next returns the nodes whose edges Step needs: the smaller frontier of the two ends. backward says that the caller
// must read the edges that lead to these nodes. ok is false when the search is over.
func (p *PathSearch) Next() (frontier []int64, backward, ok bool) {
	f, b := len(p.forward.frontier), len(p.backward.frontier)
	if p.meet != nil || f == 0 || b == 0 {
		return nil, false, false
	}
	p.turn = &p.forward
	if b < f || b == f && p.backward.radius < p.forward.radius {
		p.turn = &p.backward
	}
	return p.turn.frontier, p.turn == &p.backward, true
}

// Hops returns the number of steps taken: the length of the shortest path, or its lower bound while none is found.
func (p *PathSearch) Hops() int { return p.forward.radius + p.backward.radius }

// Step processes the edges of the frontier that Next returned.
func (p *PathSearch) Step(edges []memory.Edge) {
	s, other := p.turn, &p.backward
	if s == &p.backward {
		other = &p.forward
	}
	s.step(edges)
	// If all edges were read, all meeting nodes have the same depth. A hub's edges may be incomplete. Then the depths can
	// differ, and only the nearest meeting nodes count.
	shortest := 0
	for _, n := range s.frontier {
		d, met := other.depth[n]
		switch {
		case !met || p.meet != nil && d > shortest:
		case p.meet == nil || d < shortest:
			shortest, p.meet = d, []int64{n}
		default:
			p.meet = append(p.meet, n)
		}
	}
}

func (s *side) step(edges []memory.Edge) {
	s.radius++
	s.frontier = nil
	for _, e := range edges {
		for _, from := range [2]int64{e.Head, e.Tail} {
			if d, ok := s.depth[from]; !ok || d != s.radius-1 {
				continue
			}
			n := e.Other(from)
			d, seen := s.depth[n]
			if !seen {
				d = s.radius
				s.depth[n] = d
				s.frontier = append(s.frontier, n)
			}
			if d == s.radius && !slices.ContainsFunc(s.by[n], func(known memory.Edge) bool { return known.ID == e.ID }) {
				s.by[n] = append(s.by[n], e)
			}
		}
	}
}

// Way is one path between two nodes.
type Way struct {
	Nodes    []int64       // from the start to the end
	Edges    []memory.Edge // one fewer than Nodes
	Strength float64
}

// Ways returns up to limit shortest paths, strongest first, and whether there are more. Of several edges between two
// nodes a path uses the one with the highest worth.
func (p *PathSearch) Ways(worth Worth, limit int) (ways []Way, more bool) {
	if p.meet == nil {
		return nil, false
	}
	next := p.steps(worth)
	best := p.completions(next)
	queue := &wayQueue{{way: Way{Nodes: []int64{p.from}, Strength: 1}, promise: best[p.from]}}
	for queue.Len() > 0 {
		w, ok := heap.Pop(queue).(partialWay)
		if !ok {
			break
		}
		at := w.way.Nodes[len(w.way.Nodes)-1]
		if at == p.to {
			if len(ways) == limit {
				return ways, true
			}
			ways = append(ways, w.way)
			continue
		}
		for _, s := range next[at] {
			longer := Way{
				Nodes:    append(slices.Clone(w.way.Nodes), s.to),
				Edges:    append(slices.Clone(w.way.Edges), s.edge),
				Strength: w.way.Strength * s.worth,
			}
			heap.Push(queue, partialWay{longer, longer.Strength * best[s.to]})
		}
	}
	return ways, false
}

// wayStep is one step of a shortest path, towards the end.
type wayStep struct {
	to    int64
	edge  memory.Edge
	worth float64
}

// steps returns the next steps of every node on a shortest path, one for each neighbour.
func (p *PathSearch) steps(worth Worth) map[int64][]wayStep {
	next := map[int64][]wayStep{}
	add := func(from, to int64, e memory.Edge) {
		s := wayStep{to, e, worth(e)}
		i := slices.IndexFunc(next[from], func(known wayStep) bool { return known.to == to })
		switch {
		case i < 0:
			next[from] = append(next[from], s)
		case cmp.Or(cmp.Compare(next[from][i].worth, s.worth), cmp.Compare(s.edge.ID, next[from][i].edge.ID)) < 0:
			next[from][i] = s
		}
	}
	walk := func(s *side, step func(nearer, further int64, e memory.Edge)) {
		seen := map[int64]bool{}
		for todo := slices.Clone(p.meet); len(todo) > 0; {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, e := range s.by[n] {
				step(e.Other(n), n, e)
				todo = append(todo, e.Other(n))
			}
		}
	}
	walk(&p.forward, func(nearer, further int64, e memory.Edge) { add(nearer, further, e) })
	walk(&p.backward, func(nearer, further int64, e memory.Edge) { add(further, nearer, e) })
	return next
}

// completions returns, for every node on a shortest path, the strength of the strongest path from it to the end.
func (p *PathSearch) completions(next map[int64][]wayStep) map[int64]float64 {
	best := map[int64]float64{p.to: 1}
	var from func(int64) float64
	from = func(n int64) float64 { // the depth of the recursion is the length of the path
		if b, ok := best[n]; ok {
			return b
		}
		b := 0.0
		for _, s := range next[n] {
			b = max(b, s.worth*from(s.to))
		}
		best[n] = b
		return b
	}
	from(p.from)
	return best
}

type partialWay struct {
	way     Way
	promise float64 // the strength of the strongest path with this beginning
}

// wayQueue is a heap with the highest promise first. Ties are sorted by node ids.
type wayQueue []partialWay

func (q wayQueue) Len() int { return len(q) }
func (q wayQueue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].promise, q[i].promise), slices.Compare(q[i].way.Nodes, q[j].way.Nodes)) < 0
}
func (q wayQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *wayQueue) Push(x any) {
	if w, ok := x.(partialWay); ok {
		*q = append(*q, w)
	}
}
func (q *wayQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
