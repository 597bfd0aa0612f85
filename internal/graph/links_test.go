package graph_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/graph"
)

var someTypes = []string{"person", "organization", "location", "project", "tool", "technology", "concept", "event"}

// A link that leads on to another name, or back, would store one fact under two names.
func TestStore_EndsAtOneRegisteredRelation(t *testing.T) {
	t.Parallel()
	for _, name := range graph.Linked() {
		for _, head := range someTypes {
			for _, tail := range someTypes {
				got := graph.Store(name, head, tail)
				if got.Relation == name {
					continue
				}
				if !slices.Contains(graph.Known(), got.Relation) {
					t.Errorf("%s is stored as %s, which is not registered", name, got.Relation)
				}
				h, l := head, tail
				if got.Swap {
					h, l = tail, head
				}
				if again := graph.Store(got.Relation, h, l); again != (graph.Stored{Relation: got.Relation}) {
					t.Errorf("%s of a %s and a %s is stored as %s, which is stored as %+v", name, head, tail, got.Relation, again)
				}
			}
		}
	}
}

func TestStore_LinksNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, head, tail, want string }{
		{"resides_in", "person", "location", "lives_in"}, {"based_in", "person", "concept", "lives_in"},
		{"based_in", "organization", "location", "located_in"}, {"located_in", "person", "location", "lives_in"},
		{"located_in", "location", "location", "located_in"}, {"located_in", "concept", "concept", "located_in"},
		{"lives_in", "concept", "concept", "lives_in"},
		{"moved_to", "person", "location", "lives_in, told as a change"},
		{"moved_to", "person", "tool", "moved_to"}, {"moved_to", "organization", "location", "located_in, told as a change"},
		{"works_for", "person", "organization", "works_at"}, {"works_for", "person", "person", "works_for"},
		{"employs", "organization", "person", "works_at, turned"},
		{"manager_of", "person", "person", "reports_to, turned"}, {"manages", "person", "person", "reports_to, turned"},
		{"manages", "person", "project", "manages"}, {"managed_by", "person", "person", "reports_to"},
		{"owns", "person", "project", "owns"}, {"maintains", "person", "project", "maintains"},
		{"has_sister", "person", "person", "sister_of, turned"}, {"knows", "person", "person", "knows"},
		{"switched_to", "project", "technology", "uses, told as a change"},
		{"taught_by", "person", "person", "teacher_of, turned"},
		{"never_heard_of", "person", "tool", "never_heard_of"},
	} {
		s := graph.Store(c.name, c.head, c.tail)
		got := s.Relation
		if s.Swap {
			got += ", turned"
		}
		if s.News {
			got += ", told as a change"
		}
		if got != c.want {
			t.Errorf("%s of a %s and a %s is stored as %q, want %q", c.name, c.head, c.tail, got, c.want)
		}
	}
}

func TestNames_AreThoseUnderWhichAFactMayBeStored(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given, direct, turned []string
	}{
		{[]string{"lives_in"}, []string{"lives_in"}, nil},
		{[]string{"based_in"}, []string{"based_in", "lives_in", "located_in"}, nil},
		{[]string{"employs"}, []string{"employs"}, []string{"works_at"}},
		{[]string{"works_at", "employs"}, []string{"works_at", "employs"}, []string{"works_at"}},
		{[]string{"manages"}, []string{"manages"}, []string{"reports_to"}},
		{nil, nil, nil},
	} {
		direct, turned := graph.Names(c.given)
		if diff := cmp.Diff([][]string{c.direct, c.turned}, [][]string{direct, turned}); diff != "" {
			t.Errorf("names of %v (-want +got):\n%s", c.given, diff)
		}
	}
}

func TestReads_ShowsAStoredFactUnderItsOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stored string
		swap, ok     bool
	}{
		{"works_at", "works_at", false, true}, {"employs", "works_at", true, true}, {"works_for", "works_at", false, true},
		{"located_in", "lives_in", false, true}, {"lives_in", "located_in", false, false},
		{"moved_to", "lives_in", false, false}, {"owns", "maintains", false, false},
	} {
		if swap, ok := graph.Reads(c.name, c.stored); swap != c.swap || ok != c.ok {
			t.Errorf("%s shows %s: %v, exchanged: %v", c.name, c.stored, ok, swap)
		}
	}
}
