package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// subjects returns the subjects of the open embed jobs.
func subjects(t testing.TB, s *store.Store) []string {
	t.Helper()
	jobs, err := s.ClaimJobs(context.Background(),
		store.Claim{Kind: store.KindEmbed, Holder: "look", Lease: time.Minute, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	list, ids := []string{}, []int64{}
	for _, j := range jobs {
		list, ids = append(list, j.Subject), append(ids, j.ID)
	}
	if err := s.ReleaseJobs(context.Background(), "look", ids); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// embedEntities does the open jobs and returns their number.
func embedEntities(t testing.TB, s *store.Store, g store.Generation) int {
	t.Helper()
	jobs, err := s.ClaimJobs(context.Background(),
		store.Claim{Kind: store.KindEmbed, Prefix: store.EmbedPrefix(g.ID), Holder: "h", Lease: time.Minute, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Vector
	held := store.Held{Holder: "h"}
	for _, j := range jobs {
		_, of, err := store.ParseEmbedSubject(j.Subject)
		if err != nil {
			t.Fatal(err)
		}
		kind := store.OfEpisodes
		if of.Kind == memory.KindEntity {
			kind = store.OfEntities
		}
		list, held.IDs = append(list, store.Vector{Kind: kind, ID: of.Num,
			Vec: vectorOf(of.Num, g.Dimensions)}), append(held.IDs, j.ID)
	}
	if _, err := s.SaveVectors(context.Background(), g.ID, list, held); err != nil {
		t.Fatal(err)
	}
	return len(jobs)
}

func entityVectors(t testing.TB, s *store.Store, gen int64) []int64 {
	t.Helper()
	ids := []int64{}
	if _, err := s.LoadVectors(context.Background(), gen, store.OfEntities, func(r store.VectorRow) error {
		ids = append(ids, r.ID)
		if r.Namespace != "default" {
			t.Errorf("%+v", r)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ascending(ids)
}

func update(t testing.TB, s *store.Store, e memory.Entity, name, description string) {
	t.Helper()
	if _, _, err := s.UpdateEntity(context.Background(), "default",
		memory.EntityChange{Entity: e.Ref().String(), Name: &name, Description: &description}, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
}

func TestEntityVectors_AreMadeWhenNameOrDescriptionChange(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	e := entity(t, s, memory.EntityDraft{Name: "Rust", Type: "language"})
	note := entity(t, s, memory.EntityDraft{Name: "A note", Kind: memory.NodeMemory})
	if d := cmp.Diff([]string{"1/e1", "1/e2"}, subjects(t, s)); d != "" || note.ID != 2 {
		t.Fatal(note.ID, d)
	}
	embedEntities(t, s, g)
	for _, tc := range []struct {
		name string
		do   func()
		want []string
	}{
		{"seen again", func() { entity(t, s, memory.EntityDraft{Name: "Rust", Type: "language"}) }, []string{}},
		{"another alias", func() {
			entity(t, s, memory.EntityDraft{Name: "Rust", Type: "language", Aliases: []string{"rustlang"}})
		}, []string{}},
		{"a longer description",
			func() { entity(t, s, memory.EntityDraft{Name: "Rust", Type: "language", Description: "systems"}) }, []string{
				"1/e1"}},
		{"another form of the name", func() { entity(t, s, memory.EntityDraft{Name: "RUST", Type: "language"}) },
			[]string{"1/e1"}},
		{"a new name", func() { update(t, s, e, "Oxide", "") }, []string{"1/e1"}},
	} {
		tc.do()
		if d := cmp.Diff(tc.want, subjects(t, s)); d != "" {
			t.Errorf("%s\n%s", tc.name, d)
		}
		embedEntities(t, s, g)
	}
	if d := cmp.Diff([]int64{1, 2}, entityVectors(t, s, g.ID)); d != "" {
		t.Error(d)
	}
}

// The node changes while a model embeds it: the vector of the old text must not stay.
func TestEntityVectors_AChangeDuringAJobIsNotLost(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	e := entity(t, s, memory.EntityDraft{Name: "Rust"})
	jobs, err := s.ClaimJobs(context.Background(),
		store.Claim{Kind: store.KindEmbed, Holder: "slow", Lease: time.Minute, Limit: 1})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	update(t, s, e, "Oxide", "")
	if _, err := s.SaveVectors(context.Background(), g.ID,
		[]store.Vector{{Kind: store.OfEntities, ID: e.ID, Vec: vectorOf(1, 4)}}, store.Held{Holder: "slow",
			IDs: []int64{jobs[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1/e1"}, subjects(t, s)); d != "" {
		t.Error(d)
	}
	state, err := s.State(context.Background(), "default")
	if err != nil || state.Pending != 1 {
		t.Errorf("%+v, %v", state, err)
	}
}

func TestEntityVectors_OfHiddenNodesAreTakenAway(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	entity(t, s, memory.EntityDraft{Name: "Anna", Type: "person"})
	entity(t, s, memory.EntityDraft{Name: "Annie", Type: "person"})
	embedEntities(t, s, g)
	_, seq, err := s.VectorChanges(context.Background(), g.ID, store.OfEntities, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.MergeEntities(context.Background(), "default", "e1", "e2", memory.Caller{CallID: "m"}); err != nil {
		t.Fatal(err)
	}
	embedEntities(t, s, g)
	if d := cmp.Diff([]int64{1}, entityVectors(t, s, g.ID)); d != "" {
		t.Error(d)
	}
	changes, _, err := s.VectorChanges(context.Background(), g.ID, store.OfEntities, seq)
	if err != nil {
		t.Fatal(err)
	}
	gone := slices.ContainsFunc(changes, func(c store.VectorChange) bool { return c.ID == 2 && c.Deleted })
	if !gone {
		t.Errorf("the feed has %+v", changes)
	}
	if _, err := s.Unmerge(context.Background(), "default", "e2", memory.Caller{CallID: "u"}); err != nil {
		t.Fatal(err)
	}
	embedEntities(t, s, g)
	if d := cmp.Diff([]int64{1, 2}, entityVectors(t, s, g.ID)); d != "" {
		t.Errorf("after unmerge\n%s", d)
	}
}

func TestEntityVectors_AndThoseOfEpisodesAreApart(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g := ensure(t, s, identityA)
	entity(t, s, memory.EntityDraft{Name: "Anna"})
	record(t, s, turn("s", "One."))
	record(t, s, turn("s", "Two."))
	if n := embedEntities(t, s, g); n != 3 {
		t.Fatalf("%d jobs", n)
	}
	ctx := context.Background()
	for kind, want := range map[store.VectorKind][]int64{store.OfEntities: {1}, store.OfEpisodes: {1, 2}} {
		hits, err := s.NearestVec0(ctx, g.ID, kind, vectorOf(1, 4), memory.Filter{Namespace: "default"}, 5)
		if err != nil {
			t.Fatal(err)
		}
		ids := []int64{}
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		if d := cmp.Diff(want, ascending(ids)); d != "" {
			t.Errorf("nearest %s\n%s", kind, d)
		}
		cosines, err := s.CosinesVec0(ctx, g.ID, kind, vectorOf(1, 4), "default", []int64{1, 2, 3})
		if err != nil || len(cosines) != len(want) {
			t.Errorf("%s: %v, %v", kind, cosines, err)
		}
		changes, _, err := s.VectorChanges(ctx, g.ID, kind, 0)
		if err != nil || len(changes) != len(want) {
			t.Errorf("changes of %s: %+v, %v", kind, changes, err)
		}
	}
	if hits, err := s.NearestVec0(ctx, g.ID, store.OfEntities, vectorOf(1, 4), memory.Filter{Namespace: "other"},
		5); err != nil || len(hits) != 0 {
		t.Errorf("in another namespace: %v, %v", hits, err)
	}
}

// A process without an embedder leaves no outdated vector behind. A process with one finds it missing.
func TestEntityVectors_AreForgottenByAProcessWithoutAnEmbedderAndMadeByTheNext(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/memory.db"
	embeds, plain := open(t, path, store.Options{}), open(t, path, store.Options{})
	g := ensure(t, embeds, identityA)
	e := entity(t, embeds, memory.EntityDraft{Name: "Anna"})
	embedEntities(t, embeds, g)
	update(t, plain, e, "Annabel", "")
	entity(t, plain, memory.EntityDraft{Name: "Bo"})
	if ids := entityVectors(t, plain, g.ID); len(ids) != 0 {
		t.Errorf("there are vectors of %v", ids)
	}
	if list := subjects(t, plain); len(list) != 0 {
		t.Errorf("there are jobs for %v", list)
	}
	if err := embeds.CatchUp(context.Background(), g.ID); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1/e1", "1/e2"}, subjects(t, embeds)); d != "" {
		t.Error(d)
	}
	embedEntities(t, embeds, g)
	if err := embeds.CatchUp(context.Background(), g.ID); err != nil {
		t.Fatal(err)
	}
	if list := subjects(t, embeds); len(list) != 0 {
		t.Errorf("nothing is missing, and there are jobs for %v", list)
	}
}

func TestGenerations_OfAnotherEmbedderWaitForTheEntitiesToo(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	old := ensure(t, s, identityA)
	entity(t, s, memory.EntityDraft{Name: "Anna"})
	record(t, s, turn("s", "One."))
	embedEntities(t, s, old)
	g := ensure(t, s, identityB)
	if d := cmp.Diff([]string{"2/e1", "2/t1"}, subjects(t, s)); d != "" || g.State != store.Building {
		t.Fatal(g.State, d)
	}
	jobs, err := s.ClaimJobs(context.Background(),
		store.Claim{Kind: store.KindEmbed, Holder: "h", Lease: time.Minute, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range jobs {
		_, of, err := store.ParseEmbedSubject(j.Subject)
		if err != nil {
			t.Fatal(err)
		}
		kind := store.OfEpisodes
		if of.Kind == memory.KindEntity {
			kind = store.OfEntities
		}
		activated, err := s.SaveVectors(context.Background(), g.ID,
			[]store.Vector{{Kind: kind, ID: of.Num, Vec: vectorOf(1, 8)}}, store.Held{Holder: "h", IDs: []int64{j.ID}})
		if last := i == len(jobs)-1; err != nil || activated != last {
			t.Errorf("after %d of %d: activated %v, %v", i+1, len(jobs), activated, err)
		}
	}
}
