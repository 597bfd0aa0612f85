package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

func TestSearchGraph_BeginsAtEntitiesWhoseMeaningIsNear(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	by := memory.Caller{Actor: "tool"}
	for _, d := range []memory.EntityDraft{
		{Name: "PostgreSQL", Type: "tool", Description: "relational database"},
		{Name: "Mozart", Type: "person", Description: "composer of symphonies"},
	} {
		if _, err := openWriter(t, e).CreateEntity(t.Context(), scope, d, by); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := openWriter(t, e).CreateRelation(t.Context(), scope,
		memory.RelationDraft{Head: "Ann", Relation: "uses", Tail: "PostgreSQL", CreateMissing: true}, 0, by); err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
	for query, want := range map[string]string{"which datastore is in place?": "PostgreSQL", "did mum call?": ""} {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: query,
			Strategy: retrieval.BFS, Limit: 5, Graph: &retrieval.GraphScope{}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range a.Seeds {
			got += s.Entity.Name
		}
		if got != want || want != "" && (len(a.Relations) != 1 || a.Relations[0].Relationship.Head.Name != "Ann") {
			t.Errorf("%q begins at %q, finds %d facts", query, got, len(a.Relations))
		}
	}

	// The vectors of entities are searched with those of the turns, whatever else is found.
	for _, c := range []struct {
		query    string
		strategy retrieval.Strategy
		want     []string
	}{
		{"which datastore is in place?", retrieval.Vector, []string{"PostgreSQL"}},
		{"which relational database does Ann have?", retrieval.Auto, []string{"Ann", "PostgreSQL"}},
		{"did mum call?", retrieval.Vector, nil},
	} {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: c.query,
			Strategy: c.strategy, Limit: 5, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range a.Entities {
			got = append(got, f.Entity.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q by %s finds %q, want %q", c.query, c.strategy, got, c.want)
		}
		if n := len(got); n > 0 && (a.Entities[n-1].Why == nil || a.Entities[n-1].Why.MatchedBy[0] != "vector") {
			t.Errorf("%q by %s: %+v", c.query, c.strategy, a.Entities[n-1].Why)
		}
	}
}

// Each turn implies what its fact states. The question shares no word with any turn.
func TestRetrieve_FactsThatTurnsStateRankThem(t *testing.T) {
	t.Parallel()
	said := []struct{ content, head, relation, tail string }{
		{"she put her face in, badge two is in sight", "Wren", "learns", "swimming"},
		{"the cafe at the pool has new times", "cafe", "opens_at", "nine"},
		{"lorcan was at it until ten again", "Lorcan", "plays", "trombone"},
		{"a bucket is out in the back bedroom", "roof", "has_problem", "missing slates"},
		{"bins go out every other wednesday", "green bin", "collected_on", "Wednesday"},
		{"kettle noises from the cupboard again", "boiler", "made_by", "Worcester"},
		{"it came to 185 all in", "Clive", "charged", "185 pounds"},
		{"she starts monday, three days if dry", "Bev", "repairs", "roof"},
		{"he will be in leeds from the tenth", "Lorcan", "moves_to", "Leeds"},
		{"key is under the pot", "spare key", "kept_under", "terracotta pot"},
	}
	first := func(facts bool) string {
		e := start(t, settings(t))
		for _, s := range said {
			in := store.NewEpisode{Episode: memory.Episode{Scope: scope, Role: memory.RoleUser, Content: s.content}}
			if facts {
				in.Relations = []memory.RelationDraft{{Head: s.head, Relation: s.relation, Tail: s.tail}}
			}
			if _, err := e.StoreEpisode(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
		waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"},
			Query: "who is learning to swim?", Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Episodes) == 0 {
			return ""
		}
		return a.Episodes[0].Episode.Content
	}
	if got := first(false); got == said[0].content {
		t.Errorf("without facts %q is first", got)
	}
	if got := first(true); got != said[0].content {
		t.Errorf("with facts %q is first", got)
	}
}

// A turn states two facts, and a later turn ends one of them. Only a question for this fact gets the later turn first.
func TestRetrieve_AnEndedFactSupersedesItsTurnOnlyForWhoAsksForIt(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	now := time.Now()
	for _, s := range []struct {
		content   string
		at        time.Time
		relations []memory.RelationDraft
	}{
		{"our customer number at corrant is 77312, and the rep fenwick dall never rings back", now.AddDate(0, 0, -20),
			[]memory.RelationDraft{{Head: "Corrant", Relation: "customer_number", Tail: "77312"},
				{Head: "Fenwick Dall", Relation: "sales_rep_of", Tail: "Corrant"}}},
		{"fenwick is gone from corrant, jolene abara is the new rep", now.AddDate(0, 0, -5),
			[]memory.RelationDraft{{Head: "Fenwick Dall", Relation: "sales_rep_of", Tail: "Corrant", Ended: true},
				{Head: "Jolene Abara", Relation: "sales_rep_of", Tail: "Corrant"}}},
	} {
		if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Relations: s.relations, Episode: memory.Episode{
			Scope: scope, Role: memory.RoleUser, Content: s.content, OccurredAt: s.at}}); err != nil {
			t.Fatal(err)
		}
	}
	waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
	for query, want := range map[string]string{
		"what is our customer number at corrant?": "our customer number",
		"who is the sales rep of corrant?":        "fenwick is gone",
	} {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: query, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Episodes) != 2 || !strings.HasPrefix(a.Episodes[0].Episode.Content, want) {
			t.Errorf("%q: %d turns, want %q first", query, len(a.Episodes), want)
		}
		for _, f := range a.Episodes {
			if f.Episode.ID == 1 && !slices.Equal(f.SupersededBy, []int64{2}) {
				t.Errorf("%q: the first turn is superseded by %v, want t2", query, f.SupersededBy)
			}
		}
	}
}
