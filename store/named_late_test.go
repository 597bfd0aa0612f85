package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// A fact that is given before its head has a type gets its name with the type, so what comes next meets it.
func TestFacts_GetTheirNamesWithTheTypeOfTheirHead(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typed func(n *namesakesOf)
		want  []string
	}{
		"by another fact": {func(n *namesakesOf) {
			n.fact(memory.MethodRule, "Bob", "person", "friend_of", "Ann", "person")
		}, []string{"Ann lives_in Bergen", "Bob friend_of Ann"}},
		"by a caller": {func(n *namesakesOf) { n.create("Ann", "person") }, []string{"Ann lives_in Bergen"}},
		"by a correction": {func(n *namesakesOf) {
			typ := "person"
			if _, _, err := n.s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: "Ann", Type: &typ},
				memory.Caller{Actor: "tool"}); err != nil {
				t.Fatal(err)
			}
		}, []string{"Ann lives_in Bergen"}},
		"by a tool": {func(n *namesakesOf) {
			relate(t, n.s, memory.RelationDraft{Head: "Ann", HeadType: "person", Relation: "speaks", Tail: "Dutch",
				CreateMissing: true, Origin: memory.OriginTool, Method: memory.MethodRule})
		}, []string{"Ann lives_in Bergen", "Ann located_in Oslo", "Ann speaks Dutch"}},
		"and it is no person": {func(n *namesakesOf) { n.create("Ann", "project") }, []string{"Ann located_in Bergen"}},
	} {
		n := newNamesakes(t)
		says(n, "located_in", "Oslo")
		tc.typed(n)
		says(n, "located_in", "Bergen")
		if diff := cmp.Diff(tc.want, sorted(n)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// says gives a fact about Ann as an agent does, without types.
func says(n *namesakesOf, relation, tail string) { relate(n.t, n.s, draft("Ann", relation, tail)) }

func sorted(n *namesakesOf) []string { return slices.Sorted(slices.Values(n.facts())) }

// The later of two facts that were given under two names ends the earlier one, and undo of the type restores both.
func TestFacts_ThatMeetWithTheTypeOfTheirHead(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	says(n, "located_in", "Oslo")
	n.now = n.now.AddDate(0, 0, 1)
	says(n, "lives_in", "Bergen")
	n.create("Ann", "person")
	if diff := cmp.Diff([]string{"Ann lives_in Bergen"}, sorted(n)); diff != "" {
		t.Errorf("with the type (-want +got):\n%s", diff)
	}
	if _, err := n.s.Undo(t.Context(), "n", "", memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Ann lives_in Bergen", "Ann located_in Oslo"}, sorted(n)); diff != "" {
		t.Errorf("after the undo (-want +got):\n%s", diff)
	}
}
