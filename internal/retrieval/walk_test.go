package retrieval_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// walking returns a fixture whose retriever walks.
func walking(t *testing.T) fixture {
	t.Helper()
	f := newFixture(t)
	f.Retriever.Mentions, f.Retriever.Graph = f.store, f.store
	return f
}

// passage stores a passage with a title and mentions.
func (f fixture) passage(t *testing.T, scope memory.Scope, title, body string, names ...string) string {
	t.Helper()
	e := store.NewEpisode{Episode: memory.Episode{Scope: scope, Content: title + "\n" + body},
		Reading: store.Reading{Found: memory.Findings{Mentions: []memory.Mention{{Name: title, Role: "title"}}}}}
	for _, n := range names {
		e.Found.Mentions = append(e.Found.Mentions, memory.Mention{Name: n})
	}
	return f.add(t, e).String()
}

// harbours stores a few passages. The founder of the company that owns the Aurora is two steps away from a question
// about the Aurora.
func harbours(t *testing.T, f fixture, scope memory.Scope) (ship, company string) {
	t.Helper()
	for i := range 6 {
		f.passage(t, scope, fmt.Sprint("Lighthouse ", i), "Made of granite.", "Stromness")
	}
	ship = f.passage(t, scope, "Aurora", "A ferry that sails between the islands, owned by Norlin Lines.", "Norlin Lines")
	company = f.passage(t, scope, "Norlin Lines", "Set up in 1951 by two sisters, Ebba and Siri.", "Ebba", "Siri")
	for i := range 6 {
		f.passage(t, scope, fmt.Sprint("Bakery ", i), "Bread and butter.", "Kirkwall")
	}
	return ship, company
}

const ferryQuestion = "Who started what the ferry Aurora belongs to?"

func TestWalk_FindsWhatOnlyANameLeadsTo(t *testing.T) {
	t.Parallel()
	f := walking(t)
	ship, company := harbours(t, f, memory.Scope{})
	if got := ids(f.ask(t, retrieval.Request{Query: ferryQuestion, Strategy: retrieval.Fused})); slices.Contains(got,
		company) {
		t.Fatalf("fused finds %s too: the fixture shows nothing", company)
	}
	for _, req := range []retrieval.Request{{Strategy: retrieval.Walk}, {Strategy: retrieval.Auto},
		{Graph: &retrieval.GraphScope{}}} {
		req.Query, req.Explain = ferryQuestion, true
		a := f.ask(t, req)
		if a.Strategy != retrieval.Walk {
			t.Errorf("%+v: answered by %s", req, a.Strategy)
		}
		if diff := cmp.Diff([]string{ship, company}, ids(a)[:2]); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", req, diff)
		}
		why := a.Episodes[1].Why
		if !slices.Contains(why.MatchedBy, "walk") ||
			!slices.ContainsFunc(why.Features, func(f retrieval.Feature) bool { return f.Name == "walk" && f.Value > 0 }) {
			t.Errorf("explained by %+v", why)
		}
	}
}

func TestWalk_StaysWithinTheFilter(t *testing.T) {
	t.Parallel()
	f := walking(t)
	ship := f.passage(t, memory.Scope{Project: "p"}, "Aurora", "A ferry, owned by Norlin Lines.", "Norlin Lines")
	f.passage(t, memory.Scope{Project: "q"}, "Norlin Lines", "Set up in 1951.", "Ebba")
	f.passage(t, memory.Scope{Project: "q"}, "Other", "Nothing of it.")
	a := f.ask(t, retrieval.Request{Query: ferryQuestion, Strategy: retrieval.Walk, Scope: memory.Scope{Project: "p"}})
	if diff := cmp.Diff([]string{ship}, ids(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWalk_AutoLeavesConversationsToTheirOwnRanking(t *testing.T) {
	t.Parallel()
	f := walking(t)
	harbours(t, f, memory.Scope{SessionID: "s"})
	if a := f.ask(t, retrieval.Request{Query: ferryQuestion}); a.Strategy != retrieval.Fused {
		t.Errorf("answered by %s", a.Strategy)
	}
}

func TestWalk_IsTheFusedRankingWhereNothingLeadsOn(t *testing.T) {
	t.Parallel()
	f := walking(t)
	for i := range 8 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("The car number %d is red.", i)}})
	}
	fused := f.ask(t, retrieval.Request{Query: "car number 3", Strategy: retrieval.Fused})
	walked := f.ask(t, retrieval.Request{Query: "car number 3", Strategy: retrieval.Walk})
	if diff := cmp.Diff(ids(fused), ids(walked)); diff != "" || walked.Strategy != retrieval.Walk {
		t.Errorf("answered by %s (-fused +walk):\n%s", walked.Strategy, diff)
	}
	if auto := f.ask(t, retrieval.Request{Query: "car number 3"}); auto.Strategy != retrieval.Fused {
		t.Errorf("auto says %s, and did not walk", auto.Strategy)
	}
}

func TestWalk_DoesWithoutVectors(t *testing.T) {
	t.Parallel()
	f := walking(t)
	ship, company := harbours(t, f, memory.Scope{})
	plain := &retrieval.Retriever{Episodes: f.store, Text: f.store, Embedder: embedding.None{}, Mentions: f.store}
	a, err := plain.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: ferryQuestion,
		Limit: 2, Strategy: retrieval.Walk})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{ship, company}, ids(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWalk_PagesWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	f := walking(t)
	harbours(t, f, memory.Scope{})
	all := ids(f.ask(t, retrieval.Request{Query: ferryQuestion + " Which lighthouse?", Strategy: retrieval.Walk,
		Limit: 50}))
	var paged []string
	for offset := 0; ; offset += 2 {
		a := f.ask(t, retrieval.Request{Query: ferryQuestion + " Which lighthouse?", Strategy: retrieval.Walk, Limit: 2,
			Offset: offset})
		paged = append(paged, ids(a)...)
		if !a.More {
			break
		}
	}
	if diff := cmp.Diff(all, paged); diff != "" || len(all) < 4 {
		t.Errorf("%d found (-want +got):\n%s", len(all), diff)
	}
}

// walkStatements is the maximum number of statements that the walk adds to the fused ranking: the mentions of the
// seeds, the number of episodes, the other mentions of these names, and the reached episodes.
const walkStatements = 4

func TestWalk_RunsTheSameFewStatementsAtAnySize(t *testing.T) {
	t.Parallel()
	f := walking(t)
	f.Retriever.Graph = nil
	count := func() int {
		ctx, n := store.CountStatements(t.Context())
		if _, err := f.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: ferryQuestion, Limit: 10,
			Strategy: retrieval.Walk}); err != nil {
			t.Fatal(err)
		}
		return n.Load()
	}
	harbours(t, f, memory.Scope{})
	<-f.loaded
	count() // the first question also loads caches
	few := count()
	for i := range 300 {
		f.passage(t, memory.Scope{}, fmt.Sprint("Ship ", i), "A ship of Norlin Lines.", "Norlin Lines",
			fmt.Sprint("Port ", i%40))
	}
	count() // applies the writes of the meantime
	if many := count(); many > few || many > maxStatements+walkStatements {
		t.Errorf("%d statements with 14 passages, %d with 314; at most %d are allowed", few, many,
			maxStatements+walkStatements)
	}
}
