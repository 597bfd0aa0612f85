package engine_test

import (
	"slices"
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestHeld_ATurnSetsRightWhatItsProjectAndItsSessionSaid(t *testing.T) {
	t.Parallel()
	type turn struct{ project, session, text string }
	before := turn{"shop", "a", "The billing service uses Postgres."}
	for name, c := range map[string]struct {
		then turn
		want []string
	}{
		"the same session": {turn{"shop", "a", "No, it was MariaDB, not Postgres."},
			[]string{"MariaDB"}},
		"another session, taking back": {turn{"shop", "b", "No wait, it was MariaDB, not Postgres."},
			[]string{"MariaDB"}},
		"another session, which may mean anything": {turn{"shop", "b", "No, it was MariaDB, not Postgres."},
			[]string{"Postgres"}},
		"another project": {turn{"web", "c", "No wait, it was MariaDB, not Postgres."},
			[]string{"Postgres"}},
		"another session, which takes nothing back of it": {turn{"shop", "b", "Scratch that: billing is on SQLite."},
			[]string{"Postgres", "SQLite"}},
		"the same session says what is used instead": {turn{"shop", "a", "Scratch that: billing is on SQLite."},
			[]string{"SQLite"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, settings(t))
			for _, x := range []turn{before, c.then} {
				if _, err := e.StoreEpisode(t.Context(),
					store.NewEpisode{
						Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", Project: x.project, SessionID: x.session},
							Content: x.text}}); err != nil {
					t.Fatal(err)
				}
			}
			list, _, err := openStore(t, e).ListRelationships(t.Context(),
				store.RelationshipFilter{Namespace: "n", Relations: []string{"uses"}}, 0, 50)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range list {
				if f.Head.Name != "billing service" {
					t.Errorf("of %q", f.Head.Name)
				}
				got = append(got, f.Tail.Name)
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("uses %s, want %s", strings.Join(got, ", "), strings.Join(c.want, ", "))
			}
		})
	}
}

func TestHeld_ANewManagerReplacesTheOldOneOfANamedUser(t *testing.T) {
	t.Parallel()
	supplied := func(relation, tail string) []memory.RelationDraft {
		return []memory.RelationDraft{{Head: "Joel", Relation: relation, Tail: tail, CreateMissing: true}}
	}
	type turn struct {
		text string
		told []memory.RelationDraft
	}
	for name, c := range map[string]struct {
		turns []turn
		want  []string
	}{
		"no name": {[]turn{{"My manager is Anke.", nil}, {"My new manager is Bram.", nil}}, []string{"Bram"}},
		"named first": {[]turn{{"I'm Joel.", nil}, {"My manager is Anke.", nil}, {"My new manager is Bram.", nil}},
			[]string{"Bram"}},
		"named between": {[]turn{{"My manager is Anke.", nil}, {"I'm Joel.", nil}, {"My new manager is Bram.", nil}},
			[]string{"Bram"}},
		"told by the agent": {[]turn{{"I'm Joel.", nil}, {"My manager is Anke.", supplied("reports_to", "Anke")},
			{"My new manager is Bram.", supplied("reports_to", "Bram")}}, []string{"Bram"}},
		"a landlord": {[]turn{{"I'm Joel.", nil}, {"My landlord is Anke.", nil}, {"My new landlord is Bram.", nil}},
			[]string{"Bram"}},
		"not a new one": {[]turn{{"I'm Joel.", nil}, {"My manager is Anke.", nil}, {"My manager is Bram.", nil}},
			[]string{"Anke", "Bram"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, settings(t))
			for _, x := range c.turns {
				if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Relations: x.told,
					Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: "a"}, Content: x.text}}); err != nil {
					t.Fatal(err)
				}
			}
			list, _, err := openStore(t, e).ListRelationships(t.Context(),
				store.RelationshipFilter{Namespace: "n", Relations: []string{"reports_to", "knows"}}, 0, 50)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range list {
				got = append(got, f.Tail.Name)
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("%s, want %s", strings.Join(got, ", "), strings.Join(c.want, ", "))
			}
		})
	}
}
