package store_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestAddRetrievals_CountsWithoutAVersion(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	r := relate(t, s, draft("Bob", "uses", "Go")).Relationship
	for _, namespace := range []string{"n", "other"} {
		if err := s.AddRetrievals(t.Context(), namespace, map[int64]int{r.ID: 2}); err != nil {
			t.Fatal(err)
		}
	}
	count := func() float64 {
		found, err := s.Relationships(t.Context(), "n", []int64{r.ID}, memory.AsOf{})
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		return found[0].RetrievalCount
	}
	if got := count(); got != 2 {
		t.Errorf("counted %v times, want 2: only its own namespace counts", got)
	}
}
