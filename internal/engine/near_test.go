package engine_test

import (
	"slices"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
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
