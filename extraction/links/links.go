// Package links decides which links follow from two nodes without a statement: similar_to between nodes with similar
// vectors, and the relations that a language model finds between memories. It returns the changes; the caller reads and
// writes the store.
package links

import (
	"cmp"
	"math"
	"slices"

	"memory-graph/internal/memory"
)

// SimilarTo is the relation between nodes with similar vectors.
const SimilarTo = "similar_to"

// Limits are the limits of similar_to links. For memories they are note_linking.memory_candidates and
// note_linking.memory_links, for entities note_linking.top_k.
type Limits struct {
	Threshold float64 // minimum cosine, 0..1
	Scan      int     // number of nearest nodes that are compared
	PerNode   int     // maximum number of links of one node
}

// Neighbour is a node with its similarity.
type Neighbour struct {
	ID     int64
	Cosine float64 // at most 1; on the scale of the built-in embedder (embedding.Scale)
}

// pair is two similar nodes, a < b. strength is the cosine rounded to thousandths: it is the same from either side, and
// a new vector of the same text does not change it.
type pair struct {
	a, b     int64
	strength float64
}

func newPair(x, y int64, cosine float64) pair {
	return pair{min(x, y), max(x, y), math.Round(min(1, cosine)*1000) / 1000}
}

func (p pair) other(node int64) int64 { return p.a + p.b - node }

// compare sorts pairs by strength, the strongest first, then by age, the oldest first. So the order of all pairs is
// unique.
func compare(p, q pair) int {
	return cmp.Or(cmp.Compare(q.strength, p.strength), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// key identifies a pair without its strength.
type key struct{ a, b int64 }

func (p pair) key() key { return key{p.a, p.b} }

// known is what is stored of a pair. It counts at most one edge in each direction.
type known struct {
	pair
	state memory.LinkState // refused takes precedence over said, said over ours
	ours  []int64          // ids of links that no caller has changed
}

// Similar decides which of its nearest nodes a node is linked to. near are nodes of the same kind with their cosines;
// present are the similar_to edges of the node and of all nodes in near.
//
// No node gets more than PerNode links. If a near node is full, its weakest link is replaced by a stronger one. The
// result does not depend on the order in which nodes are processed, once all nodes in Again have been processed too.
// Pairs that a caller stated or refused do not count and are not changed.
func Similar(node int64, near []Neighbour, present []memory.Link, l Limits) memory.LinkChange {
	there := pairs(present)
	b := board{of: map[int64][]pair{}, limit: l.PerNode}
	for _, k := range there {
		if k.state == memory.LinkOurs && k.a != node && k.b != node {
			b.put(k.pair)
		}
	}
	keep := map[key]bool{}
	var want, gone []pair
	for _, p := range candidates(node, near, l) {
		switch k := there[p.key()]; {
		case k != nil && k.state == memory.LinkRefused:
		case k != nil && k.state == memory.LinkSaid:
			keep[p.key()] = true
		case len(want) < l.PerNode:
			weakest, full := b.weakest(p.other(node))
			if full && compare(p, weakest) > 0 {
				continue
			}
			if full {
				b.drop(weakest)
				gone = append(gone, weakest)
			}
			b.put(p)
			want = append(want, p)
			keep[p.key()] = true
		}
	}
	change := memory.LinkChange{}
	for _, p := range want {
		for _, ends := range [2][2]int64{{p.a, p.b}, {p.b, p.a}} {
			change.Want = append(change.Want, memory.NewLink{Head: ends[0], Tail: ends[1], Relation: SimilarTo,
				Strength: p.strength})
		}
	}
	for _, k := range there {
		if (k.a == node || k.b == node) && !keep[k.key()] {
			gone = append(gone, k.pair)
		}
	}
	again := func(nodes ...int64) {
		for _, n := range nodes {
			if n != node && !slices.Contains(change.Again, n) {
				change.Again = append(change.Again, n)
			}
		}
	}
	for _, p := range gone {
		if k := there[p.key()]; len(k.ours) > 0 {
			change.End = append(change.End, k.ours...)
			again(p.a, p.b)
		}
	}
	for _, p := range want {
		if k := there[p.key()]; k != nil && k.strength > p.strength {
			again(p.other(node)) // it may prefer another link now
		}
	}
	slices.Sort(change.End)
	slices.Sort(change.Again)
	return change
}

// candidates returns the pairs of a node with its nearest nodes, the strongest first.
func candidates(node int64, near []Neighbour, l Limits) []pair {
	var out []pair
	seen := map[int64]bool{node: true}
	for _, n := range near {
		if n.Cosine >= l.Threshold && !seen[n.ID] { // NaN is below everything
			seen[n.ID] = true
			out = append(out, newPair(node, n.ID, n.Cosine))
		}
	}
	slices.SortFunc(out, compare)
	return out[:min(len(out), l.Scan)]
}

// pairs groups edges by pair.
func pairs(present []memory.Link) map[key]*known {
	there := map[key]*known{}
	for _, e := range present {
		if e.Relation != SimilarTo {
			continue
		}
		p := newPair(e.Head, e.Tail, e.Strength)
		k := there[p.key()]
		if k == nil {
			k = &known{pair: p, state: memory.LinkOurs}
			there[p.key()] = k
		}
		k.strength = max(k.strength, p.strength)
		switch e.State {
		case memory.LinkOurs:
			k.ours = append(k.ours, e.ID)
		case memory.LinkRefused:
			k.state = memory.LinkRefused
		case memory.LinkSaid:
			if k.state != memory.LinkRefused {
				k.state = memory.LinkSaid
			}
		}
	}
	return there
}

// board holds the pairs of each node.
type board struct {
	of    map[int64][]pair
	limit int
}

func (b board) put(p pair) {
	b.of[p.a], b.of[p.b] = append(b.of[p.a], p), append(b.of[p.b], p)
}

func (b board) drop(p pair) {
	for _, n := range [2]int64{p.a, p.b} {
		b.of[n] = slices.DeleteFunc(b.of[n], func(q pair) bool { return q == p })
	}
}

// weakest returns the weakest pair of a node if the node is full.
func (b board) weakest(node int64) (weakest pair, full bool) {
	if len(b.of[node]) < b.limit {
		return pair{}, false
	}
	return slices.MaxFunc(b.of[node], compare), true
}
