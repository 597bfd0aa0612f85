package tools_test

import (
	"testing"

	"memory-graph/internal/memory"
)

// TestTools_OfferATypeOnlyWhereOneCanBeGiven checks the hint of an ambiguous name.
func TestTools_OfferATypeOnlyWhereOneCanBeGiven(t *testing.T) {
	t.Parallel()
	differ := []memory.Candidate{{ID: "e1", Name: "Mercury", Type: "project"}, {ID: "e2", Name: "Mercury", Type: "person"}}
	alike := []memory.Candidate{{ID: "e1", Name: "Mercury", Type: "person"}, {ID: "e2", Name: "Mercury", Type: "person"}}
	const byID = "Say which by its id."
	for _, tc := range []struct {
		tool, arguments string
		candidates      []memory.Candidate
		hint            string
	}{
		{"retrieve_linked", `{"entity":"Mercury"}`, differ, "Say which by its id, or give entity_type."},
		{"retrieve_linked", `{"entity":"Mercury"}`, alike, byID},
		{"retrieve_linked", `{"entity":"Mercury","entity_type":"person"}`, differ, byID},
		{"what_changed", `{"entity":"Mercury"}`, differ, "Say which by its id, or give entity_type."},
		{"create_relation", `{"head":"Mercury","relation":"uses","tail":"Go"}`, differ,
			"Say which by its id, or give head_type or tail_type."},
		{"graph_traverse", `{"start_entity":"Mercury"}`, differ, byID},
		{"update_entity", `{"entity":"Mercury","name":"x"}`, differ, byID},
	} {
		mem := &fakeMemory{err: &memory.Error{Code: memory.Ambiguous, Message: "two.", Hint: byID, Candidates: tc.candidates}}
		failed(t, run(t, all(t, mem, every())[tc.tool], tc.arguments), "ambiguous", "two. "+tc.hint)
	}
}
