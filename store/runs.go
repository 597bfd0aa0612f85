package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// RunRequest asks for the next run of a periodic task.
type RunRequest struct {
	Task   string        // its name in the file
	Holder string        // the caller: unique over processes and restarts
	Every  time.Duration // the interval, at least a millisecond
	Lease  time.Duration // how long a dead holder blocks the run
	AtOnce bool          // a task that never ran is due now; otherwise one interval after the first request
}

// Run is one run of a periodic task, held by one process.
type Run struct {
	Task, Holder string
	// At is when the run began; for a run that was taken over, when its first holder began it.
	At time.Time
	// Intervals is how many times the task fell due since its last run, from 1: a run makes up for missed ones.
	Intervals int
	Every     time.Duration

	lease    time.Duration
	last     string   // last_run_at from before: it changes when anybody finishes the run
	progress progress // how far the run has come
	finished bool
}

// progress is what the file stores about an unfinished run.
type progress struct {
	At        time.Time `json:"at"`
	Intervals int       `json:"intervals"`
	Next      time.Time `json:"next"`  // when the task is due after this run
	After     int64     `json:"after"` // the last row that is done
}

// ErrRunLost means that another process has taken over or finished the run. Nothing was written.
var ErrRunLost = errors.New("another process has taken the run over")

// BeginRun returns the task's run if it is due and nobody holds it, and leases it to the holder. Otherwise run is nil,
// and wait is how long until it may be due. If nothing is due it only reads, except that it stores the first due
// instant of a new task. A run whose holder died is returned again and continues where it stopped.
func (s *Store) BeginRun(ctx context.Context, q RunRequest) (run *Run, wait time.Duration, err error) {
	if q.Task == "" || q.Holder == "" || q.Every < time.Millisecond || q.Lease < time.Millisecond {
		return nil, 0, memory.Errorf(memory.InvalidArgument,
			"A run of %q by %q, every %v with a lease of %v, is not valid.",
			q.Task, q.Holder, q.Every, q.Lease).
			WithHint("Give a task, a holder, and an interval and a lease of at least a millisecond.")
	}
	var row leaseRow
	if err := s.readOne(ctx, "look for a run",
		func(c *conn) (err error) { row, err = c.lease(ctx, q.Task); return err }); err != nil {
		return nil, 0, err
	}
	if v := row.judge(s.now(), q); !v.due && !v.anchor {
		return nil, v.wait, nil
	}
	err = s.write(ctx, "begin a run", func(c *conn) error {
		row, err := c.lease(ctx, q.Task) // another process may have been faster
		if err != nil {
			return err
		}
		now := s.now().UTC().Truncate(time.Millisecond)
		v := row.judge(now, q)
		switch {
		case v.anchor:
			wait = v.wait
			return c.saveLease(ctx, q.Task, "next_run_at", memory.Millis(now.Add(q.Every)))
		case !v.due:
			wait = v.wait
			return nil
		}
		run = &Run{Task: q.Task, Holder: q.Holder, Every: q.Every, lease: q.Lease, last: row.last,
			progress: progress{At: now, Intervals: v.intervals, Next: v.at.Add(q.Every)}}
		if row.progress != "" {
			if err := json.Unmarshal([]byte(row.progress), &run.progress); err != nil {
				return fmt.Errorf("read the progress of %s: %w", q.Task, err)
			}
		}
		run.At, run.Intervals = run.progress.At, run.progress.Intervals
		if _, err := c.exec(ctx, `INSERT INTO mg_leases (name, holder, held_until) VALUES (?1, ?2, ?3)
			ON CONFLICT (name) DO UPDATE SET holder = ?2, held_until =
			?3`, q.Task, q.Holder, memory.Millis(now.Add(q.Lease))); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return run, wait, nil
}

func (c *conn) saveLease(ctx context.Context, name, column, value string) error {
	_, err := c.exec(ctx, `INSERT INTO mg_leases (name, `+column+`) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET `+
		column+` = ?2`, name, value)
	return err
}

// RenewRun renews the holder's lease from now. The error is ErrRunLost if the holder has lost the run.
func (s *Store) RenewRun(ctx context.Context, r *Run) error {
	return s.runWrite(ctx, r, "renew a run", func(*conn) error { return nil })
}

// FinishRun records that the task has run, and returns the lease. It does nothing if the run's last step has already
// done so. The error is ErrRunLost if the holder has lost the run.
func (s *Store) FinishRun(ctx context.Context, r *Run) error {
	if r.finished {
		return nil
	}
	err := s.runWrite(ctx, r, "finish a run", func(c *conn) error { return c.finishRun(ctx, r) })
	r.finished = r.finished || err == nil
	return err
}

func (c *conn) finishRun(ctx context.Context, r *Run) error {
	_, err := c.exec(ctx,
		`UPDATE mg_leases SET held_until = NULL, last_run_at = ?2, next_run_at = ?3, progress = NULL WHERE name = ?1`,
		r.Task, memory.Millis(r.progress.At), memory.Millis(r.progress.Next))
	return err
}

// ReleaseRun returns the lease of an unfinished run: the task is due at once, for any process. It does nothing if the
// holder has lost the run.
func (s *Store) ReleaseRun(ctx context.Context, r *Run) error {
	if r.finished {
		return nil
	}
	err := s.runWrite(ctx, r, "give a run back", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_leases SET held_until = NULL WHERE name = ?`, r.Task)
		return err
	})
	if errors.Is(err, ErrRunLost) {
		return nil
	}
	return err
}

// runWrite runs a transaction that only the run's holder can commit, and renews the holder's lease in it.
func (s *Store) runWrite(ctx context.Context, r *Run, op string, do func(*conn) error) error {
	lost := false
	err := s.write(ctx, op, func(c *conn) error {
		held, err := c.exec(ctx, `UPDATE mg_leases SET held_until = ?4 WHERE name = ?1 AND holder = ?2 AND last_run_at IS ?3`,
			r.Task, r.Holder, nullable(r.last), memory.Millis(s.now().Add(r.lease)))
		if err != nil {
			return err
		}
		if held == 0 {
			lost = true
			return ErrRunLost
		}
		return do(c)
	})
	if lost {
		return ErrRunLost
	}
	return err
}

// runStep does the part of a run's work after the row after. It returns the last row that it has done, and whether none
// are left.
type runStep func(c *conn, after int64) (last int64, done bool, err error)

// stepRun does a run's work in steps. Each step is a transaction that also stores the run's progress, and the last one
// finishes the run. So each step is done once, even if a process dies: the next holder continues after the last
// committed step. The lock is free between two steps.
func (s *Store) stepRun(ctx context.Context, r *Run, op string, do runStep) error {
	for !r.finished {
		next, done := r.progress, false
		err := s.runWrite(ctx, r, op, func(c *conn) (err error) {
			if next.After, done, err = do(c, r.progress.After); err != nil {
				return err
			}
			if done {
				return c.finishRun(ctx, r)
			}
			text, err := json.Marshal(next)
			if err != nil {
				return fmt.Errorf("write the progress of %s: %w", r.Task, err)
			}
			return c.saveLease(ctx, r.Task, "progress", string(text))
		})
		if err != nil {
			return err
		}
		r.progress, r.finished = next, done
	}
	return nil
}
