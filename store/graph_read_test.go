package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// resolved returns the entity that a name means, or the error's code with its candidates.
func resolved(t testing.TB, s *store.Store, namespace, ref, typ string, at memory.AsOf) string {
	t.Helper()
	e, err := s.ResolveEntity(context.Background(), namespace, ref, typ, at)
	if err == nil {
		return e.Ref().String() + " " + e.Name
	}
	out := []string{string(memory.AsError(err).Code)}
	for _, c := range memory.AsError(err).Candidates {
		out = append(out, c.ID)
	}
	return strings.Join(out, " ")
}

func TestResolveEntity_FindsIDsNamesAndAliases(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Rust", "language")
	g.node(2, "Rust", "person")
	g.node(3, "Anna Chen", "person")
	g.alias("default", 3, "chen")
	g.node(4, "Bo Chen", "person")
	g.alias("default", 4, "chen")
	g.node(5, "Chen", "organization")
	g.nodeOf("default", 6, "Weekly notes", "concept", "memory")
	g.nodeOf("default", 7, "Only Seen", "concept", "mention")
	g.nodeOf("other", 8, "Anna Chen", "person", "entity")
	g.node(9, "Annie", "person")
	g.exec(`UPDATE mg_entities SET merged_into = 3 WHERE id = 9`)
	g.node(10, "Ann", "person")
	g.exec(`UPDATE mg_entities SET merged_into = 9 WHERE id = 10`)
	g.node(11, "Kafka", "concept")
	g.exec(`UPDATE mg_entities SET type_assumed = 1 WHERE id = 11`)
	g.node(12, "e1", "file")
	for _, tc := range []struct{ ref, typ, want string }{
		{"e1", "", "e1 Rust"},
		{" e3 ", "", "e3 Anna Chen"},
		{"m6", "", "m6 Weekly notes"},
		{"e6", "", "not_found"},
		{"m1", "", "not_found"},
		{"e8", "", "not_found"},
		{"e99", "", "not_found"},
		{"e7", "", "not_found"},
		{"r1", "", "not_found"},
		{"e10", "", "e3 Anna Chen"},
		{"annie", "", "e3 Anna Chen"},
		{"ANN", "person", "e3 Anna Chen"},
		{"  anna\tCHEN ", "", "e3 Anna Chen"},
		{"rust", "", "ambiguous e1 e2"},
		{"rust", "language", "e1 Rust"},
		{"rust", "tool", "e1 Rust"},
		{"rust", "person", "e2 Rust"},
		{"rust", "event", "not_found e1 e2"},
		{"chen", "", "e5 Chen"},
		{"chen", "person", "ambiguous e3 e4"},
		{"only seen", "", "not_found"},
		{"weekly NOTES", "", "m6 Weekly notes"},
		{"kafka", "tool", "e11 Kafka"},
		{"\u200b", "", "invalid_argument"},
		{"", "", "invalid_argument"},
	} {
		if got := resolved(t, g.s, "default", tc.ref, tc.typ, memory.AsOf{}); got != tc.want {
			t.Errorf("%q as %q: %s, want %s", tc.ref, tc.typ, got, tc.want)
		}
	}
	if got := resolved(t, g.s, "other", "anna chen", "", memory.AsOf{}); got != "e8 Anna Chen" {
		t.Errorf("in the other namespace: %s", got)
	}
}

// Names change owners: at an instant an entity is found by its names of that time only.
func TestResolveEntity_GoesByTheNamesOfTheInstant(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	day := func(d int) string { return fmt.Sprintf("2026-02-%02d 00:00:00.000", d) }
	then := func(d int) memory.AsOf { return memory.AsOf{KnownAt: instant(day(d))} }
	g.node(1, "Twitter", "organization")
	g.node(2, "X Corp", "organization")
	g.alias("default", 1, "the bird")
	g.version(1, day(2))
	// On the 5th Twitter is renamed and loses an alias. On the 6th another entity takes its name.
	g.exec(`UPDATE mg_entities SET name = 'X', canonical_name = 'x' WHERE id = 1; DELETE FROM mg_entity_aliases WHERE
		entity_id = 1`)
	g.alias("default", 1, "x")
	g.version(1, day(5))
	g.nodeOf("default", 3, "Twitter", "project", "entity")
	g.exec(`UPDATE mg_entity_versions SET created_at = '%s' WHERE entity_id = 3`, day(6))
	// On the 8th 2 is merged into 1.
	g.exec(`UPDATE mg_entities SET merged_into = 1 WHERE id = 2; UPDATE mg_entity_aliases SET entity_id = 1 WHERE entity_id
		= 2`)
	g.version(2, day(8))
	g.version(1, day(8))
	g.nodeOf("other", 4, "Twitter", "project", "entity")
	for _, tc := range []struct {
		ref, want string
		at        memory.AsOf
	}{
		{"twitter", "e1 Twitter", then(1)},
		{"twitter", "e1 Twitter", then(4)},
		{"twitter", "not_found", then(5)},
		{"twitter", "e3 Twitter", then(6)},
		{"twitter", "e3 Twitter", memory.AsOf{}},
		{"twitter", "e3 Twitter", memory.AsOf{ValidAt: instant(day(1))}},
		{"the bird", "not_found", then(1)},
		{"the bird", "e1 Twitter", then(2)},
		{"the bird", "not_found", then(5)},
		{"x", "not_found", then(4)},
		{"x", "e1 X", then(5)},
		{"x corp", "e2 X Corp", then(7)},
		{"x corp", "e1 X", then(8)},
		{"x corp", "e1 X", memory.AsOf{}},
		{"e2", "e2 X Corp", then(7)},
		{"e2", "e1 X", then(8)},
		{"e3", "not_found", then(5)},
		{"e3", "e3 Twitter", then(6)},
		{"e4", "not_found", then(6)},
		{"e1", "not_found", memory.AsOf{KnownAt: instant("2025-01-01 00:00:00")}},
	} {
		if got := resolved(t, g.s, "default", tc.ref, "", tc.at); got != tc.want {
			t.Errorf("%q at %v: %s, want %s", tc.ref, tc.at, got, tc.want)
		}
	}
}

func entityIDs(list []memory.Entity) []int64 {
	ids := []int64{}
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestEntitiesByID_KeepsTheOrderAndFollowsMerges(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(5) {
		g.node(i+1, fmt.Sprint("N", i+1), "person")
	}
	g.nodeOf("other", 6, "N6", "person", "entity")
	g.nodeOf("default", 7, "N7", "person", "mention")
	g.exec(`UPDATE mg_entities SET merged_into = 4 WHERE id = 2; UPDATE mg_entities SET merged_into = 2 WHERE id = 1`)
	ctx, n := store.CountStatements(context.Background())
	list, err := g.s.EntitiesByID(ctx, "default", []int64{5, 1, 99, 3, 4, 6, 7, 5, 2}, memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int64{5, 4, 3}, entityIDs(list)); d != "" || n.Load() != 1 {
		t.Errorf("%d statements\n%s", n.Load(), d)
	}
	if list, err := g.s.EntitiesByID(ctx, "default", nil, memory.AsOf{}); err != nil || list == nil || len(list) != 0 {
		t.Errorf("of no ids: %v, %v", list, err)
	}
}

func TestEntitiesByID_IsWholeNowAndThen(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Root", "concept")
	g.node(2, "Anna", "person")
	g.alias("default", 2, "zoe")
	g.alias("default", 2, "ann")
	g.exec(`UPDATE mg_entities SET description = 'a friend', layer = 0, parent_id = 1, valid_from = '2026-01-02 00:00:00',
		valid_until = '2027-01-02 00:00:00',
		observation_count = 3, updated_at = '2026-01-03 00:00:00.001' WHERE id = 2`)
	g.version(2, "2026-01-03 00:00:00.001")
	layer := 0
	want := memory.Entity{ID: 2, Namespace: "default", Kind: memory.NodeEntity, Canonical: "anna", Name: "Anna",
		Type: "person", Description: "a friend",
		Aliases: []string{"ann",
			"zoe"}, Confidence: .9, Observations: 3, Origin: memory.OriginAgent, Layer: &layer, ParentID: 1,
		ParentKind: memory.NodeEntity,
		ValidFrom:  instant("2026-01-02 00:00:00"), ValidUntil: instant("2027-01-02 00:00:00"), CreatedAt: instant(
			born), UpdatedAt: instant("2026-01-03 00:00:00.001"),
		LastSeenAt: instant(born)}
	for _, at := range []memory.AsOf{{}, {KnownAt: instant("2026-01-03 00:00:00.001")}} {
		list, err := g.s.EntitiesByID(context.Background(), "default", []int64{2}, at)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		w := want
		if !at.Now() { // versions have no counters
			w.Observations, w.UpdatedAt = list[0].Observations, list[0].UpdatedAt
		}
		if d := cmp.Diff(w, list[0]); d != "" {
			t.Errorf("%+v\n%s", at, d)
		}
	}
}

func TestEntitiesNamed_GivesAllOfEachName(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Rust", "language")
	g.node(2, "Cargo", "tool")
	g.node(3, "Rust", "person")
	g.alias("default", 2, "rust tool")
	g.nodeOf("default", 4, "Seen", "concept", "mention")
	g.nodeOf("other", 5, "Rust", "concept", "entity")
	for _, at := range []memory.AsOf{{}, {KnownAt: instant(born)}} {
		ctx, n := store.CountStatements(context.Background())
		list, err := g.s.EntitiesNamed(ctx, "default", []string{"rust tool", "nobody", "rust", "cargo", "seen"}, at)
		if err != nil {
			t.Fatal(err)
		}
		want := []int64{2, 1, 3}
		if !at.Now() {
			want = []int64{1, 3, 2} // no version has the alias
		}
		if d := cmp.Diff(want, entityIDs(list)); d != "" || n.Load() != 1 {
			t.Errorf("%+v: %d statements\n%s", at, n.Load(), d)
		}
	}
}

func TestRelationships_AreWholeNowAndThen(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Anna", "person")
	g.nodeOf("default", 2, "A note", "concept", "memory")
	first := record(t, g.s, turn("s", "one"))
	second := record(t, g.s, turn("s", "two"))
	g.fact(factRow{id: 5, head: 1, tail: 2, relation: "wrote", from: "2026-01-02 00:00:00", expires: "2999-01-01 00:00:00",
		description: "Anna wrote a note.", confidence: .8})
	g.exec(`UPDATE mg_relationships SET strength = .5, retrieval_count = 2.5, label = 'Wrote', superseded_by = 5 WHERE id =
		5`)
	for _, e := range []int64{second.Episode.ID, first.Episode.ID} {
		for _, m := range []string{"supplied", "rule"} {
			g.exec(`INSERT INTO mg_evidence VALUES (5, %d, NULL, '%s', .8, '2026-01-0%d 00:00:00.000')`, e, m, e)
		}
	}
	g.factVersion(5, "2026-01-01 12:00:00.000")
	g.exec(`UPDATE mg_entities SET name = 'Anna B.' WHERE id = 1; UPDATE mg_relationships SET confidence = .9 WHERE id =
		5`)
	g.version(1, "2026-01-05 00:00:00.000")
	g.factVersion(5, "2026-01-05 00:00:00.000")
	now := memory.Relationship{ID: 5, Namespace: "default",
		Head: memory.Node{ID: 1, Kind: memory.NodeEntity, Name: "Anna B.", Type: "person"},
		Tail: memory.Node{ID: 2, Kind: memory.NodeMemory, Name: "A note",
			Type: "concept"}, Relation: "wrote", Label: "Wrote", EdgeClass: memory.Semantic,
		Fact: "Anna wrote a note.", Confidence: .9, Strength: .5, RetrievalCount: 2.5, Origin: memory.OriginAgent,
		Method:    memory.MethodSupplied,
		ValidFrom: instant("2026-01-02 00:00:00"), ExpiresAt: instant("2999-01-01 00:00:00"), CreatedAt: instant(
			born), LastObservedAt: instant(born),
		SupersededBy: 5, Evidence: []int64{1, 2}}
	then := now
	then.Head.Name, then.Confidence, then.RetrievalCount, then.Evidence = "Anna", .8, 0, []int64{1}
	then.CreatedAt, then.ExpiredAt, then.LastObservedAt = instant("2026-01-01 12:00:00"), instant(
		"2026-01-05 00:00:00"), instant("2026-01-01 12:00:00")
	for _, tc := range []struct {
		at         memory.AsOf
		statements int
		want       []memory.Relationship
	}{
		{memory.AsOf{}, 1, []memory.Relationship{now}},
		{memory.AsOf{ValidAt: instant("2026-01-02 00:00:00")}, 1, []memory.Relationship{now}},
		{memory.AsOf{ValidAt: instant("2026-01-01 23:59:59")}, 1, []memory.Relationship{}},
		{memory.AsOf{KnownAt: instant("2026-01-01 18:00:00"), ValidAt: instant("2026-03-01 00:00:00")}, 2,
			[]memory.Relationship{then}},
	} {
		ctx, n := store.CountStatements(context.Background())
		got, err := g.s.Relationships(ctx, "default", []int64{99, 5, 5}, tc.at)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tc.want, got); d != "" || n.Load() > tc.statements {
			t.Errorf("%+v: %d statements\n%s", tc.at, n.Load(), d)
		}
	}
	if got, err := g.s.Relationships(context.Background(), "other", []int64{5}, memory.AsOf{}); err != nil ||
		len(got) != 0 {
		t.Errorf("from another namespace: %v, %v", got, err)
	}
}

func TestRelationships_KeepToEvidenceOfTheScope(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(4) {
		g.node(i+1, string(rune('A'+i)), "person")
	}
	e := turn("s1", "here")
	e.Scope.Project = "alpha"
	alpha := record(t, g.s, e).Episode.ID
	e = turn("s2", "there")
	e.Scope.Project, e.Scope.User = "beta", "zoe"
	beta := record(t, g.s, e).Episode.ID
	for id, episodes := range map[int64][]int64{1: {alpha}, 2: {beta}, 3: {alpha, beta}} {
		g.fact(factRow{id: id, head: 1, tail: id + 1, from: "2026-01-01 00:00:00"})
		for _, e := range episodes {
			g.exec(`INSERT INTO mg_evidence VALUES (%d, %d, NULL, 'supplied', .9, '%s')`, id, e, born)
		}
	}
	for _, tc := range []struct {
		f    memory.Filter
		want []int64
	}{
		{memory.Filter{}, []int64{1, 2, 3}},
		{memory.Filter{Project: "alpha"}, []int64{1, 3}},
		{memory.Filter{User: "zoe"}, []int64{2, 3}},
		{memory.Filter{Project: "alpha", User: "zoe"}, []int64{}},
		{memory.Filter{SessionID: "s2"}, []int64{2, 3}},
		{memory.Filter{SessionID: "s3"}, []int64{}},
	} {
		tc.f.Namespace = "default"
		for _, at := range []memory.AsOf{{}, {ValidAt: instant(born)}, {KnownAt: instant(born)}} {
			got, err := g.s.RelationshipsWithin(context.Background(), tc.f, []int64{1, 2, 3}, at)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, relationshipIDs(got)); d != "" {
				t.Errorf("%+v at %+v\n%s", tc.f, at, d)
			}
			links, more, err := g.s.LinksOf(context.Background(),
				memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}, At: at}, tc.f, 0, 10)
			if err != nil || more {
				t.Fatal(more, err)
			}
			if d := cmp.Diff(tc.want, ascending(relationshipIDs(links))); d != "" {
				t.Errorf("links of %+v at %+v\n%s", tc.f, at, d)
			}
		}
	}
}

func TestLinksOf_PagesInTheStoredOrder(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.star(1, 30)
	g.node(100, "Other", "person")
	for i := range int64(5) {
		g.fact(factRow{id: 500 + i, head: 100, tail: 1, relation: fmt.Sprint("r", i), confidence: .5})
	}
	var paged []memory.Relationship
	for offset, more := 0, true; more; offset += 7 {
		var page []memory.Relationship
		var err error
		ctx, n := store.CountStatements(context.Background())
		if page, more, err = g.s.LinksOf(ctx, memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}}, memory.Filter{},
			offset, 7); err != nil || n.Load() > 2 {
			t.Fatal(n.Load(), err)
		}
		paged = append(paged, page...)
	}
	if len(paged) != 35 {
		t.Fatalf("%d links", len(paged))
	}
	for i, r := range paged[1:] {
		if before := paged[i]; before.Confidence < r.Confidence || before.Confidence == r.Confidence && before.ID > r.ID {
			t.Errorf("%d (%v) comes before %d (%v)", before.ID, before.Confidence, r.ID, r.Confidence)
		}
	}
	past, more, err := g.s.LinksOf(context.Background(), memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}},
		memory.Filter{}, 99, 7)
	if err != nil || more || past == nil || len(past) != 0 {
		t.Errorf("behind the end: %v, %v, %v", past, more, err)
	}
}

func TestResolveEntity_NamesWhatIsThereInAnotherType(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Ann", "person")
	for _, at := range []memory.AsOf{{}, {KnownAt: instant(born)}} {
		_, err := g.s.ResolveEntity(context.Background(), "default", "ann", "robot", at)
		e := memory.AsError(err)
		want := []memory.Candidate{{ID: "e1", Name: "Ann", Type: "person"}}
		if e == nil || e.Code != memory.NotFound || cmp.Diff(want, e.Candidates) != "" || strings.Contains(e.Hint, "create") {
			t.Errorf("%+v: %+v", at, e)
		}
	}
	if e := memory.AsError(func() error {
		_, err := g.s.ResolveEntity(context.Background(), "default", "Zoe", "robot", memory.AsOf{})
		return err
	}()); e.Code != memory.NotFound || len(e.Candidates) != 0 {
		t.Errorf("%+v", e)
	}
}
