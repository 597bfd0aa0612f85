// Package links decides which edges follow from two nodes without anybody having said them: similar_to between what
// means nearly the same, and what a language model makes of memories that it reads beside each other.
// It is told what there is and says what is to be; reading and writing are others' work.
package links

import (
	"cmp"
	"math"
	"slices"

	"memory-graph/internal/memory"
)

// SimilarTo is the relation between what is alike.
const SimilarTo = "similar_to"

// Limits of the links of likeness.
type Limits struct {
	Threshold float64 // the least cosine, 0..1
	Scan      int     // the nearest that are looked at
	PerNode   int     // links of one node
}

// The limits for memories beside the threshold. Entities have as many links as note_linking.top_k says.
const (
	MemoryScan    = 20
	MemoryPerNode = 5
)

// Neighbour is a node and how near it is.
type Neighbour struct {
	ID     int64
	Cosine float64 // -1..1
}

// pair is two nodes that are alike, A < B. strength is the cosine in thousandths: what is compared must be the same
// number from either side, and a new vector of the same words is no news.
type pair struct {
	a, b     int64
	strength float64
}

func newPair(x, y int64, cosine float64) pair {
	return pair{min(x, y), max(x, y), math.Round(min(1, cosine)*1000) / 1000}
}

func (p pair) other(node int64) int64 { return p.a + p.b - node }

// compare puts the strongest first, and of equal ones the oldest, so that the order of all pairs is one.
func compare(p, q pair) int {
	return cmp.Or(cmp.Compare(q.strength, p.strength), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// key names a pair whatever its strength.
type key struct{ a, b int64 }

func (p pair) key() key { return key{p.a, p.b} }

// known is what there is of a pair: at most one edge in each direction counts.
type known struct {
	pair
	state memory.LinkState // refused before said before ours
	ours  []int64          // relationships that nobody has touched
}

// Similar decides which of its nearest a node is linked to. near are nodes of its kind with their cosines; present are
// the similar_to edges of the node and of all of near.
//
// No node gets more than PerNode links. Where a near one has as many, the weakest of them gives way to a stronger one;
// so that what comes out does not depend on the order in which nodes are looked at, once all that Again names has been.
// Pairs that somebody spoke about count for nothing and are left alone.
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
			again(p.other(node)) // it may rather have another now
		}
	}
	slices.Sort(change.End)
	slices.Sort(change.Again)
	return change
}

// candidates gives the pairs of a node with its nearest, the strongest first.
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

// pairs joins edges to pairs.
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

// board has the pairs of each node.
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

// weakest gives the pair of a node that would give way, if it has as many as it may.
func (b board) weakest(node int64) (weakest pair, full bool) {
	if len(b.of[node]) < b.limit {
		return pair{}, false
	}
	return slices.MaxFunc(b.of[node], compare), true
}
