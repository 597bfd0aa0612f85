package store

import (
	"context"
	"slices"
)

// AddRetrievals counts the use of relationships in answers: the count of each grows by n. A counter is not meaning, so
// there is no version and no event. Ids outside the namespace are skipped.
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
			if _, err := c.exec(ctx,
				`UPDATE mg_relationships SET retrieval_count = retrieval_count + ? WHERE id = ? AND namespace = ?`,
				counts[id], id, namespace); err != nil {
				return err
			}
		}
		return nil
	})
}
