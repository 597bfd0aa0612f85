package store_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

const day = 24 * time.Hour

// fading begins a run of the daily decay task that covers the given number of intervals.
func fading(t *testing.T, s *store.Store, now *time.Time, days int) *store.Run {
	t.Helper()
	q := store.RunRequest{Task: "fade", Holder: "a", Every: day, Lease: time.Minute}
	if r, _, err := s.BeginRun(t.Context(), q); r != nil || err != nil {
		t.Fatalf("due before its time: %+v, %v", r, err)
	}
	*now = now.Add(time.Duration(days) * day)
	return begin(t, s, q, days)
}

func fade(t *testing.T, s *store.Store, r *store.Run, floor float64, want int) {
	t.Helper()
	if n, err := s.FadeEntities(t.Context(), r, floor); err != nil || n != want {
		t.Fatalf("%d faded, %v; want %d", n, err, want)
	}
}

func entityDraft(name string, confidence float64) memory.EntityDraft {
	return memory.EntityDraft{Name: name, Type: "person", Confidence: &confidence, Origin: memory.OriginUser,
		Method: memory.MethodSupplied}
}

func observe(t *testing.T, s *store.Store, d memory.EntityDraft) memory.Entity {
	t.Helper()
	w, err := s.CreateEntity(t.Context(), memory.Scope{Namespace: "n"}, d, agent)
	if err != nil {
		t.Fatal(err)
	}
	return w.Entity
}

func entityNow(t *testing.T, s *store.Store, id int64, at memory.AsOf) memory.Entity {
	t.Helper()
	found, err := s.EntitiesByID(t.Context(), "n", []int64{id}, at)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func wantConfidence(t *testing.T, s *store.Store, id int64, want float64) {
	t.Helper()
	if got := entityNow(t, s, id, memory.AsOf{}).Confidence; math.Abs(got-want) > 1e-8 {
		t.Errorf("e%d has confidence %v, want %v", id, got, want)
	}
}

func TestFadeEntities_AWeekAfterTheLastWord(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	idle := observe(t, s, entityDraft("Idle", .8)).ID
	*now = now.Add(5 * day)
	named := observe(t, s, entityDraft("Named", 1)).ID
	fade(t, s, fading(t, s, now, 1), .05, 0) // the sixth day
	fade(t, s, fading(t, s, now, 1), .05, 1) // the seventh
	wantConfidence(t, s, idle, .72)
	fade(t, s, fading(t, s, now, 1), .05, 1)
	wantConfidence(t, s, idle, .648)
	wantConfidence(t, s, named, 1)
}

func TestFadeEntities_MakesUpForWhatNobodyRan(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	first := observe(t, s, entityDraft("First", 1)).ID
	run := fading(t, s, now, 4) // four days without a run, and the idle week is not over
	fade(t, s, run, .05, 0)
	second := observe(t, s, entityDraft("Second", 1)).ID
	// Of the nine intervals, six lie after the idle week of the first entity, and two after the second one's.
	fade(t, s, fading(t, s, now, 9), .05, 2)
	wantConfidence(t, s, first, math.Pow(.9, 7))
	wantConfidence(t, s, second, math.Pow(.9, 3))
}

func TestFadeEntities_DownToTheFloorAndNotUpToIt(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	ids := map[float64]int64{}
	for i, c := range []float64{1, .3, .05, .02, 0} {
		ids[c] = observe(t, s, entityDraft(fmt.Sprint("Entity ", i), c)).ID
	}
	fade(t, s, fading(t, s, now, 100), .05, 2)
	for stated, want := range map[float64]float64{1: .05, .3: .05, .05: .05, .02: .02, 0: 0} {
		wantConfidence(t, s, ids[stated], want)
	}
	fade(t, s, fading(t, s, now, 1), .05, 0)
	fade(t, s, fading(t, s, now, 1), 0, 4) // with floor 0 nothing bounds the decay
	for _, floor := range []float64{-.1, 1.1, math.NaN()} {
		if _, err := s.FadeEntities(t.Context(), fading(t, s, now, 1), floor); code(err) != memory.InvalidArgument {
			t.Errorf("floor %v: %v", floor, err)
		}
		*now = now.Add(day) // the lease ends
		finish(t, s, begin(t, s, store.RunRequest{Task: "fade", Holder: "b", Every: day, Lease: time.Minute}, 2))
	}
}

func TestFadeEntities_WhatIsHeardOfAgainIsAsItWasStated(t *testing.T) {
	t.Parallel()
	for name, hear := range map[string]func(*store.Store) error{
		"observed": func(s *store.Store) error {
			c := .9
			_, err := s.CreateEntity(t.Context(), memory.Scope{Namespace: "n"},
				memory.EntityDraft{Name: "Ann", Type: "person", Confidence: &c, Origin: memory.OriginAgent,
					Method: memory.MethodSupplied}, agent)
			return err
		},
		"an end of a fact": func(s *store.Store) error {
			_, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, draft("Ann", "uses", "Go"), 0, agent)
			return err
		},
		"changed": func(s *store.Store) error {
			text := "somebody"
			_, _, err := s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: "Ann", Description: &text}, agent)
			return err
		},
		"named in a turn": func(s *store.Store) error {
			e := turn("s", "Ann came by.")
			e.Scope.Namespace, e.Found.Mentions = "n", []memory.Mention{{Name: "Ann"}}
			_, err := s.RecordEpisode(t.Context(), e)
			return err
		},
	} {
		s, now := clocked(t)
		id := observe(t, s, entityDraft("Ann", .9)).ID
		fade(t, s, fading(t, s, now, 8), .05, 1)
		wantConfidence(t, s, id, .729)
		if err := hear(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantConfidence(t, s, id, .9)
		fade(t, s, fading(t, s, now, 6), .05, 0)
	}
}

// Decay is not a change of meaning. It leaves no version and no event, reads of the past ignore it, and calls can be
// undone across it.
func TestFadeEntities_IsNoChangeOfMeaning(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	ann := observe(t, s, entityDraft("Ann", .8))
	before := *now
	*now = now.Add(time.Hour)
	text := "an engineer"
	if _, _, err := s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: "Ann", Description: &text},
		memory.Caller{CallID: "described"}); err != nil {
		t.Fatal(err)
	}
	written, err := s.QueryInts(`SELECT (SELECT count(*) FROM mg_events) + (SELECT count(*) FROM mg_entity_versions)`)
	if err != nil {
		t.Fatal(err)
	}
	fade(t, s, fading(t, s, now, 30), .05, 1)
	if again, err := s.QueryInts(
		`SELECT (SELECT count(*) FROM mg_events) + (SELECT count(*) FROM
			mg_entity_versions)`); err != nil || again[0] != written[0] {
		t.Errorf("%d versions and events became %d, %v", written[0], again[0], err)
	}
	for name, at := range map[string]memory.AsOf{"known_at": {KnownAt: before.Add(time.Minute)},
		"valid_at": {ValidAt: before.Add(time.Minute)}} {
		if got := entityNow(t, s, ann.ID, at).Confidence; got != .8 {
			t.Errorf("%s: confidence %v, want .8", name, got)
		}
	}
	if _, err := s.Undo(t.Context(), "n", "described", memory.Caller{}); err != nil {
		t.Error(err)
	}
	if e := entityNow(t, s, ann.ID, memory.AsOf{}); e.Confidence != .8 || e.Description != "" {
		t.Errorf("%+v", e)
	}
	isSound(t, s)
}

func TestFadeEntities_LeavesWhatIsHiddenMergedOrOver(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	observe(t, s, entityDraft("Ann", .8))
	observe(t, s, entityDraft("Anna", .8))
	over := entityDraft("Over", .8)
	over.ValidUntil = now.Add(day)
	observe(t, s, over)
	e := turn("s", "Zed")
	e.Scope.Namespace, e.Found.Mentions = "n", []memory.Mention{{Name: "Zed"}}
	record(t, s, e)
	if _, err := s.MergeEntities(t.Context(), "n", "Ann", "Anna", agent); err != nil {
		t.Fatal(err)
	}
	fade(t, s, fading(t, s, now, 8), .05, 1) // Ann
}

func TestExpireDue_EntitiesPastTheirEndHaveNoConfidence(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	d := entityDraft("Fair", .8)
	d.Type, d.ValidUntil = "event", now.Add(9*day)
	id := observe(t, s, d).ID
	fade(t, s, fading(t, s, now, 8), .05, 1)
	wantConfidence(t, s, id, .8*.9*.9)
	for _, step := range []struct{ days, want int }{{0, 0}, {1, 1}, {1, 0}} {
		*now = now.AddDate(0, 0, step.days)
		if n, err := s.ExpireDue(t.Context(), *now); err != nil || n != step.want {
			t.Errorf("%d were due, %v; want %d", n, err, step.want)
		}
	}
	wantConfidence(t, s, id, 0)
	if got := entityNow(t, s, id, memory.AsOf{ValidAt: now.AddDate(0, 0, -5)}).Confidence; got != .8 {
		t.Errorf("while it was valid its confidence was %v, want .8", got)
	}
	until := now.Add(30 * day) // it was prolonged
	if _, _, err := s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: "Fair", ValidUntil: &until},
		agent); err != nil {
		t.Fatal(err)
	}
	wantConfidence(t, s, id, .8)
	isSound(t, s)
}

func TestFadeRetrievals_OnceForEachInterval(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	r := relate(t, s, draft("Bob", "uses", "Go")).Relationship
	if err := s.AddRetrievals(t.Context(), "n", map[int64]int{r.ID: 4}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		days   int
		lambda float64
		want   float64
	}{{1, .95, 3.8}, {2, .5, .95}, {3, 1, .95}, {5, .5, .0296875}, {2, .5, 0}} {
		if _, err := s.FadeRetrievals(t.Context(), fading(t, s, now, step.days), step.lambda); err != nil {
			t.Fatal(err)
		}
		found, err := s.Relationships(t.Context(), "n", []int64{r.ID}, memory.AsOf{})
		if err != nil || len(found) != 1 || math.Abs(found[0].RetrievalCount-step.want) > 1e-9 {
			t.Fatalf("after %d days of %v: %+v, %v; want %v", step.days, step.lambda, found, err, step.want)
		}
	}
	for _, lambda := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := s.FadeRetrievals(t.Context(), &store.Run{}, lambda); code(err) != memory.InvalidArgument {
			t.Errorf("lambda %v: %v", lambda, err)
		}
	}
}
