package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// valid_from is included, valid_until is not.
func TestLinksOf_GivesWhatWasTrueThen(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(5) {
		g.node(i+1, string(rune('A'+i)), "person")
	}
	g.fact(factRow{id: 1, head: 1, tail: 2, from: "2026-01-10 00:00:00", until: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 2, head: 3, tail: 1, from: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 3, head: 1, tail: 4, from: "2026-01-10 00:00:00", expires: "2026-02-01 00:00:00"})
	g.fact(factRow{id: 4, head: 1, tail: 5})
	at := func(text string) memory.EdgeQuery {
		return memory.EdgeQuery{Namespace: "default", Nodes: []int64{1}, At: memory.AsOf{ValidAt: instant(text)}}
	}
	for when, want := range map[string][]int64{"2026-01-09 00:00:00": {}, "2026-01-10 00:00:00": {1, 3},
		"2026-02-01 00:00:00": {1}, "2026-02-10 00:00:00": {2}} {
		got, more, err := g.s.LinksOf(context.Background(), at(when), memory.Filter{}, 0, 10)
		if err != nil || more {
			t.Fatal(more, err)
		}
		if d := cmp.Diff(want, ascending(relationshipIDs(got))); d != "" {
			t.Errorf("%s\n%s", when, d)
		}
	}
	other := at(born)
	other.Namespace = "other"
	if got, more, err := g.s.LinksOf(context.Background(), other, memory.Filter{}, 0, 10); err != nil || more ||
		len(got) != 0 {
		t.Errorf("another namespace's entity: %v, %v, %v", got, more, err)
	}
	if page, more, err := g.s.LinksOf(context.Background(), at("2026-01-10 00:00:00"), memory.Filter{},
		1, 1); err != nil || more || len(page) != 1 {
		t.Errorf("the second page: %v, %v, %v", page, more, err)
	}
}

// Wildcards in the predicate match only themselves.
func TestEdgeHistory_TakesThePredicateLiterally(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	for i := range int64(6) {
		g.node(i+1, string(rune('A'+i)), "person")
	}
	g.fact(factRow{id: 1, head: 1, tail: 2, relation: "uses", description: "A uses 100% of B", from: "2026-01-10 00:00:00",
		until: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 2, head: 1, tail: 3, relation: "uses", description: "A uses 1000 of C",
		from: "2026-02-10 00:00:00"})
	g.fact(factRow{id: 3, head: 1, tail: 4, relation: "works_at", description: `A\D`})
	g.fact(factRow{id: 4, head: 1, tail: 5, relation: "worksXat", from: "2025-02-10 00:00:00"})
	g.fact(factRow{id: 5, head: 6, tail: 1, relation: "uses"})
	for _, tc := range []struct {
		predicate, relation string
		offset, limit       int
		want                []int64
		more                bool
	}{
		{"", "", 0, 0, []int64{2, 1, 4, 3}, false},
		{"100%", "", 0, 0, []int64{1}, false},
		{"USES", "", 0, 0, []int64{2, 1}, false},
		{"uses", "", 0, 1, []int64{2}, true},
		{"uses", "", 1, 1, []int64{1}, false},
		{"works_at", "", 0, 0, []int64{3}, false},
		{`\`, "", 0, 0, []int64{3}, false},
		{"", "uses", 0, 0, []int64{2, 1}, false},
		{"of", "works_at", 0, 0, []int64{}, false},
		{"%", "", 0, 0, []int64{1}, false},
	} {
		got, more, err := g.s.EdgeHistory(context.Background(), "default", 1, tc.predicate, tc.relation, tc.offset, tc.limit)
		if err != nil || more != tc.more {
			t.Fatalf("%q, %q: more is %v, %v", tc.predicate, tc.relation, more, err)
		}
		if d := cmp.Diff(tc.want, relationshipIDs(got)); d != "" {
			t.Errorf("%q, %q\n%s", tc.predicate, tc.relation, d)
		}
	}
}

func FuzzEscapeLike(f *testing.F) {
	s := open(f, f.TempDir()+"/memory.db", store.Options{})
	for _, seed := range []string{"%", "_", `\`, "a%b_c", "'", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "'\x00") {
			return // it is only written into the statement
		}
		rows, err := s.QueryInts(fmt.Sprintf(`SELECT 'x%[1]sy' LIKE '%%%[2]s%%' ESCAPE '\', 'zz' LIKE '%[2]s' ESCAPE '\'`,
			text, store.EscapeLike(text)))
		if err != nil || rows[0] != 1 {
			t.Errorf("%q: %v, %v", text, rows, err)
		}
	})
}

// clock is a store's clock that a test sets.
type clock struct{ now time.Time }

func TestHistory_ListsVersionsNewestFirstWithWhatWroteThem(t *testing.T) {
	t.Parallel()
	c := &clock{instant("2026-05-01 00:00:00")}
	s := open(t, t.TempDir()+"/memory.db", store.Options{Now: func() time.Time { return c.now }})
	scope := memory.Scope{Namespace: "default"}
	by := func(call string) memory.Caller {
		return memory.Caller{Actor: "tool", Client: "host 1", CallID: call, Reason: "because " + call}
	}
	made, err := s.CreateEntity(context.Background(), scope,
		memory.EntityDraft{Name: "Anna", Type: "person", Origin: memory.OriginAgent, Method: memory.MethodSupplied}, by("c1"))
	if err != nil {
		t.Fatal(err)
	}
	id := made.Entity.Ref()
	for i, description := range []string{"one", "two", "three"} {
		c.now = c.now.Add(time.Hour)
		if _, _, err := s.UpdateEntity(context.Background(), "default",
			memory.EntityChange{Entity: id.String(), Description: &description}, by(fmt.Sprint("c", i+2))); err != nil {
			t.Fatal(err)
		}
	}
	versions, more, err := s.History(context.Background(), "default", id, 0, 3)
	if err != nil || !more || len(versions) != 3 {
		t.Fatal(versions, more, err)
	}
	for i, want := range []struct{ description, cause, call string }{{"three", "updated", "c4"}, {"two", "updated", "c3"},
		{"one", "updated", "c2"}} {
		v := versions[i]
		if v.Number != 4-i || v.Of != id || v.Entity.Description != want.description || v.Cause != want.cause ||
			v.Event.CallID != want.call ||
			v.Event.Reason != "because "+want.call || v.Event.Client != "host 1" || v.Event.Object != id ||
			!v.Event.At.Equal(v.CreatedAt) || v.Relationship != nil {
			t.Errorf("version %d: %+v of %+v", i, v, v.Entity)
		}
		if i > 0 && !v.ExpiredAt.Equal(versions[i-1].CreatedAt) || i == 0 && !v.ExpiredAt.IsZero() {
			t.Errorf("version %d ends at %v", i, v.ExpiredAt)
		}
	}
	last, more, err := s.History(context.Background(), "default", id, 3, 3)
	if err != nil || more || len(last) != 1 || last[0].Number != 1 || last[0].Cause != "created" {
		t.Errorf("the last page: %+v, %v, %v", last, more, err)
	}

	r := relate(t, s, draft("Anna", "works_at", "Acme"))
	versions, more, err = s.History(context.Background(), "n", r.Relationship.Ref(), 0, 10)
	if err != nil || more || len(versions) != 1 {
		t.Fatal(versions, more, err)
	}
	if v := versions[0]; v.Entity != nil || v.Relationship.Head.Name != "Anna" || v.Relationship.Tail.Name != "Acme" ||
		len(v.Relationship.Evidence) != 1 || v.Number != 1 {
		t.Errorf("%+v of %+v", v, v.Relationship)
	}
	for _, tc := range []struct {
		namespace string
		id        memory.ID
		want      memory.Code
	}{
		{"other", id, memory.NotFound}, {"default", memory.ID{Kind: memory.KindMemory, Num: id.Num}, memory.NotFound},
		{"default", memory.RelationshipID(99), memory.NotFound}, {"default", memory.EpisodeID(1), memory.InvalidArgument},
	} {
		if _, _, err := s.History(context.Background(), tc.namespace, tc.id, 0, 10); memory.AsError(err).Code != tc.want {
			t.Errorf("%s in %s: %v", tc.id, tc.namespace, err)
		}
	}
}

func TestChanges_AreThoseOfTheTimeAndOfTheEntity(t *testing.T) {
	t.Parallel()
	c := &clock{instant("2026-05-01 00:00:00")}
	s := open(t, t.TempDir()+"/memory.db", store.Options{Now: func() time.Time { return c.now }})
	step := func(do func()) {
		do()
		c.now = c.now.Add(time.Hour)
	}
	var anna, bo int64
	step(func() { anna = relate(t, s, draft("Anna", "works_at", "Acme")).Relationship.Head.ID })
	step(func() { bo = relate(t, s, draft("Bo", "likes", "tea")).Relationship.Head.ID })
	step(func() { record(t, s, turn("s", "Nothing of meaning.")) })
	step(func() { relate(t, s, draft("Bo", "knows", "Anna")) })
	objects := func(since, until time.Time, entity int64) string {
		t.Helper()
		var out []string
		for offset, more := 0, true; more; offset += 2 {
			var events []memory.Event
			var err error
			if events, more, err = s.Changes(context.Background(), "n", since, until, entity, offset, 2); err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				out = append(out, e.Object.String())
			}
		}
		return strings.Join(out, " ")
	}
	begin, none := instant("2026-05-01 00:00:00"), time.Time{}
	for _, tc := range []struct {
		name         string
		since, until time.Time
		entity       int64
		want         string
	}{
		{"all", none, none, 0, "r3 r2 e4 e3 r1 e2 e1"},
		{"from an instant on", begin.Add(time.Hour), none, 0, "r3 r2 e4 e3"},
		{"from just behind it", begin.Add(time.Hour + time.Nanosecond), none, 0, "r3"},
		{"up to an instant", none, begin.Add(time.Hour), 0, "r1 e2 e1"},
		{"up to just behind it", none, begin.Add(time.Hour + time.Nanosecond), 0, "r2 e4 e3 r1 e2 e1"},
		{"of Anna", none, none, anna, "r3 r1 e1"},
		{"of Bo", none, none, bo, "r3 r2 e3"},
		{"of Bo, late", begin.Add(2 * time.Hour), none, bo, "r3"},
	} {
		if got := objects(tc.since, tc.until, tc.entity); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	if events, _, err := s.Changes(context.Background(), "other", none, none, 0, 0, 10); err != nil || len(events) != 0 {
		t.Errorf("of another namespace: %v, %v", events, err)
	}
	if _, _, err := s.Changes(context.Background(), "other", none, none, anna, 0,
		10); memory.AsError(err).Code != memory.NotFound {
		t.Errorf("of another namespace's entity: %v", err)
	}
}

func TestChanges_NameTheCallThatTookThemBack(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	by := func(call string) memory.Caller { return memory.Caller{Actor: "tool", CallID: call} }
	if _, err := s.CreateEntity(t.Context(), inN,
		memory.EntityDraft{Name: "Ann", Type: "person", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, by("first")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), ns, "", by("second")); err != nil {
		t.Fatal(err)
	}
	events, _, err := s.Changes(t.Context(), ns, time.Time{}, time.Time{}, 0, 0, 9)
	if err != nil || len(events) != 2 || events[1].CallID != "first" || events[1].UndoneBy != "second" ||
		events[0].UndoneBy != "" {
		t.Errorf("%+v, %v", events, err)
	}
}
