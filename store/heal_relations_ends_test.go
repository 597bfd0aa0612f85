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
