package engine_test

import (
	"testing"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// label stores a turn with metadata.
func label(t *testing.T, put func(store.NewEpisode) memory.ID, content string, labels ...memory.Label) memory.ID {
	t.Helper()
	return put(store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
		Content: content}, Labels: labels})
}

func TestMetadata_FindsItsTurnAndNamesWhatJoinsTwo(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	put := func(in store.NewEpisode) memory.ID {
		r, err := e.StoreEpisode(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r.EpisodeID
	}
	topic := memory.Label{Kind: memory.LabelTopic, Value: "dashboard"}
	label(t, put, "The rollout alarms went off.", topic)
	beside := label(t, put, "Fridays are quiet at the lake.", topic, memory.Label{Kind: "ticket", Value: "OPS-211"})
	label(t, put, "Tea is a drink.")
	found := ask(t, e, "OPS-211", retrieval.Auto)
	if len(found.Episodes) == 0 || memory.EpisodeID(found.Episodes[0].Episode.ID) != beside ||
		found.Match == retrieval.None {
		t.Errorf("by a word of the metadata: %s %+v", found.Match, found.Episodes)
	}
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.SetRolloutMode(t.Context(), "n", memory.RolloutCanary, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	joined := false
	for _, f := range ask(t, e, "rollout alarms", retrieval.HybridGraph).Episodes {
		if x := f.Expanded; x != nil {
			if x.LinkedNode.ID == "" || x.WhyIncluded != "graph_expansion" || x.HopCount < 1 {
				t.Errorf("provenance of %d: %+v", f.Episode.ID, x)
			}
			joined = joined || x.LinkedNode.Name == "topic: dashboard" && memory.EpisodeID(f.Episode.ID) == beside
		}
	}
	if !joined {
		t.Error("the topic does not join the two turns")
	}
}

func TestRetain_ARuleIsInTheFirstTierOfItsProject(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	h, err := e.Hierarchy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []hierarchy.Memory{{Title: "Fridays", Content: "Deploys happen on Fridays only.", Type: "rule"},
		{Title: "Tabs", Content: "Indent with tabs.", Labels: []memory.Label{{Kind: memory.LabelType, Value: "Rule"}}},
		{Title: "Tea", Content: "Tea is a drink."}} {
		if _, err := h.Retain(t.Context(), memory.Scope{Namespace: "n", Project: "a"}, m,
			memory.Caller{Actor: "tool"}); err != nil {
			t.Fatal(err)
		}
	}
	for project, want := range map[string]int{"": 2, "a": 2, "b": 0} {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n", Project: project},
			Query: "boats", Strategy: retrieval.HybridGraph, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range a.Entities {
			if f.Tier == retrieval.TierRules {
				n++
			}
		}
		if n != want {
			t.Errorf("project %q has %d rules, want %d: %+v", project, n, want, a.Entities)
		}
	}
}
