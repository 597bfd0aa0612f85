package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// DueJobs returns the number of due jobs of a kind, at most limit, and how long ago the oldest of them was queued.
func (s *Store) DueJobs(ctx context.Context, kind string, limit int) (n int, oldest time.Duration, err error) {
	err = s.readOne(ctx, "look for due jobs", func(c *conn) error {
		n, oldest = 0, 0
		now := s.now()
		return c.query(ctx, `SELECT created_at FROM mg_jobs WHERE kind = ? AND status <> 'done' AND next_at <= ?
			ORDER BY next_at, id LIMIT ?`, func(row cursor) error {
			at, err := row.time(0)
			n, oldest = n+1, max(oldest, now.Sub(at))
			return err
		}, kind, memory.Millis(now), limit)
	})
	return n, oldest, err
}
