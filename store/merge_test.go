package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// pictured returns everything that a merge changes, as text: nodes, names, parents, facts, evidence, mentions, the
// closure.
func pictured(t *testing.T, s *store.Store) []string {
	t.Helper()
	var out []string
	for what, sql := range map[string]string{
		"node": `SELECT id || ' ' || kind || ' ' || name || ' (' || canonical_name || ') ' || type || ' "' || description ||
			'" layer ' || coalesce(layer, '-') || ' under ' || coalesce(parent_id, '-')
			|| ' is ' || coalesce(merged_into, '-') || ' seen ' || observation_count || ' mentioned ' || mention_count FROM
			mg_entities`,
		"name":     `SELECT entity_id || ' ' || alias FROM mg_entity_aliases`,
		"closure":  `SELECT ancestor_id || ' ' || descendant_id || ' ' || depth FROM mg_closure`,
		"evidence": `SELECT relationship_id || ' by ' || episode_id || ' ' || method FROM mg_evidence`,
		"mention":  `SELECT episode_id || ' ' || entity_id || ' ' || role || ' ' || coalesce(start, '-') FROM mg_mentions`,
		"fact": `SELECT id || ': ' || head_id || ' ' || relation || ' ' || tail_id || ' ' || confidence || ' ' || origin ||
			' ' || method || ' ' || coalesce(valid_from, '-') || ' to '
			|| coalesce(valid_until, '-') || ' by ' || coalesce(superseded_by, '-') FROM mg_relationships`,
		"indexed": `SELECT rowid FROM mg_entities_fts`,
	} {
		lines, err := s.QueryTexts(sql)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			out = append(out, what+" "+l)
		}
	}
	slices.Sort(out)
	return out
}

// twins creates two nodes for one person, Bob and Robert, each with facts, a turn and a child. Some of these are the
// same.
func twins(t *testing.T) (s *store.Store, bob, robert memory.Entity) {
	t.Helper()
	s = openNew(t)
	entity := func(d memory.EntityDraft) memory.Entity {
		d.Origin, d.Method = memory.OriginAgent, memory.MethodSupplied
		out, err := s.CreateEntity(t.Context(), inN, d, memory.Caller{})
		if err != nil {
			t.Fatal(err)
		}
		return out.Entity
	}
	entity(memory.EntityDraft{Name: "Staff", Type: "organization"})
	layer := 1
	bob = entity(memory.EntityDraft{Name: "Bob", Type: "person"})
	robert = entity(memory.EntityDraft{Name: "Robert", Type: "person", Description: "An engineer",
		Aliases: []string{"Rob"}, Parent: "Staff", Layer: &layer})
	entity(memory.EntityDraft{Name: "Robert's laptop", Type: "tool", Parent: "Robert"})
	low := .5
	told(t, s, "1", "Bob uses Go.", nil, draft("Bob", "uses", "Go"), draft("Bob", "lives_in", "Berlin"))
	weak := draft("Robert", "uses", "Go")
	weak.Confidence = &low
	told(t, s, "2", "Robert uses Go and Rust.", nil, weak, draft("Robert", "uses", "Rust"),
		draft("Robert", "lives_in", "Lisbon"))
	told(t, s, "3", "Robert knows Bob.", nil, draft("Robert", "knows", "Bob"), draft("Ann", "knows", "Robert"))
	past := draft("Robert", "works_at", "Acme")
	past.Ended = true
	told(t, s, "4", "Robert left Acme.", nil, past)
	return s, bob, robert
}

func TestMergeEntities_MakesTwoOne(t *testing.T) {
	t.Parallel()
	s, bob, robert := twins(t)
	out, err := s.MergeEntities(t.Context(), ns, "Bob", "robert", memory.Caller{CallID: "merge"})
	if err != nil {
		t.Fatal(err)
	}
	if out.CallID != "merge" || out.Into.ID != bob.ID || out.From.MergedInto != bob.ID || len(out.Joined) != 1 ||
		len(out.Retracted) != 1 || out.Moved != 5 {
		t.Errorf("%+v", out)
	}
	if len(out.Conflicts) != 1 || out.Conflicts[0].Reason == "" {
		t.Errorf("two active homes are a conflict, but the answer has %+v", out.Conflicts)
	}
	for _, ref := range []string{"Robert", "Rob", "bob", robert.Ref().String()} {
		if e, err := s.ResolveEntity(t.Context(), ns, ref, "", memory.AsOf{}); err != nil || e.ID != bob.ID {
			t.Errorf("%s is %+v, %v", ref, e, err)
		}
	}
	e := out.Into
	if e.Description != "An engineer" || e.Layer == nil || *e.Layer != 1 || e.ParentID == 0 {
		t.Errorf("Bob lacks what only Robert had: %+v", e)
	}
	under, _, err := s.Descendants(t.Context(), ns, e.ParentID, 0, 9)
	if diff := cmp.Diff([]string{"1 Bob", "2 Robert's laptop"},
		names(under, func(d store.Descendant) string { return fmt.Sprint(d.Depth, " ", d.Name) })); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
	if n, err := s.QueryInts(`SELECT count(*) FROM mg_mentions WHERE entity_id = ` + itoa(bob.ID)); err != nil ||
		n[0] != 4 {
		t.Errorf("Bob is mentioned in %v turns; want all 4, %v", n, err)
	}
	facts, err := s.Relationships(t.Context(), ns, []int64{1}, memory.AsOf{})
	if err != nil || !slices.Equal(facts[0].Evidence, []int64{1, 2}) || facts[0].Confidence != .9 {
		t.Errorf("%+v, %v", facts, err)
	}
	isSound(t, s)
}

func TestMergeEntities_IsTakenBackWhole(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(*store.Store, memory.Entity) error{
		"unmerge": func(s *store.Store, robert memory.Entity) error {
			_, err := s.Unmerge(t.Context(), ns, robert.Ref().String(), memory.Caller{CallID: "back"})
			return err
		},
		"unmerge by name": func(s *store.Store, _ memory.Entity) error {
			_, err := s.Unmerge(t.Context(), ns, "ROBERT", memory.Caller{CallID: "back"})
			return err
		},
		"undo": func(s *store.Store, _ memory.Entity) error {
			_, err := s.Undo(t.Context(), ns, "merge", memory.Caller{CallID: "back"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, robert := twins(t)
			apart := pictured(t, s)
			if _, err := s.MergeEntities(t.Context(), ns, "Bob", "Robert", memory.Caller{CallID: "merge"}); err != nil {
				t.Fatal(err)
			}
			together := pictured(t, s)
			if err := back(s, robert); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(apart, pictured(t, s)); diff != "" {
				t.Fatalf("after reversing the merge: %s", diff)
			}
			if _, err := s.Undo(t.Context(), ns, "back", memory.Caller{CallID: "again"}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(together, pictured(t, s)); diff != "" {
				t.Fatalf("after undoing the reversal: %s", diff)
			}
			if _, err := s.Unmerge(t.Context(), ns, robert.Ref().String(), memory.Caller{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(apart, pictured(t, s)); diff != "" {
				t.Fatalf("after the final unmerge: %s", diff)
			}
			isSound(t, s)
		})
	}
}

func TestUnmerge_KeepsWhatChangedSince(t *testing.T) {
	t.Parallel()
	s, bob, robert := twins(t)
	if _, err := s.MergeEntities(t.Context(), ns, "Bob", "Robert", memory.Caller{CallID: "merge"}); err != nil {
		t.Fatal(err)
	}
	lower := .7
	rust := int64(4)
	if _, _, err := s.UpdateRelation(t.Context(), ns, memory.RelationChange{ID: rust, Confidence: &lower},
		memory.Caller{CallID: "lower"}); err != nil {
		t.Fatal(err)
	}
	told(t, s, "5", "Robert is here.",
		[]memory.EntityDraft{{Name: "Robert", Type: "person", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}}, draft("Robert", "uses", "Zig"))
	if _, err := s.Undo(t.Context(), ns, "merge", memory.Caller{}); code(err) != memory.Conflict {
		t.Fatalf("undo of a merge after which a fact changed: %v", err)
	}
	if _, err := s.Unmerge(t.Context(), ns, robert.Ref().String(), memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	facts, err := s.Relationships(t.Context(), ns, []int64{rust}, memory.AsOf{})
	if err != nil || facts[0].Head.ID != robert.ID || facts[0].Confidence != .7 {
		t.Errorf("%+v, %v", facts, err)
	}
	if e, err := s.ResolveEntity(t.Context(), ns, "Zig", "", memory.AsOf{}); err != nil {
		t.Error(err)
	} else if links, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: ns,
		Nodes: []int64{e.ID}}, memory.Filter{}, 0, 9); err != nil || len(links) != 1 || links[0].Head.ID != bob.ID {
		t.Errorf("a fact stated about Bob no longer belongs to Bob: %+v, %v", links, err)
	}
	if e, err := s.ResolveEntity(t.Context(), ns, bob.Ref().String(), "", memory.AsOf{}); err != nil || e.Name != "Bob" ||
		len(e.Aliases) != 0 {
		t.Errorf("Bob is called %q and %v, %v", e.Name, e.Aliases, err)
	}
	isSound(t, s)
}

func TestMergeEntities_OfMergesComeApartInTheirOrder(t *testing.T) {
	t.Parallel()
	s, _, robert := twins(t)
	apart := pictured(t, s)
	merge := func(into, from string) {
		t.Helper()
		if _, err := s.MergeEntities(t.Context(), ns, into, from, memory.Caller{}); err != nil {
			t.Fatal(err)
		}
	}
	merge("Bob", "Robert")
	merge("Ann", "Bob") // of another type, which may be merged too
	bob, err := s.ResolveEntity(t.Context(), ns, "Rob", "", memory.AsOf{})
	if err != nil || bob.Name != "Ann" {
		t.Fatalf("%+v, %v", bob, err)
	}
	if _, err := s.Unmerge(t.Context(), ns, robert.Ref().String(), memory.Caller{}); code(err) != memory.Conflict {
		t.Fatalf("out of order: %v", err)
	}
	for _, name := range []string{"Bob", "Robert"} {
		if _, err := s.Unmerge(t.Context(), ns, name, memory.Caller{}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(apart, pictured(t, s)); diff != "" {
		t.Error(diff)
	}
}

// A node may be merged into one that is below or above it: the tree stays a tree.
func TestMergeEntities_WithinOneTree(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"gave a talk on monads", "Functional Programming"},
		{"Functional Programming", "gave a talk on monads"},
		{"experienced with Haskell", "has used Erlang"}, {"Functional Programming", "Programming"}} {
		s := openNew(t)
		haskell(t, s)
		apart := pictured(t, s)
		if _, err := s.MergeEntities(t.Context(), ns, pair[0], pair[1], memory.Caller{CallID: "merge"}); err != nil {
			t.Fatalf("%v: %v", pair, err)
		}
		isSound(t, s)
		if _, err := s.Unmerge(t.Context(), ns, pair[1], memory.Caller{}); err != nil {
			t.Fatalf("%v: %v", pair, err)
		}
		if diff := cmp.Diff(apart, pictured(t, s)); diff != "" {
			t.Errorf("%v: %s", pair, diff)
		}
		isSound(t, s)
	}
}
