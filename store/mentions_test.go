package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// naming returns a turn of a session that mentions names.
func naming(session string, names ...string) store.NewEpisode {
	e := turn(session, fmt.Sprint(session, " says ", names))
	for _, n := range names {
		e.Found.Mentions = append(e.Found.Mentions, memory.Mention{Name: n})
	}
	return e
}

// makeEntity creates an entity as a tool call does.
func makeEntity(t *testing.T, s *store.Store, name, typ string, aliases ...string) memory.Entity {
	t.Helper()
	w, err := s.CreateEntity(context.Background(), memory.Scope{Namespace: "default"},
		memory.EntityDraft{Name: name, Type: typ, Aliases: aliases, Origin: memory.OriginUser,
			Method: memory.MethodSupplied}, memory.Caller{Actor: "tool", CallID: "c"})
	if err != nil {
		t.Fatalf("create %q: %v", name, err)
	}
	return w.Entity
}

// mentionedBy returns the nodes that an episode mentions, in order.
func mentionedBy(t *testing.T, s *store.Store, episode int64) []int64 {
	t.Helper()
	edges, err := s.NodesOf(context.Background(), "default", []int64{episode})
	if err != nil {
		t.Fatal(err)
	}
	out := []int64{}
	for _, e := range edges {
		out = append(out, e.Node)
	}
	slices.Sort(out)
	return out
}

func countOf(t *testing.T, s *store.Store, sql string) int64 {
	t.Helper()
	n, err := s.QueryInts(sql)
	if err != nil || len(n) != 1 {
		t.Fatalf("%s: %v, %v", sql, n, err)
	}
	return n[0]
}

func TestMentions_LinkToWhatIsKnownByNameOrAlias(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	acme := makeEntity(t, s, "Acme Corporation", "organization", "Acme")
	rec := record(t, s, naming("s", "ACME", "acme  corporation"))
	if diff := cmp.Diff([]int64{acme.ID}, mentionedBy(t, s, rec.Episode.ID)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := countOf(t, s, `SELECT count(*) FROM mg_entities`); n != 1 {
		t.Errorf("%d nodes, want the one that was there", n)
	}
}

func TestMentions_OfSeveralNamesakesTheTypeOrTheMostObservedIsMeant(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	planet := makeEntity(t, s, "Mercury", "location")
	tool := makeEntity(t, s, "Mercury", "tool")
	makeEntity(t, s, "Mercury", "tool")
	for _, c := range []struct {
		typ  string
		want int64
	}{{"", tool.ID}, {"location", planet.ID}, {"technology", tool.ID}, {"person", tool.ID}} {
		e := turn("s", "about "+c.typ)
		e.Found.Mentions = []memory.Mention{{Name: "mercury", Type: c.typ}}
		if diff := cmp.Diff([]int64{c.want}, mentionedBy(t, s, record(t, s, e).Episode.ID)); diff != "" {
			t.Errorf("of type %q (-want +got):\n%s", c.typ, diff)
		}
	}
}

func TestMentions_AnUnknownNameBecomesOneHiddenNode(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	a := record(t, s, naming("s", "Zoltan", "ZOLTAN", "\u200b", "Budapest"))
	b := record(t, s, naming("s", "zoltan"))
	if got := mentionedBy(t, s, a.Episode.ID); len(got) != 2 {
		t.Errorf("the first turn mentions %d nodes, want 2", len(got))
	}
	if !slices.Contains(mentionedBy(t, s, a.Episode.ID), mentionedBy(t, s, b.Episode.ID)[0]) {
		t.Error("the same name became another node")
	}
	if n := countOf(t, s, `SELECT count(*) FROM mg_entities WHERE kind = 'mention'`); n != 2 {
		t.Errorf("%d hidden nodes, want 2", n)
	}
	if n := countOf(t, s, `SELECT mention_count FROM mg_entities WHERE canonical_name = 'zoltan'`); n != 2 {
		t.Errorf("counted %d mentions, want 2", n)
	}
	for _, table := range []string{"mg_entity_aliases", "mg_entity_versions", "mg_entities_fts"} {
		if n := countOf(t, s, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%s has %d rows: nothing is said of a mere mention", table, n)
		}
	}
	if n := countOf(t, s, `SELECT count(*) FROM mg_events WHERE object LIKE 'e%'`); n != 0 {
		t.Errorf("%d events about mere mentions", n)
	}
}

func TestMentions_WhatASecondSessionNamesBecomesAnEntity(t *testing.T) {
	t.Parallel()
	alone := func(project string) store.NewEpisode {
		e := naming("", "Zoltan")
		e.Scope.Project, e.Content = project, "in "+project
		return e
	}
	unsure := naming("b", "Zoltan")
	unsure.Found.Mentions[0].Unsure = true
	for _, c := range []struct {
		name  string
		turns []store.NewEpisode
		shown bool
	}{
		{"one session", []store.NewEpisode{naming("a", "Zoltan"), naming("a", "zoltan", "x")}, false},
		{"two sessions", []store.NewEpisode{naming("a", "Zoltan"), naming("a", "Zoltan", "x"), naming("b", "ZOLTAN")}, true},
		{"two sessions, one unsure", []store.NewEpisode{naming("a", "Zoltan"), unsure}, false},
		{"no sessions", []store.NewEpisode{alone("p"), alone("p")}, false},
		{"no sessions, two projects", []store.NewEpisode{alone("p"), alone("q")}, true},
		{"a session and none", []store.NewEpisode{naming("a", "Zoltan"), alone("")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			var last store.Recorded
			for i, e := range c.turns {
				e.Content += fmt.Sprint(i)
				last = record(t, s, e)
			}
			found, err := s.EntitiesNamed(t.Context(), "default", []string{"zoltan"}, memory.AsOf{})
			if err != nil || len(found) > 0 != c.shown {
				t.Fatalf("found %+v, %v; shown should be %v", found, err, c.shown)
			}
			if !c.shown {
				return
			}
			if diff := cmp.Diff([]int64{found[0].ID}, mentionedBy(t, s, last.Episode.ID)); diff != "" {
				t.Errorf("the entity is another node than the mention (-want +got):\n%s", diff)
			}
			if found[0].Kind != memory.NodeEntity || found[0].Type != memory.DefaultType || found[0].Confidence != .7 {
				t.Errorf("entity %+v", found[0])
			}
			versions, _, err := s.History(t.Context(), "default", found[0].Ref(), 0, 10)
			if err != nil || len(versions) != 1 || versions[0].Event.EpisodeID != last.Episode.ID {
				t.Errorf("history %+v, %v", versions, err)
			}
			names, err := s.NamesSince(t.Context(), "default", 0, 10)
			if err != nil || len(names) != 1 || names[0].Alias != "zoltan" {
				t.Errorf("feed of names %+v, %v", names, err)
			}
			if hits, err := s.SearchEntities(t.Context(), "default", []string{"zoltan"}, nil, 5); err != nil || len(hits) != 1 {
				t.Errorf("search finds %+v, %v", hits, err)
			}
		})
	}
}

func TestMentions_AnEntityThatACallMakesIsTheNodeThatWasMentioned(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	rec := record(t, s, naming("s", "Zoltan"))
	made := makeEntity(t, s, "Zoltan", "person")
	if diff := cmp.Diff([]int64{made.ID}, mentionedBy(t, s, rec.Episode.ID)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMentions_KeepRoleAndPlace(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	e := turn("s", "Zoltan\nwas a king. Zoltan again")
	e.Found.Mentions = []memory.Mention{{Name: "Zoltan", Role: "title", Stop: 6}, {Name: "Zoltan", Start: 19, Stop: 25}}
	rec := record(t, s, e)
	edges, err := s.NodesOf(t.Context(), "default", []int64{rec.Episode.ID})
	if err != nil || len(edges) != 1 || !edges[0].Title || edges[0].Count != 1 {
		t.Errorf("edges %+v, %v", edges, err)
	}
	if n := countOf(t, s, `SELECT sum(stop * 100 + start) FROM mg_mentions WHERE stop IS NOT NULL`); n != 600+2519 {
		t.Errorf("places add up to %d", n)
	}
}

func TestMentions_NoReadCrossesANamespace(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	other := naming("s", "Zoltan")
	other.Scope.Namespace = "other"
	a, b := record(t, s, naming("s", "Zoltan")), record(t, s, other)
	mine := mentionedBy(t, s, a.Episode.ID)
	if got := mentionedBy(t, s, b.Episode.ID); len(got) > 0 {
		t.Errorf("nodes of another namespace's episode: %v", got)
	}
	hits, err := s.EpisodesMentioning(t.Context(), memory.Filter{Namespace: "other"}, mine, 10)
	if err != nil || len(hits) > 0 {
		t.Errorf("episodes for another namespace's node: %v, %v", hits, err)
	}
	if n := countOf(t, s, `SELECT count(*) FROM mg_entities WHERE canonical_name = 'zoltan'`); n != 2 {
		t.Errorf("%d nodes, want one in each namespace", n)
	}
	for ns, want := range map[string]int64{"default": 1, "other": 1, "third": 0} {
		if n, err := s.CountEpisodes(t.Context(), ns); err != nil || n != want {
			t.Errorf("%s has %d episodes, %v; want %d", ns, n, err, want)
		}
	}
}

func TestEpisodesMentioning_PutsThoseThatMentionMostFirst(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	one := record(t, s, naming("s", "Ada"))
	both := record(t, s, naming("s", "Ada", "Bob"))
	late := naming("s2", "Bob")
	late.Scope.Project = "p"
	bob := record(t, s, late)
	all := mentionedBy(t, s, both.Episode.ID)
	ids := func(f memory.Filter, limit int) []int64 {
		f.Namespace = "default"
		hits, err := s.EpisodesMentioning(t.Context(), f, all, limit)
		if err != nil {
			t.Fatal(err)
		}
		out := []int64{}
		for _, h := range hits {
			out = append(out, h.ID)
		}
		return out
	}
	if diff := cmp.Diff([]int64{both.Episode.ID, bob.Episode.ID, one.Episode.ID}, ids(memory.Filter{}, 10)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{both.Episode.ID}, ids(memory.Filter{}, 1)); diff != "" {
		t.Errorf("limit (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{bob.Episode.ID}, ids(memory.Filter{Project: "p"}, 10)); diff != "" {
		t.Errorf("filter (-want +got):\n%s", diff)
	}
	if got := ids(memory.Filter{SessionID: "nobody"}, 10); len(got) > 0 {
		t.Errorf("an empty session has %v", got)
	}
}

func TestEpisodesOf_ReadsTheNewestOfAHub(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	var ids []int64
	for i := range 12 {
		ids = append(ids, record(t, s, naming("s", "Hub", fmt.Sprint("N", i))).Episode.ID)
	}
	hub := mentionedBy(t, s, ids[0])[:1]
	ctx, statements := store.CountStatements(t.Context())
	edges, err := s.EpisodesOf(ctx, memory.Filter{Namespace: "default"}, hub, 5)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, e := range edges {
		got = append(got, e.Episode)
		if e.Count != 12 {
			t.Errorf("the hub counts %d mentions, want 12", e.Count)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(ids[7:], got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if statements.Load() != 1 {
		t.Errorf("%d statements, want one", statements.Load())
	}
}

// The number of statements for a turn must not grow with the number of names in it.
func TestMentions_CostTheSameFewStatementsHoweverManyNames(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	statements := func(session string, n int) int {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("Name ", i))
		}
		ctx, counted := store.CountStatements(t.Context())
		if _, err := s.RecordEpisode(ctx, naming(session, names...)); err != nil {
			t.Fatal(err)
		}
		return counted.Load()
	}
	few, many := statements("s", 1), statements("s", 64)
	if many > few+1 { // one more updates the known name
		t.Errorf("%d statements for one name, %d for 64", few, many)
	}
}
