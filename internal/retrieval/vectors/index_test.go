package vectors_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/store"
)

const dims = 24

func vector(t *rapid.T, label string) []int8 {
	if rapid.IntRange(0, 9).Draw(t, label+" has no direction") == 0 {
		return make([]int8, dims)
	}
	return rapid.SliceOfN(rapid.Int8Range(-127, 127), dims, dims).Draw(t, label)
}

func cosine(a, b []int8) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// After random puts, replacements and deletions the index must answer like a map of rows, for every filter.
func TestIndex_AgreesWithAPlainMap(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		index, model := vectors.NewIndex(dims), map[int64]store.VectorRow{}
		names := rapid.SampledFrom([]string{"", "a", "b"})
		roles := rapid.SampledFrom([]memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem})
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			id := rapid.Int64Range(1, 25).Draw(t, "id")
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				index.Delete(id)
				delete(model, id)
				continue
			}
			r := store.VectorRow{ID: id, Namespace: rapid.SampledFrom([]string{"n", "m"}).Draw(t, "namespace"),
				Project: names.Draw(t, "project"), User: names.Draw(t, "user"), SessionID: names.Draw(t,
					"session"), Role: roles.Draw(t, "role"),
				OccurredAt: base.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "hour")) * time.Hour), Vec: vector(t, "vec")}
			index.Put(r)
			model[id] = r
		}
		if index.Len() != len(model) {
			t.Fatalf("%d vectors, want %d", index.Len(), len(model))
		}
		f := memory.Filter{Namespace: rapid.SampledFrom([]string{"n", "m", "other"}).Draw(t, "asked"),
			Project: names.Draw(t, "fp"), Unassigned: rapid.Bool().Draw(t, "unassigned"), User: names.Draw(t,
				"fu"), SessionID: names.Draw(t, "fs")}
		if rapid.Bool().Draw(t, "by role") {
			f.Roles = []memory.Role{roles.Draw(t, "r1"), roles.Draw(t, "r2")}
		}
		if rapid.Bool().Draw(t, "by time") {
			f.Since, f.Until = base.Add(90*time.Minute), base.Add(4*time.Hour)
		}
		query, k := vector(t, "query"), rapid.IntRange(1, 30).Draw(t, "k")
		want := []memory.Hit{}
		for _, r := range model {
			e := memory.Episode{Scope: memory.Scope{Namespace: r.Namespace, Project: r.Project, User: r.User,
				SessionID: r.SessionID}, Role: r.Role, OccurredAt: r.OccurredAt}
			if f.Matches(e) && slices.ContainsFunc(r.Vec, func(x int8) bool { return x != 0 }) {
				want = append(want, memory.Hit{ID: r.ID, Score: cosine(query, r.Vec)})
			}
		}
		slices.SortFunc(want, func(a, b memory.Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
		})
		var mean float64
		for _, h := range want {
			mean += h.Score / float64(len(want))
		}
		got := index.Rank(query, f, k)
		near := cmpopts.EquateApprox(0, 1e-5)
		if diff := gocmp.Diff(want[:min(k, len(want))], got.Top, near, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("ranking (-want +got):\n%s", diff)
		}
		if math.Abs(got.Mean-mean) > 1e-5 {
			t.Fatalf("mean %v, want %v", got.Mean, mean)
		}
		all := map[int64]float64{}
		ids := []int64{}
		for id, r := range model {
			ids = append(ids, id)
			if r.Namespace == f.Namespace && slices.ContainsFunc(r.Vec, func(x int8) bool { return x != 0 }) {
				all[id] = cosine(query, r.Vec)
			}
		}
		if diff := gocmp.Diff(all, index.Cosines(query, f.Namespace, ids), near); diff != "" {
			t.Fatalf("cosines (-want +got):\n%s", diff)
		}
		whole := map[int64][]int8{}
		for id, r := range model {
			if r.Namespace == f.Namespace {
				whole[id] = r.Vec
			}
		}
		if diff := gocmp.Diff(whole, index.Vectors(f.Namespace, ids)); diff != "" {
			t.Fatalf("vectors (-want +got):\n%s", diff)
		}
	})
}

func TestIndex_GrowsOverItsChunksAndShrinks(t *testing.T) {
	t.Parallel()
	index := vectors.NewIndex(dims)
	row := func(i int) store.VectorRow {
		v := make([]int8, dims)
		v[i%dims], v[(i/dims)%dims] = 100, int8(i%50+1)
		return store.VectorRow{ID: int64(i), Namespace: "n", Role: memory.RoleUser, Vec: v}
	}
	for i := 1; i <= 3000; i++ {
		index.Put(row(i))
	}
	for i := 1; i <= 3000; i += 2 {
		index.Delete(int64(i))
	}
	q := row(2222).Vec
	top := index.Rank(q, memory.Filter{Namespace: "n"}, 5).Top
	if len(top) != 5 || index.Len() != 1500 {
		t.Fatalf("%d hits of %d vectors", len(top), index.Len())
	}
	for _, h := range top {
		if h.ID%2 == 1 {
			t.Errorf("deleted vector %d was found", h.ID)
		}
	}
	if got := index.Cosines(q, "n", []int64{2222})[2222]; math.Abs(got-1) > 1e-5 {
		t.Errorf("a vector's cosine with itself is %v", got)
	}
	index.Put(store.VectorRow{ID: 9999, Namespace: "n", Vec: make([]int8, dims+1)})
	if index.Len() != 1500 {
		t.Error("a vector of other dimensions was taken")
	}
}

func BenchmarkRank(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			const width = 384
			index := vectors.NewIndex(width)
			v := make([]int8, width)
			for i := range n {
				for j := range v {
					v[j] = int8((i*31 + j*17 + i*j) % 127)
				}
				index.Put(store.VectorRow{ID: int64(i + 1), Namespace: "n", Vec: v})
			}
			for b.Loop() {
				index.Rank(v, memory.Filter{Namespace: "n"}, 200)
			}
		})
	}
}
