package graph_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/graph"
	"memory-graph/internal/graph/planted"
)

func TestCommunities_FindsPlantedOnes(t *testing.T) {
	t.Parallel()
	least := map[float64]float64{.1: .9, .2: .75, .3: .75} // NMI by mixing
	for _, nodes := range []int{1000, 10_000} {
		for mixing, want := range least {
			t.Run(fmt.Sprintf("%d nodes, mixing %v", nodes, mixing), func(t *testing.T) {
				t.Parallel()
				g := planted.New(planted.Standard(nodes, mixing, 1))
				at := rand.New(rand.NewPCG(1, 2)).Perm(nodes) // ids must not give the communities away
				truth, edges := make([]int, nodes), make([][2]int32, len(g.Edges))
				for n, c := range g.Community {
					truth[at[n]] = c
				}
				for i, e := range g.Edges {
					edges[i] = [2]int32{int32(at[e[0]]), int32(at[e[1]])}
				}
				groups := graph.Communities(nodes, edges)
				found, largest := labelled(nodes, groups)
				if nmi := planted.NMI(truth, found); nmi < want || largest > nodes/5 {
					t.Errorf("NMI %.3f, want at least %v; the largest of %d communities has %d nodes", nmi, want, len(groups), largest)
				}
			})
		}
	}
}

// labelled returns the group of each node, a group of its own for a node in none, and the size of the largest group.
func labelled(nodes int, groups [][]int32) (labels []int, largest int) {
	labels = make([]int, nodes)
	for n := range labels {
		labels[n] = -1 - n
	}
	for c, group := range groups {
		largest = max(largest, len(group))
		for _, n := range group {
			labels[n] = c
		}
	}
	return labels, largest
}

func TestCommunities_OfAPersonalGraphAreThePartsOfALife(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/personal.txt")
	if err != nil {
		t.Fatal(err)
	}
	ids, names, edges := map[string]int32{}, []string{}, [][2]int32{}
	id := func(name string) int32 {
		if _, ok := ids[name]; !ok {
			ids[name] = int32(len(names))
			names = append(names, name)
		}
		return ids[name]
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		edges = append(edges, [2]int32{id(f[0]), id(f[2])})
	}
	var got []string
	for _, group := range graph.Communities(len(names), edges) {
		var of []string
		for _, n := range group {
			of = append(of, names[n])
		}
		got = append(got, strings.Join(of, " "))
	}
	want := []string{
		"User Neovim Peanuts Espresso Kyoto Tokyo Dune Portuguese DarkMode Corolla",
		"Acme Priya Tom Ben",
		"Falcon Go PostgreSQL Kubernetes",
		"Lena Mia Noah Hospital Montessori Lisbon",
		"Guitar Fender",
		"Bouldering Marco Ines Vertigo",
		"Rui Drums Nightjars Sofia Bass",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommunities_AreGroupsOfTwoOrMoreAndIgnoreOrderTwinsAndLoops(t *testing.T) {
	t.Parallel()
	if got := graph.Communities(0, nil); len(got) != 0 {
		t.Errorf("an empty graph has %v", got)
	}
	triangles := [][2]int32{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}}
	want := [][]int32{{0, 1, 2}, {3, 4, 5}}
	if diff := cmp.Diff(want, graph.Communities(8, triangles)); diff != "" {
		t.Error(diff)
	}
	again := append(slices.Clone(triangles), [2]int32{6, 6}, [2]int32{1, 0}, [2]int32{2, 1})
	slices.Reverse(again)
	if diff := cmp.Diff(want, graph.Communities(8, again)); diff != "" {
		t.Error("reversed, with twins and a loop:", diff)
	}
}

func TestCommunities_ThatShareNothingStayApartBesideAHub(t *testing.T) {
	t.Parallel()
	var edges [][2]int32 // node 0 touches forty pairs
	var want [][]int32
	for i := range int32(40) {
		a, b := 2*i+1, 2*i+2
		edges = append(edges, [2]int32{0, a}, [2]int32{0, b}, [2]int32{a, b})
		want = append(want, []int32{a, b})
	}
	got := graph.Communities(81, edges)
	got[0] = slices.DeleteFunc(got[0], func(n int32) bool { return n == 0 }) // the hub itself may be with any of them
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNMI(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b []int
		want string
	}{
		"equal, other labels": {[]int{0, 0, 1, 1}, []int{7, 7, 3, 3}, "1.000"},
		"one group":           {[]int{0, 0, 1, 1}, []int{0, 0, 0, 0}, "0.000"},
		"independent":         {[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, "0.000"},
		"halved":              {[]int{0, 0, 1, 1}, []int{0, 0, 1, 2}, "0.800"},
	} {
		if got := fmt.Sprintf("%.3f", planted.NMI(c.a, c.b)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func BenchmarkCommunities(b *testing.B) {
	o := planted.Standard(13_500, .3, 1)
	g := planted.New(o)
	edges := make([][2]int32, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = [2]int32{int32(e[0]), int32(e[1])}
	}
	b.ReportMetric(float64(len(edges)), "edges")
	for b.Loop() {
		graph.Communities(o.Nodes, edges)
	}
}
