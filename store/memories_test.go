package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// note retains a memory whose title is its content.
func note(t *testing.T, s *store.Store, content, parent string, layer int) memory.Entity {
	t.Helper()
	out, err := s.Retain(t.Context(), inN, store.NewMemory{Title: content, Content: content, Parent: parent, Layer: &layer,
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}, agent)
	if err != nil {
		t.Fatal(err)
	}
	return out.Memory
}

// haskell creates a small hierarchy of five memories.
func haskell(t *testing.T, s *store.Store) (programming, functional, experienced, erlang, monads memory.Entity) {
	t.Helper()
	programming = note(t, s, "Programming", "", 0)
	functional = note(t, s, "Functional Programming", "Programming", 1)
	experienced = note(t, s, "experienced with Haskell", functional.Ref().String(), 2)
	erlang = note(t, s, "has used Erlang", "functional programming", 2)
	monads = note(t, s, "gave a talk on monads", experienced.Ref().String(), 3)
	return programming, functional, experienced, erlang, monads
}

func names[T any](list []T, name func(T) string) []string {
	out := []string{}
	for _, e := range list {
		out = append(out, name(e))
	}
	return out
}

func nameOf(e memory.Entity) string { return e.Name }

func TestHierarchy_FamiliesAndEverythingUnderADomain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	programming, functional, experienced, erlang, monads := haskell(t, s)
	children, err := s.Children(t.Context(), ns, []int64{functional.ID, experienced.ID, monads.ID}, memory.AsOf{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f := children[functional.ID]; f.Total != 2 || len(f.Nodes) != 1 || f.Nodes[0].ID != experienced.ID ||
		children[experienced.ID].Nodes[0].ID != monads.ID || len(children) != 2 {
		t.Errorf("children %+v", children)
	}
	siblings, err := s.Siblings(t.Context(), ns, []int64{experienced.ID, monads.ID}, memory.AsOf{}, 10)
	if err != nil || len(siblings) != 1 || siblings[experienced.ID].Nodes[0].ID != erlang.ID {
		t.Errorf("siblings %+v, %v", siblings, err)
	}
	under, more, err := s.Descendants(t.Context(), ns, programming.ID, 0, 10)
	if err != nil || more {
		t.Fatal(more, err)
	}
	want := []string{"1 Functional Programming", "2 experienced with Haskell", "2 has used Erlang",
		"3 gave a talk on monads"}
	if diff := cmp.Diff(want, names(under, func(d store.Descendant) string {
		return fmt.Sprint(d.Depth, " ", d.Name)
	})); diff != "" {
		t.Error(diff)
	}
	before := now
	now = now.Add(time.Millisecond) // the resolution of known_at
	if _, _, err := s.UpdateEntity(t.Context(), ns, memory.EntityChange{Entity: erlang.Ref().String(), Parent: ptr("")},
		agent); err != nil {
		t.Fatal(err)
	}
	then, err := s.Siblings(t.Context(), ns, []int64{experienced.ID}, memory.AsOf{KnownAt: before}, 10)
	if err != nil || then[experienced.ID].Total != 1 {
		t.Errorf("siblings of then: %+v, %v", then, err)
	}
	orphans, _, err := s.Orphans(t.Context(), ns, nil, 0, 10)
	if diff := cmp.Diff([]string{"has used Erlang"}, names(orphans, nameOf)); diff != "" || err != nil {
		t.Errorf("orphans: %s, %v", diff, err)
	}
	if other, _, err := s.Descendants(t.Context(), "other", programming.ID, 0, 10); err != nil || len(other) != 0 {
		t.Errorf("another namespace sees %v, %v", other, err)
	}
	if other, err := s.Children(t.Context(), "other", []int64{functional.ID}, memory.AsOf{}, 10); err != nil ||
		len(other) != 0 {
		t.Errorf("another namespace sees %v, %v", other, err)
	}
}

func TestRetain_AnUpdateIsANewVersionOfTheSameMemory(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	at := func(day string) time.Time { v, _ := memory.ParseTime("test", day); return v }
	retain := func(content string, from time.Time) store.Retained {
		t.Helper()
		out, err := s.Retain(t.Context(), inN, store.NewMemory{Title: "alice-location", Content: content, ValidFrom: from,
			Origin: memory.OriginAgent, Method: memory.MethodSupplied}, memory.Caller{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := retain("Alice lives in Berlin.", at("2024-01-01"))
	same := retain("Alice lives in Berlin.", at("2024-05-01"))
	second := retain("Alice lives in Lisbon.", at("2025-06-01"))
	if !first.Created || same.Created || same.Changed || !second.Changed || second.Memory.ID != first.Memory.ID ||
		second.Version != 2 {
		t.Fatalf("%+v\n%+v\n%+v", first, same, second)
	}
	versions, more, err := s.History(t.Context(), ns, first.Memory.Ref(), 0, 10)
	if err != nil || more {
		t.Fatal(more, err)
	}
	type line struct{ Content, From, Until string }
	var got []line
	for _, v := range versions {
		got = append(got, line{v.Entity.Description, memory.Seconds(v.Entity.ValidFrom), memory.Seconds(v.Entity.ValidUntil)})
	}
	want := []line{{"Alice lives in Lisbon.", "2025-06-01 00:00:00", ""},
		{"Alice lives in Berlin.", "2024-01-01 00:00:00", "2025-06-01 00:00:00"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("alice-location's history: %s", diff)
	}
	for day, want := range map[string]string{"2023-01-01": "", "2024-06-01": "Alice lives in Berlin.",
		"2025-06-01": "Alice lives in Lisbon."} {
		then, err := s.MemoriesAt(t.Context(), ns, []int64{first.Memory.ID}, memory.AsOf{ValidAt: at(day)})
		if err != nil || (want == "") != (len(then) == 0) || want != "" && then[0].Description != want {
			t.Errorf("at %s: %+v, %v", day, then, err)
		}
	}
	if _, err := s.Retain(t.Context(), inN, store.NewMemory{Updates: "m1", Title: "alice-location", Content: "Rome",
		ValidFrom: at("2020-01-01")}, agent); code(err) != memory.InvalidArgument {
		t.Errorf("a version of before: %v", err)
	}
	if _, err := s.Undo(t.Context(), ns, "", memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	if e, err := s.ResolveEntity(t.Context(), ns, "alice-location", "", memory.AsOf{}); err != nil ||
		e.Description != "Alice lives in Berlin." {
		t.Errorf("undone: %+v, %v", e, err)
	}
	isSound(t, s)
}

func TestRetain_RefusesWhatTheHierarchyCannotHold(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	programming, _, experienced, _, _ := haskell(t, s)
	relate(t, s, draft("Ann", "uses", "Go"))
	before, err := s.QueryInts(`SELECT count(*) FROM mg_events`)
	if err != nil {
		t.Fatal(err)
	}
	layer := func(n int) *int { return &n }
	self := draft("", "related_to", experienced.Ref().String())
	for name, c := range map[string]struct {
		in   store.NewMemory
		want memory.Code
	}{
		"no content":        {store.NewMemory{Title: "x", Content: " \n"}, memory.InvalidArgument},
		"no title":          {store.NewMemory{Title: "\x01", Content: "x"}, memory.InvalidArgument},
		"layer 4":           {store.NewMemory{Title: "x", Content: "x", Layer: layer(4)}, memory.InvalidArgument},
		"an unknown parent": {store.NewMemory{Title: "x", Content: "x", Parent: "nowhere"}, memory.NotFound},
		"a parent on a deeper layer": {store.NewMemory{Title: "x", Content: "x", Layer: layer(1),
			Parent: experienced.Ref().String()}, memory.InvalidArgument},
		"a parent that stands below": {store.NewMemory{Title: "Programming", Content: "x", Layer: layer(3),
			Parent: experienced.Ref().String()}, memory.Conflict},
		"itself as its parent": {store.NewMemory{Title: "Programming", Content: "x",
			Parent: programming.Ref().String()}, memory.Conflict},
		"updating an entity": {store.NewMemory{Title: "x", Content: "x", Updates: "Ann"}, memory.InvalidArgument},
		"updating nothing":   {store.NewMemory{Title: "x", Content: "x", Updates: "m99"}, memory.NotFound},
		"an unknown episode": {store.NewMemory{Title: "x", Content: "x", Episode: 999}, memory.NotFound},
		"a relation to itself": {store.NewMemory{Title: "experienced with Haskell", Content: "x",
			Relations: []memory.RelationDraft{self}}, memory.InvalidArgument},
	} {
		if _, err := s.Retain(t.Context(), inN, c.in, agent); code(err) != c.want {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	if after, err := s.QueryInts(`SELECT count(*) FROM mg_events`); err != nil || after[0] != before[0] {
		t.Errorf("what was refused left %d events, %v", after[0]-before[0], err)
	}
}

// The closure matches the parents after any moves.
func TestHierarchy_TheClosureIsWhatTheParentsSay(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	const n = 14
	parent := make([]int, n+1) // 0 is none; nodes are 1 to n
	for i := 1; i <= n; i++ {
		if _, err := s.CreateEntity(t.Context(), inN,
			memory.EntityDraft{Name: fmt.Sprint("node ", i), Kind: memory.NodeMemory, Origin: memory.OriginAgent,
				Method: memory.MethodSupplied}, agent); err != nil {
			t.Fatal(err)
		}
	}
	above := func(i int) (list []int) {
		for i = parent[i]; i != 0; i = parent[i] {
			list = append(list, i)
		}
		return list
	}
	rng := rand.New(rand.NewPCG(3, 14))
	refused := 0
	for step := range 150 {
		child, to := 1+rng.IntN(n), rng.IntN(n+1)
		ref := ""
		if to > 0 {
			ref = fmt.Sprint("m", to)
		}
		_, _, err := s.UpdateEntity(t.Context(), ns, memory.EntityChange{Entity: fmt.Sprint("m", child), Parent: &ref}, agent)
		if child == to || slices.Contains(above(to), child) {
			refused++
			if code(err) != memory.Conflict {
				t.Fatalf("step %d: m%d under m%d, which stands below it: %v", step, child, to, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		parent[child] = to
		var want []int64
		for i := 1; i <= n; i++ {
			for depth, a := range above(i) {
				want = append(want, int64(a*10000+i*100+depth+1))
			}
		}
		slices.Sort(want)
		got, err := s.QueryInts(`SELECT ancestor_id * 10000 + descendant_id * 100 + depth FROM mg_closure ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d, m%d under m%d: %s", step, child, to, diff)
		}
	}
	if refused < 10 {
		t.Errorf("only %d moves were circles", refused)
	}
}

func TestAssignParents_DoesWhatItCanAndNamesTheRest(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	_, functional, experienced, _, _ := haskell(t, s)
	ocaml := note(t, s, "reads OCaml", "", 2)
	done, errs, err := s.AssignParents(t.Context(), inN, []store.Assignment{
		{ocaml.Ref().String(), "Functional Programming"}, {"nobody", "Programming"}, {functional.Ref().String(),
			experienced.Ref().String()}}, agent)
	if err != nil || len(done) != 1 || done[0].Memory.ParentID != functional.ID || len(errs) != 2 ||
		errs[0].Item != "assign[1]" || errs[1].Item != "assign[2]" {
		t.Errorf("%+v, %+v, %v", done, errs, err)
	}
	isSound(t, s)
}
