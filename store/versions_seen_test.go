package store_test

import (
	"testing"
	"time"

	"memory-graph/internal/memory"
)

// A fact that another one takes the place of has one version for that, which names the other one.
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

// What a person has corrected is the person's word, and the version before it keeps its origin.
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
