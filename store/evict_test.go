package store_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// retired returns a file whose clock is years after most of its facts.
func retired(t *testing.T) (s *store.Store, now *time.Time) {
	t.Helper()
	now = new(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	s = open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return *now }})
	return s, now
}

func evict(t testing.TB, s *store.Store, e store.Eviction) store.Evicted {
	t.Helper()
	if e.Retention == 0 {
		e.Retention = 90 * day
	}
	out, err := s.Evict(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func exported(t *testing.T, s *store.Store) string {
	t.Helper()
	var b strings.Builder
	if _, err := s.Export(t.Context(), []string{ns}, &b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archivedNames returns the archived entities by name.
func archivedNames(t *testing.T, s *store.Store) []string {
	t.Helper()
	names, err := s.QueryTexts(`SELECT name FROM mg_entities WHERE archived_at IS NOT NULL ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestEvict_ArchivesWhatEndedAndWhoIsUnseen(t *testing.T) {
	t.Parallel()
	s, now := retired(t)
	first := relate(t, s, draft("Ann", "works_at", "Acme")).Relationship
	relate(t, s, draft("Ann", "uses", "Go"))
	observe(t, s, entityDraft("Loner", 1))
	kept := entityDraft("Noted", 1)
	observe(t, s, kept)
	if err := s.ExecOnWriter(`INSERT INTO mg_observations (entity_id, content, origin, created_at)
		SELECT id, 'tall', 'user', created_at FROM mg_entities WHERE name = 'Noted'`); err != nil {
		t.Fatal(err)
	}
	parent := entityDraft("Parent", 1)
	observe(t, s, parent)
	child := entityDraft("Child", 1)
	child.Parent = "Parent"
	observe(t, s, child)
	note := entityDraft("A note", 1)
	note.Kind = memory.NodeMemory
	observe(t, s, note)
	*now = now.AddDate(2, 0, 0)
	second := relate(t, s, draft("Ann", "works_at", "Globex")).Relationship
	before := exported(t, s)

	if got := evict(t, s, store.Eviction{}); got.Facts != 0 {
		t.Errorf("just ended: %+v", got)
	}
	*now = now.AddDate(0, 0, 91)
	got := evict(t, s, store.Eviction{})
	if diff := cmp.Diff([]string{"Acme", "Loner"}, archivedNames(t, s)); got.Facts != 1 || diff != "" {
		t.Errorf("%+v\n%s", got, diff)
	}
	if again := evict(t, s, store.Eviction{}); again.Facts+again.Entities != 0 {
		t.Errorf("again: %+v", again)
	}
	if diff := cmp.Diff(before, exported(t, s)); diff != "" {
		t.Errorf("the export changed: %s", diff)
	}
	stats, err := s.GraphStats(t.Context(), ns)
	if err != nil || stats.ArchivedRelationships != 1 || stats.EndedRelationships != 1 || stats.ArchivedEntities != 2 ||
		stats.Entities != 6 {
		t.Errorf("%v %+v", err, stats)
	}

	// by name, by time, by id, and in the history
	acme, err := s.EntitiesNamed(t.Context(), ns, []string{"acme"}, memory.AsOf{})
	if err != nil || len(acme) != 1 {
		t.Fatal(acme, err)
	}
	if hits, err := s.SearchEntities(t.Context(), ns, []string{"acme"}, nil, 5); err != nil || len(hits) != 1 {
		t.Errorf("by words: %v, %v", hits, err)
	}
	links, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: ns, Nodes: []int64{acme[0].ID},
		At: memory.AsOf{ValidAt: second.ValidFrom.AddDate(-1, 0, 0)}}, memory.Filter{}, 0, 10)
	if err != nil || len(links) != 1 || links[0].ID != first.ID || links[0].SupersededBy != second.ID {
		t.Errorf("links then: %+v, %v", links, err)
	}
	versions, _, err := s.History(t.Context(), ns, memory.RelationshipID(first.ID), 0, 10)
	if err != nil || len(versions) != 2 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	past, _, err := s.EdgeHistory(t.Context(), ns, links[0].Head.ID, "", "works_at", 0, 10)
	if err != nil || len(past) != 2 {
		t.Errorf("edge history %+v, %v", past, err)
	}
	isSound(t, s)
}

func TestEvict_WhatIsNamedOrChangedComesBack(t *testing.T) {
	t.Parallel()
	s, now := retired(t)
	old := relate(t, s, draft("Ann", "works_at", "Acme")).Relationship
	*now = now.AddDate(1, 0, 0)
	call := memory.Caller{Actor: "tool", CallID: "change"}
	if _, err := s.CreateRelation(t.Context(), inN, draft("Ann", "works_at", "Globex"), 0, call); err != nil {
		t.Fatal(err)
	}
	*now = now.AddDate(1, 0, 0)
	evict(t, s, store.Eviction{})
	if diff := cmp.Diff([]string{"Acme"}, archivedNames(t, s)); diff != "" {
		t.Fatal(diff)
	}
	if _, err := s.Undo(t.Context(), ns, "change", memory.Caller{Actor: "cli", CallID: "back"}); err != nil {
		t.Fatal(err)
	}
	rows, err := s.Relationships(t.Context(), ns, []int64{old.ID}, memory.AsOf{})
	if err != nil || len(rows) != 1 || !rows[0].Active(*now) {
		t.Errorf("%+v, %v", rows, err)
	}
	if names := archivedNames(t, s); len(names) != 0 {
		t.Errorf("of an active fact: %v are archived", names)
	}
	isSound(t, s)
}

func TestEvict_KeepsWhatIsActiveAlsoAboveTheLimit(t *testing.T) {
	t.Parallel()
	s, now := retired(t)
	for _, name := range []string{"One", "Two", "Three", "Four"} {
		*now = now.Add(time.Hour)
		observe(t, s, entityDraft(name, 1))
	}
	relate(t, s, draft("One", "knows", "Two"))
	got := evict(t, s, store.Eviction{MaxEntities: 1})
	if diff := cmp.Diff([]string{"Four", "Three"}, archivedNames(t, s)); diff != "" || got.Entities != 2 || got.Over != 1 {
		t.Errorf("%+v\n%s", got, diff)
	}
	observe(t, s, entityDraft("Four", 1))
	if diff := cmp.Diff([]string{"Three"}, archivedNames(t, s)); diff != "" {
		t.Error("seen again: " + diff)
	}
	*now = now.Add(time.Hour)
	observe(t, s, entityDraft("Five", 1))
	evict(t, s, store.Eviction{MaxEntities: 3})
	if diff := cmp.Diff([]string{"Four", "Three"}, archivedNames(t, s)); diff != "" {
		t.Error("the longest unseen go first: " + diff)
	}
}

func TestEvict_TheFirstRunAfterAnUpgradeOnlyReports(t *testing.T) {
	t.Parallel()
	s, now := retired(t)
	d := draft("Ann", "works_at", "Acme")
	d.ValidFrom, d.ValidUntil = now.AddDate(-2, 0, 0), now.AddDate(-1, 0, 0)
	relate(t, s, d)
	observe(t, s, entityDraft("Loner", 1))
	*now = now.AddDate(1, 0, 0)
	if err := s.ExecOnWriter(`INSERT INTO mg_metadata VALUES ('archive.report_first', '1')`); err != nil {
		t.Fatal(err)
	}
	want := store.Evicted{At: *now, Facts: 1, Entities: 3, Reported: true}
	if diff := cmp.Diff(want, evict(t, s, store.Eviction{})); diff != "" || len(archivedNames(t, s)) != 0 {
		t.Error(diff, archivedNames(t, s))
	}
	if last, ok, err := s.LastEviction(t.Context()); err != nil || !ok || !cmp.Equal(want, last) {
		t.Errorf("%+v, %v, %v", last, ok, err)
	}
	want.Reported = false
	if diff := cmp.Diff(want, evict(t, s, store.Eviction{})); diff != "" || len(archivedNames(t, s)) != 3 {
		t.Error(diff, archivedNames(t, s))
	}
}

func TestEvict_RefusesWhatIsOutOfRange(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, e := range []store.Eviction{{}, {Retention: -time.Hour}, {Retention: time.Hour, MaxEntities: -1}} {
		if _, err := s.Evict(t.Context(), e); code(err) != memory.InvalidArgument {
			t.Errorf("%+v: %v", e, err)
		}
	}
}
