package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// A turn that states a name may state other facts too, which the merge does not change.
func TestUnmerge_KeepsTheOtherFactsOfTheTurn(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]bool{"first time": false, "after a redo": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			n.said("", does("User", "uses", "Go"))
			n.said("", does("Bob", "works_at", "Acme"))
			left := does("Bob", "works_at", "Acme")
			left.Ended = true
			n.said("", am("User", "Ann"), left)
			if again {
				for range 2 {
					calls, err := n.s.QueryTexts(`SELECT call_id FROM mg_events ORDER BY id DESC LIMIT 1`)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := n.s.Undo(t.Context(), "n", calls[0], memory.Caller{Actor: "tool"}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if diff := cmp.Diff([]string{"Ann uses Go"}, n.facts()); diff != "" {
				t.Fatalf("facts before (-want +got):\n%s", diff)
			}
			if _, err := n.s.Unmerge(t.Context(), "n", "User", memory.Caller{Actor: "tool"}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"User uses Go"}, n.facts()); diff != "" {
				t.Errorf("facts after (-want +got):\n%s", diff)
			}
			n.sound()
		})
	}
}
