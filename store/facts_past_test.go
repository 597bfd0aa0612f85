package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A fact may be told late: with an old turn, by an import or out of order. The order in which turns are stored does not
// change what held when.
func TestFacts_ToldLateStayInTheirTime(t *testing.T) {
	t.Parallel()
	type told struct {
		year           int
		relation, tail string
		ended          bool
	}
	work := func(year int) told { return told{year, "works_at", "Acme", false} }
	home := func(year int, place string) told { return told{year, "lives_in", place, false} }
	for name, c := range map[string]struct {
		say  []told
		want []string
	}{
		"within a period that has ended": {[]told{work(2020), {2024, "works_at", "Acme", true}, work(2021)},
			[]string{"Acme 2020-2024"}},
		"before it": {[]told{work(2020), {2024, "works_at", "Acme", true}, work(2019)}, []string{"Acme 2019-2024"}},
		"after it": {[]told{work(2020), {2024, "works_at", "Acme", true}, work(2025)},
			[]string{"Acme 2020-2024", "Acme 2025-"}},
		"a home before two others": {[]told{home(2020, "Rome"), home(2022, "Oslo"), home(2019, "Paris")},
			[]string{"Oslo 2022-", "Paris 2019-2020", "Rome 2020-2022"}},
		"a home between two others": {[]told{home(2020, "Rome"), home(2022, "Oslo"), home(2021, "Paris")},
			[]string{"Oslo 2022-", "Paris 2021-2022", "Rome 2020-2021"}},
		"a home within its time": {[]told{home(2020, "Rome"), home(2022, "Oslo"), home(2021, "Rome")},
			[]string{"Oslo 2022-", "Rome 2020-2022"}},
		"a home before another and itself": {[]told{home(2019, "Oslo"), home(2020, "Rome"), home(2022, "Oslo"),
			home(2018, "Rome")}, []string{"Oslo 2019-2020", "Oslo 2022-", "Rome 2018-2019", "Rome 2020-2022"}},
		"a home of now before another": {[]told{home(2020, "Rome"), home(2022, "Oslo"), home(2019, "Oslo")},
			[]string{"Oslo 2019-2020", "Oslo 2022-", "Rome 2020-2022"}},
		"a home of now told again": {[]told{home(2022, "Oslo"), home(2021, "Oslo")}, []string{"Oslo 2021-"}},
		"from the last to the first": {[]told{home(2022, "Oslo"), home(2021, "Paris"), home(2020, "Rome"),
			home(2019, "Bonn")},
			[]string{"Bonn 2019-2020", "Oslo 2022-", "Paris 2021-2022", "Rome 2020-2021"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			for i, f := range c.say {
				e := turn("", fmt.Sprint(i))
				e.Scope.Namespace, e.OccurredAt = "n", time.Date(f.year, 1, 1, 0, 0, 0, 0, time.UTC)
				id := record(t, s, e).Episode.ID
				if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, memory.RelationDraft{Head: "Ann",
					HeadType: "person", Relation: f.relation, Tail: f.tail, CreateMissing: true, Ended: f.ended,
					Origin: memory.OriginUser, Method: memory.MethodSupplied}, id, agent); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			list, _, err := s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n", All: true}, 0, 9)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range list {
				line := fmt.Sprintf("%s %d-", f.Tail.Name, f.ValidFrom.Year())
				if !f.ValidUntil.IsZero() {
					line += fmt.Sprint(f.ValidUntil.Year())
				}
				got = append(got, line)
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// A plan that is called off takes back the end that it had scheduled for the present fact.
func TestFacts_ACalledOffPlanEndsNothing(t *testing.T) {
	t.Parallel()
	for name, callOff := range map[string]func(s *store.Store, plan int64) error{
		"told as ended": func(s *store.Store, _ int64) error {
			_, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, resides("Porto", time.Time{}, true), 0, agent)
			return err
		},
		"superseded": func(s *store.Store, plan int64) error {
			_, err := s.Supersede(t.Context(), memory.Scope{Namespace: "n"}, memory.Supersession{ID: plan}, agent)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			next := time.Now().AddDate(1, 0, 0)
			var plan int64
			for _, d := range []memory.RelationDraft{resides("Gent", time.Time{}, false), resides("Porto", next, false)} {
				out, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, d, 0, agent)
				if err != nil {
					t.Fatal(err)
				}
				plan = out.Relationship.ID
			}
			if err := callOff(s, plan); err != nil {
				t.Fatal(err)
			}
			list, _, err := s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n"}, 0, 9)
			if err != nil || len(list) != 1 || list[0].Tail.Name != "Gent" || !list[0].ExpiresAt.IsZero() {
				t.Errorf("%v %+v", err, list)
			}
		})
	}
}

func resides(place string, from time.Time, ended bool) memory.RelationDraft {
	return memory.RelationDraft{Head: "Ann", HeadType: "person", Relation: "lives_in", Tail: place, CreateMissing: true,
		ValidFrom: from, Ended: ended, Origin: memory.OriginUser, Method: memory.MethodSupplied}
}
