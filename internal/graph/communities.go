package graph

import (
	"cmp"
	"slices"
)

// Communities finds the communities of the undirected graph of the nodes 0 to nodes-1. An edge given twice counts once,
// and a loop not at all. It returns groups of at least two nodes, each sorted, in the order of their first nodes. Equal
// input gives equal groups.
//
// It is label propagation after U. N. Raghavan, R. Albert and S. Kumara, Physical Review E 76 (2007), 036106: every
// node begins with a label of its own and takes, in turn, the label with the strongest ties to it, the smallest of
// equal ones. A tie counts by the share of common neighbours, since equal ties let one label flood the graph
// (docs/decisions.md, "Communities").
func Communities(nodes int, edges [][2]int32) [][]int32 {
	t := newTies(nodes, edges)
	labels := t.propagate()
	t.join(labels)
	return groups(labels)
}

const (
	maxRounds = 50     // maximum number of rounds of label propagation
	hubShare  = 1. / 5 // a node that touches more than this share of the nodes is a hub
)

// ties is a graph as lists of neighbours: those of node n are to[from[n]:from[n+1]], sorted.
type ties struct {
	from   []int32
	to     []int32
	weight []float32 // of each tie
}

func newTies(nodes int, edges [][2]int32) *ties {
	packed := make([]uint64, 0, 2*len(edges))
	for _, e := range edges {
		if e[0] != e[1] {
			packed = append(packed, uint64(e[0])<<32|uint64(e[1]), uint64(e[1])<<32|uint64(e[0]))
		}
	}
	slices.Sort(packed)
	packed = slices.Compact(packed)
	t := &ties{from: make([]int32, nodes+1), to: make([]int32, len(packed)), weight: make([]float32, len(packed))}
	for i, p := range packed {
		t.to[i] = int32(p & 0xffffffff)
		t.from[p>>32+1]++
	}
	for n := range nodes {
		t.from[n+1] += t.from[n]
	}
	for n := range int32(nodes) {
		for i, o := range t.of(n) {
			if o > n {
				w := overlap(t.of(n), t.of(o))
				back, _ := slices.BinarySearch(t.of(o), n)
				t.weight[int(t.from[n])+i], t.weight[int(t.from[o])+back] = w, w
			}
		}
	}
	return t
}

// of returns the neighbours of a node, weights their weights.
func (t *ties) of(n int32) []int32        { return t.to[t.from[n]:t.from[n+1]] }
func (t *ties) weights(n int32) []float32 { return t.weight[t.from[n]:t.from[n+1]] }
func (t *ties) nodes() int                { return len(t.from) - 1 }
func (t *ties) hub(n int32) bool          { return float64(len(t.of(n))) > hubShare*float64(t.nodes()) }

// overlap returns the Jaccard index of the neighbourhoods of two neighbours, each with its node itself: above 0, at
// most 1. a and b are their neighbours. So a tie to a hub is weak, and the tie of two nodes that share nothing else
// still counts.
func overlap(a, b []int32) float32 {
	if len(a) > len(b) {
		a, b = b, a
	}
	both := 0
	if len(b) > 16*len(a) { // a hub's neighbours are many
		for _, n := range a {
			if _, ok := slices.BinarySearch(b, n); ok {
				both++
			}
		}
	} else {
		for i, j := 0, 0; i < len(a) && j < len(b); {
			switch {
			case a[i] < b[j]:
				i++
			case a[i] > b[j]:
				j++
			default:
				both, i, j = both+1, i+1, j+1
			}
		}
	}
	return float32(both+2) / float32(len(a)+len(b)-both) // both ends are in both neighbourhoods
}

// propagate returns the label of each node: the number of a node of its group.
func (t *ties) propagate() []int32 {
	labels, sums := make([]int32, t.nodes()), make([]float32, t.nodes())
	for n := range labels {
		labels[n] = int32(n)
	}
	for range maxRounds {
		changed := false
		for n := range int32(t.nodes()) {
			best, most := labels[n], float32(0)
			near := t.of(n)
			for i, w := range t.weights(n) {
				sums[labels[near[i]]] += w
			}
			for _, o := range near {
				if l := labels[o]; sums[l] > most || sums[l] == most && l < best {
					best, most = l, sums[l]
				}
			}
			for _, o := range near {
				sums[labels[o]] = 0
			}
			if best != labels[n] {
				labels[n], changed = best, true
			}
		}
		if !changed {
			break
		}
	}
	return labels
}

// join lets a group join another one if its ties to that one are stronger in sum than its ties within. Ties of hubs do
// not count: they would pull everything together. Small groups are considered first.
func (t *ties) join(labels []int32) {
	sums := make([]float32, t.nodes()) // of the ties between the group and each label
	for range maxRounds {
		all := groups(labels)
		slices.SortStableFunc(all, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
		grown := map[int32]bool{}
		for _, group := range all {
			own := labels[group[0]]
			if grown[own] {
				continue
			}
			t.each(group, func(o int32, w float32) { sums[labels[o]] += w })
			best, most := own, sums[own]/2 // a tie within is met from both ends
			t.each(group, func(o int32, _ float32) {
				if l := labels[o]; l != own && (sums[l] > most || sums[l] == most && best != own && l < best) {
					best, most = l, sums[l]
				}
			})
			t.each(group, func(o int32, _ float32) { sums[labels[o]] = 0 })
			if best == own {
				continue
			}
			for _, n := range group {
				labels[n] = best
			}
			grown[best] = true
		}
		if len(grown) == 0 {
			return
		}
	}
}

// each visits the ties of a group's nodes, without those of hubs.
func (t *ties) each(group []int32, visit func(other int32, weight float32)) {
	for _, n := range group {
		if t.hub(n) {
			continue
		}
		weights := t.weights(n)
		for i, o := range t.of(n) {
			if !t.hub(o) {
				visit(o, weights[i])
			}
		}
	}
}

// groups returns the groups of at least two nodes with the same label.
func groups(labels []int32) [][]int32 {
	byLabel := map[int32][]int32{}
	for n, l := range labels {
		byLabel[l] = append(byLabel[l], int32(n))
	}
	out := make([][]int32, 0, len(byLabel))
	for _, g := range byLabel {
		if len(g) >= 2 {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	return out
}
