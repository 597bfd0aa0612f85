package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

var (
	identityA = store.Identity{Provider: "builtin", Model: "a", Dimensions: 4}
	identityB = store.Identity{Provider: "openai", Model: "b", Dimensions: 8}
)

func ensure(t *testing.T, s *store.Store, id store.Identity) store.Generation {
	t.Helper()
	g, err := s.EnsureGeneration(context.Background(), id)
	if err != nil {
		t.Fatalf("%v (%v)", err, memory.AsError(err).Err)
	}
	return g
}

// vectorOf returns a vector that identifies its episode.
func vectorOf(id int64, dimensions int) []int8 {
	v := make([]int8, dimensions)
	for i := range v {
		v[i] = int8(i + 1)
	}
	v[0] = int8(id)
	return v
}

// embedAll does the open jobs of a generation and returns their episodes.
func embedAll(t *testing.T, s *store.Store, g store.Generation) (done []int64) {
	t.Helper()
	ctx := context.Background()
	for {
		jobs, err := s.ClaimJobs(ctx, store.Claim{Kind: store.KindEmbed, Prefix: store.EmbedPrefix(g.ID), Holder: "h",
			Lease: time.Minute, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 0 {
			slices.Sort(done)
			return done
		}
		held := store.Held{Holder: "h"}
		var vectors []store.Vector
		for _, j := range jobs {
			gen, id, err := store.ParseEmbedSubject(j.Subject)
			if err != nil || gen != g.ID {
				t.Fatalf("subject %q: %d, %v", j.Subject, gen, err)
			}
			vectors = append(vectors, store.Vector{ID: id.Num, Vec: vectorOf(id.Num, g.Dimensions)})
			held.IDs = append(held.IDs, j.ID)
			done = append(done, id.Num)
		}
		if _, err := s.SaveVectors(ctx, g.ID, vectors, held); err != nil {
			t.Fatalf("%v (%v)", err, memory.AsError(err).Err)
		}
	}
}

func load(t *testing.T, s *store.Store, gen int64) (rows []store.VectorRow, seq int64) {
	t.Helper()
	seq, err := s.LoadVectors(context.Background(), gen, store.OfEpisodes, func(r store.VectorRow) error {
		r.Vec = slices.Clone(r.Vec)
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatalf("%v (%v)", err, memory.AsError(err).Err)
	}
	slices.SortFunc(rows, func(a, b store.VectorRow) int { return int(a.ID - b.ID) })
	return rows, seq
}

func TestGenerations_TheFirstIsActiveAtOnceAndCatchesUp(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for i := range 4 { // by a process without an embedder
		record(t, s, turn("s", fmt.Sprint(i)))
	}
	if state, err := s.State(context.Background(), "default"); err != nil || state.Pending != 0 {
		t.Errorf("without an embedder %d jobs are open, %v", state.Pending, err)
	}
	g := ensure(t, s, identityA)
	record(t, s, turn("s", "later"))
	if diff := cmp.Diff(store.Generation{ID: 1, Identity: identityA, State: store.Active}, g); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5}, embedAll(t, s, g)); diff != "" {
		t.Error(diff)
	}
	again := ensure(t, s, identityA)
	if diff := cmp.Diff(g, again); diff != "" {
		t.Error(diff)
	}
	if more := embedAll(t, s, g); len(more) > 0 {
		t.Errorf("embedded again: %v", more)
	}
}

func TestGenerations_AnotherEmbedderIsBuiltAsideAndSwappedIn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "memory.db")
	old, s := open(t, path, store.Options{}), open(t, path, store.Options{})
	a := ensure(t, old, identityA)
	for i := range 5 {
		record(t, old, turn("s", fmt.Sprint(i)))
	}
	embedAll(t, old, a)
	record(t, old, turn("s", "not embedded yet"))

	b := ensure(t, s, identityB)
	if b.State != store.Building || b.ID == a.ID {
		t.Fatalf("the second generation is %+v", b)
	}
	record(t, old, turn("s", "from the process with the old embedder"))
	if active, ok, err := s.ActiveGeneration(ctx); err != nil || !ok || active.ID != a.ID {
		t.Errorf("active while building: %+v, %v, %v", active, ok, err)
	}
	if rows, _ := load(t, s, a.ID); len(rows) != 5 {
		t.Errorf("the active generation has %d vectors while the other is built, want 5", len(rows))
	}
	if done := embedAll(t, old, a); len(done) > 0 {
		t.Errorf("the old embedder still works on %v", done)
	}
	resumed := ensure(t, s, identityB) // a restart
	if diff := cmp.Diff(b, resumed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 4, 5, 6, 7}, embedAll(t, s, b)); diff != "" {
		t.Error(diff)
	}
	active, ok, err := s.ActiveGeneration(ctx)
	if err != nil || !ok || active.ID != b.ID {
		t.Errorf("active after building: %+v, %v, %v", active, ok, err)
	}
	if tables, err := s.QueryInts(`SELECT 1 FROM sqlite_master WHERE name LIKE 'mg_%_embeddings_1%'`); err != nil ||
		len(tables) > 0 {
		t.Errorf("%d tables of the retired generation are left, %v", len(tables), err)
	}
	_, err = old.NearestVec0(ctx, a.ID, store.OfEpisodes, vectorOf(1, 4), memory.Filter{Namespace: "default"}, 3)
	wantCode(t, err, memory.Conflict)
	_, err = old.SaveVectors(ctx, a.ID, []store.Vector{{ID: 1, Vec: vectorOf(1, 4)}}, store.Held{})
	wantCode(t, err, memory.Conflict)
	if seq, err := old.VectorSeq(ctx, a.ID, store.OfEpisodes); err != nil || seq != 0 {
		t.Errorf("the retired generation's feed is at %d, %v", seq, err)
	}
}

func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want a %s error", err, code)
	}
}

func TestGenerations_GoingBackGivesUpWhatWasBuilt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	a := ensure(t, s, identityA)
	record(t, s, turn("s", "one"))
	embedAll(t, s, a)
	ensure(t, s, identityB)
	record(t, s, turn("s", "two"))
	if diff := cmp.Diff(a, ensure(t, s, identityA)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{2}, embedAll(t, s, a)); diff != "" {
		t.Error(diff)
	}
	live, err := s.Generations(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]store.Generation{a}, live); diff != "" {
		t.Error(diff)
	}
	if state, err := s.State(context.Background(), "default"); err != nil || state.Pending != 0 {
		t.Errorf("%d jobs are left, %v", state.Pending, err)
	}
}

func TestGenerations_OnAnEmptyFileTheSwapIsImmediate(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ensure(t, s, identityA)
	if g := ensure(t, s, identityB); g.State != store.Active {
		t.Errorf("the second generation is %s", g.State)
	}
}

func TestGenerations_AJobThatGaveUpDoesNotHoldTheSwapBackButAllOfThemDo(t *testing.T) {
	t.Parallel()
	for failing, want := range map[int]string{1: store.Active, 4: store.Building} {
		ctx := context.Background()
		now := time.Now()
		s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
		ensure(t, s, identityA)
		for i := range 4 {
			record(t, s, turn("s", fmt.Sprint(i)))
		}
		b := ensure(t, s, identityB)
		for range 5 {
			now = now.Add(time.Minute)
			jobs, err := s.ClaimJobs(ctx, store.Claim{Kind: store.KindEmbed, Prefix: store.EmbedPrefix(b.ID), Holder: "h",
				Lease: time.Second, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			var rest []int64
			for _, j := range jobs[failing:] {
				rest = append(rest, j.ID)
			}
			if err := errors.Join(s.FailJobs(ctx, "h", jobs[:failing], errors.New("no")),
				s.ReleaseJobs(ctx, "h", rest)); err != nil {
				t.Fatal(err)
			}
		}
		embedAll(t, s, b)
		if _, err := s.ActivateIfReady(ctx, b.ID); err != nil {
			t.Fatal(err)
		}
		live, err := s.Generations(ctx)
		if err != nil || len(live) == 0 || live[len(live)-1].State != want {
			t.Errorf("%d of 4 failing: %v, %v; want %s", failing, live, err, want)
		}
	}
}

func TestSaveVectors_RefusesAnotherWidth(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	record(t, s, turn("s", "one"))
	_, err := s.SaveVectors(context.Background(), g.ID, []store.Vector{{ID: 1, Vec: make([]int8, 5)}}, store.Held{})
	wantCode(t, err, memory.InvalidArgument)
	if _, err := s.SaveVectors(context.Background(), g.ID, []store.Vector{{ID: 99, Vec: make([]int8, 4)}},
		store.Held{}); err != nil {
		t.Errorf("an episode that is gone: %v", err)
	}
}

func TestNearestVec0_IsExactWithinItsFilter(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	var vectors []store.Vector
	for i := range 600 { // more than two chunks
		e := turn(fmt.Sprint("s", i%3), fmt.Sprint(i))
		if i%5 == 0 {
			e.Scope.Namespace = "other"
		}
		r := record(t, s, e)
		vectors = append(vectors, store.Vector{ID: r.Episode.ID,
			Vec: []int8{int8(1 + i%100), int8(i % 7), int8(-i % 31), int8(i % 127)}})
	}
	if _, err := s.SaveVectors(context.Background(), g.ID, vectors, store.Held{}); err != nil {
		t.Fatal(err)
	}
	query := []int8{3, -4, 5, 100}
	for _, f := range []memory.Filter{{Namespace: "default"}, {Namespace: "other"},
		{Namespace: "default", SessionID: "s1"}, {Namespace: "nobody"}} {
		got, err := s.NearestVec0(context.Background(), g.ID, store.OfEpisodes, query, f, 20)
		if err != nil {
			t.Fatalf("%v (%v)", err, memory.AsError(err).Err)
		}
		want := []float64{}
		for i, v := range vectors {
			in := (i%5 == 0) == (f.Namespace == "other") && f.Namespace != "nobody" && (f.SessionID == "" || i%3 == 1)
			if in {
				want = append(want, cosine(query, v.Vec))
			}
		}
		slices.SortFunc(want, func(a, b float64) int { return -compare(a, b) })
		want = want[:min(20, len(want))]
		scores := []float64{}
		for _, h := range got {
			scores = append(scores, h.Score)
			if c := cosine(query, vectors[h.ID-1].Vec); math.Abs(c-h.Score) > 1e-5 {
				t.Errorf("t%d has cosine %f, got %f", h.ID, c, h.Score)
			}
		}
		if diff := cmp.Diff(want, scores, cmpopts.EquateApprox(0, 1e-5)); diff != "" {
			t.Errorf("%+v: %s", f, diff)
		}
	}
	cosines, err := s.CosinesVec0(context.Background(), g.ID, store.OfEpisodes, query, "default", []int64{2, 1, 999})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int64]float64{2: cosine(query, vectors[1].Vec)}, cosines,
		cmpopts.EquateApprox(0, 1e-5)); diff != "" {
		t.Error("t1 is in another namespace, t999 does not exist:", diff)
	}
	read, err := s.VectorsVec0(context.Background(), g.ID, store.OfEpisodes, "default", []int64{2, 1, 999})
	if diff := cmp.Diff(map[int64][]int8{2: vectors[1].Vec}, read); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func cosine(a, b []int8) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	return dot / math.Sqrt(aa*bb)
}

func TestVectorFeed_FollowsWhatAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "memory.db")
	writer, reader := open(t, path, store.Options{}), open(t, path, store.Options{})
	g := ensure(t, writer, identityA)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	add := func(content string) {
		e := turn("s", content)
		e.Scope.Project, e.Scope.User, e.OccurredAt = "p", "u", at
		record(t, writer, e)
	}
	for i := range 300 {
		add(fmt.Sprint(i))
	}
	embedAll(t, writer, g)
	rows, seq := load(t, reader, g.ID)
	if len(rows) != 300 {
		t.Fatalf("%d rows loaded, want 300", len(rows))
	}
	want := store.VectorRow{ID: 7, Namespace: "default", Project: "p", User: "u", SessionID: "s", Role: memory.RoleUser,
		OccurredAt: at, Vec: vectorOf(7, 4)}
	if diff := cmp.Diff(want, rows[6]); diff != "" {
		t.Error(diff)
	}
	changes, next, err := reader.VectorChanges(ctx, g.ID, store.OfEpisodes, seq)
	if err != nil || len(changes) != 0 || next != seq {
		t.Errorf("without a change: %v, %d → %d, %v", changes, seq, next, err)
	}

	add("new")
	embedAll(t, writer, g)
	if _, err := writer.SaveVectors(ctx, g.ID, []store.Vector{{ID: 2, Vec: []int8{9, 9, 9, 9}}},
		store.Held{}); err != nil {
		t.Fatal(err)
	}
	if now, err := reader.VectorSeq(ctx, g.ID, store.OfEpisodes); err != nil || now <= seq {
		t.Errorf("the feed is at %d after %d, %v", now, seq, err)
	}
	changes, next, err = reader.VectorChanges(ctx, g.ID, store.OfEpisodes, seq)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64][]int8{}
	for _, c := range changes {
		got[c.ID] = c.Vec
	}
	if diff := cmp.Diff(map[int64][]int8{301: vectorOf(301, 4), 2: {9, 9, 9, 9}}, got); diff != "" {
		t.Error(diff)
	}
	if rows, again := load(t, reader, g.ID); again != next || len(rows) != 301 ||
		!slices.Equal(rows[1].Vec, []int8{9, 9, 9, 9}) {
		t.Errorf("loaded again: %d rows at %d, want 301 at %d", len(rows), again, next)
	}
}

// LoadVectors reads vec0's private tables, and the feed reads through vec0. Both must return the same, after deletions
// and in several namespaces.
func TestLoadVectors_AgreesWithVec0(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, store.Identity{Provider: "p", Model: "m", Dimensions: 12})
	for i := range 700 {
		e := turn(fmt.Sprint("s", i%9), fmt.Sprint(i))
		e.Scope.Namespace = fmt.Sprint("n", i%2)
		record(t, s, e)
	}
	embedAll(t, s, g)
	for id := int64(3); id < 700; id += 50 { // replaced: moved from one place of a chunk to another
		if _, err := s.SaveVectors(context.Background(), g.ID, []store.Vector{{ID: id, Vec: vectorOf(-id%100, 12)}},
			store.Held{}); err != nil {
			t.Fatal(err)
		}
	}
	changes, last, err := s.VectorChanges(context.Background(), g.ID, store.OfEpisodes, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.VectorRow{}
	for _, c := range changes {
		want = append(want, c.VectorRow)
	}
	slices.SortFunc(want, func(a, b store.VectorRow) int { return int(a.ID - b.ID) })
	got, seq := load(t, s, g.ID)
	if diff := cmp.Diff(want, got); diff != "" || seq != last || len(got) != 700 {
		t.Errorf("%d rows at %d, feed at %d: %s", len(got), seq, last, diff)
	}
}

func TestLoadVectors_EndsWithItsReader(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	record(t, s, turn("s", "one"))
	embedAll(t, s, g)
	stop := errors.New("enough")
	if _, err := s.LoadVectors(context.Background(), g.ID, store.OfEpisodes,
		func(store.VectorRow) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if rows, _ := load(t, s, g.ID); len(rows) != 1 {
		t.Errorf("the next load found %d", len(rows))
	}
}
