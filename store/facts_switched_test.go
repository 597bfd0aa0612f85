package store_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestSwitched_WhatEndedIsLinkedToWhatIsUsedInstead(t *testing.T) {
	t.Parallel()
	ends := func(tail string) memory.RelationDraft {
		d := does("Ann", "uses", tail)
		d.Ended = true
		return d
	}
	for name, tc := range map[string]struct {
		old  string
		said []memory.RelationDraft
		by   string // "" for none
	}{
		"the end first":        {"Vim", []memory.RelationDraft{ends("Vim"), does("Ann", "uses", "Neovim")}, "Neovim"},
		"the end last":         {"Vim", []memory.RelationDraft{does("Ann", "uses", "Neovim"), ends("Vim")}, "Neovim"},
		"of no known kind":     {"Foobly", []memory.RelationDraft{ends("Foobly"), does("Ann", "uses", "Barlow")}, "Barlow"},
		"of another kind":      {"Postgres", []memory.RelationDraft{ends("Postgres"), does("Ann", "uses", "Docker")}, ""},
		"by somebody else":     {"Vim", []memory.RelationDraft{ends("Vim"), does("Bob", "uses", "Neovim")}, ""},
		"with nothing instead": {"Vim", []memory.RelationDraft{ends("Vim")}, ""},
	} {
		n := newNamesakes(t)
		old := n.said("", does("Ann", "uses", tc.old)).Found.Relations[0].Relationship.ID
		n.said("", tc.said...)
		list, err := n.s.Relationships(t.Context(), "n", []int64{old}, memory.AsOf{})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		by := ""
		if id := list[0].SupersededBy; id != 0 {
			next, err := n.s.Relationships(t.Context(), "n", []int64{id}, memory.AsOf{})
			if err != nil {
				t.Fatal(err)
			}
			by = next[0].Tail.Name
		}
		if by != tc.by {
			t.Errorf("%s: superseded by %q, want %q", name, by, tc.by)
		}
	}
}

func TestSwitched_WhoMovesHasTheNextPlaceInstead(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	old := n.said("", does("Ann", "lives_in", "Leeds")).Found.Relations[0].Relationship.ID
	over, job := does("Ann", "lives_in", "Leeds"), does("Ann", "works_at", "Contoso")
	over.Ended = true
	n.said("", over, job, does("Ann", "lives_in", "York"))
	list, err := n.s.Relationships(t.Context(), "n", []int64{old}, memory.AsOf{})
	if err != nil || len(list) != 1 || list[0].SupersededBy == 0 {
		t.Fatalf("the fact of before: %+v, %v; want it superseded", list, err)
	}
	next, err := n.s.Relationships(t.Context(), "n", []int64{list[0].SupersededBy}, memory.AsOf{})
	if err != nil || next[0].Tail.Name != "York" {
		t.Errorf("superseded by %+v, %v; want York", next, err)
	}
}

// A return to an earlier thing ends what had replaced it, whatever the kinds of both.
func TestSwitched_AReturnEndsWhatCameAfter(t *testing.T) {
	t.Parallel()
	for _, news := range []bool{true, false} {
		n := newNamesakes(t)
		n.said("", does("Ann", "uses", "Foobly"), does("Ann", "uses", "Quux"))
		over := does("Ann", "uses", "Foobly")
		over.Ended = true
		n.said("", over, does("Ann", "uses", "Barlow"))
		back := does("Ann", "uses", "Foobly")
		back.News = news
		written := n.said("", back).Found.Relations[0]
		want := 0
		if news {
			want = 1 // Barlow, and not Quux
		}
		if written.Status != memory.RelationCreated && !news || len(written.Superseded) != want {
			t.Errorf("news %v: %+v", news, written)
		}
	}
}

func TestNames_TheSpeakerSetsTheNameRight(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", am("User", "Ann"))
	n.said("", does("User", "lives_in", "Oslo"))
	right := am("User", "Anna")
	right.Instead = "Ann"
	n.said("", right)
	n.said("", does("Ann", "uses", "Vim")) // the older name is not a better one
	for _, name := range []string{"Anna", "Ann", "User"} {
		if got, err := n.resolve(name); got != "e2 Anna" || err != nil {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
}

// A second name of the speaker in one turn makes facts about "I" doubtful, in any order.
func TestNames_AnotherSpeakerInOneTurnChangesNothing(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", am("User", "Ann"))
	n.said("", does("User", "lives_in", "Oslo"))
	out := n.said("", does("User", "lives_in", "Delft"), am("User", "Bob")).Found
	for _, r := range out.Relations {
		if r.Relationship.Confidence > .5 || len(r.Superseded) > 0 || len(r.Conflicts) == 0 {
			t.Errorf("%+v", r)
		}
	}
}
