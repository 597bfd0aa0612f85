package vectors

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// best keeps the k best hits of a stream in a heap whose root is the worst of them.
type best struct {
	k    int
	heap []memory.Hit
}

func newBest(k int) *best { return &best{k: k, heap: make([]memory.Hit, 0, k)} }

// worse reports whether a ranks after b: it has the lower score or, with equal scores, the older id.
func worse(a, b memory.Hit) bool {
	return a.Score < b.Score || a.Score == b.Score && a.ID < b.ID
}

func (b *best) offer(h memory.Hit) {
	if len(b.heap) < b.k {
		b.heap = append(b.heap, h)
		for i := len(b.heap) - 1; i > 0 && worse(b.heap[i], b.heap[(i-1)/2]); i = (i - 1) / 2 {
			b.heap[i], b.heap[(i-1)/2] = b.heap[(i-1)/2], b.heap[i]
		}
		return
	}
	if !worse(b.heap[0], h) {
		return
	}
	b.heap[0] = h
	for i := 0; ; {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(b.heap) && worse(b.heap[child], b.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		b.heap[i], b.heap[least] = b.heap[least], b.heap[i]
		i = least
	}
}

// sorted returns the hits, best first. The heap must not be used afterwards.
func (b *best) sorted() []memory.Hit {
	slices.SortFunc(b.heap, func(x, y memory.Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.ID, x.ID))
	})
	return b.heap
}
