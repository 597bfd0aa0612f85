package store_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

// Invisible characters are never stored in a name, and the name is found with and without them.
func TestNames_AreStoredWithoutWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	scope, by := memory.Scope{Namespace: "default"}, memory.Caller{Actor: "tool"}
	in := turn("s", "I met Zo\u200bra.")
	in.Found.Mentions = []memory.Mention{{Name: "Zo\u200bra", Start: 6, Stop: 13}}
	id := record(t, s, in).Episode.ID
	for _, d := range []memory.RelationDraft{fact("Ana\u202e Belling", "works_at", "Ac\u200bme", memory.MethodRule, .9),
		fact("Zora", "works_at", "AC\u200bME", memory.MethodRule, .9)} {
		if _, err := s.CreateRelation(t.Context(), scope, d, id, by); err != nil {
			t.Fatal(err)
		}
	}
	for ref, want := range map[string]string{"ana belling": "Ana Belling", "Ana\u202e Belling": "Ana Belling",
		"Ac\u200bme": "ACME", "acme": "ACME", "Zora": "Zora"} {
		e, err := s.ResolveEntity(t.Context(), "default", ref, "", memory.AsOf{})
		if err != nil || e.Name != want {
			t.Errorf("%+q: %+q, %v; want %+q", ref, e.Name, err, want)
		}
	}
	name := "Ana\u2066 Bell\u00ad"
	e, err := s.ResolveEntity(t.Context(), "default", "ana belling", "", memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	if e, _, err = s.UpdateEntity(t.Context(), "default", memory.EntityChange{Entity: e.Ref().String(), Name: &name},
		by); err != nil || e.Name != "Ana Bell" {
		t.Errorf("%+q, %v", e.Name, err)
	}
}

// A name that is shouted in capitals is not displayed that way.
func TestNames_AShoutedSpellingIsNotShown(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	scope, by := memory.Scope{Namespace: "default"}, memory.Caller{Actor: "tool"}
	for _, tail := range []string{"kafka", "KAFKA", "NEBULA", "nebula", "Redis", "REDIS", "aws", "AWS"} {
		in := turn("s", "We use "+tail+".")
		in.Found.Entities = []memory.EntityDraft{{Name: tail, Type: "tool", Origin: memory.OriginUser,
			Method: memory.MethodModelStated}}
		id := record(t, s, in).Episode.ID
		if _, err := s.CreateRelation(t.Context(), scope, fact("Ann", "uses", tail, memory.MethodModelStated, .9), id,
			by); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"kafka", "nebula", "Redis", "AWS"} {
		if e, err := s.ResolveEntity(t.Context(), "default", want, "", memory.AsOf{}); err != nil || e.Name != want {
			t.Errorf("%q, %v; want %q", e.Name, err, want)
		}
	}
}

func TestResolveEntity_SaysWhatAnIDOfAnotherKindIs(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for ref, want := range map[string]string{"c3": "a community", "t56": "a turn", "r34": "a fact", "e12": "no entity",
		"C3": "no entity"} {
		_, err := s.ResolveEntity(t.Context(), "default", ref, "", memory.AsOf{})
		if e := memory.AsError(err); e.Code != memory.NotFound || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v; want %q", ref, err, want)
		}
	}
}
