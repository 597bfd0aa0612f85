package retrieval_test

import (
	"slices"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func TestRetrieve_ByIDLeavesOutWhatDidNotHoldThen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.fact("Ann", "works_at", "Initech", from(day.AddDate(-1, 0, 0)))
	w.later(24 * time.Hour)
	late := w.fact("Ann", "works_at", "Hooli", from(day))
	ids := []memory.ID{memory.RelationshipID(late), memory.RelationshipID(old)}
	for name, tc := range map[string]struct {
		at   memory.AsOf
		want []string
	}{
		"both are there now": {memory.AsOf{}, []string{"Ann works_at Hooli", "Ann works_at Initech"}},
		"valid then":         {memory.AsOf{ValidAt: day.AddDate(0, -1, 0)}, []string{"Ann works_at Initech"}},
		"known then":         {memory.AsOf{KnownAt: day.Add(time.Hour)}, []string{"Ann works_at Initech"}},
		"before all":         {memory.AsOf{ValidAt: day.AddDate(-2, 0, 0)}, nil},
	} {
		a := w.ask(retrieval.Request{IDs: ids, At: tc.at})
		if got := said(a.Relations); !slices.Equal(got, tc.want) || (a.Match == retrieval.None) != (len(tc.want) == 0) {
			t.Errorf("%s: %v, match %s; want %v", name, got, a.Match, tc.want)
		}
	}
	_, err := w.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"},
		IDs: append(ids, memory.RelationshipID(99)), Limit: 5, At: memory.AsOf{ValidAt: day}})
	if e := memory.AsError(err); e == nil || e.Code != memory.NotFound ||
		e.Message != `ids: r99 not found in namespace "n".` {
		t.Errorf("what was never there gives %v", err)
	}
}

func TestRetrieve_ByIDGivesEachItemOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fact := w.fact("Ann", "works_at", "Initech")
	ann, anna := w.entity("Ann", "person", ""), w.entity("Anna", "person", "")
	into, merged := memory.NodeID(memory.NodeEntity, ann), memory.NodeID(memory.NodeEntity, anna)
	if _, err := w.store.MergeEntities(t.Context(), "n", into.String(), merged.String(),
		memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	r, turn := memory.RelationshipID(fact), memory.EpisodeID(1)
	a := w.ask(retrieval.Request{IDs: []memory.ID{merged, into, r, r, turn, turn, into}})
	if len(a.Entities) != 1 || a.Entities[0].Entity.ID != ann || len(a.Relations) != 1 || len(a.Episodes) != 1 {
		t.Errorf("%d entities, %d facts, %d turns", len(a.Entities), len(a.Relations), len(a.Episodes))
	}
}
