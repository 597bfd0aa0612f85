package store

import (
	"context"

	"memory-graph/internal/memory"
)

// requeueChunk is the maximum number of jobs queued in one transaction. The write lock is free between transactions.
const requeueChunk = 500

// lostTurns selects the turns that a model should read but that have no open job. Turns stored while extraction was off
// are not among them. Backfill reads those on request, because a model may cost money.
const lostTurns = ` FROM mg_episodes e INDEXED BY mg_episodes_unfinished WHERE e.status IN ('pending', 'failed')
	AND e.status IN ('pending', 'failed', 'quarantined') AND (e.status = 'failed' OR e.rules_read = 1)
	AND NOT EXISTS (SELECT 1 FROM mg_jobs j WHERE j.kind =
	'` + KindExtract + `' AND j.subject = 't' || e.id AND j.status <> 'done')`

// RequeueTurns queues extract jobs for turns of all namespaces that a model should read and that have lost their job.
// It returns the number of queued jobs. Usually there are none, and then it only reads. Several processes may run it at
// the same time.
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
