package store_test

import (
	"errors"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

var agent = memory.Caller{Actor: "tool", CallID: "c1"}

func draft(head, relation, tail string) memory.RelationDraft {
	return memory.RelationDraft{Head: head, Relation: relation, Tail: tail, CreateMissing: true,
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}
}

func relate(t *testing.T, s *store.Store, d memory.RelationDraft) memory.RelationWrite {
	t.Helper()
	out, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, d, 0, agent)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func code(err error) memory.Code {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestCreateRelation_EndsWhatCannotHoldBesideIt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	first := relate(t, s, draft("Bob", "works_at", "Acme"))
	again := relate(t, s, draft("bob", "works at", "ACME"))
	if first.Status != memory.RelationCreated || again.Status != memory.RelationReinforced ||
		again.Relationship.ID != first.Relationship.ID {
		t.Fatalf("%+v then %+v", first, again)
	}
	d := draft("Bob", "works_at", "Globex")
	d.ValidFrom = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	future := relate(t, s, d)
	if future.Status != memory.RelationSuperseded || len(future.Superseded) != 1 {
		t.Fatalf("%+v", future)
	}
	d = draft("Bob", "works_at", "Initech")
	d.ValidFrom = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	past := relate(t, s, d)
	if past.Status != memory.RelationCreated || !past.Relationship.ValidUntil.Equal(first.Relationship.ValidFrom) ||
		past.Relationship.SupersededBy != first.Relationship.ID {
		t.Fatalf("%+v", past)
	}
	if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, draft("Bob", "knows", "BOB "), 0,
		agent); code(err) != memory.InvalidArgument {
		t.Fatalf("self-relation: %v", err)
	}
}

func TestSupersede_NamesWhatCameInItsPlace(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	old := relate(t, s, draft("Bob", "uses", "Go"))
	r := draft("", "", "Rust")
	out, err := s.Supersede(t.Context(), memory.Scope{Namespace: "n"},
		memory.Supersession{ID: old.Relationship.ID, Replacement: &r}, agent)
	if err != nil {
		t.Fatal(err)
	}
	if out.Replacement == nil || out.Ended.SupersededBy != out.Replacement.ID || out.Ended.ValidUntil.IsZero() ||
		out.Replacement.Relation != "uses" || out.Replacement.Head.Name != "Bob" {
		t.Errorf("%+v", out)
	}
	if _, err := s.Supersede(t.Context(), memory.Scope{Namespace: "n"}, memory.Supersession{ID: old.Relationship.ID},
		agent); code(err) != memory.Conflict {
		t.Errorf("superseding what is superseded: %v", err)
	}
}

func TestRecordEpisode_StoresSuppliedFactsItemByItem(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
		Content: "Bob uses Go at Acme.", Origin: memory.OriginUser, Status: memory.StatusPending},
		Entities: []memory.EntityDraft{{Name: "Bob", Type: "person", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, {Name: "\x01", Type: "person"}},
		Relations: []memory.RelationDraft{draft("Bob", "uses", "Go"), draft("Bob", "knows", "Bob"),
			draft("Bob", "works_at", "Acme")}}
	out, err := s.RecordEpisode(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Entities) != 1 || len(out.Relations) != 2 || len(out.Errors) != 2 || out.Errors[0].Item != "entities[1]" ||
		out.Errors[1].Item != "relations[1]" {
		t.Errorf("%+v", out)
	}
	if ev := out.Relations[0].Relationship.Evidence; len(ev) != 1 || ev[0] != out.Episode.ID {
		t.Errorf("evidence %v", ev)
	}
}

func date(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := memory.ParseTime("at", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestCreateRelation_ItsEvidenceHasTheRoleOfWhoeverGaveIt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for origin, want := range map[memory.Origin]memory.Role{memory.OriginUser: memory.RoleUser,
		memory.OriginAgent: memory.RoleAssistant, memory.OriginTool: memory.RoleTool} {
		d := draft("Kim", "knows", "a "+string(origin))
		d.Origin = origin
		e, err := s.Episodes(t.Context(), "n", relate(t, s, d).Relationship.Evidence)
		if err != nil || len(e) != 1 || e[0].Role != want {
			t.Errorf("%s: %+v, %v; want the role %s", origin, e, err, want)
		}
	}
}

func TestCreateRelation_ALateSinceMovesTheEndOfWhatItSuperseded(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	rome, oslo := draft("Kim", "lives_in", "Rome"), draft("Kim", "lives_in", "Oslo")
	rome.ValidFrom = date(t, "2025-01-01")
	first := relate(t, s, rome).Relationship
	relate(t, s, oslo)
	oslo.ValidFrom = date(t, "2026-03-01")
	if out := relate(t, s, oslo); out.Status != memory.RelationReinforced || len(out.Superseded) != 1 {
		t.Errorf("%+v", out)
	}
	found, err := s.Relationships(t.Context(), "n", []int64{first.ID}, memory.AsOf{})
	if err != nil || len(found) != 1 || !found[0].ValidUntil.Equal(oslo.ValidFrom) {
		t.Errorf("Rome: %+v, %v; want an end at %v", found, err, oslo.ValidFrom)
	}
}

func TestCreateRelation_WhatIsPlannedDoesNotShieldWhatHoldsNow(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	var ids []int64
	for _, job := range [][2]string{{"A1", "2024-01-01"}, {"A2", "2099-06-01"}, {"A3", "2026-01-01"}} {
		d := draft("Eve", "works_at", job[0])
		d.ValidFrom = date(t, job[1])
		out := relate(t, s, d)
		if len(out.Conflicts) > 0 {
			t.Errorf("%s: %+v", job[0], out.Conflicts)
		}
		ids = append(ids, out.Relationship.ID)
	}
	found, err := s.Relationships(t.Context(), "n", ids, memory.AsOf{})
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	if a1, a2, a3 := found[0], found[1], found[2]; !a1.ValidUntil.Equal(a3.ValidFrom) ||
		!a3.ExpiresAt.Equal(a2.ValidFrom) || !a2.ExpiresAt.IsZero() {
		t.Errorf("%+v", found)
	}
}

func TestCreateRelation_APastEndOfAnActiveFactIsAConflict(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	d := draft("Lou", "works_at", "Acme")
	d.ValidFrom = date(t, "2020-01-01")
	live := relate(t, s, d).Relationship
	d.ValidFrom, d.ValidUntil = time.Time{}, date(t, "2024-01-01")
	out := relate(t, s, d)
	if out.Status != memory.RelationEnded || out.Relationship.ID == live.ID || len(out.Conflicts) != 1 ||
		out.Conflicts[0].ID != live.ID {
		t.Errorf("%+v", out)
	}
}

func TestCreateRelation_APlanIsPostponed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, again string // valid_from
		trusted      bool
		want         string
	}{
		"a plan":                       {"2098-05-09", "2098-05-23", true, "2098-05-23"},
		"a plan, by an untrusted turn": {"2098-05-09", "2098-05-23", false, "2098-05-09"},
		"what has begun":               {"2020-05-09", "2020-05-23", true, "2020-05-09"},
		"a plan, brought forward":      {"2098-05-23", "2098-05-09", true, "2098-05-09"},
	} {
		s := openNew(t)
		d := draft("Lionel", "lands_at", "Birmingham")
		d.Origin, d.ValidFrom = memory.OriginUser, date(t, c.first)
		id := relate(t, s, d).Relationship.ID
		if d.ValidFrom = date(t, c.again); !c.trusted {
			d.Origin = memory.OriginTool
		}
		relate(t, s, d)
		found, err := s.Relationships(t.Context(), "n", []int64{id}, memory.AsOf{})
		if err != nil || len(found) != 1 || !found[0].ValidFrom.Equal(date(t, c.want)) {
			t.Errorf("%s: %+v, %v; want it from %s", name, found, err, c.want)
		}
	}
}
