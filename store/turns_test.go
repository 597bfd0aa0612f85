package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func turnIDs(turns []memory.Rankable) []int64 {
	list := []int64{}
	for _, t := range turns {
		list = append(list, t.ID)
	}
	slices.Sort(list)
	return list
}

func TestTurnsBeside_StayInSessionNamespaceAndFilter(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	add := func(namespace, session string, n int) {
		for i := range n {
			e := turn(session, fmt.Sprintf("%s %s %d", namespace, session, i))
			e.Scope.Namespace = namespace
			if i%2 == 1 {
				e.Role = memory.RoleAssistant
			}
			record(t, s, e)
		}
	}
	add("default", "a", 5) // 1–5
	add("default", "b", 3) // 6–8
	add("default", "", 3)  // 9–11
	add("other", "a", 3)   // 12–14
	all := memory.Filter{Namespace: "default"}
	assistant := memory.Filter{Namespace: "default", Roles: []memory.Role{memory.RoleAssistant}}
	for _, c := range []struct {
		filter    memory.Filter
		ask, want []int64
	}{
		{all, nil, []int64{}},
		{all, []int64{3}, []int64{2, 4}},
		{all, []int64{1}, []int64{2}},
		{all, []int64{5}, []int64{4}},
		{all, []int64{6}, []int64{7}},
		{all, []int64{2, 3, 8}, []int64{1, 2, 3, 4, 7}},
		{all, []int64{10}, []int64{}},
		{all, []int64{13}, []int64{}},
		{all, []int64{77}, []int64{}},
		{assistant, []int64{3, 7}, []int64{2, 4}},
		{assistant, []int64{2}, []int64{}},
	} {
		ctx, n := store.CountStatements(t.Context())
		found, err := s.TurnsBeside(ctx, c.filter, c.ask)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, turnIDs(found)); diff != "" || n.Load() != 1 {
			t.Errorf("beside %v with roles %v, in %d statements: %s", c.ask, c.filter.Roles, n.Load(), diff)
		}
	}
}

func TestTurns_ReadsWhatRankingNeeds(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	e := turn("s", "first")
	e.Speaker = "Ann"
	e.OccurredAt = time.Date(2026, 3, 18, 9, 30, 0, 0, time.UTC)
	e.Status = memory.StatusQuarantined
	record(t, s, e)
	at := e.OccurredAt
	e = turn("", "second")
	e.Scope.Namespace = "other"
	record(t, s, e)
	got, err := s.Turns(t.Context(), "default", []int64{2, 1, 7})
	if err != nil {
		t.Fatal(err)
	}
	want := []memory.Rankable{{ID: 1, SessionID: "s", Seq: 1, Role: memory.RoleUser, Speaker: "Ann", Content: "first",
		OccurredAt: at, Quarantined: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
