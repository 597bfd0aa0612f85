package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// sure returns a draft of this confidence: a weaker newcomer ends nothing.
func sure(d memory.RelationDraft, confidence float64) memory.RelationDraft {
	d.Confidence = &confidence
	return d
}

func TestConflicts_AreFactsThatCannotAllHold(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first, second memory.RelationDraft
		want          []string
	}{
		"two employers": {sure(draft("Ann", "works_at", "Acme"), .9), sure(draft("Ann", "works_at", "Initech"), .5),
			[]string{"Only one answer to “works at” can be true at a time."}},
		"prefers and dislikes": {sure(draft("Ann", "prefers", "tea"), .9), sure(draft("Ann", "dislikes", "tea"), .5),
			[]string{"“dislikes” and “prefers” cannot both be true."}},
		"likes and dislikes": {sure(draft("Ann", "dislikes", "tea"), .9), sure(draft("Ann", "likes", "tea"), .5),
			[]string{"“dislikes” and “likes” cannot both be true."}},
		"two cities": {sure(draft("Ann", "lives_in", "Porto"), .9), sure(draft("Ann", "lives_in", "Lisbon"), .5),
			[]string{"Only one answer to “lives in” can be true at a time."}},
		"a city and its country": {sure(draft("Ann", "lives_in", "Portugal"), .9),
			sure(draft("Ann", "lives_in", "Lisbon"), .5), nil},
		"a relation with many": {sure(draft("Ann", "knows", "Bob"), .9), sure(draft("Ann", "knows", "Eve"), .5), nil},
		"of two people": {sure(draft("Ann", "works_at", "Acme"), .9),
			sure(draft("Bob", "works_at", "Initech"), .5), nil},
		"the stronger one ended it": {sure(draft("Ann", "works_at", "Acme"), .5),
			sure(draft("Ann", "works_at", "Initech"), .9), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			one := relate(t, s, tc.first)
			two := relate(t, s, tc.second)
			for _, entity := range []int64{0, one.Relationship.Head.ID} {
				list, more, err := s.Conflicts(t.Context(), "n", entity, 10)
				if err != nil || more {
					t.Fatal(more, err)
				}
				var got []string
				for _, c := range list {
					got = append(got, c.Reason)
					for _, id := range c.Facts {
						if id != one.Relationship.ID && id != two.Relationship.ID {
							t.Errorf("fact %d is no part of it", id)
						}
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("conflicts of entity %d (-want +got):\n%s", entity, diff)
				}
			}
			for _, other := range []struct {
				namespace string
				entity    int64
			}{{"other", 0}, {"n", one.Relationship.Tail.ID}} {
				if list, _, err := s.Conflicts(t.Context(), other.namespace, other.entity, 10); err != nil || len(list) > 0 {
					t.Errorf("%+v has %v, %v", other, list, err)
				}
			}
		})
	}
}

func TestConflicts_SaysThatThereAreMore(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, name := range []string{"Ann", "Bob", "Eve"} {
		relate(t, s, sure(draft(name, "works_at", "Acme"), .9))
		relate(t, s, sure(draft(name, "works_at", "Initech"), .5))
	}
	if list, more, err := s.Conflicts(t.Context(), "n", 0, 2); err != nil || !more || len(list) != 2 {
		t.Errorf("%v, more %v, %v", list, more, err)
	}
}

func TestEvidenceOf_IsEachTurnOnceWithItsQuote(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := t.Context()
	scope := memory.Scope{Namespace: "n"}
	say := func(content string, day int) int64 {
		e := turn("", content)
		e.Episode.Scope = scope
		e.Episode.OccurredAt = time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)
		return record(t, s, e).Episode.ID
	}
	older, newer := say("Ann joined Acme.", 1), say("Ann is at Acme still.", 2)
	quoted := draft("Ann", "works_at", "Acme")
	quoted.Quote, quoted.Method = "Ann joined Acme", memory.MethodRule
	var id int64
	for _, w := range []struct {
		d        memory.RelationDraft
		evidence int64
	}{{quoted, older}, {draft("Ann", "works_at", "Acme"), older}, {draft("Ann", "works_at", "Acme"), newer}} {
		out, err := s.CreateRelation(ctx, scope, w.d, w.evidence, agent)
		if err != nil {
			t.Fatal(err)
		}
		id = out.Relationship.ID
	}
	type said struct {
		Turn    int64
		Quote   string
		Methods []memory.Method
	}
	read := func(namespace string, limit int) (got []said, all int) {
		t.Helper()
		list, all, err := s.EvidenceOf(ctx, namespace, id, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			got = append(got, said{e.Episode.ID, e.Quote, e.Methods})
		}
		return got, all
	}
	want := []said{{newer, "", []memory.Method{memory.MethodSupplied}},
		{older, "Ann joined Acme", []memory.Method{memory.MethodRule, memory.MethodSupplied}}}
	got, all := read("n", 10)
	if diff := cmp.Diff(want, got); diff != "" || all != 2 {
		t.Errorf("evidence, of %d (-want +got):\n%s", all, diff)
	}
	if got, all = read("n", 1); all != 2 || !cmp.Equal(want[:1], got) {
		t.Errorf("one of %d: %v", all, got)
	}
	if got, all = read("other", 10); all != 0 {
		t.Errorf("another namespace reads %v", got)
	}
	facts, err := s.FactsSaidIn(ctx, "n", newer, 10)
	if err != nil || len(facts) != 1 || facts[0].ID != id {
		t.Errorf("the turn says %v, %v", facts, err)
	}
	if facts, err = s.FactsSaidIn(ctx, "other", newer, 10); err != nil || len(facts) != 0 {
		t.Errorf("another namespace reads %v, %v", facts, err)
	}
}

func TestSupersededBy_AreTheFactsThatOneEnded(t *testing.T) {
	t.Parallel()
	s, clock := retired(t)
	old := relate(t, s, sure(draft("Ann", "works_at", "Acme"), .9))
	now := relate(t, s, sure(draft("Ann", "works_at", "Initech"), .9))
	var list []memory.Relationship
	var err error
	for _, archived := range []int64{0, 1} {
		*clock = clock.AddDate(int(archived), 0, 0)
		if got := evict(t, s, store.Eviction{}); got.Facts != archived {
			t.Fatalf("%d facts are archived", got.Facts)
		}
		list, err = s.SupersededBy(t.Context(), "n", now.Relationship.ID, 10)
		if err != nil || len(list) != 1 || list[0].ID != old.Relationship.ID {
			t.Errorf("%d archived: %v, %v", archived, list, err)
		}
	}
	if list, err = s.SupersededBy(t.Context(), "other", now.Relationship.ID, 10); err != nil || len(list) != 0 {
		t.Errorf("another namespace reads %v, %v", list, err)
	}
}

func TestProjectsOf_AreThoseOfTheTurns(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	say := func(content, project string) int64 {
		e := turn("", content)
		e.Episode.Scope = memory.Scope{Namespace: "n", Project: project}
		return record(t, s, e).Episode.ID
	}
	ids := map[string]int64{}
	for _, w := range []struct {
		tail     string
		evidence int64
	}{{"Acme", say("One.", "shop")}, {"Acme", say("Two.", "bank")}, {"Acme", say("Three.", "shop")},
		{"Initech", say("Four.", "")}} {
		out, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, draft("Ann", "knows", w.tail), w.evidence,
			agent)
		if err != nil {
			t.Fatal(err)
		}
		ids[w.tail] = out.Relationship.ID
	}
	list := []int64{ids["Acme"], ids["Initech"]}
	got, err := s.ProjectsOf(t.Context(), "n", list)
	if diff := cmp.Diff(map[int64][]string{ids["Acme"]: {"bank", "shop"}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err = s.ProjectsOf(t.Context(), "other", list); err != nil || len(got) != 0 {
		t.Errorf("another namespace reads %v, %v", got, err)
	}
}
