package store

import (
	"context"
	"slices"

	"memory-graph/memory"
)

// AddRetrievals counts that relationships were part of answers (Z23): the count of each grows by n. It is a counter and no
// meaning: there is no version and no event. Ids that are not of the namespace are passed over.
func (s *Store) AddRetrievals(ctx context.Context, namespace string, counts map[int64]int) error {
	if len(counts) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return s.write(ctx, "count retrievals", func(c *conn) error {
		for _, id := range ids {
			if _, err := c.exec(ctx, `UPDATE mg_relationships SET retrieval_count = retrieval_count + ? WHERE id = ? AND namespace = ?`,
				counts[id], id, namespace); err != nil {
				return err
			}
		}
		return nil
	})
}

// FadeRetrievals multiplies every count of retrievals by lambda, 0 to 1 (Z25); what is left of less than a hundredth is
// nothing. It gives how many rows changed.
func (s *Store) FadeRetrievals(ctx context.Context, lambda float64) (int64, error) {
	if !(lambda > 0 && lambda <= 1) {
		return 0, memory.Errorf(memory.InvalidArgument, "lambda: %v is out of range.", lambda).WithHint("Use a number above 0 and at most 1.")
	}
	var changed int64
	err := s.write(ctx, "fade retrievals", func(c *conn) (err error) {
		changed, err = c.exec(ctx, `UPDATE mg_relationships SET retrieval_count = iif(retrieval_count * ?1 < .01, 0, retrieval_count * ?1) WHERE retrieval_count > 0`, lambda)
		return err
	})
	return changed, err
}
