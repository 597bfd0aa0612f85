package store

import (
	"context"

	"memory-graph/internal/memory"
)

// requeueChunk is how many jobs are queued in one transaction: the lock is free in between.
const requeueChunk = 500

// lostTurns are the turns that a model was to read and that no open job is about. What was stored while nothing was to
// be extracted, or before there was any extraction, is none of them: that is backfill's, since it may cost money.
const lostTurns = ` FROM mg_episodes e INDEXED BY mg_episodes_unfinished WHERE e.status IN ('pending', 'failed')
	AND e.status IN ('pending', 'failed', 'quarantined') AND (e.status = 'failed' OR e.rules_read = 1)
	AND NOT EXISTS (SELECT 1 FROM mg_jobs j WHERE j.kind =
	'` + KindExtract + `' AND j.subject = 't' || e.id AND j.status <> 'done')`

// RequeueTurns queues extract jobs for turns of all namespaces that were to be read by a model and have lost their job,
// and gives how many. It is a read where none has, as is usual; several processes may run it at once.
func (s *Store) RequeueTurns(ctx context.Context) (int, error) {
	for total := 0; ; {
		lost := false
		err := s.readOne(ctx, "look for turns without a job", func(c *conn) (err error) {
			_, lost, err = c.int64(ctx, `SELECT e.id`+lostTurns+` LIMIT 1`)
			return err
		})
		if err != nil || !lost {
			return total, err
		}
		var n int64
		err = s.write(ctx, "queue turns again", func(c *conn) (err error) {
			n, err = c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at)
				SELECT '`+KindExtract+`', e.namespace, 't' || e.id, '`+jobPending+`', ?1, ?1`+lostTurns+` LIMIT ?2
				ON CONFLICT (kind, subject) WHERE status <> 'done' DO NOTHING`, memory.Millis(s.now()), requeueChunk)
			return err
		})
		total += int(n)
		if err != nil || n < requeueChunk {
			return total, err
		}
	}
}
