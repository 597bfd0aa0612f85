package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// When a fact is superseded, one version records the end and names the superseding fact.
func TestSupersede_WritesOneVersionThatNamesTheReplacement(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	old := relate(t, s, draft("Ann", "works_at", "Acme")).Relationship
	*now = now.Add(time.Hour)
	with := memory.RelationDraft{Tail: "Initech", CreateMissing: true, Origin: memory.OriginAgent,
		Method: memory.MethodSupplied}
	by := memory.Caller{Actor: "tool", CallID: "replace"}
	done, err := s.Supersede(t.Context(), memory.Scope{Namespace: ns}, memory.Supersession{ID: old.ID,
		Replacement: &with}, by)
	if err != nil {
		t.Fatal(err)
	}
	versions, _, err := s.History(t.Context(), ns, old.Ref(), 0, 10)
	if err != nil || len(versions) != 2 {
		t.Fatalf("%d versions, %v: %+v", len(versions), err, versions)
	}
	last := versions[0]
	if last.Cause != "superseded" || last.Relationship.SupersededBy != done.Replacement.ID {
		t.Errorf("the last version: %s by %d", last.Cause, last.Relationship.SupersededBy)
	}
	if _, err := s.Undo(t.Context(), ns, "replace", memory.Caller{Actor: "tool", CallID: "undo"}); err != nil {
		t.Fatal(err)
	}
	facts, err := s.Relationships(t.Context(), ns, []int64{old.ID, done.Replacement.ID}, memory.AsOf{})
	if err != nil || len(facts) != 2 || !facts[0].ValidUntil.IsZero() || facts[0].SupersededBy != 0 ||
		facts[1].ValidUntil.IsZero() {
		t.Errorf("after the undo: %+v, %v", facts, err)
	}
	if _, err := s.Undo(t.Context(), ns, "undo", memory.Caller{Actor: "tool", CallID: "redo"}); err != nil {
		t.Fatal(err)
	}
	facts, err = s.Relationships(t.Context(), ns, []int64{old.ID}, memory.AsOf{})
	if err != nil || len(facts) != 1 || facts[0].SupersededBy != done.Replacement.ID {
		t.Errorf("after the undo of the undo: %+v, %v", facts, err)
	}
	isSound(t, s)
}

// A fact that a person corrects gets the origin user, and the version before keeps its origin.
func TestUpdateRelation_MakesAFactTheUsersThatAPersonCorrects(t *testing.T) {
	t.Parallel()
	for actor, want := range map[string]memory.Origin{memory.ActorPage: memory.OriginUser, "cli": memory.OriginUser,
		"tool": memory.OriginAgent} {
		s, now := clocked(t)
		r := relate(t, s, draft("Ann", "uses", "Go")).Relationship
		*now = now.Add(time.Minute)
		by := memory.Caller{Actor: actor, CallID: "edit"}
		got, _, err := s.UpdateRelation(t.Context(), ns, memory.RelationChange{ID: r.ID, Fact: ptr("Ann writes Go."),
			Confidence: ptr(1.)}, by)
		if err != nil || got.Origin != want || got.Confidence != memory.Capped(nil, want, r.Method) {
			t.Errorf("%s: origin %s, confidence %v, %v", actor, got.Origin, got.Confidence, err)
		}
		versions, _, err := s.History(t.Context(), ns, r.Ref(), 0, 10)
		if err != nil || len(versions) != 2 || versions[0].Relationship.Origin != want ||
			versions[1].Relationship.Origin != memory.OriginAgent {
			t.Errorf("%s: %+v, %v", actor, versions, err)
		}
		if _, err := s.Undo(t.Context(), ns, "edit", memory.Caller{CallID: "undo"}); err != nil {
			t.Fatal(err)
		}
		back, err := s.Relationships(t.Context(), ns, []int64{r.ID}, memory.AsOf{})
		if err != nil || len(back) != 1 || back[0].Origin != memory.OriginAgent {
			t.Errorf("%s, after the undo: %+v, %v", actor, back, err)
		}
		isSound(t, s)
	}
}

// A fact that is past when it is stored, because another fact replaced it, is listed as replaced, not as added.
func TestCalls_TellWhatAnotherFactHadReplaced(t *testing.T) {
	t.Parallel()
	s, _ := clocked(t)
	relate(t, s, draft("Ann", "works_at", "Acme"))
	d := draft("Ann", "works_at", "Globex")
	d.ValidFrom = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: ns}, d, 0,
		memory.Caller{Actor: "tool", CallID: "late"}); err != nil {
		t.Fatal(err)
	}
	list, _, err := s.Calls(t.Context(), store.CallFilter{Namespace: ns}, 1)
	if err != nil || len(list) != 1 || len(list[0].First) == 0 || list[0].First[0].Did != memory.DeedSuperseded ||
		list[0].First[0].By.String() != "r1" {
		t.Errorf("%+v, %v", list, err)
	}
}

// Each call is listed once, newest first, even if the changes of two calls alternate, and pages join without a gap.
func TestCalls_AreEachTheirOwnRowWhenTheirChangesAlternate(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	add := func(call, tail string) {
		t.Helper()
		*now = now.Add(time.Second)
		d := draft("Ann", "knows", tail)
		if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: ns}, d, 0,
			memory.Caller{Actor: "import", CallID: call}); err != nil {
			t.Fatal(err)
		}
	}
	add("one", "A")
	add("two", "B")
	add("one", "C")
	add("three", "D")
	add("two", "E")
	add("four", "F")
	add("one", "G")
	want := []string{"one 3", "four 1", "two 2", "three 1"}
	for limit := 1; limit <= 5; limit++ {
		var got []string
		before := int64(0)
		for {
			list, more, err := s.Calls(t.Context(), store.CallFilter{Namespace: ns, Before: before}, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				got = append(got, fmt.Sprint(c.Newest.CallID, " ", c.Facts))
				before = c.Newest.ID
			}
			if !more {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %d:\n%s", limit, diff)
		}
	}
	since, _, err := s.Calls(t.Context(), store.CallFilter{Namespace: ns, Until: now.Add(-time.Second)}, 10)
	if err != nil || len(since) == 0 || since[0].Facts == 0 {
		t.Errorf("until an instant: %+v, %v", since, err)
	}
	items, more, err := s.CallItems(t.Context(), ns, "one", 1, 1)
	if err != nil || !more || len(items) != 1 || items[0].Did != memory.DeedAdded {
		t.Errorf("the second object: %+v, %v, %v", items, more, err)
	}
	if _, _, err := s.CallItems(t.Context(), ns, "none", 0, 1); code(err) != memory.NotFound {
		t.Errorf("a call that is not there: %v", err)
	}
}
