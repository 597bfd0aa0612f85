package store_test

import (
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A fact that a model only implied neither ends nor contradicts a stated fact, and a stated fact ends it.
func TestSaveExtraction_WhatIsOnlyImpliedEndsNothingThatWasStated(t *testing.T) {
	t.Parallel()
	ended := func(d memory.RelationDraft) memory.RelationDraft { d.Ended = true; return d }
	guess := func(relation, tail string) memory.RelationDraft {
		return fact("Ada", relation, tail, memory.MethodModelImplied, .9)
	}
	stated := func(relation, tail string, m memory.Method) memory.RelationDraft {
		return fact("Ada", relation, tail, m, .9)
	}
	for name, c := range map[string]struct {
		known, found memory.RelationDraft
		refused      bool
		ends         bool // the known fact ended
	}{
		"another home": {known: stated("located_in", "Lima", memory.MethodRule),
			found: guess("located_in", "Bern"), refused: true},
		"another job, by the model": {known: stated("works_at", "Acme", memory.MethodModelStated),
			found: guess("works_at", "Hooli"), refused: true},
		"a hedged job": {known: stated("works_at", "Acme", memory.MethodRuleHedged),
			found: guess("works_at", "Hooli"), refused: true},
		"the end of a job": {known: stated("works_at", "Acme", memory.MethodRule),
			found: ended(guess("works_at", "Acme")), refused: true},
		"the opposite": {known: stated("prefers", "Vim", memory.MethodRule), found: guess("dislikes", "Vim"),
			refused: true},
		"what rules out nothing": {known: stated("uses", "Vim", memory.MethodRule), found: guess("uses", "Emacs")},
		"the same": {known: stated("works_at", "Acme", memory.MethodRule),
			found: guess("works_at", "Acme")},
		"a guess by a guess": {known: guess("located_in", "Lima"), found: guess("located_in", "Bern"), ends: true},
		"the end of a guess": {known: guess("located_in", "Lima"), found: ended(guess("located_in", "Lima")),
			ends: true},
		"a guess by what is stated": {known: guess("located_in", "Lima"),
			found: stated("located_in", "Bern", memory.MethodModelStated), ends: true},
		"what is stated by the stated": {known: stated("located_in", "Lima", memory.MethodRule),
			found: stated("located_in", "Bern", memory.MethodModelStated), ends: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			by := memory.Caller{Actor: "tool"}
			first := record(t, s, turn("s", "earlier")).Episode.ID
			was, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: "default"}, c.known, first, by)
			if err != nil {
				t.Fatal(err)
			}
			id := queued(t, s, "later")
			out := save(t, s, reading(id, c.found), take(t, s, "a"))
			if got := len(out.Refused) == 1; got != c.refused || got == (len(out.Relations) == 1) {
				t.Errorf("refused %v, want %v: %+v", got, c.refused, out)
			}
			rows, err := s.Relationships(t.Context(), "default", []int64{was.Relationship.ID}, memory.AsOf{})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(rows) == 0 || !rows[0].ValidUntil.IsZero(); got != c.ends {
				t.Errorf("ended %v, want %v: %+v", got, c.ends, rows)
			}
			if c.refused {
				counters, err := s.Counters(t.Context(), "default")
				if err != nil || len(counters) == 0 || counters[0].Code != store.DroppedPrefix+"refused" {
					t.Errorf("%+v, %v", counters, err)
				}
			}
		})
	}
}
