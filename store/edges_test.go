package store_test

import (
	"bytes"
	stdcmp "cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func edgeIDs(edges []memory.Edge) []int64 {
	ids := []int64{}
	for _, e := range edges {
		ids = append(ids, e.ID)
	}
	return ids
}

func edgesOf(t testing.TB, s *store.Store, q memory.EdgeQuery) ([]int64, bool) {
	t.Helper()
	if q.Namespace == "" {
		q.Namespace = "default"
	}
	list, cut, err := s.EdgesWithin(context.Background(), q, memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return edgeIDs(list), cut
}

func TestEdges_AreThoseThatHoldAtTheInstant(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i, name := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		g.node(int64(i+1), name, "person")
	}
	g.fact(factRow{id: 1, head: 1, tail: 2, from: "2026-01-10 00:00:00"})
	g.fact(factRow{id: 2, head: 1, tail: 3, from: "2026-01-10 00:00:00", until: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 3, head: 4, tail: 1, from: "2026-01-10 00:00:00", expires: "2026-03-10 00:00:00"})
	g.fact(factRow{id: 4, head: 1, tail: 5})
	g.fact(factRow{id: 5, head: 6, tail: 1, from: "2026-01-10 00:00:00", expires: "2999-01-01 00:00:00"})
	g.fact(factRow{id: 6, head: 1, tail: 7, until: "2026-02-10 00:00:00"})
	for _, tc := range []struct {
		name string
		at   memory.AsOf
		want []int64
	}{
		{"now: what has no end and is not due", memory.AsOf{}, []int64{1, 4, 5}},
		{"before anything began", memory.AsOf{ValidAt: instant("2026-01-09 23:59:59")}, []int64{}},
		{"at the very beginning", memory.AsOf{ValidAt: instant("2026-01-10 00:00:00")}, []int64{1, 2, 3, 5}},
		{"just before an end", memory.AsOf{ValidAt: instant("2026-02-09 23:59:59").Add(999 * time.Millisecond)},
			[]int64{1, 2, 3, 5}},
		{"at an end", memory.AsOf{ValidAt: instant("2026-02-10 00:00:00")}, []int64{1, 3, 5}},
		{"at a scheduled end", memory.AsOf{ValidAt: instant("2026-03-10 00:00:00")}, []int64{1, 5}},
		{"before anything was known", memory.AsOf{KnownAt: instant("2025-12-31 00:00:00"),
			ValidAt: instant("2026-02-01 00:00:00")}, []int64{}},
		{"known early of later", memory.AsOf{KnownAt: instant(born), ValidAt: instant("2026-02-01 00:00:00")},
			[]int64{1, 2, 3, 5}},
		{"known alone is both", memory.AsOf{KnownAt: instant("2026-02-10 00:00:00")}, []int64{1, 3, 5}},
	} {
		got, cut := edgesOf(t, g.s, memory.EdgeQuery{Nodes: []int64{1}, At: tc.at})
		if d := cmp.Diff(tc.want, ascending(got)); d != "" || cut {
			t.Errorf("%s (cut %v):\n%s", tc.name, cut, d)
		}
		among, more, err := g.s.RelationshipsAmong(context.Background(),
			memory.EdgeQuery{Namespace: "default", Nodes: []int64{1, 2, 3, 4, 5, 6, 7}, At: tc.at}, memory.Filter{}, 50)
		if err != nil || more {
			t.Fatal(err, more)
		}
		if d := cmp.Diff(tc.want, ascending(relationshipIDs(among))); d != "" {
			t.Errorf("%s, among:\n%s", tc.name, d)
		}
		links, more, err := g.s.LinksOf(context.Background(),
			memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}, At: tc.at}, memory.Filter{}, 0, 50)
		if err != nil || more {
			t.Fatal(err, more)
		}
		if d := cmp.Diff(tc.want, ascending(relationshipIDs(links))); d != "" {
			t.Errorf("%s, links:\n%s", tc.name, d)
		}
	}
}

func ascending(ids []int64) []int64 {
	out := append([]int64{}, ids...)
	slices.Sort(out)
	return out
}

func relationshipIDs(list []memory.Relationship) []int64 {
	ids := []int64{}
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestEdges_GivesTheStrongestOfEachNodeAndDirection(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(8) {
		g.node(i+1, string(rune('A'+i)), "person")
	}
	g.fact(factRow{id: 1, head: 1, tail: 2, confidence: .5})
	g.fact(factRow{id: 2, head: 1, tail: 3, confidence: .9, seen: "2026-01-02 00:00:00.000"})
	g.fact(factRow{id: 3, head: 1, tail: 4, confidence: .9, seen: "2026-01-03 00:00:00.000"})
	g.fact(factRow{id: 4, head: 1, tail: 5, confidence: .9, seen: "2026-01-02 00:00:00.000"})
	g.fact(factRow{id: 5, head: 6, tail: 1, confidence: .4})
	g.fact(factRow{id: 6, head: 7, tail: 1, confidence: .6})
	for _, tc := range []struct {
		per  int
		dir  memory.Direction
		want []int64
		cut  bool
	}{
		{2, memory.Out, []int64{3, 2}, true},
		{4, memory.Out, []int64{3, 2, 4, 1}, false},
		{1, memory.In, []int64{6}, true},
		{2, memory.In, []int64{6, 5}, false},
		{3, memory.Both, []int64{3, 2, 4, 6, 5}, true},
		{0, "", []int64{3, 2, 4, 1, 6, 5}, false},
	} {
		got, cut := edgesOf(t, g.s, memory.EdgeQuery{Nodes: []int64{1}, Direction: tc.dir, PerNode: tc.per})
		if d := cmp.Diff(tc.want, got); d != "" || cut != tc.cut {
			t.Errorf("%d %s: cut %v\n%s", tc.per, tc.dir, cut, d)
		}
	}
}

func TestEdges_RefusesAnUnknownDirection(t *testing.T) {
	t.Parallel()
	_, _, err := openNew(t).EdgesWithin(context.Background(),
		memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}, Direction: "sideways"}, memory.Filter{})
	if memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("got %v", err)
	}
}

func TestEdges_OfTwoNodesAreGivenOnceAndOfOtherNamespacesNever(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(3) {
		g.node(i+1, string(rune('A'+i)), "person")
		g.nodeOf("other", i+11, string(rune('A'+i)), "person", "entity")
	}
	g.fact(factRow{id: 1, head: 1, tail: 2})
	g.fact(factRow{id: 2, head: 3, tail: 2, relation: "likes", class: memory.Causal})
	g.fact(factRow{id: 3, head: 11, tail: 12, namespace: "other"})
	all := []int64{1, 2, 3, 11, 12, 13, 99, 1}
	for _, tc := range []struct {
		name string
		q    memory.EdgeQuery
		want []int64
	}{
		{"both ends asked", memory.EdgeQuery{Nodes: all}, []int64{1, 2}},
		{"the other namespace", memory.EdgeQuery{Namespace: "other", Nodes: all}, []int64{3}},
		{"a relation", memory.EdgeQuery{Nodes: all, Relations: []string{"likes", "loves"}}, []int64{2}},
		{"a class", memory.EdgeQuery{Nodes: all, Classes: []string{memory.Semantic}}, []int64{1}},
		{"no nodes", memory.EdgeQuery{}, []int64{}},
	} {
		got, cut := edgesOf(t, g.s, tc.q)
		if d := cmp.Diff(tc.want, ascending(got)); d != "" || cut {
			t.Errorf("%s: cut %v\n%s", tc.name, cut, d)
		}
	}
	among, more, err := g.s.RelationshipsAmong(context.Background(),
		memory.EdgeQuery{Namespace: "default", Nodes: []int64{1, 2, 11, 12}}, memory.Filter{}, 50)
	if err != nil || more {
		t.Fatal(err, more)
	}
	if d := cmp.Diff([]int64{1}, relationshipIDs(among)); d != "" {
		t.Errorf("among:\n%s", d)
	}
	edges, _, err := g.s.EdgesWithin(context.Background(), memory.EdgeQuery{Namespace: "default", Nodes: all},
		memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	edges = slices.DeleteFunc(edges, func(e memory.Edge) bool { return e.ID != 1 })
	want := []memory.Edge{{ID: 1, Head: 1, Tail: 2, Relation: "knows", Class: memory.Semantic, Confidence: .9, Strength: 1,
		LastObservedAt: instant(born)}}
	if d := cmp.Diff(want, edges); d != "" {
		t.Error(d)
	}
}

// star makes a hub with n edges to separate nodes, in the rows that a bulk load leaves.
func (g sqlGraph) star(hub, n int64) {
	g.t.Helper()
	g.node(hub, fmt.Sprint("Hub ", hub), "concept")
	g.exec(`WITH RECURSIVE i (i) AS (SELECT %[1]d + 1 UNION ALL SELECT i + 1 FROM i WHERE i < %[1]d + %[2]d)
		INSERT INTO mg_entities (id, namespace, canonical_name, name, type, confidence, origin, created_at, updated_at,
		last_seen_at)
		SELECT i, 'default', 'n' || i, 'N' || i, 'concept', .9, 'agent', '%[3]s', '%[3]s', '%[3]s' FROM i`, hub, n, born)
	g.exec(`INSERT INTO mg_relationships (namespace, head_id, relation, tail_id, label, edge_class, confidence, origin,
		method, created_at, last_observed_at)
		SELECT 'default', %[1]d, 'knows', id, 'knows', 'semantic', .4 + (id %% 50) / 100.0, 'agent', 'supplied', '%[3]s',
		'%[3]s'
		FROM mg_entities WHERE id > %[1]d AND id <= %[1]d + %[2]d`, hub, n, born)
}

func TestEdges_OfAHubCostWhatAnyNodeCosts(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.star(1, 250)
	g.star(1000, 10_000)
	steps := func(hub int64) int {
		t.Helper()
		before, _ := g.s.Steps()
		ctx, n := store.CountStatements(context.Background())
		list, cut, err := g.s.EdgesWithin(ctx, memory.EdgeQuery{Namespace: "default", Nodes: []int64{hub}}, memory.Filter{})
		if err != nil || !cut || len(list) != store.DefaultPerNode || n.Load() != 1 {
			t.Fatalf("%d edges, cut %v, %d statements, %v", len(list), cut, n.Load(), err)
		}
		after, sorts := g.s.Steps()
		if sorts != 0 {
			t.Errorf("sorted %d times although an index has the order", sorts)
		}
		return after - before
	}
	small, large := steps(1), steps(1000)
	if large > small+small/100 {
		t.Errorf("a hub of 10,000 edges takes %d steps, one of 250 %d", large, small)
	}
}

func TestEdges_OfManyNodesAreOneStatement(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.star(1, 600)
	nodes := make([]int64, 500)
	for i := range nodes {
		nodes[i] = int64(i + 2)
	}
	for _, at := range []memory.AsOf{{}, {ValidAt: instant(born)}, {KnownAt: instant(born)}} {
		ctx, n := store.CountStatements(context.Background())
		list, cut, err := g.s.EdgesWithin(ctx, memory.EdgeQuery{Namespace: "default", Nodes: nodes, At: at}, memory.Filter{})
		if want := 500; err != nil || cut || n.Load() != 1 || at.Now() && len(list) != want {
			t.Errorf("%+v: %d edges, cut %v, %d statements, %v", at, len(list), cut, n.Load(), err)
		}
		ctx, n = store.CountStatements(context.Background())
		most := 1
		if !at.KnownAt.IsZero() {
			most = 2 // one more for the names at that time
		}
		if _, _, err := g.s.RelationshipsAmong(ctx, memory.EdgeQuery{Namespace: "default", Nodes: nodes, At: at},
			memory.Filter{}, 50); err != nil || n.Load() > most {
			t.Errorf("among %+v: %d statements, %v", at, n.Load(), err)
		}
	}
}

// An edge packed in SQLite unpacks without loss: every bit of a number, every relation.
func TestEdges_ComeOutAsTheyAreStored(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "A", "person")
	r := rand.New(rand.NewPCG(1, 2))
	want := []memory.Edge{}
	for i := range int64(100) {
		g.node(i+2, fmt.Sprint("B", i), "person")
		e := memory.Edge{ID: i + 1, Head: 1, Tail: i + 2, Relation: []string{"knows", "lebt_in_münchen", "住在"}[i%3],
			Class:      memory.EdgeClasses[i%5],
			Confidence: r.Float64(), Strength: 1, LastObservedAt: time.Date(2026, 2, int(1+i%28), 1, 2, 3, int(i)*1e6, time.UTC)}
		if i%2 == 0 {
			e.Head, e.Tail = e.Tail, e.Head
		}
		g.fact(factRow{id: e.ID, head: e.Head, tail: e.Tail, relation: e.Relation, class: e.Class,
			seen: memory.Millis(e.LastObservedAt)})
		if i%4 > 0 {
			e.Strength, e.RetrievalCount = r.Float64(), math.Exp(20*r.Float64()-10)
		}
		g.exec(`UPDATE mg_relationships SET confidence = %v, strength = %v, retrieval_count = %v WHERE id = %d`, e.Confidence,
			e.Strength, e.RetrievalCount, e.ID)
		want = append(want, e)
	}
	got, _, err := g.s.EdgesWithin(context.Background(), memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}},
		memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b memory.Edge) int { return stdcmp.Compare(a.ID, b.ID) })
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzPackedEdge(f *testing.F) {
	f.Add([]byte("1\x1f2\x1fknows\x1fsemantic\x1f0.9\x1f2026-01-01 00:00:00.000"))
	f.Add([]byte("1\x1f2\x1fknows\x1fsemantic\x1f0.9\x1f2026-01-01 00:00:00.000\x1f0.5\x1f2.0"))
	f.Add([]byte("\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f"))
	f.Fuzz(func(t *testing.T, row []byte) {
		if e, err := store.PackedEdge(row); err == nil &&
			!bytes.Contains(row, []byte("\x1f"+e.Relation+"\x1f"+e.Class+"\x1f")) {
			t.Errorf("%q gave %+v", row, e)
		}
	})
}

func FuzzStoredTime(f *testing.F) {
	for _, s := range []string{born, "2026-01-01 00:00:00", "", "2024-02-29 23:59:59.999", "2023-02-29 00:00:00.000",
		"2026-13-01 00:00:00.000", "20x6-01-01 00:00:00.000"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want, wantErr := memory.ParseStored(string(b))
		got, err := store.StoredTime(b)
		if !got.Equal(want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%q: %v, %v, want %v, %v", b, got, err, want, wantErr)
		}
	})
}

// Random facts, read at random instants with random filters, are compared with the definition written in Go.
func TestEdges_AreTheDefinitionsOnRandomGraphs(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	const nodes = 12
	for i := range int64(nodes) {
		g.node(i+1, fmt.Sprint("N", i), "person")
	}
	r := rand.New(rand.NewPCG(7, 8))
	day := func() string {
		return memory.Seconds(time.Date(2026, 1, 1+r.IntN(20), 0, 0, 0, 0, time.UTC))
	}
	relations := []string{"knows", "likes", "helps"}
	var facts []factRow
	for id := int64(1); id <= 250; id++ {
		f := factRow{id: id, head: 1 + r.Int64N(nodes), tail: 1 + r.Int64N(nodes), relation: relations[r.IntN(3)],
			class:      memory.EdgeClasses[r.IntN(2)],
			confidence: float64(1+r.IntN(4)) / 4, seen: memory.Millis(time.Date(2026, 1, 1+r.IntN(3), 0, 0, 0, 0, time.UTC))}
		if f.head == f.tail || slices.ContainsFunc(facts, func(o factRow) bool {
			return o.until == "" && o.head == f.head && o.tail == f.tail && o.relation == f.relation
		}) {
			continue
		}
		if r.IntN(5) > 0 {
			f.from = day()
		}
		switch r.IntN(4) {
		case 0:
			f.until = day()
		case 1:
			f.expires = []string{day(), "2999-01-01 00:00:00"}[r.IntN(2)]
		}
		g.fact(f)
		facts = append(facts, f)
	}
	holds := func(f factRow, at memory.AsOf) bool {
		if at.Now() {
			return f.until == "" && (f.expires == "" || f.expires[:4] == "2999")
		}
		v := memory.Seconds(at.Valid())
		return f.from != "" && f.from <= v && (f.until == "" || f.until > v) && (f.expires == "" || f.expires > v)
	}
	pick := func(n int, all ...string) []string {
		return all[:r.IntN(n+1)]
	}
	for range 300 {
		q := memory.EdgeQuery{Namespace: "default", PerNode: 1 + r.IntN(12),
			Direction: []memory.Direction{memory.Both, memory.Out, memory.In}[r.IntN(3)],
			Relations: pick(2, relations...), Classes: pick(1, memory.EdgeClasses...)}
		for range 1 + r.IntN(4) {
			q.Nodes = append(q.Nodes, 1+r.Int64N(nodes+1))
		}
		switch r.IntN(3) {
		case 0:
			q.At.ValidAt = instant(day())
		case 1:
			q.At = memory.AsOf{KnownAt: instant("2026-02-01 00:00:00"), ValidAt: instant(day())}
		}
		want, cut := map[int64]bool{}, false
		for _, out := range []bool{true, false} {
			if out && q.Direction == memory.In || !out && q.Direction == memory.Out {
				continue
			}
			for _, node := range slices.Compact(slices.Sorted(slices.Values(q.Nodes))) {
				var of []factRow
				for _, f := range facts {
					if (out && f.head == node || !out && f.tail == node) && holds(f, q.At) &&
						(len(q.Relations) == 0 || slices.Contains(q.Relations, f.relation)) &&
						(len(q.Classes) == 0 || slices.Contains(q.Classes, f.class)) {
						of = append(of, f)
					}
				}
				slices.SortFunc(of, func(a, b factRow) int {
					seen := stdcmp.Compare(b.seen, a.seen)
					if !q.At.KnownAt.IsZero() {
						seen = 0 // all versions have one time
					}
					return stdcmp.Or(stdcmp.Compare(b.confidence, a.confidence), seen, stdcmp.Compare(a.id, b.id))
				})
				for _, f := range of[:min(len(of), q.PerNode)] {
					want[f.id] = true
				}
				cut = cut || len(of) > q.PerNode
			}
		}
		got, gotCut := edgesOf(t, g.s, q)
		if d := cmp.Diff(ascending(slices.Collect(maps.Keys(want))), ascending(got)); d != "" || gotCut != cut {
			t.Fatalf("%+v: cut %v, want %v\n%s", q, gotCut, cut, d)
		}
	}
}
