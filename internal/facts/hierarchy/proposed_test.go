package hierarchy_test

import (
	"testing"

	"memory-graph/internal/facts/hierarchy"
)

func TestRetain_ProposesAnUpdateOfTheSameSubjectOnly(t *testing.T) {
	t.Parallel()
	for _, byMeaning := range []bool{true, false} {
		h, _ := begin(t, byMeaning)
		old := retain(t, h, hierarchy.Memory{Title: "where", Content: "Alice lives in Berlin"}).Memory
		for content, want := range map[string]bool{
			"Alice lives in Lisbon":          true,
			"Carol lives in Berlin":          false, // another subject
			"Alice bakes bread on Saturdays": false, // another matter
		} {
			got := retain(t, h, hierarchy.Memory{Content: content})
			if found := len(got.Proposed) > 0 && got.Proposed[0].Memory.ID == old.ID; found != want || !got.Created {
				t.Errorf("by meaning %v: %q proposes %+v; want the old memory: %v", byMeaning, content, got.Proposed, want)
			}
		}
		if same := retain(t, h, hierarchy.Memory{Title: "where", Content: "Alice lives in Porto"}); !same.Changed ||
			len(same.Proposed) > 0 {
			t.Errorf("by meaning %v: an equal title makes %+v; want a new version", byMeaning, same)
		}
		about := retain(t, h, hierarchy.Memory{Content: "Alice in Berlin lives near the park", Parent: "where"})
		for _, p := range about.Proposed {
			if p.Memory.ID == old.ID {
				t.Errorf("by meaning %v: its parent is proposed", byMeaning)
			}
		}
	}
}
