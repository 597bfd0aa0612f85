package vectors_test

import (
	"log/slog"
	"math"
	"path/filepath"
	"testing"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/store"
)

// Every cosine of a generation with a base cosine is on the scale of the built-in embedder, wherever it is computed.
func TestScale_IsThatOfAllCosines(t *testing.T) {
	t.Parallel()
	st := open(t, filepath.Join(t.TempDir(), "memory.db"))
	gen, err := st.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	base := .5
	scale := embedding.NewScale(&base)
	if err := st.SaveBaseCosine(t.Context(), gen.ID, base); err != nil {
		t.Fatal(err)
	}
	same, other := save(t, st, gen.ID, "one", 1), save(t, st, gen.ID, "two", 2)
	q := make([]int8, dims)
	q[1] = 127
	if _, err := st.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, memory.RelationDraft{Head: "Ann",
		Relation: "rows_in", Tail: "Ghent", CreateMissing: true, Origin: memory.OriginAgent, Method: memory.MethodSupplied},
		0, memory.Caller{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := st.SaveRelationVectors(t.Context(), gen.ID,
		[]store.RelationVector{{Namespace: "n", Relation: "rows_in", Vec: q}}); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	loaded := vectors.NewLive(st, identity, store.OfEpisodes, slog.New(slog.DiscardHandler))
	start(t, loaded)
	fromVec0 := vectors.NewLive(st, identity, store.OfEpisodes, slog.New(slog.DiscardHandler))
	once := vectors.NewOnce(st, identity, store.OfEpisodes)
	indexes := map[string]retrieval.VectorIndex{"in memory": loaded, "from vec0": fromVec0, "once": once}
	for name, x := range indexes {
		s, err := x.Rank(t.Context(), q, memory.Filter{Namespace: "n"}, 5)
		if err != nil || len(s.Top) != 2 || s.Scale != scale {
			t.Fatalf("%s: %+v, %v", name, s, err)
		}
		near(name+", the same", s.Top[0].Score, 1)
		near(name+", another", s.Top[1].Score, scale.Of(0))
		if name != "from vec0" { // which knows no mean and assumes one
			near(name+", mean", s.Mean, scale.Of(.5))
			near(name+", deviation", s.Std, scale.Width(.5))
		}
		cosines, err := x.Cosines(t.Context(), q, "n", []int64{same, other})
		if err != nil {
			t.Fatal(err)
		}
		near(name+", cosine", cosines[same], 1)
		near(name+", cosine of another", cosines[other], scale.Of(0))
	}
	relations := vectors.NewRelations(st, identity)
	q[2] = 127 // cosine √½
	cosines, err := relations.Cosines(t.Context(), q, "n", []string{"rows_in"})
	if err != nil {
		t.Fatal(err)
	}
	near("relation", cosines["rows_in"], scale.Of(math.Sqrt(.5)))
}
