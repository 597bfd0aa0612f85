package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// expireChunk is how many facts or entities are ended in one transaction: the lock is free in between.
const expireChunk = 500

// ExpireDue turns the scheduled ends of facts that are due at now into ends, and makes the confidence of entities whose
// validity is over 0 (decision 13, F14), in all namespaces; it gives how many there were. It changes no answer, since a
// due end is an end for every read: it keeps what is stored as it is read. Two processes may run it at once.
func (s *Store) ExpireDue(ctx context.Context, now time.Time) (int, error) {
	now = now.UTC().Truncate(time.Millisecond)
	facts, err := s.expireChunks(ctx,
		`SELECT id FROM mg_relationships WHERE valid_until IS NULL AND expires_at <= ? LIMIT 1`, now, s.expireFacts)
	if err != nil {
		return facts, err
	}
	entities, err := s.expireChunks(ctx, `SELECT 1 FROM mg_entities WHERE `+overEntities+` LIMIT 1`, now, s.expireEntities)
	return facts + entities, err
}

// expireChunks expires chunk by chunk, and takes no lock where a read finds nothing that is due.
func (s *Store) expireChunks(ctx context.Context, anyDue string, now time.Time,
	expire func(context.Context, time.Time) (int, error)) (total int, err error) {
	for {
		found := false
		err := s.readOne(ctx, "look for what is due", func(c *conn) (err error) {
			_, found, err = c.int64(ctx, anyDue, memory.Seconds(now))
			return err
		})
		if err != nil || !found {
			return total, err
		}
		n, err := expire(ctx, now)
		total += n
		if err != nil || n < expireChunk {
			return total, err
		}
	}
}

func (s *Store) expireFacts(ctx context.Context, now time.Time) (n int, err error) {
	err = s.writeGraph(ctx, "expire facts", "expire", memory.Scope{}, memory.Caller{Actor: "system"},
		func(ctx context.Context, w *writing) error {
			w.now = now
			facts, err := w.facts(ctx, `r.valid_until IS NULL AND r.expires_at <= ? ORDER BY r.expires_at LIMIT ?`,
				memory.Seconds(now), expireChunk)
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
	return n, err
}

// overEntities is the condition of entities whose validity is over and whose confidence is not 0 yet; it has an index.
const overEntities = `valid_until IS NOT NULL AND confidence > 0 AND valid_until <= ?`

// expireEntities changes no meaning: what was stated is kept beside, and counts again where the validity is made
// longer.
func (s *Store) expireEntities(ctx context.Context, now time.Time) (n int, err error) {
	err = s.write(ctx, "expire entities", func(c *conn) error {
		changed, err := c.exec(ctx, `UPDATE mg_entities SET unfaded = coalesce(unfaded, confidence), confidence = 0
			WHERE id IN (SELECT id FROM mg_entities WHERE `+overEntities+` LIMIT ?)`, memory.Seconds(now), expireChunk)
		n = int(changed)
		return err
	})
	return n, err
}
