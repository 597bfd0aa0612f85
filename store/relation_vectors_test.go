package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func relationsToEmbed(t *testing.T, s *store.Store, gen int64) (names []string) {
	t.Helper()
	list, err := s.RelationsToEmbed(t.Context(), gen, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		names = append(names, v.Relation)
	}
	return names
}

func TestRelationVectors_LastAsLongAsTheFacts(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	g, err := s.EnsureGeneration(t.Context(), identityA)
	if err != nil {
		t.Fatal(err)
	}
	out := told(t, s, "a", "Ann rows in Ghent.", nil, draft("Ann", "rows_in", "Ghent"), draft("Ann", "uses", "Go"))
	told(t, s, "b", "Bob uses Go.", nil, draft("Bob", "uses", "Go"))
	if diff := cmp.Diff([]string{"rows_in", "uses"}, relationsToEmbed(t, s, g.ID)); diff != "" {
		t.Errorf("to embed: %s", diff)
	}
	if got := relationsToEmbed(t, s, g.ID+1); got != nil {
		t.Errorf("a generation that is not for new vectors embeds %q", got)
	}
	vec := vectorOf(1, g.Dimensions)
	if err := s.SaveRelationVectors(t.Context(), g.ID, []store.RelationVector{{Namespace: ns, Relation: "rows_in",
		Vec: vec}, {Namespace: ns, Relation: "uses", Vec: vec}, {Namespace: ns, Relation: "unknown", Vec: vec}}); err != nil {
		t.Fatal(err)
	}
	if got := relationsToEmbed(t, s, g.ID); got != nil {
		t.Errorf("%q have their vectors", got)
	}
	read := func() map[string][]int8 {
		got, err := s.RelationVectors(t.Context(), g.ID, ns, []string{"rows_in", "uses", "unknown"})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(map[string][]int8{"rows_in": vec, "uses": vec}, read()); diff != "" {
		t.Error(diff)
	}
	forget(t, s, true, memory.EpisodeID(out.Episode.ID))
	if diff := cmp.Diff(map[string][]int8{"uses": vec}, read()); diff != "" {
		t.Errorf("after forgetting the only turn with rows_in: %s", diff)
	}

	// A new generation takes over: the vectors of the old one count no more.
	next, err := s.EnsureGeneration(t.Context(), identityB)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"uses"}, relationsToEmbed(t, s, next.ID)); diff != "" {
		t.Errorf("to embed in the next generation: %s", diff)
	}
	if got := relationsToEmbed(t, s, g.ID); got != nil {
		t.Errorf("the old generation embeds %q", got)
	}
}

func TestStatedFacts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir()+"/memory.db", store.Options{Now: func() time.Time { return now }})
	first := told(t, s, "a", "Ann uses Vim.", nil, draft("Ann", "uses", "Vim"))
	now = now.Add(time.Hour)
	ended := draft("Ann", "uses", "Vim")
	ended.Ended = true
	second := told(t, s, "b", "Ann gave up Vim. She lives in Ghent.", nil, ended, draft("Ann", "lives_in", "Ghent"))
	ruled := draft("Bob", "knows", "Ann")
	ruled.Method = memory.MethodRule
	other := told(t, s, "c", "Bob uses Go, and knows Ann.", nil, draft("Bob", "uses", "Go"), ruled)
	turns := []int64{first.Episode.ID, second.Episode.ID}
	for name, c := range map[string]struct {
		at    memory.AsOf
		ended bool
		turns []int64
		want  []string
	}{
		"now":                  {turns: turns, want: []string{"second lives_in"}},
		"now, with what ended": {ended: true, turns: turns, want: []string{"first uses", "second lives_in", "second uses"}},
		"as known before":      {at: memory.AsOf{KnownAt: now.Add(-time.Minute)}, turns: turns, want: []string{"first uses"}},
		"of another turn":      {turns: []int64{other.Episode.ID}, want: []string{"other uses"}},
		"of none":              {},
	} {
		list, err := s.StatedFacts(t.Context(), ns, c.turns, c.at, c.ended, 10)
		if err != nil {
			t.Fatal(err)
		}
		called := map[int64]string{first.Episode.ID: "first", second.Episode.ID: "second", other.Episode.ID: "other"}
		var got []string
		for _, f := range list {
			got = append(got, called[f.Episode]+" "+f.Relation)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if list, err := s.StatedFacts(t.Context(), ns, turns, memory.AsOf{}, true, 1); err != nil || len(list) != 1 {
		t.Errorf("%d facts with a limit of 1, %v", len(list), err)
	}
}
