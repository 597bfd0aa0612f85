package store_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestUnmerge_RefusesWhatWouldPointAtAnotherMergedEntity(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	first := relate(t, s, draft("Rob", "works_at", "Acme")).Relationship
	second := relate(t, s, draft("Bob", "works_at", "Acme")).Relationship
	for _, from := range []memory.Node{second.Head, first.Tail} {
		if _, err := s.MergeEntities(t.Context(), "n", first.Head.Ref().String(), from.Ref().String(),
			memory.Caller{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Unmerge(t.Context(), "n", second.Head.Ref().String(), memory.Caller{}); code(err) != memory.Conflict {
		t.Fatalf("unmerge of the first of two merges: %v", err)
	}
	for _, node := range []memory.Node{first.Tail, second.Head} {
		if _, err := s.Unmerge(t.Context(), "n", node.Ref().String(), memory.Caller{}); err != nil {
			t.Fatalf("in order: %v", err)
		}
	}
	found, err := s.Relationships(t.Context(), "n", []int64{first.ID, second.ID}, memory.AsOf{})
	if err != nil || len(found) != 2 || found[0].Tail != first.Tail || found[1].Tail != first.Tail ||
		found[1].Head != second.Head || !found[1].ValidUntil.IsZero() {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestCreateEntity_RefusesANameThatReadsAsAnID(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for name, want := range map[string]memory.Code{"e12": memory.InvalidArgument, " m7 ": memory.InvalidArgument, "M1": "",
		"r77": "", "e12b": ""} {
		d := memory.EntityDraft{Name: name, Type: "tool", Origin: memory.OriginAgent, Method: memory.MethodSupplied}
		if _, err := s.CreateEntity(t.Context(), memory.Scope{Namespace: "n"}, d, agent); code(err) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
