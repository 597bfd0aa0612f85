package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRelationDecay_TellsWhatTheRatesLeave(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	scope := memory.Scope{Namespace: "n"}
	for _, tail := range []string{"Vim", "Emacs"} {
		confidence := 1.
		if _, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", Relation: "likes", Tail: tail,
			Confidence: &confidence, CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied}, 0,
			memory.Caller{Actor: "test"}); err != nil {
			t.Fatal(err)
		}
		now = now.AddDate(0, 0, 10)
	}
	rates := graph.Rates{Default: graph.DefaultRate, Set: map[string]float64{"likes": .2}}
	got, err := s.RelationDecay(t.Context(), "n", "likes", rates) // 20 and 10 days: e^-4, hidden, and e^-2
	if err != nil {
		t.Fatal(err)
	}
	want := []memory.Decay{{Relation: "likes", Rate: .2, Facts: 2, Hidden: 1, Mean: (.0183156 + .1353353) / 2}}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := s.RelationDecay(t.Context(), "n", "owns", rates); err != nil || len(got) != 0 {
		t.Errorf("a relation without facts: %v, %v", got, err)
	}
}
