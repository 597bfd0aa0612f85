package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// WaitingTurn is a turn that extraction has not finished.
type WaitingTurn struct {
	memory.Episode
	RulesRead bool // the built-in rules have read it
}

const waitingColumns = episodeColumns + `, e.rules_read`

func collectWaiting(into *[]WaitingTurn) func(cursor) error {
	return func(s cursor) error {
		e, err := scanEpisode(s)
		if err == nil {
			*into = append(*into, WaitingTurn{e, s.bool(episodeFields)})
		}
		return err
	}
}

// unfinished is the condition for a status, written so that SQLite uses the index mg_episodes_unfinished.
func unfinished(status string) string {
	return `status = '` + status + `' AND status IN ('pending', 'failed', 'quarantined')`
}

// WaitingTurns returns up to limit pending or failed turns of the namespace with an id above after, oldest first.
func (s *Store) WaitingTurns(ctx context.Context, namespace string, after int64, limit int) ([]WaitingTurn, error) {
	found := []WaitingTurn{}
	first := func(status string) string { // the first turns of each status in index order, so no backlog is sorted
		return `SELECT id FROM (SELECT id FROM mg_episodes WHERE namespace = ?1 AND ` + unfinished(status) +
			` AND id > ?2 ORDER BY id LIMIT ?3)`
	}
	err := s.readOne(ctx, "read waiting turns", func(c *conn) error {
		return c.query(ctx, `SELECT
			`+waitingColumns+` FROM
			(`+first(memory.StatusPending)+` UNION ALL
			`+first(memory.StatusFailed)+`) w
			CROSS JOIN mg_episodes e ON e.id = w.id ORDER BY e.id LIMIT ?3`, collectWaiting(&found), namespace, after, limit)
	})
	return found, err
}

// CountWaiting counts the namespace's turns that are pending or failed.
func (s *Store) CountWaiting(ctx context.Context, namespace string) (n int64, err error) {
	err = s.readOne(ctx, "count waiting turns", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT count(*) FROM mg_episodes e WHERE e.namespace = ? AND e.status IN ('pending',
			'failed')
			AND e.status IN ('pending', 'failed', 'quarantined')`, namespace)
		return err
	})
	return n, err
}

// TurnsToRead returns the turns of extract jobs, in the order of the ids. It omits turns that are gone or no longer
// wait.
func (s *Store) TurnsToRead(ctx context.Context, namespace string, ids []int64) ([]WaitingTurn, error) {
	found := []WaitingTurn{}
	err := s.readOne(ctx, "read turns", func(c *conn) error {
		return c.query(ctx, `SELECT `+waitingColumns+` FROM json_each(?1) j CROSS JOIN mg_episodes e ON e.id = j.value
			WHERE e.namespace = ?2 AND e.status IN ('pending', 'failed') ORDER BY
			j.key`, collectWaiting(&found), idList(ids), namespace)
	})
	return found, err
}

// TurnsBefore returns up to limit turns of the session before a turn, oldest first. It omits system turns and
// quarantined turns. A turn without a session has no turns before it.
func (s *Store) TurnsBefore(ctx context.Context, e memory.Episode, limit int) ([]memory.Episode, error) {
	found := []memory.Episode{}
	if e.Scope.SessionID == "" {
		return found, nil
	}
	err := s.readOne(ctx, "read turns before", func(c *conn) error {
		return c.query(ctx, `SELECT * FROM (SELECT
			`+episodeColumns+` FROM mg_episodes e WHERE e.namespace = ? AND
			e.session_id = ? AND e.seq < ?
			AND e.role <> 'system' AND e.status NOT IN ('quarantined',
			'`+memory.StatusWithdrawn+`') ORDER BY e.seq DESC LIMIT ?) ORDER BY seq`, collectEpisodes(&found),
			e.Scope.Namespace, e.Scope.SessionID, e.Seq, limit)
	})
	return found, err
}

// ClaimTurn holds the extract job of a turn for the lease, even if the job is not due, and creates the job if there is
// none. It serves callers that read the turn now. ok is false if another holder has the job or the turn no longer
// waits.
func (s *Store) ClaimTurn(ctx context.Context, namespace string, episode int64, holder string,
	lease time.Duration) (job Job, ok bool, err error) {
	err = s.write(ctx, "claim a turn", func(c *conn) error {
		now := s.now()
		subject := memory.EpisodeID(episode).String()
		ok = false
		_, waits, err := c.int64(ctx,
			`SELECT 1 FROM mg_episodes WHERE id = ? AND namespace = ? AND status IN ('pending', 'failed')`, episode, namespace)
		if err != nil || !waits {
			return err
		}
		if err := enqueue(ctx, c, KindExtract, namespace, subject, now); err != nil {
			return err
		}
		return c.query(ctx, `UPDATE mg_jobs SET attempts = attempts + (status = 'running'), status = 'running', holder = ?3,
			held_until = ?4, next_at = ?4
			WHERE kind = ?1 AND subject = ?2 AND status <> 'done' AND (status <> 'running' OR next_at <= ?5) RETURNING id,
			attempts`,
			func(row cursor) error {
				ok = true
				job = Job{ID: row.int64(0), Kind: KindExtract, Namespace: namespace, Subject: subject,
					Attempts: row.int(1)}
				return nil
			}, KindExtract, subject, holder, memory.Millis(now.Add(lease)), memory.Millis(now))
	})
	return job, ok && err == nil, err
}

// ExtractionCounts counts the namespace's turns by status.
func (s *Store) ExtractionCounts(ctx context.Context, namespace string) ([]memory.Count, error) {
	list := []memory.Count{}
	err := s.readOne(ctx, "count turns by status", func(c *conn) error {
		return c.query(ctx, `SELECT status, count(*) FROM mg_episodes WHERE namespace = ? GROUP BY status ORDER BY 2 DESC, 1`,
			func(row cursor) error {
				list = append(list, memory.Count{Name: row.text(0), N: row.int64(1)})
				return nil
			}, namespace)
	})
	return list, err
}

// OpenExtract is the open extract job of a turn.
type OpenExtract struct {
	Running bool      // a process holds the job
	Until   time.Time // the end of the lease; for a job that is not held, when it is due
}

// OpenExtracts returns the open extract jobs of turns, by turn. It omits turns without an open job.
func (s *Store) OpenExtracts(ctx context.Context, namespace string, ids []int64) (map[int64]OpenExtract, error) {
	found := map[int64]OpenExtract{}
	err := s.readOne(ctx, "read the jobs about turns", func(c *conn) error {
		return c.query(ctx, `SELECT e.value, j.status = 'running', j.next_at FROM json_each(?1) e
			CROSS JOIN mg_jobs j ON j.kind = ?2 AND j.subject = 't' || e.value AND j.status <> 'done' AND j.namespace = ?3`,
			func(row cursor) error {
				at, err := row.time(2)
				found[row.int64(0)] = OpenExtract{row.bool(1), at}
				return err
			}, idList(ids), KindExtract, namespace)
	})
	return found, err
}
