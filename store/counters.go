package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// Counter counts events of a namespace that do not fail a call.
type Counter struct {
	Code      string // such as GRAPH_RELATIONSHIP_PARTIAL_DEGRADE, or DroppedPrefix and a reason
	N         int64
	LastAt    time.Time
	LastError string // of the last occurrence that had an error
}

// DroppedPrefix begins the codes that count what an extractor's checks rejected. The reason follows the prefix.
const DroppedPrefix = "dropped."

// Count adds 1 to a counter. A cause becomes the counter's last error; nil keeps the last one.
func (s *Store) Count(ctx context.Context, namespace, code string, cause error) error {
	return s.write(ctx, "count", func(c *conn) error { return count(ctx, c, namespace, code, 1, cause, s.now()) })
}

// count adds n to a counter and keeps its last error if cause is nil.
func count(ctx context.Context, c *conn, namespace, code string, n int, cause error, now time.Time) error {
	var text nullable
	if cause != nil {
		text = nullable(lastError(cause))
	}
	_, err := c.exec(ctx, `INSERT INTO mg_counters (namespace, code, n, last_at, last_error) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET n = n + ?3, last_at = ?4, last_error = coalesce(?5,
		last_error)`, namespace, code, n, memory.Millis(now), text)
	return err
}

// CountersOfAll returns the counters of the whole file, summed up over namespaces and sorted by code.
func (s *Store) CountersOfAll(ctx context.Context) ([]Counter, error) {
	list := []Counter{}
	err := s.readOne(ctx, "read counters", func(c *conn) error {
		return c.query(ctx, `SELECT code, sum(n), max(last_at) FROM mg_counters GROUP BY code ORDER BY code`,
			func(row cursor) error {
				at, err := row.time(2)
				list = append(list, Counter{Code: row.text(0), N: row.int64(1), LastAt: at})
				return err
			})
	})
	return list, err
}

// Counters returns the namespace's counters, sorted by code.
func (s *Store) Counters(ctx context.Context, namespace string) ([]Counter, error) {
	list := []Counter{}
	err := s.readOne(ctx, "read counters", func(c *conn) error {
		return c.query(ctx, `SELECT code, n, last_at, last_error FROM mg_counters WHERE namespace = ? ORDER BY code`,
			func(row cursor) error {
				at, err := row.time(2)
				list = append(list, Counter{row.text(0), row.int64(1), at, row.text(3)})
				return err
			}, namespace)
	})
	return list, err
}
