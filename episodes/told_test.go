package episodes_test

import (
	"strings"
	"testing"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A supplied fact takes from the words of its turn who is a person and a superior, and that it holds by name only.
func TestRecord_ASuppliedFactIsReadWithItsTurn(t *testing.T) {
	t.Parallel()
	boss := memory.Findings{Relations: []memory.RelationDraft{{Head: "User", Relation: "reports_to", Tail: "Jonas",
		TailType: "person", Confidence: share(.9), Method: memory.MethodRule}}}
	for text, weak := range map[string]bool{"Jonas is my boss": false, "on paper Jonas is my boss": true} {
		s, heard := &fakeStore{}, 0
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{found: boss},
				Told: func(string, memory.RelationDraft) bool { return false },
				Nominal: func(text string, _ memory.RelationDraft) bool {
					return strings.HasPrefix(text, "on paper")
				},
				Hear: func(_ extraction.Input, facts []memory.RelationDraft) []bool {
					heard++
					return make([]bool, len(facts))
				}})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser, Content: text},
			Relations: []memory.RelationDraft{{Head: "User", Relation: "works_for", Tail: "Jonas"}}}); err != nil {
			t.Fatal(err)
		}
		d := s.got[0].Relations[0]
		if d.Relation != "reports_to" || d.TailType != "person" || d.HeadType != "person" ||
			weak != (d.Confidence != nil && *d.Confidence == .6) {
			t.Errorf("%q: %+v", text, d)
		}
		if heard != 1 {
			t.Errorf("%q is parsed %d times: no name was replaced", text, heard)
		}
	}
}

// What the words say is used still, a caller may supply under a relation that says it more exactly.
func TestRecord_ASuppliedUseHoldsStill(t *testing.T) {
	t.Parallel()
	found := memory.Findings{Relations: []memory.RelationDraft{{Head: "Larder", Relation: "uses", Tail: "MySQL",
		Still: true, Confidence: share(.9), Method: memory.MethodRule}}}
	for relation, want := range map[string]bool{"uses": true, "runs_on": true, "hosted_on": true, "owns": false} {
		s := &fakeStore{}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{found: found}})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser,
			Content: "Larder still uses MySQL"},
			Relations: []memory.RelationDraft{{Head: "Larder", Relation: relation, Tail: "MySQL"}}}); err != nil {
			t.Fatal(err)
		}
		if got := s.got[0].Relations[0].Still; got != want {
			t.Errorf("%s: still is %v", relation, got)
		}
	}
}
