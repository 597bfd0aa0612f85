package store

import (
	"context"

	"memory-graph/internal/memory"
)

// EpisodeIDs returns the ids of the filter's episodes, unsorted.
func (s *Store) EpisodeIDs(ctx context.Context, f memory.Filter) ([]int64, error) {
	var ids []int64
	w := filterWhere(f)
	err := s.readOne(ctx, "read ids of episodes", func(c *conn) error {
		return c.query(ctx, `SELECT e.id FROM mg_episodes e WHERE `+w.sql.String(), func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, w.args...)
	})
	return ids, err
}
