package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// ways returns facts as "A uses B, hop 2 over [3 4]", in order.
func ways(list []retrieval.FoundRelation) []string {
	out := []string{}
	for i, s := range said(list) {
		out = append(out, fmt.Sprintf("%s, hop %d over %v", s, list[i].Hop, list[i].Path))
	}
	slices.Sort(out)
	return out
}

// pagesOf reads a traversal in pages of limit, and checks that each fact only joins entities that have been shown.
func pagesOf(t *testing.T, w world, req retrieval.TraverseRequest, limit int) (entities []string,
	facts []retrieval.FoundRelation) {
	t.Helper()
	shown := map[string]bool{req.Start: true}
	for req.Limit, req.Offset = limit, 0; ; req.Offset += limit {
		got := w.traverse(req)
		for _, n := range names(got.Entities) {
			shown[n] = true
			entities = append(entities, n)
		}
		for _, f := range got.Relations {
			if !shown[f.Relationship.Head.Name] || !shown[f.Relationship.Tail.Name] {
				t.Errorf("%v leads to what was not shown by offset %d", said([]retrieval.FoundRelation{f}), req.Offset)
			}
		}
		facts = append(facts, got.Relations...)
		if !got.More {
			return entities, facts
		}
	}
}

func TestTraverse_PagesTogetherBringEveryFactAmongTheirEntities(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var list [][3]string
	for i := range 3 {
		mid := fmt.Sprint("Mid ", i)
		list = append(list, [3]string{"Root", "uses", mid})
		for j := range 30 {
			list = append(list, [3]string{mid, "uses", fmt.Sprint("Leaf ", i, " ", j)})
		}
	}
	w.bulk(list)
	entities, facts := pagesOf(t, w, retrieval.TraverseRequest{Start: "Root"}, 20)
	if len(entities) != 93 || len(facts) != 93 {
		t.Errorf("%d entities and %d facts of 93 each", len(entities), len(facts))
	}
}

func TestTraverse_PagesAreTheWholeOfAnyGraph(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(22, 3))
	for range 2 {
		w := newWorld(t)
		size := 6 + r.IntN(20)
		at := func() string { return fmt.Sprint("N", r.IntN(size)) }
		var list [][3]string
		for range size + r.IntN(2*size) {
			if a, b := at(), at(); a != b {
				list = append(list, [3]string{a, []string{"uses", "knows", "depends_on"}[r.IntN(3)], b})
			}
		}
		w.bulk(append(list, [3]string{"N0", "uses", "N1"}, [3]string{"N1", "uses", "N2"}))
		for _, req := range []retrieval.TraverseRequest{
			{Start: "N0", MaxHops: 3}, {Start: "N0", MaxHops: 6, Direction: memory.Out}, {Start: "N0", MaxHops: 3,
				Relations: []string{"uses"}},
			{Start: "N0", MaxHops: 6, End: "N2"}, {Start: "N0", MaxHops: 3, At: memory.AsOf{ValidAt: day}}, {Start: "N0",
				MaxHops: 3, At: memory.AsOf{KnownAt: day}},
		} {
			whole := req
			whole.Limit = 50
			want := w.traverse(whole)
			wantNames := names(want.Entities)
			slices.Sort(wantNames)
			for _, limit := range []int{1, 2, 5, 7} {
				entities, facts := pagesOf(t, w, req, limit)
				slices.Sort(entities)
				if diff := cmp.Diff(wantNames, entities); diff != "" {
					t.Errorf("%+v by %d (-want +got):\n%s", req, limit, diff)
				}
				if diff := cmp.Diff(ways(want.Relations), ways(facts)); diff != "" {
					t.Errorf("%+v by %d, facts (-want +got):\n%s", req, limit, diff)
				}
			}
		}
		if t.Failed() {
			t.Fatal(strings.Join(fmtFacts(list), "\n"))
		}
	}
}

func fmtFacts(list [][3]string) (out []string) {
	for _, f := range list {
		out = append(out, strings.Join(f[:], " "))
	}
	return out
}
