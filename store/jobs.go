package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// next_at is the one column of mg_jobs that says when a job may run. For a pending job it is when the job becomes due,
// for a running one when its lease ends, for a failed one when it is retried. So all due jobs, including those of a
// dead holder, are one range of one index.

// Job statuses.
const (
	jobPending = "pending"
	jobRunning = "running"
	jobFailed  = "failed"
)

// deathLimit is how many holders may die while they run a job before the job itself counts as the cause and fails.
const deathLimit = 20

// Job is a piece of work that one process holds.
type Job struct {
	ID        int64
	Kind      string
	Namespace string
	Subject   string // the id of what it is about, such as t56; for "embed" with the generation in front (2/t56, 2/e12)
	Attempts  int    // how often it failed before, or its holder died
}

// Claim asks for jobs.
type Claim struct {
	Kind   string
	Prefix string // of the subject; "" matches any
	Holder string // the caller: unique over processes and restarts
	Lease  time.Duration
	Limit  int
	Newest bool // the newest jobs first, so that a long queue does not delay new turns
}

// subjectRange returns the bounds of the subjects that begin with prefix: from <= subject < to.
func subjectRange(prefix string) (from, to string) { return prefix, prefix + "\U0010FFFF" }

// ClaimJobs returns up to Limit due jobs, the oldest first unless Newest is set, and leases them to the holder. No
// other process gets them until the lease ends. If nothing is due, nothing is written.
func (s *Store) ClaimJobs(ctx context.Context, q Claim) ([]Job, error) {
	from, to := subjectRange(q.Prefix)
	const due = ` FROM mg_jobs WHERE kind = ?1 AND status <> 'done' AND next_at <= ?2 AND subject >= ?3 AND subject < ?4 `
	order := `ORDER BY next_at, id`
	if q.Newest {
		order = `ORDER BY next_at DESC, id DESC`
	}
	waiting := false
	err := s.readOne(ctx, "look for jobs", func(c *conn) (err error) {
		_, waiting, err = c.int64(ctx, `SELECT 1`+due+`LIMIT 1`, q.Kind, memory.Millis(s.now()), from, to)
		return err
	})
	if err != nil || !waiting {
		return nil, err
	}
	var jobs []Job
	err = s.write(ctx, "claim jobs", func(c *conn) error {
		now := s.now()
		var dead []int64
		if err := c.query(ctx, `UPDATE mg_jobs SET status = 'failed', holder = NULL, held_until = NULL, next_at = ?5, attempts
			= attempts + 1,
			last_error = 'the process that ran it died, again and again'
			WHERE id IN (SELECT
			id`+due+`AND status = 'running' AND attempts >= ?6) RETURNING
				id`, func(row cursor) error {
			dead = append(dead, row.int64(0))
			return nil
		}, q.Kind, memory.Millis(now), from, to, memory.Millis(now.Add(s.retry)), deathLimit); err != nil {
			return err
		}
		if err := failTurns(ctx, c, dead); err != nil {
			return err
		}
		until := memory.Millis(now.Add(q.Lease))
		return c.query(ctx, `UPDATE mg_jobs SET attempts = attempts + (status = 'running'), status = 'running', holder = ?5,
			held_until = ?6, next_at = ?6
			WHERE id IN (SELECT id`+due+order+` LIMIT ?7) RETURNING id, namespace, subject, attempts`,
			func(row cursor) error {
				jobs = append(jobs, Job{ID: row.int64(0), Kind: q.Kind, Namespace: row.text(1),
					Subject: row.text(2), Attempts: row.int(3)})
				return nil
			}, q.Kind, memory.Millis(now), from, to, q.Holder, until, q.Limit)
	})
	slices.SortFunc(jobs, func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
	return jobs, err
}

// RenewJobs extends the holder's lease on the jobs to now + lease. It returns the ids that are still held. The others
// are done, or another process took them over.
func (s *Store) RenewJobs(ctx context.Context, holder string, ids []int64, lease time.Duration) ([]int64, error) {
	held := []int64{}
	err := s.write(ctx, "renew jobs", func(c *conn) error {
		return c.query(ctx, `UPDATE mg_jobs SET held_until = ?3, next_at = ?3
			WHERE id IN (SELECT value FROM json_each(?1)) AND holder = ?2 AND status = 'running' RETURNING id`,
			func(row cursor) error {
				held = append(held, row.int64(0))
				return nil
			}, idList(ids), holder, memory.Millis(s.now().Add(lease)))
	})
	return held, err
}

// CompleteJobs deletes the holder's jobs. Their results are stored elsewhere, and finished rows would slow the queue
// down. Jobs that another process has taken over stay.
func (s *Store) CompleteJobs(ctx context.Context, holder string, ids []int64) error {
	return s.write(ctx, "complete jobs", func(c *conn) error { return completeJobs(ctx, c, holder, ids) })
}

func completeJobs(ctx context.Context, c *conn, holder string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := c.exec(ctx,
		`DELETE FROM mg_jobs WHERE id IN (SELECT value FROM json_each(?1)) AND holder = ?2 AND status = 'running'`,
		idList(ids), holder)
	return err
}

// ReleaseJobs returns the holder's jobs to the queue, due at once, for a process that stops before it has done them.
func (s *Store) ReleaseJobs(ctx context.Context, holder string, ids []int64) error {
	return s.write(ctx, "release jobs", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_jobs SET status = 'pending', holder = NULL, held_until = NULL, next_at = ?3
			WHERE id IN (SELECT value FROM json_each(?1)) AND holder = ?2 AND status = 'running'`,
			idList(ids), holder, memory.Millis(s.now()))
		return err
	})
}

// Back-off of failed jobs.
const (
	firstRetry  = 2 * time.Second
	maxAttempts = 5
)

// backoff returns how long a job waits after its nth failure, from 1: 2, 4, 8, 16 seconds, then retryFailed.
func backoff(failures int, retryFailed time.Duration) time.Duration {
	if failures >= maxAttempts {
		return retryFailed
	}
	return firstRetry << max(failures-1, 0)
}

// FailJobs records why the holder's jobs failed and when they are retried. From the fifth failure on, a job counts as
// failed. It is still retried every Options.RetryFailed, so no work is lost.
func (s *Store) FailJobs(ctx context.Context, holder string, jobs []Job, cause error) error {
	return s.write(ctx, "fail jobs", func(c *conn) error {
		now := s.now()
		for _, j := range jobs {
			failures := j.Attempts + 1
			status := jobPending
			if failures >= maxAttempts {
				status = jobFailed
			}
			if _, err := c.exec(ctx, `UPDATE mg_jobs SET status = ?, attempts = ?, next_at = ?, last_error = ?, holder = NULL,
				held_until = NULL
				WHERE id = ? AND holder = ? AND status = 'running'`,
				status, failures, memory.Millis(now.Add(backoff(failures, s.retry))), lastError(cause), j.ID, holder); err != nil {
				return err
			}
		}
		return failTurns(ctx, c, jobIDs(jobs))
	})
}

// DeferJobs returns the holder's jobs to the queue, due at until, and counts no attempt. It is for causes outside the
// job, such as an unreachable endpoint. It stores cause as the jobs' last error.
func (s *Store) DeferJobs(ctx context.Context, holder string, ids []int64, until time.Time, cause error) error {
	return s.write(ctx, "defer jobs", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_jobs SET status = CASE WHEN attempts >= ?5 THEN 'failed' ELSE 'pending' END, holder =
			NULL, held_until = NULL, next_at = ?3, last_error = ?4
			WHERE id IN (SELECT value FROM json_each(?1)) AND holder = ?2 AND status = 'running'`,
			idList(ids), holder, memory.Millis(until), lastError(cause), maxAttempts)
		if err != nil {
			return err
		}
		return failTurns(ctx, c, ids)
	})
}

func jobIDs(jobs []Job) []int64 {
	ids := make([]int64, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
	}
	return ids
}

// lastError returns the beginning of an error's text: a model endpoint may answer with a page of HTML.
func lastError(err error) string {
	const limit = 1000
	msg := []rune(fmt.Sprint(err))
	if len(msg) > limit {
		return string(msg[:limit]) + "…"
	}
	return string(msg)
}

// OnQueued sets the function that is called after each write transaction that queued jobs, once for each kind of job.
// Call it before the store is used.
func (s *Store) OnQueued(do func(kind string)) { s.onQueued = do }

// noteQueued remembers that the current transaction queued a job.
func (c *conn) noteQueued(kind string) {
	if !slices.Contains(c.queued, kind) {
		c.queued = append(c.queued, kind)
	}
}

// enqueue queues a job that is due now. A job that is already open for the kind and subject stays as it is.
func enqueue(ctx context.Context, c *conn, kind, namespace, subject string, now time.Time) error {
	c.noteQueued(kind)
	_, err := c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at) VALUES (?1, ?2, ?3,
		?4, ?5, ?5)
		ON CONFLICT (kind, subject) WHERE status <> 'done' DO
		NOTHING`, kind, namespace, subject, jobPending, memory.Millis(now))
	return err
}

// enqueueFor queues the given jobs about a new episode, and its embed job if this process has an embedder.
func (s *Store) enqueueFor(ctx context.Context, c *conn, e memory.Episode, kinds []string, now time.Time) error {
	if s.embeds.Load() {
		gen, ok, err := writeTarget(ctx, c)
		if err != nil {
			return err
		}
		if ok {
			if err := enqueue(ctx, c, KindEmbed, e.Scope.Namespace, EmbedSubject(gen, memory.EpisodeID(e.ID)), now); err != nil {
				return err
			}
		}
	}
	for _, kind := range kinds {
		if err := enqueue(ctx, c, kind, e.Scope.Namespace, memory.EpisodeID(e.ID).String(), now); err != nil {
			return err
		}
	}
	return nil
}

// FailedJob is a job that failed, and why.
type FailedJob struct {
	Kind, Namespace, Subject, LastError string
	Attempts                            int
	NextAt                              time.Time // the next attempt; while the job runs, the end of its lease
	Running                             bool
}

// JobFilter selects jobs; an empty field matches all.
type JobFilter struct{ Kind, Namespace string }

// FailedJobs returns up to limit jobs with an error, most attempts first, for the operator.
func (s *Store) FailedJobs(ctx context.Context, of JobFilter, limit int) ([]FailedJob, error) {
	failed := []FailedJob{}
	err := s.readOne(ctx, "read failed jobs", func(c *conn) error {
		return c.query(ctx, `SELECT kind, namespace, subject, last_error, attempts, next_at, status = 'running' FROM mg_jobs
			WHERE status <> 'done' AND last_error IS NOT NULL AND (?1 = '' OR kind = ?1) AND (?2 = '' OR namespace = ?2)
			ORDER BY attempts DESC, id LIMIT ?3`, func(row cursor) error {
			at, err := row.time(5)
			failed = append(failed, FailedJob{row.text(0), row.text(1), row.text(2), row.text(3),
				row.int(4), at, row.bool(6)})
			return err
		}, of.Kind, of.Namespace, limit)
	})
	return failed, err
}
