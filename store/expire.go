package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// expireChunk is the maximum number of facts or entities ended in one transaction. The write lock is free between
// transactions.
const expireChunk = 500

// ExpireDue turns the scheduled ends of facts that are due at now into ends. It sets the confidence of entities past
// their end to 0. It covers all namespaces and returns the number of changed rows. It changes no answer, because reads
// already treat a due end as an end (docs/decisions.md, "Active and scheduled ends"). Two processes may run it at the
// same time.
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

// expireChunks expires chunk by chunk. It takes no write lock if a read finds nothing due.
func (s *Store) expireChunks(ctx context.Context, anyDue string, now time.Time,
	expire func(context.Context, time.Time) (int, error)) (total int, err error) {
	for {
		found := false
		err := s.readOne(ctx, "find due ends", func(c *conn) (err error) {
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
			facts, err := w.openFacts(ctx, `r.expires_at <= ? ORDER BY r.expires_at LIMIT ?`,
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

// overEntities is the condition for entities past their end whose confidence is not 0 yet. It has an index.
const overEntities = `valid_until IS NOT NULL AND confidence > 0 AND valid_until <= ?`

// expireEntities does not change meaning. It keeps the stated confidence in unfaded, which counts again if the entity
// gets a later end.
func (s *Store) expireEntities(ctx context.Context, now time.Time) (n int, err error) {
	err = s.write(ctx, "expire entities", func(c *conn) error {
		changed, err := c.exec(ctx, `UPDATE mg_entities SET unfaded = coalesce(unfaded, confidence), confidence = 0
			WHERE id IN (SELECT id FROM mg_entities WHERE `+overEntities+` LIMIT ?)`, memory.Seconds(now), expireChunk)
		n = int(changed)
		return err
	})
	return n, err
}
