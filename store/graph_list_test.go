package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func listGraph(t *testing.T) sqlGraph {
	g := newSQLGraph(t)
	g.node(1, "Rust", "language")
	g.node(2, "Anna", "person")
	g.node(3, "Bo", "person")
	g.alias("default", 3, "the rustacean")
	g.nodeOf("default", 4, "Rusty note", "concept", "memory")
	g.nodeOf("default", 5, "Rumour", "concept", "mention")
	g.nodeOf("other", 6, "Rust", "language", "entity")
	g.node(7, "Annie", "person")
	g.exec(`UPDATE mg_entities SET merged_into = 2 WHERE id = 7`)
	g.exec(`UPDATE mg_entities SET last_seen_at = '2026-03-01 00:00:00.000' WHERE id = 2`)
	g.fact(factRow{id: 1, head: 2, tail: 1, relation: "uses", from: "2026-01-10 00:00:00"})
	g.fact(factRow{id: 2, head: 3, tail: 1, relation: "uses", from: "2026-01-10 00:00:00", until: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 3, head: 2, tail: 3, relation: "knows", class: memory.Temporal})
	g.fact(factRow{id: 4, head: 3, tail: 2, relation: "helps", expires: "2026-02-10 00:00:00"})
	return g
}

func TestListEntities_FiltersOrdersAndPages(t *testing.T) {
	t.Parallel()
	g := listGraph(t)
	for _, tc := range []struct {
		name string
		f    store.EntityFilter
		want []int64
	}{
		{"newest first", store.EntityFilter{}, []int64{2, 4, 3, 1}},
		{"by name", store.EntityFilter{Order: store.ByName}, []int64{2, 3, 1, 4}},
		{"a type", store.EntityFilter{Types: []string{"person", "event"}}, []int64{2, 3}},
		{"a kind", store.EntityFilter{Kinds: []memory.NodeKind{memory.NodeMemory}}, []int64{4}},
		{"the hidden ones, asked for", store.EntityFilter{Kinds: []memory.NodeKind{memory.NodeMention}}, []int64{5}},
		{"a prefix of names and aliases", store.EntityFilter{Prefix: " RUST", Order: store.ByName}, []int64{1, 4}},
		{"a prefix of an alias", store.EntityFilter{Prefix: "the r"}, []int64{3}},
		{"nothing", store.EntityFilter{Prefix: "zzz"}, []int64{}},
	} {
		tc.f.Namespace = "default"
		got := []int64{}
		for offset, more := 0, true; more; offset += 2 {
			var page []memory.Entity
			var err error
			if page, more, err = g.s.ListEntities(context.Background(), tc.f, offset, 2); err != nil || len(page) > 2 {
				t.Fatal(page, err)
			}
			got = append(got, entityIDs(page)...)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s\n%s", tc.name, d)
		}
	}
	if _, _, err := g.s.ListEntities(context.Background(), store.EntityFilter{Namespace: "default", Order: "random"}, 0,
		1); memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("an unknown order: %v", err)
	}
}

func TestListRelationships_FiltersOrdersAndPages(t *testing.T) {
	t.Parallel()
	g := listGraph(t)
	for _, tc := range []struct {
		name string
		f    store.RelationshipFilter
		want []int64
	}{
		{"what holds, newest first", store.RelationshipFilter{}, []int64{3, 1}},
		{"what has ended", store.RelationshipFilter{Ended: true}, []int64{4, 2}},
		{"all by name", store.RelationshipFilter{All: true, Order: store.ByName}, []int64{3, 1, 4, 2}},
		{"a relation", store.RelationshipFilter{All: true, Relations: []string{"uses"}}, []int64{2, 1}},
		{"a class", store.RelationshipFilter{Classes: []string{memory.Temporal}}, []int64{3}},
		{"an entity", store.RelationshipFilter{All: true, Entity: 1}, []int64{2, 1}},
		{"what held then", store.RelationshipFilter{At: memory.AsOf{ValidAt: instant("2026-01-10 00:00:00")}}, []int64{2, 1}},
		{"what was believed then", store.RelationshipFilter{At: memory.AsOf{KnownAt: instant("2026-01-10 00:00:00")},
			Order: store.ByName}, []int64{1, 2}},
	} {
		tc.f.Namespace = "default"
		got := []int64{}
		for offset, more := 0, true; more; offset++ {
			var page []memory.Relationship
			var err error
			if page, more, err = g.s.ListRelationships(context.Background(), tc.f, offset, 1); err != nil || len(page) > 1 {
				t.Fatal(page, err)
			}
			got = append(got, relationshipIDs(page)...)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s\n%s", tc.name, d)
		}
	}
}

func TestGraphStats_CountsTheNamespace(t *testing.T) {
	t.Parallel()
	g := listGraph(t)
	e := turn("s", "one")
	e.OccurredAt = instant("2026-01-05 00:00:00")
	record(t, g.s, e)
	e.Content, e.OccurredAt = "two", instant("2026-01-04 00:00:00")
	record(t, g.s, e)
	got, err := g.s.GraphStats(context.Background(), "default")
	if err != nil {
		t.Fatal(err)
	}
	want := memory.GraphStats{Entities: 3, Memories: 1, Mentions: 1, ActiveRelationships: 2, EndedRelationships: 2,
		Episodes:                2,
		EntitiesByType:          []memory.Count{{Name: "person", N: 2}, {Name: "language", N: 1}},
		RelationshipsByRelation: []memory.Count{{Name: "knows", N: 1}, {Name: "uses", N: 1}},
		OldestEpisode:           instant("2026-01-04 00:00:00"), NewestEpisode: instant("2026-01-05 00:00:00")}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, err := g.s.GraphStats(context.Background(), "empty"); err != nil || got.EntitiesByType == nil ||
		got.Entities != 0 {
		t.Errorf("of nothing: %+v, %v", got, err)
	}
	counts, err := g.s.FactCounts(context.Background(), "default", []int64{1, 2, 3, 4, 6, 99})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[int64]int64{1: 1, 2: 2, 3: 1, 4: 0}, counts); d != "" {
		t.Error(d)
	}
}
