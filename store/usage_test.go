package store_test

import (
	"testing"

	"memory-graph/memory"
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
	for range 200 {
		if _, err := s.FadeRetrievals(t.Context(), .95); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(); got != 0 {
		t.Errorf("%v is left of a count that nobody added to", got)
	}
	for _, lambda := range []float64{0, -1, 1.1} {
		if _, err := s.FadeRetrievals(t.Context(), lambda); code(err) != memory.InvalidArgument {
			t.Errorf("lambda %v: %v", lambda, err)
		}
	}
}
