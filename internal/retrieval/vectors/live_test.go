package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

var identity = store.Identity{Provider: "test", Model: "m", Dimensions: dims}

// open opens another handle on the same file, as another process would.
func open(t *testing.T, path string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), path, store.Options{CacheDir: filepath.Join(t.TempDir(), "cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func save(t *testing.T, st *store.Store, gen int64, content string, hot int) int64 {
	t.Helper()
	rec, err := st.RecordEpisode(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
			Content: content, Origin: memory.OriginUser, Status: memory.StatusPending}, Caller: memory.Caller{Actor: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	v := make([]int8, dims)
	v[hot] = 127
	if _, err := st.SaveVectors(t.Context(), gen, []store.Vector{{ID: rec.Episode.ID, Vec: v}}, store.Held{}); err != nil {
		t.Fatal(err)
	}
	return rec.Episode.ID
}

func start(t *testing.T, live *vectors.Live) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); live.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	waitfor.Until(t, "the vectors are loaded", func() bool { _, ok := live.Loaded(); return ok })
}

func nearest(t *testing.T, live *vectors.Live, hot int) int64 {
	t.Helper()
	q := make([]int8, dims)
	q[hot] = 127
	s, err := live.Rank(t.Context(), q, memory.Filter{Namespace: "n"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Top) == 0 {
		return 0
	}
	return s.Top[0].ID
}

func TestLive_FindsWhatAnotherProcessWroteSince(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	ours, theirs := open(t, path), open(t, path)
	gen, err := ours.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	first := save(t, ours, gen.ID, "first", 1)
	live := vectors.NewLive(ours, identity, store.OfEpisodes, slog.New(slog.DiscardHandler))
	start(t, live)
	if got := nearest(t, live, 1); got != first {
		t.Fatalf("nearest is %d, want %d", got, first)
	}
	for i := 2; i < 6; i++ {
		id := save(t, theirs, gen.ID, fmt.Sprint("later ", i), i)
		if got := nearest(t, live, i); got != id {
			t.Errorf("after another process wrote %d, nearest is %d", id, got)
		}
	}
	if n, ok := live.Loaded(); !ok || n != 5 {
		t.Errorf("%d vectors in memory (loaded %v), want 5", n, ok)
	}
}

func TestLive_RanksFromVec0BeforeItIsLoaded(t *testing.T) {
	t.Parallel()
	st := open(t, filepath.Join(t.TempDir(), "memory.db"))
	gen, err := st.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	save(t, st, gen.ID, "one", 1)
	two := save(t, st, gen.ID, "two", 2)
	live := vectors.NewLive(st, identity, store.OfEpisodes, slog.New(slog.DiscardHandler)) // Run is not running
	if got := nearest(t, live, 2); got != two {
		t.Errorf("nearest is %d, want %d", got, two)
	}
	q := make([]int8, dims)
	q[2] = 127
	cosines, err := live.Cosines(t.Context(), q, "n", []int64{two, 99})
	if err != nil || len(cosines) != 1 || cosines[two] < .999 {
		t.Errorf("cosines %v, %v", cosines, err)
	}
	if read, err := live.Vectors(t.Context(), "n", []int64{two, 99}); err != nil || len(read) != 1 ||
		len(read[two]) != dims {
		t.Errorf("vectors %v, %v", read, err)
	}
}

func TestLive_NeverRanksVectorsOfAnotherEmbedder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	st := open(t, path)
	gen, err := st.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	save(t, st, gen.ID, "old", 1)
	other := store.Identity{Provider: "test", Model: "other", Dimensions: dims}
	live := vectors.NewLive(st, other, store.OfEpisodes, slog.New(slog.DiscardHandler))
	building, err := st.EnsureGeneration(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	q := make([]int8, dims)
	q[1] = 127
	_, err = live.Rank(t.Context(), q, memory.Filter{Namespace: "n"}, 1)
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Unavailable || !live.Elsewhere() {
		t.Fatalf("ranking while re-embedding gives %v", err)
	}
	jobs, err := st.ClaimJobs(t.Context(), store.Claim{Kind: store.KindEmbed, Prefix: store.EmbedPrefix(building.ID),
		Holder: "h", Lease: time.Minute, Limit: 9})
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d embed jobs, %v", len(jobs), err)
	}
	v := make([]int8, dims)
	v[3] = 127
	activated, err := st.SaveVectors(t.Context(), building.ID, []store.Vector{{ID: 1, Vec: v}},
		store.Held{Holder: "h", IDs: []int64{jobs[0].ID}})
	if err != nil || !activated {
		t.Fatalf("activated %v, %v", activated, err)
	}
	if got := nearest(t, live, 3); got != 1 || live.Elsewhere() {
		t.Errorf("after the swap nearest is %d, elsewhere %v", got, live.Elsewhere())
	}
}

func saveEntity(t *testing.T, st *store.Store, gen int64, name string, hot int) int64 {
	t.Helper()
	made, err := st.CreateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityDraft{Name: name, Origin: memory.OriginAgent, Method: memory.MethodSupplied}, memory.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	v := make([]int8, dims)
	v[hot] = 127
	if _, err := st.SaveVectors(t.Context(), gen, []store.Vector{{Kind: store.OfEntities, ID: made.Entity.ID, Vec: v}},
		store.Held{}); err != nil {
		t.Fatal(err)
	}
	return made.Entity.ID
}

// Ids of turns and of entities both count from 1. An index of one kind must never answer with the other, loaded or not.
func TestLive_OfEntitiesKnowsNoTurns(t *testing.T) {
	t.Parallel()
	st := open(t, filepath.Join(t.TempDir(), "m.db"))
	gen, err := st.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	save(t, st, gen.ID, "a turn", 1)
	first := saveEntity(t, st, gen.ID, "Anna", 2)
	live := vectors.NewLive(st, identity, store.OfEntities, slog.New(slog.DiscardHandler))
	if got := nearest(t, live, 1); got != first {
		t.Errorf("from vec0: %d", got)
	}
	start(t, live)
	if n, _ := live.Loaded(); n != 1 {
		t.Errorf("%d vectors were loaded", n)
	}
	second := saveEntity(t, st, gen.ID, "Bo", 3)
	if got := nearest(t, live, 3); got != second {
		t.Errorf("what was added since: %d", got)
	}
	cosines, err := live.Cosines(t.Context(), append(make([]int8, dims-1), 1), "n", []int64{first, second, 99})
	if err != nil || len(cosines) != 2 {
		t.Errorf("%v, %v", cosines, err)
	}
	// A vector that another handle deletes is not found any more.
	if _, err := st.SaveVectors(t.Context(), gen.ID, []store.Vector{{Kind: store.OfEntities, ID: second}},
		store.Held{}); err != nil {
		t.Fatal(err)
	}
	if got := nearest(t, live, 3); got == second {
		t.Error("a vector that is gone is found")
	}
}
