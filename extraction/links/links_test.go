package links_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/extraction/links"
	"memory-graph/internal/memory"
)

var limits = links.Limits{Threshold: .85, Scan: 20, PerNode: 2}

// world is a graph of similarities to which changes are applied as the store does.
type world struct {
	links  map[int64]memory.Link
	lastID int64
}

func newWorld() *world { return &world{links: map[int64]memory.Link{}} }

func (w *world) put(l memory.Link) {
	w.lastID++
	l.ID, l.Relation = w.lastID, links.SimilarTo
	w.links[l.ID] = l
}

// of returns the edges of nodes.
func (w *world) of(nodes ...int64) []memory.Link {
	var out []memory.Link
	for _, id := range slices.Sorted(maps.Keys(w.links)) {
		if l := w.links[id]; slices.Contains(nodes, l.Head) || slices.Contains(nodes, l.Tail) {
			out = append(out, l)
		}
	}
	return out
}

// look decides on the links of a node and applies the change. changed tells whether there was one.
func (w *world) look(node int64, near []links.Neighbour, l links.Limits) (again []int64, changed bool) {
	nodes := []int64{node}
	for _, n := range near {
		nodes = append(nodes, n.ID)
	}
	c := links.Similar(node, near, w.of(nodes...), l)
	for _, id := range c.End {
		if w.links[id].State == memory.LinkOurs {
			delete(w.links, id)
			changed = true
		}
	}
	for _, want := range c.Want {
		i := slices.IndexFunc(w.of(want.Head), func(l memory.Link) bool { return l.Head == want.Head && l.Tail == want.Tail })
		if i < 0 {
			w.put(memory.Link{Head: want.Head, Tail: want.Tail, Strength: want.Strength, State: memory.LinkOurs})
			changed = true
			continue
		}
		if there := w.of(want.Head)[i]; there.Strength != want.Strength {
			there.Strength = want.Strength
			w.links[there.ID] = there
			changed = true
		}
	}
	return c.Again, changed
}

func (w *world) pairs() []string {
	var out []string
	for _, l := range w.links {
		out = append(out, fmt.Sprintf("%d-%d %.3f", l.Head, l.Tail, l.Strength))
	}
	slices.Sort(out)
	return out
}

func TestSimilar_LinksBothWaysFromTheThresholdOn(t *testing.T) {
	t.Parallel()
	w := newWorld()
	again, changed := w.look(1, []links.Neighbour{{ID: 2, Cosine: .9}, {ID: 3, Cosine: .85}, {ID: 4, Cosine: .849},
		{ID: 1, Cosine: 1}}, limits)
	if d := cmp.Diff([]string{"1-2 0.900", "1-3 0.850", "2-1 0.900", "3-1 0.850"}, w.pairs()); d != "" || !changed ||
		len(again) > 0 {
		t.Errorf("links (-want +got), again %v:\n%s", again, d)
	}
}

func TestSimilar_EndsWhatIsNotNearAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.look(1, []links.Neighbour{{ID: 2, Cosine: .9}, {ID: 3, Cosine: .9}}, limits)
	again, _ := w.look(1, []links.Neighbour{{ID: 3, Cosine: .95}, {ID: 2, Cosine: .5}}, limits)
	if d := cmp.Diff([]string{"1-3 0.950", "3-1 0.950"}, w.pairs()); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int64{2}, again); d != "" {
		t.Errorf("to be looked at again (-want +got):\n%s", d)
	}
}

func TestSimilar_TheWeakestGivesWay(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.look(1, []links.Neighbour{{ID: 2, Cosine: .9}, {ID: 3, Cosine: .88}}, limits)
	if _, changed := w.look(4, []links.Neighbour{{ID: 1, Cosine: .87}}, limits); changed {
		t.Errorf("a weaker one came in: %v", w.pairs())
	}
	again, _ := w.look(5, []links.Neighbour{{ID: 1, Cosine: .95}}, limits)
	if d := cmp.Diff([]string{"1-2 0.900", "1-5 0.950", "2-1 0.900", "5-1 0.950"}, w.pairs()); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
	if !slices.Contains(again, 3) {
		t.Errorf("3 has a place again, and %v are looked at", again)
	}
}

func TestSimilar_LeavesAloneWhatSomebodySaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		near []links.Neighbour
		want []string
	}{
		{"near", []links.Neighbour{{ID: 2, Cosine: .9}, {ID: 3, Cosine: .9}, {ID: 4, Cosine: .9}},
			[]string{"1-2 0.500", "2-1 0.900", "3-1 0.900", "1-4 0.900", "4-1 0.900"}},
		{"far", nil, []string{"1-2 0.500", "3-1 0.900"}},
	} {
		w := newWorld()
		w.put(memory.Link{Head: 1, Tail: 2, Strength: .5, State: memory.LinkSaid})
		w.put(memory.Link{Head: 2, Tail: 1, Strength: .9, State: memory.LinkOurs})
		w.put(memory.Link{Head: 1, Tail: 3, Strength: .9, State: memory.LinkOurs})
		w.put(memory.Link{Head: 3, Tail: 1, Strength: .9, State: memory.LinkRefused})
		w.look(1, c.near, limits)
		slices.Sort(c.want)
		if d := cmp.Diff(c.want, w.pairs()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// For any order in which nodes are added, edited and processed: links go both ways, no node exceeds the limit, and a
// second pass changes nothing. After all pending nodes are processed, no two similar nodes would both prefer a link
// with each other.
func TestSimilar_ComesToRestInOneState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(rt, "nodes")
		l := links.Limits{Threshold: .85, Scan: rapid.SampledFrom([]int{20, 20, 3}).Draw(rt, "scan"),
			PerNode: rapid.IntRange(1, 3).Draw(rt, "per node")}
		cosine := map[[2]int64]float64{}
		near := func(a int64) []links.Neighbour {
			var out []links.Neighbour
			for b := int64(1); b <= int64(n); b++ {
				if b != a {
					out = append(out, links.Neighbour{ID: b, Cosine: cosine[[2]int64{min(a, b), max(a, b)}]})
				}
			}
			slices.SortStableFunc(out, func(x, y links.Neighbour) int { return int(1e6*y.Cosine) - int(1e6*x.Cosine) })
			return out
		}
		edit := func(a int64) {
			for b := int64(1); b <= int64(n); b++ {
				cosine[[2]int64{min(a, b), max(a, b)}] = rapid.SampledFrom([]float64{.2, .849, .85, .86, .8601, .9, .9, .95,
					1}).Draw(rt, "cosine")
			}
		}
		w := newWorld()
		var queue []int64
		settle := func() {
			for steps := 0; len(queue) > 0; steps++ {
				if steps > 2000 {
					rt.Fatal("it never comes to rest")
				}
				i := rapid.IntRange(0, len(queue)-1).Draw(rt, "next")
				a := queue[i]
				queue = slices.Delete(queue, i, i+1)
				again, _ := w.look(a, near(a), l)
				for _, b := range again {
					if !slices.Contains(queue, b) {
						queue = append(queue, b)
					}
				}
				check(rt, w, l)
			}
		}
		for a := int64(1); a <= int64(n); a++ {
			edit(a)
		}
		queue = rapid.Permutation(ids(n)).Draw(rt, "order")
		settle()
		for range rapid.IntRange(0, 3).Draw(rt, "edits") {
			a := rapid.Int64Range(1, int64(n)).Draw(rt, "edited")
			edit(a)
			queue = append(queue, a)
			settle()
		}
		before := w.pairs()
		for _, a := range ids(n) {
			if again, changed := w.look(a, near(a), l); changed && l.Scan >= n || len(again) > 0 && !changed {
				rt.Fatalf("a further look at %d changes %v to %v", a, before, w.pairs())
			}
		}
		if l.Scan < n {
			return // what is not among the nearest is not seen
		}
		for a := int64(1); a <= int64(n); a++ {
			for b := a + 1; b <= int64(n); b++ {
				if c := cosine[[2]int64{a, b}]; c >= l.Threshold && w.wants(a, b, c, l) && w.wants(b, a, c, l) && !w.has(a, b) {
					rt.Fatalf("%d and %d would both rather have each other: %v", a, b, w.pairs())
				}
			}
		}
	})
}

func ids(n int) []int64 {
	var out []int64
	for i := range n {
		out = append(out, int64(i+1))
	}
	return out
}

func (w *world) has(a, b int64) bool {
	return slices.ContainsFunc(w.of(a), func(l memory.Link) bool { return l.Head == a && l.Tail == b })
}

// wants reports whether a has a place for b, or would give up somebody clearly weaker for it.
func (w *world) wants(a, _ int64, cosine float64, l links.Limits) bool {
	n, weaker := 0, false
	for _, e := range w.of(a) {
		if e.Head == a {
			n++
			weaker = weaker || e.Strength < cosine-.001
		}
	}
	return n < l.PerNode || weaker
}

func check(rt *rapid.T, w *world, l links.Limits) {
	n := map[int64]int{}
	for _, e := range w.links {
		n[e.Head]++
		if !w.has(e.Tail, e.Head) {
			rt.Fatalf("%d is linked to %d and not back", e.Head, e.Tail)
		}
		if e.Strength < l.Threshold {
			rt.Fatalf("a link of %v", e.Strength)
		}
	}
	for a, got := range n {
		if got > l.PerNode {
			rt.Fatalf("%d has %d links", a, got)
		}
	}
}
