package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// said stores a user's turn with what the rules found in it. speaker is "" for the user of the memory.
func (n *namesakesOf) said(speaker string, found ...memory.RelationDraft) store.Recorded {
	n.t.Helper()
	n.turns++
	for i := range found {
		found[i].CreateMissing, found[i].Origin = true, memory.OriginUser
		if found[i].Method == "" {
			found[i].Method = memory.MethodRule
		}
	}
	out, err := n.s.RecordEpisode(n.t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: n.scope(),
		Role: memory.RoleUser, Speaker: speaker, Content: fmt.Sprintf("turn %d", n.turns), Origin: memory.OriginUser,
		Status: memory.StatusDone}, Caller: memory.Caller{Actor: "tool"},
		Reading: store.Reading{Found: memory.Findings{Relations: found}}})
	if err != nil {
		n.t.Fatal(err)
	}
	if len(out.Found.Refused) > 0 {
		n.t.Fatalf("refused: %+v", out.Found.Refused)
	}
	return out
}

// am is the statement of a speaker's name.
func am(speaker, name string) memory.RelationDraft {
	return memory.RelationDraft{Head: speaker, HeadType: "person", Relation: "same_as", Tail: name, TailType: "person",
		NamesSpeaker: true}
}

func does(head, relation, tail string) memory.RelationDraft {
	return memory.RelationDraft{Head: head, HeadType: "person", Relation: relation, Tail: tail}
}

// facts returns the active facts of the namespace, in order of creation.
func (n *namesakesOf) facts() (out []string) {
	n.t.Helper()
	list, _, err := n.s.ListRelationships(n.t.Context(), store.RelationshipFilter{Namespace: "n"}, 0, 100)
	if err != nil {
		n.t.Fatal(err)
	}
	for i := range list {
		r := list[len(list)-1-i]
		out = append(out, fmt.Sprintf("%s %s %s", r.Head.Name, r.Relation, r.Tail.Name))
	}
	return out
}

func TestNaming_ASpeakerAndTheirNameAreOne(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		play            func(n *namesakesOf)
		entities, facts []string
	}{
		"facts from before and after": {func(n *namesakesOf) {
			n.said("", does("User", "uses", "Go"))
			n.fact(memory.MethodSupplied, "Ann", "person", "works_at", "Acme", "organization")
			n.said("", am("User", "Ann"))
			n.said("", does("User", "uses", "Rust"))
		}, []string{"Go (concept)", "Ann (person)", "Acme (organization)", "Rust (concept)"},
			[]string{"Ann uses Go", "Ann works_at Acme", "Ann uses Rust"}},
		"said twice": {func(n *namesakesOf) { n.said("", am("User", "Ann")); n.said("", am("User", "ann")) },
			[]string{"Ann (person)"}, nil},
		"a second name": {func(n *namesakesOf) {
			n.said("", am("User", "Ann"))
			n.fact(memory.MethodSupplied, "Bob", "person", "uses", "Go", "")
			out := n.said("", am("User", "Bob"))
			if c := out.Found.Relations[0].Conflicts; len(c) != 1 || c[0].Fact != "Ann same as Bob" || c[0].Reason == "" {
				n.t.Errorf("conflicts %+v", c)
			}
		}, []string{"Ann (person)", "Bob (person)", "Go (concept)"}, []string{"Bob uses Go", "Ann same_as Bob"}},
		"a name that another speaker speaks under": {func(n *namesakesOf) {
			n.said("Bob", does("Bob", "uses", "Go"))
			n.said("spk_1", am("spk_1", "Bob"))
		}, []string{"Bob (person)", "Go (concept)", "spk_1 (person)"}, []string{"Bob uses Go", "spk_1 same_as Bob"}},
		"a name that another speaker has": {func(n *namesakesOf) {
			n.said("spk_1", am("spk_1", "Bob"))
			n.said("spk_2", am("spk_2", "Bob"))
		}, []string{"Bob (person)", "spk_2 (person)"}, []string{"spk_2 same_as Bob"}},
		"two speakers": {func(n *namesakesOf) {
			n.said("spk_1", am("spk_1", "Ann"))
			n.said("spk_2", am("spk_2", "Bob"))
			n.said("spk_1", does("spk_1", "uses", "Go"))
		}, []string{"Ann (person)", "Bob (person)", "Go (concept)"}, []string{"Ann uses Go"}},
		"a name with an accent that another speaker speaks under": {func(n *namesakesOf) {
			n.said("Élodie", does("Élodie", "uses", "Go"))
			n.said("spk_2", am("spk_2", "Élodie"))
		}, []string{"Élodie (person)", "Go (concept)", "spk_2 (person)"},
			[]string{"Élodie uses Go", "spk_2 same_as Élodie"}},
		"the name of the speaker's manager": {func(n *namesakesOf) {
			n.said("", does("User", "reports_to", "Sam"))
			out := n.said("", am("User", "Sam"))
			if c := out.Found.Relations[0].Conflicts; len(c) != 1 {
				n.t.Errorf("conflicts %+v", c)
			}
		}, []string{"User (person)", "Sam (person)"}, []string{"User reports_to Sam", "User same_as Sam"}},
		"a statement that looks like an attack": {func(n *namesakesOf) {
			d := am("User", "Ann")
			d.Suspicion = &memory.Suspicion{Text: "User same as Ann", Reasons: []string{"test"}}
			n.said("", d)
			got, err := n.s.QueryInts(`SELECT count(*) FROM mg_entities WHERE merged_into IS NOT NULL`)
			if err != nil || got[0] != 0 {
				n.t.Errorf("%d entities are merged, %v", got[0], err)
			}
		}, []string{"User (person)", "Ann (person)"}, []string{"User same_as Ann"}},
		"a place of that name": {func(n *namesakesOf) {
			n.create("Florence", "location")
			n.said("", am("User", "Florence"), does("User", "lives_in", "e1"))
		}, []string{"Florence (location)", "Florence (person)"}, []string{"Florence lives_in Florence"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			tc.play(n)
			if diff := cmp.Diff(tc.entities, n.all()); diff != "" {
				t.Errorf("entities (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.facts, n.facts()); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNaming_CanBeTakenBackAndIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(n *namesakesOf, call string) error{
		"undo": func(n *namesakesOf, call string) error {
			_, err := n.s.Undo(n.t.Context(), "n", call, memory.Caller{Actor: "tool"})
			return err
		},
		"unmerge": func(n *namesakesOf, _ string) error {
			_, err := n.s.Unmerge(n.t.Context(), "n", "User", memory.Caller{Actor: "tool"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			n.said("", does("User", "uses", "Go"))
			n.fact(memory.MethodSupplied, "Ann", "person", "works_at", "Acme", "organization")
			n.said("", am("User", "Ann"))
			calls, err := n.s.QueryTexts(`SELECT call_id FROM mg_events ORDER BY id DESC LIMIT 1`)
			if err != nil {
				t.Fatal(err)
			}
			if err := back(n, calls[0]); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"User uses Go", "Ann works_at Acme"}, n.facts()); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			n.said("", am("User", "Ann"))
			if diff := cmp.Diff([]string{"User (person)", "Go (concept)", "Ann (person)", "Acme (organization)"},
				n.all()); diff != "" {
				t.Errorf("entities after the name is said again (-want +got):\n%s", diff)
			}
		})
	}
}

// If unmerge reversed a part of a call, undo of the call reverses the rest.
func TestNaming_UndoTakesBackWhatUnmergeLeft(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", am("User", "Ann"), does("User", "uses", "Go"))
	call, err := n.s.QueryTexts(`SELECT call_id FROM mg_events ORDER BY id DESC LIMIT 1`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.s.Unmerge(t.Context(), "n", "User", memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	undone, err := n.s.Undo(t.Context(), "n", call[0], memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), append(n.facts(), n.all()...)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if _, err := n.s.Undo(t.Context(), "n", call[0], memory.Caller{Actor: "tool"}); memory.AsError(err).Code !=
		memory.Conflict || !strings.Contains(err.Error(), "memory-graph undo --list") {
		t.Errorf("undone twice: %v", err)
	}
	if _, err := n.s.Undo(t.Context(), "n", undone.UndoneBy, memory.Caller{Actor: "tool"}); err != nil {
		t.Errorf("redo: %v", err)
	}
}

// After a second name of one speaker, facts about "I" may be about another person. They are uncertain, end nothing, and
// the answer says so.
func TestNaming_FactsAfterASecondNameAreUncertain(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", am("User", "Ann"))
	n.said("", does("User", "lives_in", "Ghent"))
	n.said("", am("User", "Bob"))
	doubted := n.said("", does("User", "lives_in", "Rome")).Found.Relations[0]
	if c := doubted.Relationship.Confidence; c > .5 || len(doubted.Conflicts) != 2 || len(doubted.Superseded) > 0 {
		t.Errorf("confidence %v, conflicts %+v", c, doubted.Conflicts)
	}
	if c := n.said("", does("Ann", "uses", "Vim")).Found.Relations[0]; len(c.Conflicts) > 0 {
		t.Errorf("by her name: %+v", c.Conflicts)
	}
	n.said("", am("User", "Ann"))
	sure := n.said("", does("User", "lives_in", "Lyon")).Found.Relations[0]
	if len(sure.Conflicts) > 0 || len(sure.Superseded) == 0 {
		t.Errorf("after the known name: %+v", sure)
	}
}

// A caller who gives the speaker the second name confirms the claim: both names are one node, and undo takes it back.
func TestNaming_ACallerConfirmsASecondNameAsAnAlias(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", am("User", "Ann"))
	n.said("", am("User", "Bob"))
	before := append(n.facts(), n.all()...)
	by := memory.Caller{Actor: "tool", CallID: "confirm"}
	change := memory.EntityChange{Entity: "Ann", AddAliases: []string{"Bob"}}
	if _, _, err := n.s.UpdateEntity(t.Context(), "n", change, by); err != nil {
		t.Fatal(err)
	}
	if r := n.said("", does("User", "lives_in", "Rome")).Found.Relations[0]; len(r.Conflicts) > 0 {
		t.Errorf("still uncertain: %+v", r.Conflicts)
	}
	if r := n.said("", does("Bob", "uses", "Vim")).Found.Relations[0].Relationship; r.Head.Name != "Ann" {
		t.Errorf("Bob is %s", r.Head.Name)
	}
	for range 3 { // the two facts, and the confirmation
		if _, err := n.s.Undo(t.Context(), "n", "", memory.Caller{Actor: "tool"}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, append(n.facts(), n.all()...)); diff != "" {
		t.Errorf("after undo (-want +got):\n%s", diff)
	}
}
