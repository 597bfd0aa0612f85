package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A vaguer beginning that is said later moves the ends of what the fact superseded only if it is earlier as a whole.
func TestMoveEnds_OfAVaguerBeginning(t *testing.T) {
	t.Parallel()
	at := func(s string) (time.Time, memory.Unit) {
		day, unit, err := memory.ParsePeriod("test", s)
		if err != nil {
			t.Fatal(err)
		}
		return day, unit
	}
	for given, want := range map[string]struct{ from, ended string }{
		"2026-03-10": {"2026-03-10T00:00:00Z", "2026-03-10T00:00:00Z"}, // the same day again
		"2026-03":    {"2026-03-10T00:00:00Z", "2026-03-10T00:00:00Z"}, // the month in which it lies
		"2026":       {"2026-03-10T00:00:00Z", "2026-03-10T00:00:00Z"}, // the year in which it lies
		"2026-02":    {"2026-02", "2026-02"},                           // an earlier month
		"2025":       {"2025", "2025"},                                 // an earlier year
		"2023":       {"2023", "2024-01-01T00:00:00Z"},                 // before the other fact began
		"2026-04":    {"2026-03-10T00:00:00Z", "2026-03-10T00:00:00Z"}, // a later one
	} {
		s := openNew(t)
		state := func(tail, from string) memory.RelationWrite {
			d := draft("Ann", "lives_in", tail)
			d.HeadType, d.TailType = "person", "location"
			d.ValidFrom, d.FromUnit = at(from)
			return relate(t, s, d)
		}
		old := state("Ghent", "2024-01-01").Relationship.ID
		state("Bruges", "2026-03-10")
		again := state("Bruges", given)
		rows, err := s.Relationships(t.Context(), "n", []int64{old, again.Relationship.ID}, memory.AsOf{})
		if err != nil || len(rows) != 2 {
			t.Fatal(rows, err)
		}
		got := struct{ from, ended string }{rows[1].FromUnit.Show(rows[1].ValidFrom),
			rows[0].UntilUnit.Show(rows[0].ValidUntil)}
		if got != want || rows[0].SupersededBy != rows[1].ID || again.Status != memory.RelationReinforced {
			t.Errorf("given %s: %+v, want %+v; superseded by r%d, %s", given, got, want, rows[0].SupersededBy, again.Status)
		}
	}
}

// Facts whose scheduled end is due are subtracted from the active ones. A relation with no others is not counted.
func TestGraphStats_LeavesOutARelationOfWhichEveryFactIsDue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir()+"/memory.db", store.Options{Synchronous: "off", Now: func() time.Time { return now }})
	state := func(relation, tail string, until time.Time) {
		d := draft("Ann", relation, tail)
		d.ValidUntil = until
		relate(t, s, d)
	}
	soon := now.AddDate(0, 0, 7)
	state("uses", "Vim", soon)
	state("likes", "tea", soon)
	state("likes", "jazz", time.Time{})
	for days, want := range map[int][]memory.Count{
		0: {{Name: "likes", N: 2}, {Name: "uses", N: 1}}, 8: {{Name: "likes", N: 1}},
	} {
		now = time.Date(2026, 3, 1+days, 0, 0, 0, 0, time.UTC)
		got, err := s.GraphStats(t.Context(), "n")
		if err != nil {
			t.Fatal(err)
		}
		all := got.ActiveRelationships + got.EndedRelationships
		if diff := cmp.Diff(want, got.RelationshipsByRelation); diff != "" || all != 3 {
			t.Errorf("after %d days: %d active, %d ended\n%s", days, got.ActiveRelationships, got.EndedRelationships, diff)
		}
	}
}

// An open job that is done takes back what its start counted, so a kind with a count of zero is not listed.
func TestOpenJobs_LeavesOutAKindThatIsDone(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	e := turn("", "hello")
	e.Jobs = []string{"one", "two"}
	record(t, s, e)
	namespace := e.Scope.Namespace
	claimed, err := s.ClaimJobs(t.Context(), store.Claim{Kind: "one", Holder: "me", Limit: 10, Lease: time.Minute})
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	if err := s.CompleteJobs(t.Context(), "me", []int64{claimed[0].ID}); err != nil {
		t.Fatal(err)
	}
	got, err := s.OpenJobs(t.Context(), namespace)
	if diff := cmp.Diff([]memory.KindState{{Kind: "two", Pending: 1}}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}
