package episodes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/episodes"
	"memory-graph/extraction/stated"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestReader_TheBeginningIsWholeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content, most := rapid.String().Draw(t, "content"), rapid.IntRange(1, 40).Draw(t, "most")
		rules := &fakeRules{}
		r := episodes.NewReader(episodes.ReaderOptions{MaxBytes: most, Rules: rules})
		got := r.Input(context.Background(), memory.Episode{Content: content}).Text
		if !strings.HasPrefix(content, got) || len(got) > most || utf8.ValidString(content) && !utf8.ValidString(got) {
			t.Fatalf("%q of %q at %d", got, content, most)
		}
	})
}

func TestRecord_TellsWhatTheRulesFoundBesideWhatWasSupplied(t *testing.T) {
	t.Parallel()
	write := func(id int64, status memory.RelationStatus, conflicts ...memory.FactConflict) memory.RelationWrite {
		return memory.RelationWrite{Relationship: memory.Relationship{ID: id}, Status: status, Conflicts: conflicts}
	}
	s := &fakeStore{answer: store.Recorded{
		Entities:  []memory.EntityWrite{{Entity: memory.Entity{ID: 1}, Created: true}},
		Relations: []memory.RelationWrite{write(1, memory.RelationCreated), write(2, memory.RelationCreated)},
		Found: store.Written{
			Entities: []memory.EntityWrite{{Entity: memory.Entity{ID: 1}}, {Entity: memory.Entity{ID: 2}, Created: true}},
			Relations: []memory.RelationWrite{write(1, memory.RelationReinforced),
				write(3, memory.RelationCreated, memory.FactConflict{ID: 9})},
			Refused: []memory.ItemError{{Item: "x", Message: "the extractor's fault"}},
		},
	}}
	r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
		Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{}})})
	res, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis."}})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, w := range res.Relations {
		ids = append(ids, fmt.Sprint(w.Relationship.ID, " ", w.Status, " ", len(w.Conflicts)))
	}
	if diff := cmp.Diff([]string{"1 created 0", "2 created 0", "3 created 1"}, ids); diff != "" {
		t.Error(diff)
	}
	if len(res.Entities) != 2 || !res.Entities[0].Created || len(res.Errors) != 0 {
		t.Errorf("%+v, %+v", res.Entities, res.Errors)
	}
}

func TestRecord_ADuplicateIsNotReadAgain(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{"done": "done", "pending": "queued", "failed": "queued",
		"skipped": "skipped", "quarantined": "skipped"} {
		s := &fakeStore{answer: store.Recorded{Duplicate: true, Episode: memory.Episode{Status: status}}}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
			Reader: episodes.NewReader(episodes.ReaderOptions{Worth: always})})
		res, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis."}})
		if err != nil || res.Status != "duplicate" || res.Extraction != want {
			t.Errorf("%s: %+v, %v", status, res, err)
		}
	}
}

func TestRecord_ATurnIsReadAsOfWhenItWasSaid(t *testing.T) {
	t.Parallel()
	now, said := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), time.Date(2024, 3, 18, 9, 0, 0, 0, time.UTC)
	for given, want := range map[time.Time]time.Time{{}: now, said: said} {
		rules := &fakeRules{}
		r := episodes.New(&fakeStore{}, episodes.Options{MaxContentBytes: 1000, Now: func() time.Time { return now },
			Reader: episodes.NewReader(episodes.ReaderOptions{Rules: rules})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis since last week.",
			OccurredAt: given}}); err != nil {
			t.Fatal(err)
		}
		if got := rules.got[0].OccurredAt; !got.Equal(want) {
			t.Errorf("given %v: %v, want %v", given, got, want)
		}
	}
}

func TestRecord_WhatTheUserSaysIsTrustedLikeTheUserWhoeverPutsItIntoForm(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		role       memory.Role
		text       string
		head, tail string
		want       memory.Origin
	}{
		"both names": {memory.RoleUser, "Ann is with Acme now.", "ann", "Acme", memory.OriginUser},
		"a name with a hyphen": {memory.RoleUser, "the api-gateway needs Consul", "api-gateway", "consul",
			memory.OriginUser},
		"I am the user":                 {memory.RoleUser, "I’m with Acme now", "User", "Acme", memory.OriginUser},
		"nobody speaks of the user":     {memory.RoleUser, "Acme hired people", "User", "Acme", ""},
		"the tail is not said":          {memory.RoleUser, "Ann has a new job", "Ann", "Acme", ""},
		"a part of a word is no name":   {memory.RoleUser, "Annabel is with Acmetron", "Ann", "Acme", ""},
		"a quotation is not the user's": {memory.RoleUser, "see below\n> Ann is with Acme", "Ann", "Acme", ""},
		"an id is no word":              {memory.RoleUser, "Ann is with Acme", "e1", "Acme", ""},
		"an assistant's turn":           {memory.RoleAssistant, "Ann is with Acme", "Ann", "Acme", ""},
		"a tool's turn":                 {memory.RoleTool, "Ann is with Acme", "Ann", "Acme", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := &fakeStore{}
			r := episodes.New(fake, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
				Reader: episodes.NewReader(episodes.ReaderOptions{Hear: stated.Facts})})
			if _, err := r.Record(context.Background(),
				store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: tc.role, Content: tc.text},
					Caller:    memory.Caller{Actor: "tool"},
					Relations: []memory.RelationDraft{{Head: tc.head, Relation: "works_at", Tail: tc.tail}}}); err != nil {
				t.Fatal(err)
			}
			got := fake.got[0].Relations[0]
			origin := memory.OriginAgent
			if tc.role == memory.RoleTool {
				origin = memory.OriginTool
			}
			if got.SaidBy != tc.want || got.Origin != origin {
				t.Errorf("said by %q, origin %q; want %q and %s", got.SaidBy, got.Origin, tc.want, origin)
			}
		})
	}
}

func TestRecord_SaysWhatTheCapsLeaveOutAndKeepsWhatThereIsOneOf(t *testing.T) {
	t.Parallel()
	var all memory.Findings
	for i := range 12 {
		all.Relations = append(all.Relations, found(.9, "User", fmt.Sprintf("tool%d", i)))
	}
	job := found(.6, "User", "Acme")
	job.Relation = "works_at"
	all.Relations = append(all.Relations, job)
	for _, tc := range []struct {
		relations, entities int
		kept                int
		reasons             []string
	}{
		{0, 13, 13, []string{}}, // the user does not count against the limit
		{0, 10, 10, []string{"extraction: 3 facts or descriptions over max_entities_per_message left out"}},
		{12, 0, 12, []string{"extraction: 1 fact over max_edges_per_message left out"}},
		{3, 0, 3, []string{"extraction: 10 facts over max_edges_per_message left out"}},
	} {
		s := &fakeStore{}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{
				Rules: &fakeRules{found: all}, MaxRelations: tc.relations, MaxEntities: tc.entities})})
		res, err := r.Record(t.Context(), store.NewEpisode{
			Episode: memory.Episode{Content: "I use a lot, and work at Acme."}})
		if err != nil {
			t.Fatal(err)
		}
		kept := s.got[0].Found.Relations
		if len(kept) != tc.kept || kept[len(kept)-1].Tail != "Acme" {
			t.Errorf("%d relations, %d entities: %d are kept, the last is %v", tc.relations, tc.entities, len(kept),
				kept[len(kept)-1])
		}
		if diff := cmp.Diff(tc.reasons, res.Reasons); diff != "" {
			t.Errorf("%d relations, %d entities: %s", tc.relations, tc.entities, diff)
		}
	}
}

func TestRecord_BelievesTheCallerAboutWhatIsNoPlace(t *testing.T) {
	t.Parallel()
	moved := memory.Findings{Relations: []memory.RelationDraft{
		{Head: "Ann", Relation: "located_in", Tail: "Initech", TailType: "location", Confidence: share(.8),
			Method: memory.MethodRule},
		{Head: "Ann", Relation: "located_in", Tail: "Kiel", TailType: "location", Confidence: share(.8),
			Method: memory.MethodRule}}}
	s := &fakeStore{}
	r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
		Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{found: moved}})})
	if _, err := r.Record(t.Context(), store.NewEpisode{
		Episode: memory.Episode{Content: "Ann moved to Initech, and to Kiel."},
		Relations: []memory.RelationDraft{
			{Head: "Ann", Relation: "works_at", Tail: "initech"}, {Head: "Ann", Relation: "lives_in",
				Tail: "Kiel"}}}); err != nil {
		t.Fatal(err)
	}
	var tails []string
	for _, d := range s.got[0].Found.Relations {
		tails = append(tails, d.Tail)
	}
	if diff := cmp.Diff([]string{"Kiel"}, tails); diff != "" {
		t.Error(diff)
	}
}
