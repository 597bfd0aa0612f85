package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRetain_ProposesAnUpdateAndEndsWhatWasAccepted(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	retain := func(call string, in store.NewMemory) store.Retained {
		t.Helper()
		in.Origin, in.Method = memory.OriginAgent, memory.MethodSupplied
		out, err := s.Retain(t.Context(), inN, in, memory.Caller{Actor: "tool", CallID: call})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	domain := 0
	old := retain("a", store.NewMemory{Title: "db staging", Content: "The staging database is MySQL"}).Memory
	above := retain("b", store.NewMemory{Title: "Staging", Content: "Staging", Layer: &domain}).Memory
	may := []memory.Hit{{ID: above.ID, Score: .9}, {ID: old.ID, Score: .7}}
	fresh := retain("c", store.NewMemory{Title: "postgres", Content: "The staging database is Postgres", MayUpdate: may})
	if len(fresh.Proposed) != 1 || fresh.Proposed[0].Memory.Description != old.Description ||
		fresh.Proposed[0].Similarity != .7 || !fresh.Created {
		t.Fatalf("%+v; want the old version of %s proposed, and nothing of another layer", fresh, old.Name)
	}
	links := func() []string {
		t.Helper()
		list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: ns, Nodes: []int64{old.ID}}, memory.Filter{}, 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		out := []string{}
		for _, f := range list {
			out = append(out, f.Head.Name+" "+f.Relation+" "+f.Tail.Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"postgres supersedes db staging"}, links()); diff != "" {
		t.Error(diff)
	}
	if now, err := s.EntitiesByID(t.Context(), ns, []int64{old.ID}, memory.AsOf{}); err != nil ||
		now[0].Description != old.Description {
		t.Errorf("a proposal changed the old memory: %+v, %v", now, err)
	}
	accepted := retain("d", store.NewMemory{Updates: old.Ref().String(), Content: "The staging database is Postgres"})
	if !accepted.Changed || accepted.Version != 2 || len(links()) > 0 {
		t.Errorf("%+v, links %v", accepted, links())
	}
	list, err := s.EntitiesByID(t.Context(), ns, []int64{fresh.Memory.ID}, memory.AsOf{})
	if err != nil || len(list) != 1 || list[0].ValidUntil.IsZero() {
		t.Errorf("what was proposed still holds: %+v, %v", list, err)
	}
	if _, err := s.Undo(t.Context(), ns, "d", agent); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"postgres supersedes db staging"}, links()); diff != "" {
		t.Errorf("after undo: %s", diff)
	}
	if faults, err := s.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults %+v, %v", faults, err)
	}
}
