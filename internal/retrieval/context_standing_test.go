package retrieval_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func TestStanding_FindsTheUsersTurnsOfTheScopeByVector(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	add := func(content string, scope memory.Scope, role memory.Role) {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: content, Scope: scope, Role: role}})
	}
	add("I live in Ghent", memory.Scope{}, memory.RoleUser)
	add("Ghent has canals", memory.Scope{}, memory.RoleAssistant)
	add("I left Ghent", memory.Scope{Namespace: "other"}, memory.RoleUser)
	add("my project is in Ghent", memory.Scope{Project: "p"}, memory.RoleUser)
	vecs, err := bag{}.Embed(t.Context(), embedding.Query, []string{"Ghent"})
	if err != nil {
		t.Fatal(err)
	}
	req := retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Unassigned: true}
	got, err := f.Standing(t.Context(), req, vecs[0], 9)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, e := range got {
		texts = append(texts, e.Episode.Content)
	}
	if diff := cmp.Diff([]string{"I live in Ghent"}, texts); diff != "" {
		t.Error(diff)
	}
	f.Vectors = nil
	if got, err := f.Standing(t.Context(), req, vecs[0], 9); len(got) > 0 || err != nil {
		t.Errorf("without vectors %v, %v", got, err)
	}
}
