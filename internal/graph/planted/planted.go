// Package planted makes random graphs whose communities are known, for tests, and measures how well a division of a
// graph agrees with them.
//
// The graphs follow A. Lancichinetti, S. Fortunato and F. Radicchi, "Benchmark graphs for testing community detection
// algorithms", Physical Review E 78 (2008), 046110: degrees and sizes of communities have power laws, and each node has
// a share of its edges, the mixing, outside its community.
package planted

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Options describe a graph. All fields are required.
type Options struct {
	Nodes            int
	Degree           float64 // average degree
	MaxDegree        int
	MinSize, MaxSize int     // of a community
	Mixing           float64 // share of a node's edges that leave its community, 0 to 1
	Seed             uint64
}

// Standard returns the options of the project's tests: average degree 15, at most 50, and communities of 20 to 100.
func Standard(nodes int, mixing float64, seed uint64) Options {
	return Options{Nodes: nodes, Degree: 15, MaxDegree: 50, MinSize: 20, MaxSize: 100, Mixing: mixing, Seed: seed}
}

// The exponents of the power laws of degrees and of sizes, as in the publication's figures.
const (
	degreeExponent = 2
	sizeExponent   = 1
)

// Graph is a simple undirected graph. Nodes count from 0.
type Graph struct {
	Community []int    // of each node
	Edges     [][2]int // each once, the smaller end first, sorted
}

// New returns a graph. Equal options give equal graphs. The wiring gives up a few edges that do not fit, so degrees and
// mixing hold nearly.
func New(o Options) Graph {
	r := rand.New(rand.NewPCG(o.Seed, 1))
	degrees := drawDegrees(r, o)
	community, members := assign(r, o, degrees)
	w := wiring{r: r, there: map[[2]int]bool{}}
	inner := make([]int, o.Nodes)
	for i, k := range degrees {
		inner[i] = min(int(math.Round((1-o.Mixing)*float64(k))), len(members[community[i]])-1)
	}
	for _, nodes := range members {
		w.wire(nodes, inner, func(_, _ int) bool { return true })
	}
	outer, all := make([]int, o.Nodes), make([]int, o.Nodes)
	for i, k := range degrees {
		outer[i], all[i] = max(0, k-int(math.Round((1-o.Mixing)*float64(k)))), i
	}
	w.wire(all, outer, func(a, b int) bool { return community[a] != community[b] })
	slices.SortFunc(w.edges, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return Graph{Community: community, Edges: w.edges}
}

// powerLaw draws a number from from to to with density x^-exponent.
func powerLaw(r *rand.Rand, from, to, exponent float64) float64 {
	u := r.Float64()
	if exponent == 1 {
		return from * math.Pow(to/from, u)
	}
	e := 1 - exponent
	return math.Pow(math.Pow(from, e)+u*(math.Pow(to, e)-math.Pow(from, e)), 1/e)
}

// drawDegrees draws the nodes' degrees. It searches the smallest degree that gives the average.
func drawDegrees(r *rand.Rand, o Options) []int {
	low, high := 1., o.Degree
	for range 60 {
		from, sum := (low+high)/2, 0.
		for i := range 1000 { // the average of the law, by its quantiles
			e := 1. - degreeExponent
			u := (float64(i) + .5) / 1000
			sum += math.Pow(math.Pow(from, e)+u*(math.Pow(float64(o.MaxDegree), e)-math.Pow(from, e)), 1/e)
		}
		if sum/1000 < o.Degree {
			low = from
		} else {
			high = from
		}
	}
	degrees := make([]int, o.Nodes)
	for i := range degrees {
		degrees[i] = int(math.Round(powerLaw(r, low, float64(o.MaxDegree), degreeExponent)))
	}
	return degrees
}

// assign draws the sizes of communities and puts each node, in random order, into one with room for its inner edges.
func assign(r *rand.Rand, o Options, degrees []int) (community []int, members [][]int) {
	var sizes []int
	for left := o.Nodes; left > 0; {
		size := int(math.Round(powerLaw(r, float64(o.MinSize), float64(o.MaxSize), sizeExponent)))
		if left-size < o.MinSize {
			if size = left; size > o.MaxSize {
				size = left / 2
			}
		}
		sizes, left = append(sizes, size), left-size
	}
	var slots []int // the community of each place, in random order
	for c, size := range sizes {
		for range size {
			slots = append(slots, c)
		}
	}
	r.Shuffle(len(slots), func(i, j int) { slots[i], slots[j] = slots[j], slots[i] })
	nodes := r.Perm(o.Nodes)
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(degrees[b], degrees[a]) })
	community, members = make([]int, o.Nodes), make([][]int, len(sizes))
	for _, n := range nodes {
		need := int(math.Round((1 - o.Mixing) * float64(degrees[n])))
		at := slices.IndexFunc(slots, func(c int) bool { return sizes[c] > need })
		at = max(at, 0) // no community is large enough: the node loses inner edges
		c := slots[at]
		slots[at] = slots[0]
		slots = slots[1:]
		community[n] = c
		members[c] = append(members[c], n)
	}
	return community, members
}

// wiring joins free ends at random and never makes an edge twice.
type wiring struct {
	r     *rand.Rand
	there map[[2]int]bool
	edges [][2]int
}

func (w *wiring) wire(nodes, ends []int, may func(a, b int) bool) {
	var free []int
	for _, n := range nodes {
		for range ends[n] {
			free = append(free, n)
		}
	}
	for range 50 { // ends that did not fit are mixed anew
		w.r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
		var rest []int
		for len(free) >= 2 {
			a, b := free[0], free[1]
			free = free[2:]
			edge := [2]int{min(a, b), max(a, b)}
			if a == b || w.there[edge] || !may(a, b) {
				rest = append(rest, a, b)
				continue
			}
			w.there[edge] = true
			w.edges = append(w.edges, edge)
		}
		free = append(rest, free...)
	}
}

// NMI returns the normalised mutual information of two divisions of the same nodes, 0 to 1: twice the mutual
// information divided by the sum of the entropies. It is 1 for equal divisions, and 0 if one of two different divisions
// is a single group. Labels are any numbers.
func NMI(a, b []int) float64 {
	n := float64(len(a))
	ca, cb, both := map[int]float64{}, map[int]float64{}, map[[2]int]float64{}
	for i := range a {
		ca[a[i]]++
		cb[b[i]]++
		both[[2]int{a[i], b[i]}]++
	}
	entropy := func(counts map[int]float64) (h float64) {
		for _, c := range counts {
			h -= c / n * math.Log(c/n)
		}
		return h
	}
	total := entropy(ca) + entropy(cb)
	if total == 0 {
		return 1
	}
	var mutual float64
	for pair, c := range both {
		mutual += c / n * math.Log(c*n/(ca[pair[0]]*cb[pair[1]]))
	}
	return 2 * mutual / total
}
