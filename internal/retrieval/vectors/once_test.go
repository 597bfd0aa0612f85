package vectors_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/store"
)

// Once ranks like Live.
func TestOnce_RanksAsLiveDoes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"))
	vectorOf := func(i int) []int8 {
		r, v := rand.New(rand.NewPCG(7, uint64(i))), make([]int8, dims)
		for j := range v {
			v[j] = int8(r.IntN(255) - 127)
		}
		return v
	}
	g, err := s.EnsureGeneration(ctx, identity)
	if err != nil {
		t.Fatal(err)
	}
	once := vectors.NewOnce(s, identity, store.OfEpisodes)
	if got, err := once.Rank(ctx, vectorOf(3), memory.Filter{Namespace: "default"}, 5); err != nil || len(got.Top) != 0 {
		t.Errorf("an empty memory: %+v, %v", got, err)
	}
	for i := range 600 {
		_, err := s.RecordEpisode(ctx, store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser,
			Content: fmt.Sprint("turn ", i), Origin: memory.OriginUser, Status: memory.StatusPending,
			Scope: memory.Scope{Namespace: []string{"default", "other"}[i%2], Project: []string{"", "p", "q"}[i%3],
				SessionID: fmt.Sprint("s", i%7)}}, Caller: memory.Caller{Actor: "test"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.SaveVectors(ctx, g.ID, []store.Vector{{ID: int64(i + 1), Vec: vectorOf(i + 1)}},
			store.Held{}); err != nil {
			t.Fatal(err)
		}
	}
	live := vectors.NewLive(s, identity, store.OfEpisodes, slog.New(slog.DiscardHandler))
	start(t, live)
	once = vectors.NewOnce(s, identity, store.OfEpisodes)
	for name, f := range map[string]memory.Filter{
		"all":             {Namespace: "default"},
		"other namespace": {Namespace: "other"},
		"nobody's":        {Namespace: "nobody's"},
		"project":         {Namespace: "default", Project: "p"},
		"project or none": {Namespace: "default", Project: "p", Unassigned: true},
		"no project":      {Namespace: "default", Unassigned: true},
		"session":         {Namespace: "default", SessionID: "s3"},
		"no such user":    {Namespace: "default", User: "u"},
	} {
		want, err := live.Rank(ctx, vectorOf(17), f, 9)
		if err != nil {
			t.Fatal(err)
		}
		got, err := once.Rank(ctx, vectorOf(17), f, 9)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s (-live +once):\n%s", name, diff)
		}
		ahead := vectors.NewOnce(s, identity, store.OfEpisodes)
		if err := ahead.Read(ctx, f); err != nil {
			t.Fatal(err)
		}
		counting, n := store.CountStatements(ctx)
		if got, err = ahead.Rank(counting, vectorOf(17), f, 9); err != nil || n.Load() != 0 {
			t.Errorf("%s, read ahead: %d statements, %v", name, n.Load(), err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s, read ahead (-live +once):\n%s", name, diff)
		}
		if f.Narrow() != (f.Project != "" || f.Unassigned || f.SessionID != "" || f.User != "") ||
			name != "nobody's" && name != "no such user" && len(want.Top) == 0 {
			t.Errorf("%s proves nothing: %d found", name, len(want.Top))
		}
	}
	ids := []int64{1, 2, 3, 599, 10_000}
	for _, namespace := range []string{"default", "other"} {
		wantCosines, _ := live.Cosines(ctx, vectorOf(5), namespace, ids)
		gotCosines, err := once.Cosines(ctx, vectorOf(5), namespace, ids)
		if diff := cmp.Diff(wantCosines, gotCosines); diff != "" || err != nil || len(gotCosines) == 0 {
			t.Errorf("cosines: %v %s", err, diff)
		}
		wantVectors, _ := live.Vectors(ctx, namespace, ids)
		gotVectors, err := once.Vectors(ctx, namespace, ids)
		if diff := cmp.Diff(wantVectors, gotVectors); diff != "" || err != nil || len(gotVectors) == 0 {
			t.Errorf("vectors: %v %s", err, diff)
		}
	}
	if once.Elsewhere() {
		t.Error("the vectors are taken for another embedder's")
	}
	foreign := vectors.NewOnce(s, store.Identity{Provider: "p", Model: "another", Dimensions: identity.Dimensions},
		store.OfEpisodes)
	if _, err := foreign.Rank(ctx, vectorOf(1), memory.Filter{Namespace: "default"}, 3); err == nil ||
		!foreign.Elsewhere() {
		t.Errorf("another embedder's vectors are ranked: %v", err)
	}
}
