package store_test

import (
	"slices"
	"testing"

	"memory-graph/internal/memory"
)

// An alias that is another person's name would make it mean two people.
func TestAliases_AreNobodyElsesName(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typ    string // of the node that gets the alias
		facts  []memory.RelationDraft
		refuse bool
	}{
		"another person with facts": {"person", []memory.RelationDraft{does("Ben", "works_at", "Acme")}, true},
		"a person whom she knows":   {"person", []memory.RelationDraft{does("Ann", "knows", "Ben")}, true},
		"what may be a person":      {"", []memory.RelationDraft{does("Ben", "works_at", "Acme")}, true},
		"a person with no facts":    {"person", nil, false},
		"who may be the same": {"person", []memory.RelationDraft{does("Ann", "similar_to", "Ben"),
			does("Ann", "same_as", "Ben")}, false},
		"a project's alias": {"project", []memory.RelationDraft{does("Ben", "works_at", "Acme")}, false},
	} {
		for _, known := range []bool{true, false} {
			n := newNamesakes(t)
			n.create("Ben", "person")
			draft := memory.EntityDraft{Name: "Ann", Type: tc.typ, Origin: memory.OriginAgent, Method: memory.MethodSupplied}
			if known {
				if _, err := n.s.CreateEntity(t.Context(), n.scope(), draft, agent); err != nil {
					t.Fatal(err)
				}
			}
			for _, d := range tc.facts {
				if d.Head == "Ben" || known {
					n.fact(memory.MethodSupplied, d.Head, "", d.Relation, d.Tail, "")
				}
			}
			draft.Aliases = []string{"Annie", "Ben"}
			out, err := n.s.CreateEntity(t.Context(), n.scope(), draft, agent)
			refuse := tc.refuse && (known || tc.facts[0].Head == "Ben")
			if refuse != (code(err) == memory.Conflict) || !refuse && err != nil {
				t.Errorf("%s, known %v: created with %v", name, known, err)
			}
			if !known {
				continue
			}
			_, _, err = n.s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: "Ann",
				AddAliases: []string{"Annie", "Ben"}}, agent)
			if refuse != (code(err) == memory.Conflict) || !refuse && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			e, err := n.s.ResolveEntity(t.Context(), "n", "Ann", "", memory.AsOf{})
			if err != nil || slices.Contains(e.Aliases, "annie") == refuse {
				t.Errorf("%s: %v, %v of %v", name, err, e.Aliases, out.Entity.ID)
			}
		}
	}
}
