package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// expansionSpan is the span of time that a row of mg_expansions counts.
const expansionSpan = 10 * time.Minute

// RolloutMode returns how far graph expansion is rolled out in a namespace, memory.DefaultRollout if it was never set.
func (s *Store) RolloutMode(ctx context.Context, namespace string) (memory.RolloutMode, error) {
	mode := memory.DefaultRollout
	err := s.readOne(ctx, "read the rollout", func(c *conn) error {
		mode = memory.DefaultRollout
		return c.query(ctx, `SELECT mode FROM mg_rollout WHERE namespace = ?`, func(row cursor) (err error) {
			mode, err = memory.ParseRolloutMode(row.text(0))
			return err
		}, namespace)
	})
	return mode, err
}

// SetRolloutMode sets how far graph expansion is rolled out in a namespace. It changes how the graph is read and not
// what it says: no version, no event.
func (s *Store) SetRolloutMode(ctx context.Context, namespace string, mode memory.RolloutMode, _ memory.Caller) error {
	if _, err := memory.ParseRolloutMode(string(mode)); err != nil {
		return err
	}
	return s.write(ctx, "set the rollout", func(c *conn) error {
		_, err := c.exec(ctx, `INSERT INTO mg_rollout (namespace, mode, updated_at) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET mode = excluded.mode, updated_at = excluded.updated_at`,
			namespace, string(mode), memory.Millis(s.now()))
		return err
	})
}

// ExpansionCounts returns the counts of the window that ends at until and of the window before it. The zero time is the
// store's present. A window begins with the ten minutes that its first instant belongs to.
func (s *Store) ExpansionCounts(ctx context.Context, namespace string, until time.Time,
	window time.Duration) (current, previous memory.Expansions, err error) {
	if until.IsZero() {
		until = s.now()
	}
	err = s.readOne(ctx, "read the counts of expansions", func(c *conn) error {
		current, previous = memory.Expansions{}, memory.Expansions{}
		from := memory.Millis(until.Add(-window).Truncate(expansionSpan))
		return c.query(ctx, `SELECT at >= ?2, sum(tried), sum(fallbacks), sum(errors), sum(covered), sum(added)
			FROM mg_expansions WHERE namespace = ?1 AND at >= ?3 AND at <= ?4 GROUP BY 1`,
			func(row cursor) error {
				n := memory.Expansions{Tried: row.int64(1), Fallbacks: row.int64(2), Errors: row.int64(3),
					Covered: row.int64(4), Added: row.int64(5)}
				if row.bool(0) {
					current = n
				} else {
					previous = n
				}
				return nil
			}, namespace, from, memory.Millis(until.Add(-2*window).Truncate(expansionSpan)), memory.Millis(until))
	})
	return current, previous, err
}

// AddExpansions adds counts to the present span of each namespace, and deletes the spans that ended keep ago.
func (s *Store) AddExpansions(ctx context.Context, counts map[string]memory.Expansions, keep time.Duration) error {
	if len(counts) == 0 {
		return nil
	}
	return s.write(ctx, "count expansions", func(c *conn) error {
		now := s.now()
		at := memory.Millis(now.Truncate(expansionSpan))
		for _, namespace := range slices.Sorted(maps.Keys(counts)) {
			n := counts[namespace]
			if _, err := c.exec(ctx, `INSERT INTO mg_expansions (namespace, at, tried, fallbacks, errors, covered, added)
				VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET tried = tried + excluded.tried,
				fallbacks = fallbacks + excluded.fallbacks, errors = errors + excluded.errors,
				covered = covered + excluded.covered, added = added + excluded.added`,
				namespace, at, n.Tried, n.Fallbacks, n.Errors, n.Covered, n.Added); err != nil {
				return err
			}
			if _, err := c.exec(ctx, `DELETE FROM mg_expansions WHERE namespace = ? AND at < ?`, namespace,
				memory.Millis(now.Add(-keep-expansionSpan))); err != nil {
				return err
			}
		}
		return nil
	})
}
