package store

import (
	"context"
	"time"

	"memory-graph/memory"
)

// expireChunk is how many facts are ended in one transaction: the lock is free in between.
const expireChunk = 500

// ExpireDue turns the scheduled ends that are due at now into ends, in all namespaces, and gives how many there were. It
// changes no answer, since a due end is an end for every read (decision 13): it keeps the indexes of what is active small.
// Two processes may run it at once.
func (s *Store) ExpireDue(ctx context.Context, now time.Time) (int, error) {
	now = now.UTC().Truncate(time.Millisecond)
	due := memory.Seconds(now)
	for total := 0; ; {
		n := 0
		if found, err := s.anyDue(ctx, due); err != nil || !found { // the lock is not taken for nothing
			return total, err
		}
		err := s.writeGraph(ctx, "expire facts", "expire", memory.Scope{}, memory.Caller{Actor: "system"}, func(ctx context.Context, w *writing) error {
			w.now = now
			facts, err := w.facts(ctx, `r.valid_until IS NULL AND r.expires_at <= ? ORDER BY r.expires_at LIMIT ?`, due, expireChunk)
			if err != nil {
				return err
			}
			for _, f := range facts {
				if w.scope.Namespace, err = w.c.text(ctx, `SELECT namespace FROM mg_relationships WHERE id = ?`, f.id); err != nil {
					return err
				}
				if err := w.expire(ctx, f); err != nil {
					return err
				}
			}
			n = len(facts)
			return nil
		})
		total += n
		if err != nil || n < expireChunk {
			return total, err
		}
	}
}

func (s *Store) anyDue(ctx context.Context, due string) (found bool, err error) {
	err = s.readOne(ctx, "look for facts that are due", func(c *conn) error {
		_, found, err = c.int64(ctx, `SELECT id FROM mg_relationships WHERE valid_until IS NULL AND expires_at <= ? LIMIT 1`, due)
		return err
	})
	return found, err
}
