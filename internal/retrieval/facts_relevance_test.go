package retrieval_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func TestSearchGraph_RanksFactsByTheQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var many [][3]string
	for i := range 40 {
		many = append(many, [3]string{"Halyard", "uses", fmt.Sprintf("Gadget%d", i)})
	}
	w.bulk(many)
	w.fact("Halyard", "located_in", "Ghent")
	w.fact("Halyard", "maintains", "Rotor")
	turn := func(content string, facts ...memory.RelationDraft) {
		if _, err := w.store.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
			Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser, Content: content, Origin: memory.OriginUser,
			Status: memory.StatusDone}, Relations: facts, Caller: memory.Caller{Actor: "test"}}); err != nil {
			t.Fatal(err)
		}
	}
	fact := memory.RelationDraft{Head: "Marta", Relation: "allergic_to", Tail: "walnuts", CreateMissing: true,
		Origin: memory.OriginUser, Method: memory.MethodSupplied}
	turn("the cake for sunday must go without walnuts because of her", fact)
	old := memory.RelationDraft{Head: "Rota", Relation: "written_in", Tail: "Perl", CreateMissing: true,
		Origin: memory.OriginUser, Method: memory.MethodSupplied}
	turn("the shift planner began life as a cgi script", old)
	old.Ended = true
	turn("nobody maintains that any more", old)
	for _, c := range []struct{ query, want string }{
		{"How is Halyard related to Gadget3?", "Halyard uses Gadget3"},
		{"Where in the world is Halyard located?", "Halyard located_in Ghent"},
		{"What does Halyard maintain?", "Halyard maintains Rotor"},
		{"what to leave out of the cake", "Marta allergic_to walnuts"},               // only the turn leads to it
		{"what was the shift planner originally, a script?", "Rota written_in Perl"}, // it has ended
	} {
		a := w.ask(retrieval.Request{Query: c.query, Graph: &retrieval.GraphScope{}, Limit: 5, Explain: true})
		got := said(a.Relations)
		if len(got) == 0 || got[0] != c.want {
			t.Errorf("%q: %v, want %q first", c.query, got, c.want)
			continue
		}
		sum := 0.
		for _, f := range a.Relations[0].Why.Features {
			sum += f.Value * f.Weight
		}
		if d := a.Relations[0].Score - sum; d > 1e-9 || d < -1e-9 {
			t.Errorf("%q: score %g, but the features give %g", c.query, a.Relations[0].Score, sum)
		}
	}
	first := w.ask(retrieval.Request{Query: "What does Halyard use?", Graph: &retrieval.GraphScope{}, Limit: 42})
	var paged []string
	for offset := 0; offset < 42; offset += 7 {
		paged = append(paged, said(w.ask(retrieval.Request{Query: "What does Halyard use?", Graph: &retrieval.GraphScope{},
			Limit: 7, Offset: offset}).Relations)...)
	}
	if diff := cmp.Diff(said(first.Relations), paged); diff != "" {
		t.Errorf("pages differ from the whole (-whole +pages):\n%s", diff)
	}
}
