package retrieval_test

import (
	"slices"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// A memory is found by the words of its own labels, and over a turn with one of its labels.
func TestRetrieve_FindsMemoriesByTheirLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	topic := func(s string) []memory.Label { return []memory.Label{{Kind: memory.LabelTopic, Value: s}} }
	in := memory.Scope{Namespace: "n"}
	for content, label := range map[string]string{"Panels are blue": "dashboard", "Roses need sun": "garden"} {
		if _, err := w.store.Retain(t.Context(), in, store.NewMemory{Title: content, Content: content,
			Labels: topic(label), Origin: memory.OriginAgent, Method: memory.MethodSupplied},
			memory.Caller{Actor: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.store.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: in,
		Role: memory.RoleUser, Content: "Rollout alarms ring at night.", Origin: memory.OriginUser,
		Status: memory.StatusDone}, Labels: topic("dashboard")}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{"rollout alarms": {"Panels are blue"},
		"what about the dashboard?": {"Panels are blue"}, "gardens": {"Roses need sun"}, "submarines": nil} {
		for _, scope := range []*retrieval.GraphScope{nil, {}} {
			if got := names(w.ask(retrieval.Request{Query: query, Graph: scope}).Entities); !slices.Equal(got, want) {
				t.Errorf("%q, graph %v: %v, want %v", query, scope != nil, got, want)
			}
		}
	}
}
