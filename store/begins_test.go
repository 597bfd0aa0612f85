package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestFacts_ThatBeginLaterAreReadFromThenOn(t *testing.T) {
	t.Parallel()
	s, now := openNew(t), time.Now()
	later := now.AddDate(3, 0, 0)
	create := func(head, relation, tail string, from time.Time) memory.RelationWrite {
		t.Helper()
		done, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, memory.RelationDraft{Head: head,
			Relation: relation, Tail: tail, ValidFrom: from, CreateMissing: true, Origin: memory.OriginUser,
			Method: memory.MethodSupplied}, 0, memory.Caller{Actor: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	ann := create("Ann", "lives_in", "Graz", now.AddDate(-1, 0, 0)).Relationship.Head.ID
	plan := create("Ann", "lives_in", "Oslo", later).Relationship
	nodes := []int64{ann, plan.Tail.ID}
	{ // a plan holds before its time
		show := create("Show", "scheduled_for", "24 April", later).Relationship
		list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: []int64{show.Head.ID}},
			memory.Filter{},
			0, 9)
		if must(t, len(list), err) != 1 {
			t.Error("the plan is not found")
		}
	}
	reads := map[string]func(at memory.AsOf) int{
		"edges": func(at memory.AsOf) int {
			list, _, err := s.EdgesWithin(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: nodes[1:], At: at},
				memory.Filter{})
			return must(t, len(list), err)
		},
		"ahead": func(at memory.AsOf) int {
			list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: nodes[1:], At: at, Ahead: true},
				memory.Filter{}, 0, 9)
			return must(t, len(list), err)
		},
		"links": func(at memory.AsOf) int {
			list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: nodes[1:], At: at},
				memory.Filter{}, 0, 9)
			return must(t, len(list), err)
		},
		"among": func(at memory.AsOf) int {
			list, _, err := s.RelationshipsAmong(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: nodes, At: at},
				memory.Filter{}, 9)
			return must(t, len(list), err)
		},
		"evidenced": func(at memory.AsOf) int {
			list, err := s.RelationshipsEvidenced(t.Context(), memory.EdgeQuery{Namespace: "n", At: at}, memory.Filter{},
				plan.Evidence, true, 9)
			return must(t, len(list), err)
		},
		"list": func(at memory.AsOf) int {
			list, _, err := s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n", Entity: plan.Tail.ID,
				At: at}, 0, 9)
			return must(t, len(list), err)
		},
		"scheduled": func(at memory.AsOf) int {
			list, _, err := s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n", Entity: plan.Tail.ID,
				At: at, Scheduled: true}, 0, 9)
			return must(t, len(list), err)
		},
	}
	for name, read := range reads {
		want := []int{0, 1}
		if name == "scheduled" || name == "ahead" {
			want[0] = 1
		}
		got := []int{read(memory.AsOf{}), read(memory.AsOf{ValidAt: later.AddDate(0, 0, 1)})}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, now and when it holds (-want +got):\n%s", name, diff)
		}
	}
}

func must(t *testing.T, n int, err error) int {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return n
}
