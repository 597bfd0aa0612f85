package retrieval_test

import (
	"context"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

func TestRetrieve_FactsAreStrongOnlyWhereTheySayMoreThanTheName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann Miller", "works_at", "Initech")
	w.fact("Ann Miller", "lives_in", "Graz")
	w.fact("Ann Miller", "owns", "a boat")
	w.fact("Bob", "knows", "Ann Miller",
		func(d *memory.RelationDraft) { d.Fact = "Bob met Ann Miller while sailing the lake" })
	w.fact("billing service", "uses", "Postgres")
	w.entity("Zed", "tool", "an editor for code")
	w.Text = noText{w.Text} // the turns contain the names too and would be judged separately
	for _, c := range []struct {
		req  retrieval.Request
		want retrieval.Match
	}{
		{retrieval.Request{Query: "Where does Ann Miller work?"}, retrieval.Strong},
		{retrieval.Request{Query: "Where does Ann Miller live?"}, retrieval.Strong},
		{retrieval.Request{Query: "Who is Ann Miller?"}, retrieval.Strong},
		{retrieval.Request{Query: "Does Bob know Ann Miller?"}, retrieval.Strong},
		{retrieval.Request{Query: "Was Bob sailing?"}, retrieval.Strong}, // in the text of the fact
		{retrieval.Request{Query: "Which editor is Zed?"}, retrieval.Strong},
		{retrieval.Request{Query: "Which database does billing use?"}, retrieval.Strong}, // by the kind of Postgres
		{retrieval.Request{Query: "Which editor does billing use?"}, retrieval.Weak},
		{retrieval.Request{Query: "What colour is Ann Miller's car?"}, retrieval.Weak},
		{retrieval.Request{Query: "What is Ann Miller's salary?"}, retrieval.Weak},
		{retrieval.Request{Query: "What size is Zed?"}, retrieval.Weak},
		{retrieval.Request{Query: "Where does Ann Miller work?", Roles: []memory.Role{memory.RoleAssistant}}, retrieval.Weak},
	} {
		for _, strategy := range []retrieval.Strategy{retrieval.Auto, retrieval.BFS} {
			c.req.Strategy = strategy
			a := w.ask(c.req)
			if a.Match != c.want {
				t.Errorf("%s, %q of %v: %s, want %s; %v", strategy, c.req.Query, c.req.Roles, a.Match, c.want, said(a.Relations))
			}
		}
	}
}

// noText finds no turn.
type noText struct{ retrieval.TextIndex }

func (noText) SearchText(context.Context, text.Query, memory.Filter, int) ([]memory.Hit, error) {
	return nil, nil
}
