package retrieval_test

import (
	"slices"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// A time narrows facts and entities as it narrows turns: to what was said then.
func TestRetrieve_ATimeNarrowsFactsAndEntities(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Mentions = w.store
	tell := func(at time.Time, tail string) {
		t.Helper()
		in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
			Content: "Ann uses " + tail, OccurredAt: at, Origin: memory.OriginUser, Status: memory.StatusDone}}
		in.Relations = []memory.RelationDraft{{Head: "Ann", Relation: "uses", Tail: tail, CreateMissing: true,
			Origin: memory.OriginUser, Method: memory.MethodSupplied}}
		if rec, err := w.store.RecordEpisode(t.Context(), in); err != nil || len(rec.Errors) > 0 {
			t.Fatal(err, rec.Errors)
		}
	}
	month := func(n int) time.Time { return day.AddDate(0, -n, 0) }
	tell(month(9), "Vim")
	tell(month(5), "Helix")
	tell(month(1), "Zed")
	for name, c := range map[string]struct {
		since, until time.Time
		want         []string
	}{
		"any time":     {want: []string{"Helix", "Vim", "Zed"}},
		"since":        {since: month(6), want: []string{"Helix", "Zed"}},
		"until":        {until: month(6), want: []string{"Vim"}},
		"between":      {since: month(6), until: month(2), want: []string{"Helix"}},
		"when nothing": {since: month(4), until: month(2), want: nil},
	} {
		for _, scope := range []*retrieval.GraphScope{nil, {}} {
			for _, strategy := range []retrieval.Strategy{"", retrieval.BFS, retrieval.Hybrid, retrieval.Synapse} {
				a := w.ask(retrieval.Request{Query: "What does Ann use?", Since: c.since, Until: c.until, Graph: scope,
					Strategy: strategy})
				var facts, entities []string
				for _, f := range a.Relations {
					facts = append(facts, f.Relationship.Tail.Name)
				}
				for _, f := range a.Entities {
					if f.Entity.Name != "Ann" {
						entities = append(entities, f.Entity.Name)
					} else if c.want == nil {
						t.Errorf("%s: nothing was said of Ann", name)
					}
				}
				if (a.Match == retrieval.None) != (c.want == nil) {
					t.Errorf("%s: match %s", name, a.Match)
				}
				slices.Sort(facts)
				slices.Sort(entities)
				if !slices.Equal(facts, c.want) || !slices.Equal(entities, c.want) {
					t.Errorf("%s, graph %v, %q: facts %v, entities %v, want %v", name, scope != nil, strategy, facts, entities,
						c.want)
				}
			}
		}
	}
}
