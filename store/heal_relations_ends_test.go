package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestHealRelations_EndsOnlyWhatTheFactsEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lines []string
		begin string // SQL for what the lines cannot say
		want  []string
	}{
		"an end that is known already": {[]string{"user: Alice older_joined Acme from 2015-01-01",
			"user: Alice works_at Acme from 2015-01-01 until 2019-01-01"}, "", nil},
		"another period": {[]string{"user: Alice older_joined Acme from 2020-01-01",
			"user: Alice works_at Acme from 2015-01-01 until 2019-01-01"}, "", []string{"Alice works_at Acme"}},
		"unknown beginnings": {[]string{"user: Alice lives_in Ghent", "user: Alice older_located_in Bruges"},
			"UPDATE mg_relationships SET valid_from = NULL, from_unit = NULL", []string{"Alice lives_in Bruges"}},
		"one that is to supersede the other": {[]string{"user: Alice lives_in Ghent", "user: Alice older_located_in Bruges"},
			"UPDATE mg_relationships SET superseded_by = 1 WHERE id = 2", []string{"Alice lives_in Bruges"}},
		"one fact from both ends": {[]string{"user: Alice works_with Bob", "user: Bob older_works_with Alice",
			"user: Bob older_works_with Carol"}, "", []string{"Alice works_with Bob", "Bob works_with Carol"}},
		"two names from both ends": {[]string{"user: Alice works_with Bob", "user: Bob older_colleague_of Alice"}, "",
			[]string{"Alice works_with Bob"}},
		"from both ends, and one is over": {[]string{"user: Alice works_with Bob from 2015-01-01 until 2019-01-01",
			"user: Bob older_works_with Alice from 2020-01-01"}, "", []string{"Bob works_with Alice"}},
		"from both ends, and the end of one is due": {[]string{"user: Alice works_with Bob",
			"user: Bob older_works_with Alice"}, "UPDATE mg_relationships SET expires_at = '2026-06-02T00:00:00Z' WHERE id = 2",
			[]string{"Alice works_with Bob"}},
		"notes that are linked both ways": {[]string{"user: Alice similar_to Bob", "user: Bob older_similar_to Alice"}, "",
			[]string{"Alice similar_to Bob", "Bob similar_to Alice"}},
		"a relation that is not symmetric": {[]string{"user: Alice knows Bob", "user: Bob older_knows Alice"}, "",
			[]string{"Alice knows Bob", "Bob knows Alice"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlayground(t)
			p.now = today
			w := &spoken{p: p, scope: memory.Scope{Namespace: "older"}}
			for _, line := range tc.lines {
				w.say(t, line)
			}
			if tc.begin != "" {
				if err := p.s.ExecOnWriter(tc.begin); err != nil {
					t.Fatal(err)
				}
			}
			w.older(t)
			w.heal(t)
			if diff := cmp.Diff(tc.want, w.active(t, memory.AsOf{})); diff != "" {
				t.Errorf("active facts (-want +got):\n%s", diff)
			}
			wrong, err := p.s.QueryTexts(`SELECT format('r%d', r.id) FROM mg_relationships r
				LEFT JOIN mg_relationships o ON o.id = r.superseded_by
				WHERE r.valid_until = '' OR o.superseded_by = r.id`)
			if err != nil || len(wrong) > 0 {
				t.Errorf("facts with an empty end or that supersede each other: %v, %v", wrong, err)
			}
		})
	}
}

func TestHealRelations_RelationsOfTheReferenceToolsetEndNothing(t *testing.T) {
	t.Parallel()
	p := newPlayground(t)
	p.now = today
	w := &spoken{p: p, scope: memory.Scope{Namespace: "older"}}
	w.say(t, "on 2026-05-01 user: Alice lives_in Ghent")
	p.now = today
	o := store.ReferenceCall{Action: "create_relations", Source: "call", Origin: memory.OriginUser}
	got, err := p.s.Relate(t.Context(), w.scope, []memory.ReferenceRelation{
		{From: "Alice", To: "Bruges", Type: "older_located_in"}}, o, agent)
	if err != nil || got[0].Mistake != nil {
		t.Fatal(got, err)
	}
	w.older(t)
	if n := w.heal(t); n != 1 {
		t.Errorf("healed %d facts, want 1", n)
	}
	want := []string{"Alice lives_in Bruges", "Alice lives_in Ghent"}
	if diff := cmp.Diff(want, w.active(t, memory.AsOf{})); diff != "" {
		t.Errorf("active facts (-want +got):\n%s", diff)
	}
}

// The toolset reference keeps both directions of a relation, as it was given them.
func TestHealRelations_KeepsBothDirectionsOfTheReferenceToolset(t *testing.T) {
	t.Parallel()
	p := newPlayground(t)
	p.now = today
	w := &spoken{p: p, scope: memory.Scope{Namespace: "older"}}
	w.say(t, "user: Alice works_with Bob")
	o := store.ReferenceCall{Action: "create_relations", Source: "call", Origin: memory.OriginUser}
	got, err := p.s.Relate(t.Context(), w.scope, []memory.ReferenceRelation{
		{From: "Bob", To: "Alice", Type: "works_with"}}, o, agent)
	if err != nil || got[0].Mistake != nil {
		t.Fatal(got, err)
	}
	if n := w.heal(t); n != 0 {
		t.Errorf("healed %d facts, want 0", n)
	}
	want := []string{"Alice works_with Bob", "Bob works_with Alice"}
	if diff := cmp.Diff(want, w.active(t, memory.AsOf{})); diff != "" {
		t.Errorf("active facts (-want +got):\n%s", diff)
	}
}

func TestHealRelations_JoinsBothEndsOnceAndUndoes(t *testing.T) {
	t.Parallel()
	p := newPlayground(t)
	p.now = today
	w := &spoken{p: p, scope: memory.Scope{Namespace: "older"}}
	w.say(t, "on 2026-05-01 user: Alice works_with Bob sure .6")
	w.say(t, "on 2026-05-02 user: Bob older_works_with Alice from 2020-01-01 sure .9")
	w.older(t)
	before, both := memory.AsOf{KnownAt: p.now}, []string{"Alice works_with Bob", "Bob works_with Alice"}
	if n := w.heal(t); n != 1 {
		t.Errorf("healed %d facts, want 1", n)
	}
	one, err := p.s.QueryTexts(`SELECT format('%s %.1f %d', valid_from, confidence, (SELECT count(*) FROM mg_evidence v
		WHERE v.relationship_id = r.id)) FROM mg_relationships r WHERE valid_until IS NULL`)
	if diff := cmp.Diff([]string{"2020-01-01 00:00:00 0.9 2"}, one); err != nil || diff != "" {
		t.Errorf("the one fact (-want +got): %v\n%s", err, diff)
	}
	if diff := cmp.Diff(both, w.active(t, before)); diff != "" {
		t.Errorf("facts as they were believed before (-want +got):\n%s", diff)
	}
	calls, err := p.s.QueryTexts(`SELECT DISTINCT call_id FROM mg_events WHERE action = 'heal_relation'`)
	if err != nil || len(calls) != 1 {
		t.Fatal(calls, err)
	}
	if _, err := p.s.Undo(t.Context(), w.scope.Namespace, calls[0], memory.Caller{CallID: "undo"}); err != nil {
		t.Fatal(err)
	}
	if n := w.heal(t); n != 0 {
		t.Errorf("healed %d facts that were undone", n)
	}
	if diff := cmp.Diff(both, w.active(t, memory.AsOf{})); diff != "" {
		t.Errorf("facts after the undo (-want +got):\n%s", diff)
	}
}
