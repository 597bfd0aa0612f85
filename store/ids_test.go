package store_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestForget_NeverGivesAnIDTwice(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	var entity, fact, turn int64
	for range 3 {
		r := relate(t, s, draft("Bob", "uses", "Go")).Relationship
		if r.Head.ID <= entity || r.ID <= fact || r.Evidence[0] <= turn {
			t.Fatalf("e%d, r%d, t%d are not above e%d, r%d, t%d", r.Head.ID, r.ID, r.Evidence[0], entity, fact, turn)
		}
		entity, fact, turn = r.Tail.ID, r.ID, r.Evidence[0]
		ids := []memory.ID{r.Head.Ref(), r.Tail.Ref(), r.Ref(), memory.EpisodeID(r.Evidence[0])}
		if _, err := s.Forget(t.Context(), "n", ids, true, agent); err != nil {
			t.Fatal(err)
		}
	}
}
